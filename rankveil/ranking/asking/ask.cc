// Rows are narrowed down criterion by criterion, in the order in which criteria decide. Each one
// parts the rows that are still open: those that are better than the last place of the page are
// taken, those that share it stay open for the next criterion, the others are out. Only rows that
// are taken are scored, and the last criterion is a scan of the rows that are still open.
#include "rankveil/ranking/asking/ask.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <optional>

#include "rankveil/base/parallel.h"
#include "rankveil/ranking/asking/key_reader.h"
#include "rankveil/ranking/asking/row_sets.h"
#include "rankveil/ranking/scan/scan.h"

namespace rankveil {

namespace {

// The wishes of a request as the engine takes them: public attributes first, and single grades as
// part of the weight.
class AskedWishes {
 public:
  explicit AskedWishes(const BoundRequest& request) : steps_(grade_steps(request.wishes)) {
    parts_.reserve(request.wishes.size());
    for (std::size_t i = 0; i < request.wishes.size(); ++i) {
      add(request.wishes[i], request.weights.units[i]);
    }
    std::ranges::stable_sort(parts_, {}, &Part::attribute);
    per_one_ = request.weights.per_one * steps_;
  }

  std::int64_t per_one() const { return per_one_; }
  std::vector<Wish> wishes() const {
    std::vector<Wish> wishes;
    for (const Part& part : parts_) {
      bool graded = !part.grades.empty();
      wishes.push_back(
          {part.attribute, &part.values, part.weight, graded ? &part.grades : nullptr});
    }
    return wishes;
  }

 private:
  struct Part {
    std::uint32_t attribute;
    std::int64_t weight;
    std::vector<ValueId> values = {};
    std::vector<std::uint8_t> grades = {};  // empty: one for all
  };

  void add(const BoundWish& wish, std::int64_t units) {
    Part part{+wish.attribute, units};
    for (std::size_t v = 0; v < wish.grades.size(); ++v) {
      if (wish.grades[v] == 0) continue;
      part.values.push_back(ValueId{static_cast<std::uint16_t>(v)});
      part.grades.push_back(static_cast<std::uint8_t>(wish.grades[v] * steps_ / full_grade));
    }
    if (part.values.empty()) return;
    bool alike =
        std::ranges::adjacent_find(part.grades, std::not_equal_to<>()) == part.grades.end();
    if (alike) {
      part.weight *= part.grades.front();
      part.grades.clear();
    }
    parts_.push_back(std::move(part));
  }

  std::uint32_t steps_;
  std::int64_t per_one_ = 1;
  std::vector<Part> parts_;
};

struct Place {
  std::size_t segment;
  std::uint32_t position;
};

class Asking {
 public:
  Asking(const Index& index, const BoundRequest& request, std::uint32_t threads)
      : state_(index.state()),
        request_(request),
        threads_(threads),
        wishes_(request),
        plan_(state_, wishes_.wishes(), wishes_.per_one()),
        open_(!chooses()      ? RowSets(state_)
              : request.where ? passing_rows(state_, *request.where)
                              : all_rows(state_)) {
    for (const BoundKey& key : request.keys) keys_.emplace_back(state_, key);
  }

  Result<Page> page() {
    Page page{{}, plan_.unit, chooses() ? open_.count() : state_.rows(), facets()};
    if (request_.offset > 0 && request_.offset >= page.passing) {
      return bad_input(past_the_end(page.passing));
    }
    std::uint64_t k = request_.k.value_or(state_.info.default_k);
    wanted_ =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(request_.offset + k, page.passing));
    narrow();
    std::ranges::sort(
        found_, [&](const Found& left, const Found& right) { return ranks_before(left, right); });
    page.rows.assign(found_.begin() + request_.offset, found_.end());
    return page;
  }

 private:
  // Whether some rows are told from others before they are scored.
  bool chooses() const {
    return request_.where || !request_.keys.empty() || !request_.facets.empty();
  }

  std::string past_the_end(std::uint32_t passing) const {
    return "offset " + std::to_string(request_.offset) +
           " is past the end: " + std::to_string(passing) + (passing == 1 ? " row" : " rows") +
           (request_.where ? " pass the condition" : " are there");
  }

  bool ranks_before(const Found& left, const Found& right) const {
    bool by_score = left.score != right.score;
    bool by_digits = left.digits != right.digits;
    if (by_score && (request_.prefer_first || !by_digits)) return left.score > right.score;
    return by_digits ? left.digits > right.digits : +left.row < +right.row;
  }

  void narrow() {
    bool scores_first = request_.prefer_first && !keys_.empty();
    if (scores_first) narrow_by_score();
    for (const KeyReader& key : keys_) {
      key.is_whole() ? narrow_by_planes(key) : narrow_by_digits(key);
    }
    scores_first ? take_first_rows() : take_best();
  }

  SegmentPlan plan_of(std::size_t segment) const {
    RowFilter filter(open_[segment].data());
    return SegmentPlan(state_.slots[segment], plan_,
                       request_.where || !keys_.empty() ? filter : RowFilter());
  }
  const std::vector<SegmentPlan>& plans() {
    for (std::size_t s = plans_.size(); s < state_.slots.size(); ++s) {
      plans_.emplace_back(state_.slots[s], plan_);
    }
    return plans_;
  }

  RowId row_at(Place place) const {
    const SegmentSlot& slot = state_.slots[place.segment];
    const auto& groups = slot.segment->groups;
    return RowId{slot.first_row + (groups ? groups->order[place.position] : place.position)};
  }
  std::int64_t score_at(Place place) {
    const SegmentPlan& plan = plans()[place.segment];
    return plan.planes_score(place.position) + plan.base_at(place.position);
  }
  std::int64_t digits_at(Place place) const {
    std::int64_t digits = 0;
    for (const KeyReader& key : keys_) {
      digits = digits * (key.best() + 1) + key.digit(place.segment, place.position);
    }
    return digits;
  }
  void take(Place place) {
    found_.push_back({row_at(place), score_at(place), digits_at(place)});
    --wanted_;
  }
  void take_all(const RowSets& rows) {
    rows.for_each([&](std::size_t segment, std::uint32_t position) { take({segment, position}); });
  }

  // Value by value, the best first, until one has as many rows as are wanted.
  void narrow_by_planes(const KeyReader& key) {
    for (std::uint32_t value : key.values()) {
      if (wanted_ == 0) return;
      RowSets with(state_);
      for (std::size_t s = 0; s < with.segments(); ++s) {
        bool there = value < key.planes(s).domain_size();
        with[s] =
            there ? rows_with(key.planes(s).plane(value), open_[s]) : Bitmap(open_[s].size(), 0);
      }
      if (with.count() > wanted_) {
        open_ = std::move(with);
        return;
      }
      take_all(with);
      for (std::size_t s = 0; s < with.segments(); ++s) {
        for (std::size_t i = 0; i < open_[s].size(); ++i) open_[s][i] &= ~with[s][i];
      }
    }
  }

  void narrow_by_digits(const KeyReader& key) {
    narrow_by([&](Place place) { return key.digit(place.segment, place.position); });
  }
  void narrow_by_score() {
    narrow_by([&](Place place) { return score_at(place); });
  }

  // Row by row.
  template <typename Number>
  void narrow_by(const Number& number_of) {
    if (wanted_ == 0) return;
    std::vector<std::int64_t> numbers;
    open_.for_each([&](std::size_t segment, std::uint32_t position) {
      numbers.push_back(number_of(Place{segment, position}));
    });
    std::vector<std::int64_t> sorted = numbers;
    auto last = sorted.begin() + (wanted_ - 1);
    std::ranges::nth_element(sorted, last, std::greater<>());
    std::int64_t edge = *last;
    RowSets above(state_);
    RowSets level(state_);
    for (std::size_t s = 0; s < open_.segments(); ++s) {
      above[s].assign(open_[s].size(), 0);
      level[s].assign(open_[s].size(), 0);
    }
    std::size_t i = 0;
    open_.for_each([&](std::size_t segment, std::uint32_t position) {
      std::int64_t number = numbers[i++];
      std::uint64_t bit = std::uint64_t{1} << (position % 64);
      if (number > edge) above[segment][position / 64] |= bit;
      if (number == edge) level[segment][position / 64] |= bit;
    });
    take_all(above);
    open_ = std::move(level);
  }

  // Rows that are open share their digits.
  std::int64_t open_digits() const {
    std::int64_t digits = 0;
    bool known = keys_.empty();
    open_.for_each([&](std::size_t segment, std::uint32_t position) {
      if (known) return;
      digits = digits_at({segment, position});
      known = true;
    });
    return digits;
  }

  // Those that score best.
  void take_best() {
    if (wanted_ == 0) return;
    std::int64_t digits = open_digits();
    std::vector<Hit> best;
    for (std::size_t s = 0; s < state_.slots.size(); ++s) {
      std::int64_t floor = best.size() < wanted_ ? no_floor : best.back().score + 1;
      best = merge_best(std::move(best), best_of_segment(plan_of(s), wanted_, floor, threads_),
                        wanted_);
    }
    for (const Hit& hit : best) found_.push_back({hit.row, hit.score, digits});
  }

  // The first ones in row order: nothing else tells them apart.
  void take_first_rows() {
    if (wanted_ == 0) return;
    std::vector<std::pair<std::uint32_t, Place>> rows;
    open_.for_each([&](std::size_t segment, std::uint32_t position) {
      Place place{segment, position};
      rows.emplace_back(+row_at(place), place);
    });
    std::ranges::nth_element(rows, rows.begin() + (wanted_ - 1), {},
                             [](const auto& each) { return each.first; });
    rows.resize(wanted_);
    for (const auto& [row, place] : rows) take(place);
  }

  std::vector<std::vector<std::uint32_t>> facets() const {
    std::vector<std::vector<std::uint32_t>> all;
    for (AttributeId facet : request_.facets) {
      std::vector<std::uint32_t>& counts =
          all.emplace_back(state_.schema[facet].domain.size() + 1, 0);
      std::uint32_t having = 0;
      for (std::size_t s = 0; s < state_.slots.size(); ++s) {
        const AttributePlanes& planes = state_.slots[s].segment->attributes[+facet];
        for (std::uint32_t value = 0; value < planes.domain_size(); ++value) {
          std::uint32_t count = count_with(planes.plane(value), open_[s]);
          counts[value] += count;
          having += count;
        }
      }
      counts.back() = open_.count() - having;
    }
    return all;
  }

  const Index::State& state_;
  const BoundRequest& request_;
  std::uint32_t threads_;
  AskedWishes wishes_;
  QueryPlan plan_;
  RowSets open_;
  std::vector<KeyReader> keys_;
  std::vector<SegmentPlan> plans_;  // of all rows, made when asked for
  std::uint32_t wanted_ = 0;
  std::vector<Found> found_;
};

BoundRequest lone_request(const BoundRequest& request, std::size_t wish) {
  BoundRequest lone;
  lone.wishes = {request.wishes[wish]};
  lone.weights = {{request.weights.units[wish]}, request.weights.per_one};
  return lone;
}

// One wish of a request, planned once for all rows of a segment.
class LoneWish {
 public:
  LoneWish(const Index::State& state, const BoundRequest& request, std::size_t wish)
      : state_(state),
        wishes_(lone_request(request, wish)),
        plan_(state, wishes_.wishes(), wishes_.per_one()),
        segments_(state.slots.size()) {}

  double added_to(RowId row) {
    const SegmentSlot& slot = state_.slot_of(row);
    std::optional<SegmentPlan>& plan =
        segments_[static_cast<std::size_t>(&slot - state_.slots.data())];
    if (!plan) plan.emplace(slot, plan_);
    std::uint32_t position = slot.segment->position(+row - slot.first_row);
    std::int64_t score = plan->planes_score(position) + plan->base_at(position);
    return static_cast<double>(score) * plan_.unit;
  }

 private:
  const Index::State& state_;
  AskedWishes wishes_;
  QueryPlan plan_;
  std::vector<std::optional<SegmentPlan>> segments_;  // those that rows were asked of
};

}  // namespace

Result<Page> ask(const Index& index, const BoundRequest& request, std::uint32_t threads) {
  const ProfileKind& kind = index.state().kind;
  auto fit = check_keys(request, index.schema(), kind.grouped || kind.levels > 1);
  if (!fit) return fit.error();
  return Asking(index, request, threads).page();
}

std::vector<Result<Page>> ask_all(const Index& index, std::span<const BoundRequest> requests,
                                  std::uint32_t threads) {
  std::vector<Result<Page>> pages(requests.size(), Page{});
  if (requests.empty()) return pages;
  std::uint32_t each = threads_a_query(requests.size(), threads);
  parallel_for(requests.size(), threads,
               [&](std::size_t i) { pages[i] = ask(index, requests[i], each); });
  return pages;
}

Result<std::optional<RequestRank>> rank_in(const Index& index, const BoundRequest& request,
                                           RowId row) {
  BoundRequest all = request;
  all.k = std::max(1U, index.rows());
  all.offset = 0;
  all.facets.clear();
  auto page = ask(index, all, 1);
  if (!page) return page.error();
  auto found = std::ranges::find(page->rows, row, &Found::row);
  if (found == page->rows.end()) return std::optional<RequestRank>();
  auto equal = std::ranges::find_if(page->rows, [&](const Found& other) {
    return other.score == found->score && other.digits == found->digits;
  });
  auto place = [&](auto at) { return static_cast<std::uint32_t>(at - page->rows.begin()) + 1; };
  return std::optional(RequestRank{found->score, page->unit, place(found), place(equal)});
}

std::vector<std::vector<double>> explain(const Index& index, const BoundRequest& request,
                                         std::span<const RowId> rows) {
  std::vector<std::vector<double>> added(rows.size());
  for (std::size_t i = 0; i < request.wishes.size(); ++i) {
    LoneWish wish(index.state(), request, i);
    for (std::size_t r = 0; r < rows.size(); ++r) added[r].push_back(wish.added_to(rows[r]));
  }
  return added;
}

}  // namespace rankveil
