#include "rankveil/ranking/apart/exceptional_rows.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace rankveil {

namespace {

// Fewer planes saved than one in this many are not worth it.
constexpr std::uint32_t planes_per_saved = 16;
// To score rows one by one takes one in this many of what a scan of them does.
constexpr std::size_t costs_of_scoring = 4;
// At most one row in this many is an exception: so many more lines are read.
constexpr std::uint32_t rows_per_exception = 64;
// And of the rows that have a value, one in this many: values that are rare are rarely asked for,
// and had better not use up the exceptions.
constexpr std::uint32_t having_per_exception = 16;

// About how many rows have the value, by one word in sixteen; 0 where it has no bitmaps.
std::uint32_t rows_having(const AttributePlanes& attribute, std::uint32_t value,
                          std::uint32_t rows) {
  constexpr std::uint32_t step = 16;
  std::uint32_t most = 0;
  for (std::uint32_t bit = 0; bit < attribute.bits; ++bit) {
    const std::uint64_t* bits = attribute.plane(value, bit).bits;
    std::uint32_t here = 0;
    for (std::uint64_t word = 0; bits != nullptr && word * 64 < rows; word += step) {
      here += static_cast<std::uint32_t>(std::popcount(bits[word])) * step;
    }
    most = std::max(most, here);
  }
  return most;
}

// The groups of some positions, as they are in the whole segment.
GroupLayout layout_at(const Segment& whole, const std::vector<std::uint32_t>& positions,
                      const std::vector<std::uint32_t>& rows) {
  std::vector<std::uint32_t> order;
  std::vector<GroupRun> runs;
  for (std::uint32_t i = 0; i < positions.size(); ++i) {
    std::uint32_t row = whole.groups->order[positions[i]];
    auto place = std::lower_bound(rows.begin(), rows.end(), row);
    order.push_back(static_cast<std::uint32_t>(place - rows.begin()));
    std::uint32_t group = whole.group_at(positions[i]);
    if (runs.empty() || runs.back().group != group) runs.push_back({group, i});
  }
  GroupLayout layout;
  layout.order = Block<std::uint32_t>(std::move(order));
  layout.runs = Block<GroupRun>(std::move(runs));
  layout.first_run = first_runs(layout.runs, static_cast<std::uint32_t>(rows.size()));
  return layout;
}

// Without names and public codes, which no ranking asks for.
Segment segment_at(const Segment& whole, const std::vector<std::uint32_t>& positions,
                   const std::vector<std::uint32_t>& rows) {
  Segment made;
  made.rows = static_cast<std::uint32_t>(rows.size());
  made.columns.resize(whole.columns.size());
  std::size_t before = 0;
  for (const AttributePlanes& attribute : whole.attributes) {
    made.attributes.push_back(planes_at(positions, attribute, before));
    before += attribute.bitmaps();
  }
  if (whole.groups) made.groups = layout_at(whole, positions, rows);
  return made;
}

}  // namespace

// Takes the exceptions of value after value, those with the fewest first, as long as there is room
// and more is gained.
class ExceptionalRows::Finder {
 public:
  explicit Finder(const Segment& segment)
      : segment_(segment),
        room_(segment.rows / rows_per_exception),
        chosen_(std::size_t{lines_of(segment.rows)} * kernels::words_per_line),
        weights_(segment.attributes.size()) {
    choose_others();
    others_ = chosen_.mask;
    others_count_ = chosen_.count;
    for (std::uint32_t i = 0; i < segment.attributes.size(); ++i) look_at(i);
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const auto& left, const auto& right) {
                       return left.planes.wrong_rows().size() < right.planes.wrong_rows().size();
                     });
    std::size_t most_gained = worth_taking();
    for (std::size_t i = 0; i < most_gained; ++i) {
      const Candidate& candidate = candidates_[i];
      if (take(candidate, chosen_)) use(candidate.attribute, candidate.value, candidate.planes);
    }
  }

  bool is_worth_it() const {
    double saved = chosen_.planes_saved;
    return saved > 0 && saved * planes_per_saved >= planes_read_ && gained_by(chosen_) >= 0;
  }

  std::shared_ptr<const ExceptionalRows> make() {
    return std::shared_ptr<const ExceptionalRows>(
        new ExceptionalRows(segment_, std::move(chosen_.mask), std::move(weights_)));
  }

 private:
  struct Candidate {
    std::uint32_t attribute;
    std::uint32_t value;
    StandIns planes;
    double planes_saved;
  };

  struct Choice {
    explicit Choice(std::size_t words) : mask(words) {}

    // Whether it was not yet there.
    bool add(std::uint32_t row) {
      std::uint64_t bit = std::uint64_t{1} << (row % 64);
      bool is_new = (mask[row / 64] & bit) == 0;
      mask[row / 64] |= bit;
      count += is_new ? 1 : 0;
      return is_new;
    }
    void remove(std::uint32_t row) {
      mask[row / 64] &= ~(std::uint64_t{1} << (row % 64));
      --count;
    }

    std::vector<std::uint64_t> mask;
    std::uint32_t count = 0;
    double planes_saved = 0;  // by a query for one value of every attribute, on average
  };

  const AttributePlanes& planes(std::uint32_t attribute) const {
    return segment_.attributes[attribute];
  }

  // All rows outside the main run.
  void choose_others() {
    std::optional<std::uint32_t> run = segment_.main_run();
    if (!run) return;
    std::uint32_t first = segment_.groups->runs[*run].begin;
    for (std::uint32_t i = 0; i < first; ++i) chosen_.add(i);
    for (std::uint32_t i = segment_.run_end(*run); i < segment_.rows; ++i) chosen_.add(i);
  }

  // Values are asked for as often as rows have them, for all that is known here.
  void look_at(std::uint32_t attribute) {
    if (planes(attribute).bits == 1) {
      planes_read_ += 1;
      return;
    }
    std::vector<std::uint32_t> having;
    for (std::uint32_t value = 0; value < planes(attribute).domain_size(); ++value) {
      having.push_back(rows_having(planes(attribute), value, segment_.rows));
    }
    double all = std::accumulate(having.begin(), having.end(), 0.0);
    weights_[attribute].constants.resize(having.size());
    weights_[attribute].planes.resize(planes(attribute).planes.size());
    for (std::uint32_t value = 0; value < having.size(); ++value) {
      double asked = having[value] > 0 ? having[value] / all : 0;
      look_at(attribute, value, having[value], asked);
    }
  }

  // `asked`: the share of queries that ask for the value.
  void look_at(std::uint32_t attribute, std::uint32_t value, std::uint32_t having, double asked) {
    std::uint32_t few = std::min(room_, having / having_per_exception);
    StandIns right(planes(attribute), value, segment_.rows, 0);
    StandIns alike = others_count_ == 0 ? right : but_others(attribute, value, 0);
    use(attribute, value, alike);
    planes_read_ += right.planes_read() * asked;
    chosen_.planes_saved += (right.planes_read() - alike.planes_read()) * asked;
    if (few == 0) return;
    StandIns near = but_others(attribute, value, few);
    if (near.wrong_rows().empty()) return;
    double saved = (alike.planes_read() - near.planes_read()) * asked;
    candidates_.push_back({attribute, value, std::move(near), saved});
  }

  // Wrong, perhaps, for `few` rows and those outside the main run.
  StandIns but_others(std::uint32_t attribute, std::uint32_t value, std::uint32_t few) const {
    return {planes(attribute), value, segment_.rows, few, others_.data()};
  }

  // Whether there was room.
  bool take(const Candidate& candidate, Choice& choice) const {
    std::vector<std::uint32_t> added;
    for (std::uint32_t row : candidate.planes.wrong_rows()) {
      if (choice.add(row)) added.push_back(row);
    }
    if (choice.count - others_count_ > room_) {
      for (std::uint32_t row : added) choice.remove(row);
      return false;
    }
    choice.planes_saved += candidate.planes_saved;
    return true;
  }

  // How many candidates to look at, so that most is gained.
  std::size_t worth_taking() const {
    Choice choice = chosen_;
    std::size_t best = 0;
    double most = gained_by(choice);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      take(candidates_[i], choice);
      if (gained_by(choice) <= most) continue;
      best = i + 1;
      most = gained_by(choice);
    }
    return best;
  }

  // In bytes that need not be read.
  double gained_by(const Choice& choice) const {
    return choice.planes_saved * segment_.rows / 8 - static_cast<double>(cost(choice.count));
  }
  // Few rows of other groups are scored one by one, here or elsewhere.
  std::size_t cost(std::uint32_t count) const {
    if (count > most_scored) return apart_bytes;
    return count > others_count_ ? apart_bytes / costs_of_scoring : 0;
  }

  void use(std::uint32_t attribute, std::uint32_t value, const StandIns& planes) {
    StrengthWeights& all = weights_[attribute];
    all.constants[value] = planes.constant();
    std::vector<std::uint8_t> weights = planes.weights();
    std::size_t first = std::size_t{value} * weights.size();
    std::copy(weights.begin(), weights.end(), all.planes.data() + first);
  }

  const Segment& segment_;
  std::uint32_t room_;  // on top of the others
  Choice chosen_;
  std::vector<std::uint64_t> others_;  // of these, the ones outside the main run
  std::uint32_t others_count_ = 0;
  PlaneWeights weights_;
  std::vector<Candidate> candidates_;
  double planes_read_ = 0;  // by such a query
};

std::shared_ptr<const ExceptionalRows> ExceptionalRows::of(const Segment& segment) {
  if (segment.groups && !segment.main_run()) return nullptr;
  Finder finder(segment);
  return finder.is_worth_it() ? finder.make() : nullptr;
}

ExceptionalRows::ExceptionalRows(const Segment& whole, std::vector<std::uint64_t> mask,
                                 PlaneWeights weights)
    : mask_(std::move(mask)), weights_(std::move(weights)) {
  std::vector<std::uint32_t> positions;
  for (std::uint32_t word = 0; word < mask_.size(); ++word) {
    for (std::uint64_t left = mask_[word]; left != 0; left &= left - 1) {
      positions.push_back(word * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }
  for (std::uint32_t position : positions) {
    rows_.push_back(whole.groups ? whole.groups->order[position] : position);
  }
  std::sort(rows_.begin(), rows_.end());
  segment_ = std::make_shared<const Segment>(segment_at(whole, positions, rows_));
}

SegmentSlot ExceptionalRows::slot(const SegmentSlot& whole) const {
  SegmentSlot slot;
  slot.segment = segment_;
  if (whole.deleted == nullptr) return slot;
  std::vector<std::uint64_t> deleted(std::size_t{lines_of(count())} * kernels::words_per_line);
  for (std::uint32_t i = 0; i < count(); ++i) {
    if (!whole.is_deleted(rows_[i])) continue;
    deleted[i / 64] |= std::uint64_t{1} << (i % 64);
    ++slot.deleted_count;
  }
  slot.deleted = std::make_shared<const std::vector<std::uint64_t>>(std::move(deleted));
  return slot;
}

}  // namespace rankveil
