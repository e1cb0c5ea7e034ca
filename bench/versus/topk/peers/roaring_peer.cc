// CRoaring: one compressed bitmap per (attribute, value), counted bit by bit.
//
// The wanted bitmaps are added with full adders made of bitmap operations, which gives the scores
// as five bitmaps (bit 0 to bit 4); the k best rows are then found from the highest bit down.
// Adding byte counters over the decompressed row numbers was measured too and was slower.
#include <algorithm>
#include <roaring/roaring.hh>

#include "bench/versus/topk/peers/peers.h"

namespace rankveil::versus {
namespace {

using Bitmaps = std::vector<Roaring>;
using Inputs = std::vector<const Roaring*>;

// Adds bitmaps of one weight: what stays is the sum's bit, what is carried counts double.
Roaring add_level(const Inputs& inputs, Bitmaps& carries) {
  Roaring sum = *inputs[0];
  for (std::size_t i = 1; i + 1 < inputs.size(); i += 2) {
    Roaring differ = sum ^ *inputs[i];
    carries.push_back((sum & *inputs[i]) | (differ & *inputs[i + 1]));
    sum = differ ^ *inputs[i + 1];
  }
  if (inputs.size() % 2 == 0) {
    carries.push_back(sum & *inputs.back());
    sum ^= *inputs.back();
  }
  return sum;
}

Bitmaps count_bits(Inputs inputs) {
  Bitmaps bits;
  Bitmaps level;
  while (!inputs.empty()) {
    Bitmaps carries;
    bits.push_back(add_level(inputs, carries));
    level = std::move(carries);
    inputs.clear();
    for (const Roaring& carry : level) inputs.push_back(&carry);
  }
  return bits;
}

std::uint32_t score_of(const Bitmaps& bits, std::uint32_t row) {
  std::uint32_t score = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    score |= static_cast<std::uint32_t>(bits[i].contains(row)) << i;
  }
  return score;
}

// `sure` rows are among the best; of `tied` ones the first fill up.
struct Best {
  Roaring sure;
  Roaring tied;
};

Best find_best(const Bitmaps& bits, const Roaring& all, std::uint64_t k) {
  Best best{{}, all};
  for (std::size_t i = bits.size(); i-- > 0;) {
    Roaring with_bit = best.tied & bits[i];
    if (best.sure.cardinality() + with_bit.cardinality() >= k) {
      best.tied = std::move(with_bit);
    } else {
      best.tied -= with_bit;
      best.sure |= with_bit;
    }
  }
  return best;
}

class CRoaring : public Contestant {
 public:
  std::string name() const override { return "CRoaring"; }
  std::string version() const override {
    return "CRoaring " + std::to_string(ROARING_VERSION_MAJOR) + "." +
           std::to_string(ROARING_VERSION_MINOR) + "." + std::to_string(ROARING_VERSION_REVISION);
  }
  bool supports(const Case& what) const override {
    bool is_known = what.kind == Kind::Exact || what.kind == Kind::Sets;
    return is_known && what.has_unit_weights && what.threads == 1;
  }

  Status prepare(const Data& data) override {
    const Table& table = *data.table;
    bitmaps_.clear();
    for (std::uint32_t a = 0; a < table.attributes(); ++a) {
      bitmaps_.emplace_back(table.domains[a]);
      add_column(table.columns[a], bitmaps_.back());
      if (a >= table.public_count && !data.second.empty()) {
        add_column(data.second[a - table.public_count], bitmaps_.back());
      }
      for (Roaring& bitmap : bitmaps_.back()) bitmap.runOptimize();
    }
    all_ = Roaring();
    all_.addRange(0, table.rows);
    return {};
  }

  Status ask(const Task& task) override {
    task_ = &task;
    return {};
  }

  Status run(std::size_t question, Hits& hits) override {
    Inputs inputs;
    const Question& asked = task_->questions[question];
    for (std::size_t a = 0; a < asked.wanted.size(); ++a) {
      if (asked.wanted[a] == no_wish) continue;
      inputs.push_back(&bitmaps_[a][static_cast<std::size_t>(asked.wanted[a])]);
    }
    Bitmaps bits = count_bits(inputs);
    std::uint64_t k = std::min<std::uint64_t>(top_k, all_.cardinality());
    read(bits, find_best(bits, all_, k), k, hits);
    return {};
  }

 private:
  static void add_column(const std::vector<std::uint8_t>& column, Bitmaps& bitmaps) {
    std::vector<std::vector<std::uint32_t>> rows(bitmaps.size());
    for (std::uint32_t row = 0; row < column.size(); ++row) rows[column[row]].push_back(row);
    for (std::size_t value = 0; value < bitmaps.size(); ++value) {
      bitmaps[value].addMany(rows[value].size(), rows[value].data());
    }
  }

  static void read(const Bitmaps& bits, const Best& best, std::uint64_t k, Hits& hits) {
    hits.clear();
    for (std::uint32_t row : best.sure) {
      hits.push_back({row, static_cast<double>(score_of(bits, row))});
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const Hit& a, const Hit& b) { return a.score > b.score; });
    for (std::uint32_t row : best.tied) {
      if (hits.size() == k) break;
      hits.push_back({row, static_cast<double>(score_of(bits, row))});
    }
  }

  std::vector<Bitmaps> bitmaps_;  // [attribute][value]
  Roaring all_;
  const Task* task_ = nullptr;
};

}  // namespace

std::unique_ptr<Contestant> make_roaring() { return std::make_unique<CRoaring>(); }

}  // namespace rankveil::versus
