// The honest kernel peer: a scan over small codes with table look-ups in registers, in the style of
// FAISS's FastScan, with the threshold tricks our engine uses (a floor seeded from a sample, raised
// while rows are found). Three forms:
//   nibbles, AVX2 and AVX-512   two attributes a byte, one pshufb for each
//   packed, AVX-512 VBMI        two or three attributes a byte (product of domains <= 128), one
//                               two-register byte permutation for all of them
// Sets and half strengths store two codes per private attribute.
#include "bench/versus/topk/peers/fast_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "bench/versus/topk/huge_buffer.h"
#include "bench/versus/topk/peers/fast_scan_kernels.h"

namespace rankveil::versus {
namespace {

// One stored code: a column of values and the attribute a wish must be made for.
struct Code {
  const std::vector<std::uint8_t>* values;
  std::uint32_t attribute;
  std::uint32_t domain;
};

// The codes that share a byte; code i is digit i with place value `radix[i]`.
struct Plane {
  std::vector<std::size_t> codes;
  std::vector<std::uint32_t> radix;
};

std::vector<Code> codes_of(const Data& data) {
  std::vector<Code> codes;
  const Table& table = *data.table;
  for (std::uint32_t a = 0; a < table.attributes(); ++a) {
    codes.push_back({&table.columns[a], a, table.domains[a]});
  }
  for (std::uint32_t j = 0; j < data.second.size(); ++j) {
    std::uint32_t a = table.public_count + j;
    codes.push_back({&data.second[j], a, table.domains[a]});
  }
  return codes;
}

// Two codes a byte.
std::vector<Plane> pair_up(const std::vector<Code>& codes) {
  std::vector<Plane> planes((codes.size() + 1) / 2);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    planes[i / 2].codes.push_back(i);
    planes[i / 2].radix.push_back(i % 2 == 0 ? 1 : 16);
  }
  return planes;
}

// Best fit, largest domains first: into the plane that the code fills up most.
std::vector<Plane> pack(const std::vector<Code>& codes) {
  std::vector<std::size_t> order(codes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return codes[a].domain > codes[b].domain; });
  std::vector<Plane> planes;
  std::vector<std::uint32_t> sizes;
  for (std::size_t code : order) {
    std::size_t best = planes.size();
    for (std::size_t p = 0; p < planes.size(); ++p) {
      bool fits = sizes[p] * codes[code].domain <= 128;
      if (fits && (best == planes.size() || sizes[p] > sizes[best])) best = p;
    }
    if (best == planes.size()) {
      planes.emplace_back();
      sizes.push_back(1);
    }
    planes[best].codes.push_back(code);
    planes[best].radix.push_back(sizes[best]);
    sizes[best] *= codes[code].domain;
  }
  return planes;
}

HugeBuffer encode(const std::vector<Code>& codes, const std::vector<Plane>& planes,
                  std::uint32_t rows) {
  std::uint64_t blocks = (rows + block_rows - 1) / block_rows;
  HugeBuffer bytes(blocks * planes.size() * block_rows);
  for (std::size_t p = 0; p < planes.size(); ++p) {
    for (std::size_t i = 0; i < planes[p].codes.size(); ++i) {
      const std::vector<std::uint8_t>& values = *codes[planes[p].codes[i]].values;
      for (std::uint32_t row = 0; row < rows; ++row) {
        std::size_t place = (row / block_rows * planes.size() + p) * block_rows + row % block_rows;
        std::uint32_t digit = values[row] * planes[p].radix[i];
        bytes.data()[place] = static_cast<std::uint8_t>(bytes.data()[place] + digit);
      }
    }
  }
  return bytes;
}

constexpr std::uint32_t largest_sum = 255;

// Weights of an 8-bit sum. When they do not fit as they are, they are scaled down and rounded up,
// and the sum is an upper bound that has to be checked.
struct ByteWeights {
  std::vector<std::uint32_t> steps;  // per attribute: what one matching code adds
  double scale = 1;                  // steps per unit of the exact score
  bool is_exact = true;
};

ByteWeights byte_weights(const std::vector<std::int64_t>& steps) {
  std::int64_t sum = std::accumulate(steps.begin(), steps.end(), std::int64_t{0});
  ByteWeights result;
  result.is_exact = sum <= largest_sum;
  if (!result.is_exact) {
    // Rounding up adds less than one a weight.
    result.scale = (largest_sum - static_cast<double>(steps.size())) / static_cast<double>(sum);
  }
  for (std::int64_t step : steps) {
    double scaled = static_cast<double>(step) * result.scale;
    result.steps.push_back(static_cast<std::uint32_t>(std::ceil(scaled)));
  }
  return result;
}

// Rows that reach the floor, by score. Found in row order, so equal scores are in row order too.
class Buckets {
 public:
  void start(std::uint32_t rows, std::uint8_t floor) {
    rows_ = rows;
    floor_ = floor;
    reaching_ = 0;
    total_ = 0;
    for (auto& bucket : by_score_) bucket.clear();
  }

  void add(std::uint32_t row, std::uint8_t score) {
    if (row >= rows_ || score < floor_) return;  // behind the last row there is padding
    by_score_[score].push_back(row);
    ++total_;
    ++reaching_;
    // k rows reach the floor and precede all that come: from here on it takes more.
    while (reaching_ >= top_k && floor_ < largest_sum) {
      reaching_ -= by_score_[floor_].size();
      ++floor_;
    }
  }

  std::uint8_t floor() const { return floor_; }
  bool has_enough() const { return total_ >= std::min(top_k, rows_); }

  void read(double unit, Hits& hits) const {
    hits.clear();
    for (std::size_t score = largest_sum + 1; score-- > 0;) {
      for (std::uint32_t row : by_score_[score]) {
        if (hits.size() == top_k) return;
        hits.push_back({row, static_cast<double>(score) * unit});
      }
    }
  }

 private:
  std::uint32_t rows_ = 0;
  std::uint8_t floor_ = 0;
  std::size_t reaching_ = 0;  // rows with a score >= floor
  std::size_t total_ = 0;
  std::array<std::vector<std::uint32_t>, largest_sum + 1> by_score_;
};

// The k best rows by exact score, where the bytes are only upper bounds.
class CheckedRows {
 public:
  struct Row {
    std::int64_t score;
    std::uint32_t row;
    bool operator<(const Row& other) const {  // better rows first
      return score != other.score ? score > other.score : row < other.row;
    }
  };
  // `codes`: `width` bytes a row.
  CheckedRows(const std::uint8_t* codes, std::uint32_t width, std::uint32_t rows,
              const Question& question, const Weights& weights, double scale)
      : codes_(codes), width_(width), rows_(rows), scale_(scale), weights_(weights.units) {
    for (int wanted : question.wanted) wanted_.push_back(static_cast<std::uint8_t>(wanted));
  }

  void start(std::uint8_t floor) {
    floor_ = floor;
    best_.clear();
  }

  void add(std::uint32_t row) {
    if (row >= rows_) return;
    Row found{exact_score(row), row};
    if (best_.size() == top_k) {
      if (!(found < best_.front())) return;
      std::pop_heap(best_.begin(), best_.end());
      best_.pop_back();
    }
    best_.push_back(found);
    std::push_heap(best_.begin(), best_.end());
    if (best_.size() == top_k) floor_ = std::max(floor_, min_bound());
  }

  std::uint8_t floor() const { return floor_; }
  bool is_full() const { return best_.size() == std::min(top_k, rows_); }
  // No row whose bound is below this is among the best.
  std::uint8_t min_bound() const {
    if (best_.size() < top_k) return 0;
    return static_cast<std::uint8_t>(
        std::ceil(static_cast<double>(best_.front().score) * scale_ - 1e-6));
  }

  void read(double unit, Hits& hits) {
    std::sort_heap(best_.begin(), best_.end());
    hits.clear();
    for (const Row& row : best_) {
      hits.push_back({row.row, static_cast<double>(row.score) * unit});
    }
  }

 private:
  std::int64_t exact_score(std::uint32_t row) const {
    const std::uint8_t* codes = codes_ + std::size_t{row} * width_;
    std::int64_t score = 0;
    for (std::uint32_t a = 0; a < width_; ++a) score += codes[a] == wanted_[a] ? weights_[a] : 0;
    return score;
  }

  const std::uint8_t* codes_;
  std::uint32_t width_;
  std::uint32_t rows_;
  double scale_;
  std::vector<std::int64_t> weights_;
  std::vector<std::uint8_t> wanted_;
  std::uint8_t floor_ = 0;
  std::vector<Row> best_;  // a heap whose front is the worst
};

template <typename Visit>
void for_each_row(std::uint64_t block, std::uint64_t rows, Visit visit) {
  for (; rows != 0; rows &= rows - 1) {
    auto lane = static_cast<std::uint32_t>(std::countr_zero(rows));
    visit(static_cast<std::uint32_t>(block * block_rows) + lane, lane);
  }
}

std::uint8_t add_to_buckets(void* context, std::uint64_t block, std::uint64_t rows,
                            const std::uint8_t* scores) {
  auto& buckets = *static_cast<Buckets*>(context);
  for_each_row(block, rows,
               [&](std::uint32_t row, std::uint32_t lane) { buckets.add(row, scores[lane]); });
  return buckets.floor();
}

std::uint8_t add_to_checked(void* context, std::uint64_t block, std::uint64_t rows,
                            const std::uint8_t* scores) {
  auto& checked = *static_cast<CheckedRows*>(context);
  for_each_row(block, rows, [&](std::uint32_t row, std::uint32_t lane) {
    if (scores[lane] >= checked.floor()) checked.add(row);
  });
  return checked.floor();
}

struct Histogram {
  std::array<std::uint32_t, largest_sum + 1> counts{};
  std::uint8_t floor = 0;

  // The largest score that at least `count` sampled rows reach; 0 when there is none.
  std::uint8_t reached_by(std::uint64_t count) const {
    std::uint64_t rows = 0;
    for (std::size_t score = largest_sum; score > 0; --score) {
      rows += counts[score];
      if (rows >= count) return static_cast<std::uint8_t>(score);
    }
    return 0;
  }
};

std::uint8_t add_to_histogram(void* context, std::uint64_t block, std::uint64_t rows,
                              const std::uint8_t* scores) {
  auto& histogram = *static_cast<Histogram*>(context);
  for_each_row(block, rows,
               [&](std::uint32_t, std::uint32_t lane) { ++histogram.counts[scores[lane]]; });
  return histogram.floor;
}

using Kernel = std::uint8_t (*)(const Scan&);

constexpr std::uint64_t sample_blocks = 128;
constexpr std::uint64_t first_sample_blocks = 8;

// A floor that about three times (`slack`) k rows of the table reach. A first small sample tells
// which rows of the second one need a look at all.
std::uint8_t seeded_floor(Kernel kernel, Scan scan, std::uint64_t blocks, std::uint64_t slack) {
  if (blocks < 4 * sample_blocks) return 0;
  Histogram histogram;
  scan.context = &histogram;
  scan.sink = add_to_histogram;
  scan.floor = 0;
  for (std::uint64_t i = 0; i < sample_blocks; ++i) {
    if (i == first_sample_blocks) {
      histogram.floor = histogram.reached_by(first_sample_blocks * block_rows / 8);
      scan.floor = histogram.floor;
    }
    scan.first_block = i * blocks / sample_blocks;
    scan.end_block = scan.first_block + 1;
    kernel(scan);
  }
  std::uint64_t share = sample_blocks * slack * top_k / blocks;
  return histogram.reached_by(std::max<std::uint64_t>(12, share));
}

class FastScan : public Contestant {
 public:
  explicit FastScan(Form form) : form_(form) {}

  std::string name() const override;
  std::string version() const override { return "in-house"; }
  std::uint32_t largest_table() const override { return UINT32_MAX; }
  bool supports(const Case& what) const override {
    if (what.kind == Kind::Shown || what.threads != 1) return false;
    return what.has_unit_weights || what.kind == Kind::Exact;
  }

  Status prepare(const Data& data) override;
  Status ask(const Task& task) override;
  Status run(std::size_t question, Hits& hits) override;
  Status run_batch(std::vector<Hits>& answers) override;

 private:
  Scan scan_for(const Question& question) const;
  void fill_table(const Plane& plane, const Question& question, std::uint8_t* table) const;
  bool is_used(const Plane& plane, const Question& question) const;
  Kernel kernel() const;
  void run_exact(Scan scan, Hits& hits);
  void run_checked(Scan scan, const Question& question, Hits& hits);
  std::uint64_t blocks() const { return (rows_ + block_rows - 1) / block_rows; }

  Form form_;
  std::uint32_t rows_ = 0;
  std::uint32_t attributes_ = 0;
  std::uint32_t public_count_ = 0;
  Kind kind_ = Kind::Exact;
  std::vector<Code> codes_;
  std::vector<Plane> planes_;
  HugeBuffer bytes_;
  HugeBuffer by_row_;  // Kind::Exact: for checking upper bounds

  const Task* task_ = nullptr;
  ByteWeights weights_;
  double unit_ = 1;
  std::vector<Scan> scans_;  // one per question
  Buckets buckets_;
  std::vector<Buckets> batch_buckets_;
};

std::string FastScan::name() const {
  switch (form_) {
    case Form::NibblesAvx2:
      return "fast scan, AVX2";
    case Form::NibblesAvx512:
      return "fast scan, AVX-512";
    default:
      return "packed scan, VBMI";
  }
}

Kernel FastScan::kernel() const {
  switch (form_) {
    case Form::NibblesAvx2:
      return scan_nibbles_avx2;
    case Form::NibblesAvx512:
      return scan_nibbles_avx512;
    default:
      return scan_packed_vbmi;
  }
}

bool cpu_has(Form form) {
  switch (form) {
    case Form::NibblesAvx2:
      return __builtin_cpu_supports("avx2");
    case Form::NibblesAvx512:
      return __builtin_cpu_supports("avx512bw");
    default:
      return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi");
  }
}

Status FastScan::prepare(const Data& data) {
  if (!cpu_has(form_)) return wrong_use("this CPU lacks the instructions");
  rows_ = data.table->rows;
  attributes_ = data.table->attributes();
  public_count_ = data.table->public_count;
  kind_ = data.kind;
  codes_ = codes_of(data);
  planes_ = form_ == Form::PackedVbmi ? pack(codes_) : pair_up(codes_);
  if (planes_.size() > max_planes) return wrong_use("too many attributes for its kernels");
  bytes_ = encode(codes_, planes_, rows_);
  if (kind_ != Kind::Exact) return {};
  by_row_ = HugeBuffer(std::size_t{rows_} * attributes_);
  for (std::uint32_t a = 0; a < attributes_; ++a) {
    for (std::uint32_t row = 0; row < rows_; ++row) {
      by_row_.data()[std::size_t{row} * attributes_ + a] = data.table->columns[a][row];
    }
  }
  return {};
}

// The tables are made here, outside the clock: an advantage of well under a microsecond.
Status FastScan::ask(const Task& task) {
  task_ = &task;
  std::vector<std::int64_t> steps = task.weights.units;
  if (kind_ == Kind::Levels) {
    for (std::uint32_t a = 0; a < public_count_; ++a) steps[a] *= 2;
  }
  weights_ = byte_weights(steps);
  unit_ = (kind_ == Kind::Levels ? 0.5 : 1.0) / static_cast<double>(task.weights.per_one);
  scans_.clear();
  for (const Question& question : task.questions) scans_.push_back(scan_for(question));
  batch_buckets_.resize(task.what->is_batch ? task.questions.size() : 0);
  return {};
}

bool FastScan::is_used(const Plane& plane, const Question& question) const {
  return std::any_of(plane.codes.begin(), plane.codes.end(), [&](std::size_t code) {
    return question.wanted[codes_[code].attribute] != no_wish;
  });
}

void FastScan::fill_table(const Plane& plane, const Question& question, std::uint8_t* table) const {
  bool is_packed = form_ == Form::PackedVbmi;
  for (std::size_t i = 0; i < plane.codes.size(); ++i) {
    const Code& code = codes_[plane.codes[i]];
    int wanted = question.wanted[code.attribute];
    if (wanted == no_wish) continue;
    for (std::uint32_t entry = 0; entry < (is_packed ? 128U : 16U); ++entry) {
      std::uint32_t value = is_packed ? entry / plane.radix[i] % code.domain : entry;
      if (static_cast<int>(value) != wanted) continue;
      std::uint8_t& sum = table[is_packed ? entry : entry + 16 * i];
      sum = static_cast<std::uint8_t>(sum + weights_.steps[code.attribute]);
    }
  }
}

Scan FastScan::scan_for(const Question& question) const {
  Scan scan;
  scan.codes = bytes_.data();
  scan.planes = static_cast<std::uint32_t>(planes_.size());
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    if (!is_used(planes_[p], question)) continue;
    scan.plane[scan.used] = static_cast<std::uint8_t>(p);
    fill_table(planes_[p], question, scan.tables[scan.used]);
    ++scan.used;
  }
  scan.end_block = blocks();
  return scan;
}

Status FastScan::run(std::size_t question, Hits& hits) {
  if (weights_.is_exact) {
    run_exact(scans_[question], hits);
  } else {
    run_checked(scans_[question], task_->questions[question], hits);
  }
  return {};
}

void FastScan::run_exact(Scan scan, Hits& hits) {
  scan.floor = seeded_floor(kernel(), scan, blocks(), 3);
  scan.sink = add_to_buckets;
  scan.context = &buckets_;
  buckets_.start(rows_, scan.floor);
  kernel()(scan);
  if (!buckets_.has_enough()) {
    scan.floor = 0;
    buckets_.start(rows_, 0);
    kernel()(scan);
  }
  buckets_.read(unit_, hits);
}

void FastScan::run_checked(Scan scan, const Question& question, Hits& hits) {
  CheckedRows checked(by_row_.data(), attributes_, rows_, question, task_->weights, weights_.scale);
  scan.floor = seeded_floor(kernel(), scan, blocks(), 6);
  scan.sink = add_to_checked;
  scan.context = &checked;
  checked.start(scan.floor);
  kernel()(scan);
  if (scan.floor > 0 && (!checked.is_full() || checked.min_bound() < scan.floor)) {
    scan.floor = checked.is_full() ? checked.min_bound() : 0;
    checked.start(scan.floor);
    kernel()(scan);
  }
  checked.read(unit_, hits);
}

// All queries meet a chunk of rows while it is in the second-level cache.
Status FastScan::run_batch(std::vector<Hits>& answers) {
  constexpr std::uint64_t chunk_blocks = 512;
  if (!weights_.is_exact) return Contestant::run_batch(answers);
  std::vector<Scan> scans = scans_;
  for (std::size_t q = 0; q < scans.size(); ++q) {
    scans[q].floor = seeded_floor(kernel(), scans[q], blocks(), 3);
    scans[q].sink = add_to_buckets;
    scans[q].context = &batch_buckets_[q];
    batch_buckets_[q].start(rows_, scans[q].floor);
  }
  for (std::uint64_t first = 0; first < blocks(); first += chunk_blocks) {
    for (Scan& scan : scans) {
      scan.first_block = first;
      scan.end_block = std::min(first + chunk_blocks, blocks());
      scan.floor = kernel()(scan);
    }
  }
  for (std::size_t q = 0; q < scans.size(); ++q) {
    if (batch_buckets_[q].has_enough()) {
      batch_buckets_[q].read(unit_, answers[q]);
    } else {
      run_exact(scans_[q], answers[q]);
    }
  }
  return {};
}

}  // namespace

std::unique_ptr<Contestant> make_fast_scan(Form form) { return std::make_unique<FastScan>(form); }

}  // namespace rankveil::versus
