#include "bench/versus/topk/ours.h"
#include "bench/versus/topk/peers/fast_scan.h"
#include "bench/versus/topk/peers/numpy_peer.h"
#include "bench/versus/topk/peers/peers.h"

namespace rankveil::versus {
namespace {

using Make = std::function<std::unique_ptr<Contestant>()>;

#ifdef VERSUS_HAS_FAST_SCAN
Make fast_scan(Form form) {
  return [form] { return make_fast_scan(form); };
}
#else
Make fast_scan(Form) { return nullptr; }
#endif

#ifdef VERSUS_HAS_ROARING
const Make roaring = make_roaring;
#else
const Make roaring = nullptr;
#endif

#ifdef VERSUS_HAS_FAISS
const Make faiss_binary = make_faiss_binary;
const Make faiss_flat = make_faiss_flat;
#else
const Make faiss_binary = nullptr;
const Make faiss_flat = nullptr;
#endif

}  // namespace

std::vector<Entry> all_contestants() {
  return {
      {"ours", "", [] { return make_ours(); }},
      {"fastscan-avx2", "an x86-64 CPU", fast_scan(Form::NibblesAvx2)},
      {"fastscan-avx512", "an x86-64 CPU", fast_scan(Form::NibblesAvx512)},
      {"packed-vbmi", "an x86-64 CPU", fast_scan(Form::PackedVbmi)},
      {"numpy", "", [] { return make_numpy(Threshold::Search); }},
      {"numpy-bincount", "", [] { return make_numpy(Threshold::Bincount); }},
      {"croaring", "libroaring-dev", roaring},
      {"faiss-binary", "libfaiss-dev", faiss_binary},
      {"faiss-flat", "libfaiss-dev", faiss_flat},
      {"duckdb", "", make_duckdb},
  };
}

}  // namespace rankveil::versus
