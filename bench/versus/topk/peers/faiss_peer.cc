// FAISS: rows as one bit per (attribute, value).
//
// Binary: exact Hamming search; two rows with m equal values of w wanted ones differ in
// 20 + w - 2m bits. Flat: the same as floats with inner product, where a batch becomes one matrix
// product. FAISS does not order equal scores by row, so only scores are compared, and the answer
// is put in order afterwards. Its own FastScan is left out: the Debian build has no byte shuffle in
// it and emulates the instruction; fast_scan.cc stands in for it.
#include <dlfcn.h>
#include <faiss/IndexBinaryFlat.h>
#include <faiss/IndexFlat.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "bench/versus/topk/peers/peers.h"

namespace rankveil::versus {
namespace {

// Where the bits of each attribute begin.
std::vector<std::size_t> first_bits(const Table& table) {
  std::vector<std::size_t> first = {0};
  for (std::uint32_t domain : table.domains) first.push_back(first.back() + domain);
  return first;
}

// OpenBLAS has threads of its own, which OpenMP's setting does not reach.
void use_threads(int threads) {
  omp_set_num_threads(threads);
  using SetThreads = void (*)(int);
  if (auto set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
    set(threads);
  }
}

void put_in_order(Hits& hits) {
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    return a.score != b.score ? a.score > b.score : a.row < b.row;
  });
}

std::string faiss_version() {
  return fmt::format("FAISS {}.{}.{}", FAISS_VERSION_MAJOR, FAISS_VERSION_MINOR,
                     FAISS_VERSION_PATCH);
}

bool is_plain(const Case& what) {
  return what.kind == Kind::Exact && what.has_unit_weights && what.threads == 1;
}

class Binary : public Contestant {
 public:
  std::string name() const override { return "FAISS binary"; }
  std::string version() const override { return faiss_version(); }
  bool supports(const Case& what) const override { return is_plain(what); }
  bool breaks_ties_by_row() const override { return false; }

  Status prepare(const Data& data) override {
    use_threads(1);
    const Table& table = *data.table;
    first_bits_ = first_bits(table);
    attributes_ = table.attributes();
    // 32 bytes a row: FAISS has a loop of its own for this width, none for 21.
    bytes_ = (first_bits_.back() + 255) / 256 * 32;
    std::vector<std::uint8_t> codes(bytes_ * table.rows, 0);
    for (std::uint32_t a = 0; a < attributes_; ++a) {
      for (std::uint32_t row = 0; row < table.rows; ++row) {
        set_bit(codes.data() + row * bytes_, first_bits_[a] + table.columns[a][row]);
      }
    }
    index_ = std::make_unique<faiss::IndexBinaryFlat>(static_cast<faiss::Index::idx_t>(bytes_ * 8));
    index_->add(table.rows, codes.data());
    return {};
  }

  Status ask(const Task& task) override {
    codes_.assign(bytes_ * task.questions.size(), 0);
    asked_.clear();
    for (std::size_t q = 0; q < task.questions.size(); ++q) {
      asked_.push_back(0);
      for (std::size_t a = 0; a < attributes_; ++a) {
        int wanted = task.questions[q].wanted[a];
        if (wanted == no_wish) continue;
        ++asked_.back();
        set_bit(codes_.data() + q * bytes_, first_bits_[a] + static_cast<std::size_t>(wanted));
      }
    }
    return {};
  }

  Status run(std::size_t question, Hits& hits) override {
    search(question, 1);
    read(question, 0, hits);
    return {};
  }

  Status run_batch(std::vector<Hits>& answers) override {
    search(0, asked_.size());
    for (std::size_t q = 0; q < answers.size(); ++q) read(q, q, answers[q]);
    return {};
  }

 private:
  static void set_bit(std::uint8_t* bytes, std::size_t bit) {
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] | 1U << (bit % 8));
  }

  void search(std::size_t first, std::size_t count) {
    distances_.resize(count * top_k);
    labels_.resize(count * top_k);
    index_->search(static_cast<faiss::Index::idx_t>(count), codes_.data() + first * bytes_, top_k,
                   distances_.data(), labels_.data());
  }

  void read(std::size_t question, std::size_t place, Hits& hits) const {
    hits.clear();
    for (std::size_t i = place * top_k; i < (place + 1) * top_k; ++i) {
      if (labels_[i] < 0) break;
      int matches = (static_cast<int>(attributes_) + asked_[question] - distances_[i]) / 2;
      hits.push_back({static_cast<std::uint32_t>(labels_[i]), static_cast<double>(matches)});
    }
    put_in_order(hits);
  }

  std::size_t attributes_ = 0;
  std::size_t bytes_ = 0;
  std::vector<std::size_t> first_bits_;
  std::unique_ptr<faiss::IndexBinaryFlat> index_;
  std::vector<std::uint8_t> codes_;
  std::vector<int> asked_;  // wishes per question
  std::vector<std::int32_t> distances_;
  std::vector<faiss::Index::idx_t> labels_;
};

class Flat : public Contestant {
 public:
  std::string name() const override { return "FAISS flat IP"; }
  std::string version() const override { return faiss_version(); }
  bool supports(const Case& what) const override { return is_plain(what) && what.is_batch; }
  bool breaks_ties_by_row() const override { return false; }

  Status prepare(const Data& data) override {
    use_threads(1);
    const Table& table = *data.table;
    first_bits_ = first_bits(table);
    index_ =
        std::make_unique<faiss::IndexFlatIP>(static_cast<faiss::Index::idx_t>(first_bits_.back()));
    constexpr std::uint32_t chunk = 1 << 16;
    for (std::uint32_t first = 0; first < table.rows; first += chunk) {
      add_rows(table, first, std::min(first + chunk, table.rows));
    }
    return {};
  }

  Status ask(const Task& task) override {
    std::size_t width = first_bits_.back();
    count_ = task.questions.size();
    vectors_.assign(width * count_, 0.0F);
    for (std::size_t q = 0; q < count_; ++q) {
      for (std::size_t a = 0; a + 1 < first_bits_.size(); ++a) {
        int wanted = task.questions[q].wanted[a];
        if (wanted == no_wish) continue;
        vectors_[q * width + first_bits_[a] + static_cast<std::size_t>(wanted)] = 1.0F;
      }
    }
    return {};
  }

  Status run(std::size_t, Hits&) override { return wrong_use("only for batches"); }

  Status run_batch(std::vector<Hits>& answers) override {
    scores_.resize(count_ * top_k);
    labels_.resize(count_ * top_k);
    index_->search(static_cast<faiss::Index::idx_t>(count_), vectors_.data(), top_k, scores_.data(),
                   labels_.data());
    answers.assign(count_, {});
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (labels_[i] < 0) continue;
      answers[i / top_k].push_back(
          {static_cast<std::uint32_t>(labels_[i]), std::round(static_cast<double>(scores_[i]))});
    }
    for (Hits& hits : answers) put_in_order(hits);
    return {};
  }

 private:
  void add_rows(const Table& table, std::uint32_t first, std::uint32_t end) {
    std::size_t width = first_bits_.back();
    std::vector<float> vectors((end - first) * width, 0.0F);
    for (std::uint32_t a = 0; a < table.attributes(); ++a) {
      for (std::uint32_t row = first; row < end; ++row) {
        vectors[(row - first) * width + first_bits_[a] + table.columns[a][row]] = 1.0F;
      }
    }
    index_->add(end - first, vectors.data());
  }

  std::size_t count_ = 0;
  std::vector<std::size_t> first_bits_;
  std::unique_ptr<faiss::IndexFlatIP> index_;
  std::vector<float> vectors_;
  std::vector<float> scores_;
  std::vector<faiss::Index::idx_t> labels_;
};

}  // namespace

std::unique_ptr<Contestant> make_faiss_binary() { return std::make_unique<Binary>(); }
std::unique_ptr<Contestant> make_faiss_flat() { return std::make_unique<Flat>(); }

}  // namespace rankveil::versus
