#include "rankveil/audit/effect/twins.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "rankveil/base/random.h"

namespace rankveil::audit {

namespace {

using Values = std::vector<ValueId>;

ValueId value_by_lot(const Attribute& attribute, Rng& rng) {
  return ValueId{static_cast<std::uint16_t>(rng.below(attribute.domain.size()))};
}

// Two rows that are alike but for attribute `differs`. The other private values are none.
std::pair<Values, Values> alike(const Schema& schema, std::uint32_t differs, Rng& rng) {
  Values first(schema.size(), missing_value);
  for (std::uint32_t i = 0; i < schema.public_count(); ++i) {
    if (schema.attributes[i].domain.size() > 0) first[i] = value_by_lot(schema.attributes[i], rng);
  }
  Values second = first;
  std::uint32_t size = schema.attributes[differs].domain.size();
  auto value = static_cast<std::uint32_t>(rng.below(size));
  auto other = static_cast<std::uint32_t>((value + 1 + rng.below(size - 1)) % size);
  first[differs] = ValueId{static_cast<std::uint16_t>(value)};
  second[differs] = ValueId{static_cast<std::uint16_t>(other)};
  return {first, second};
}

// Whether `first` comes before `second`; nothing when one of them is not there.
std::optional<bool> stands_before(const std::vector<std::uint32_t>& answer, std::uint32_t first,
                                  std::uint32_t second) {
  auto a = std::ranges::find(answer, first), b = std::ranges::find(answer, second);
  if (a == answer.end() || b == answer.end()) return std::nullopt;
  return a < b;
}

class TwinTest {
 public:
  TwinTest(const Arena& arena, std::uint32_t differs) : arena_(arena), differs_(differs) {}

  bool seen() const { return seen_; }
  bool stayed() const { return seen_ && steady_ && first_ahead_ != 0 && first_ahead_ != times_; }

  Status look(const Values& first, const Values& second) {
    for (; times_ < plantings; ++times_) {
      bool swapped = times_ % 2 == 1;
      if (auto done = plant(swapped ? second : first, swapped ? first : second, swapped); !done) {
        return done;
      }
    }
    return {};
  }

 private:
  static constexpr std::uint32_t plantings = 8;

  // Plants them in this order and asks.
  Status plant(const Values& earlier, const Values& later, bool swapped) {
    auto target = arena_.fresh();
    if (!target) return target.error();
    auto one = (*target)->insert(earlier);
    if (!one) return one.error();
    auto other = (*target)->insert(later);
    if (!other) return other.error();
    std::optional<bool> order;
    for (ValueId value : {missing_value, earlier[differs_], later[differs_]}) {
      auto answer = (*target)->query(asking(earlier, value));
      if (!answer) return answer.error();
      auto before = stands_before(*answer, *one, *other);
      seen_ = seen_ && before;
      if (!order) order = before;
      steady_ = steady_ && before == order;
    }
    if (order && *order != swapped) ++first_ahead_;
    return {};
  }

  Query asking(const Values& row, ValueId value) const {
    Query query = empty_query(arena_.knowledge.schema);
    for (std::uint32_t i = 0; i < arena_.knowledge.schema.public_count(); ++i) {
      if (row[i] != missing_value) query.wanted[i] = {row[i]};
    }
    if (value != missing_value) query.wanted[differs_] = {value};
    return query;
  }

  const Arena& arena_;
  std::uint32_t differs_;
  bool seen_ = true;
  bool steady_ = true;             // each time the three answers agree
  std::uint32_t first_ahead_ = 0;  // times that the first value was
  std::uint32_t times_ = 0;
};

}  // namespace

Result<Twins> plant_twins(const Arena& arena, std::uint64_t seed) {
  const Schema& schema = arena.knowledge.schema;
  Rng rng(seed ^ 0x7717);
  Twins twins;
  for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
    if (schema.attributes[i].domain.size() < 2) continue;
    auto [first, second] = alike(schema, i, rng);
    TwinTest test(arena, i);
    if (auto done = test.look(first, second); !done) return done.error();
    ++twins.pairs;
    twins.seen += test.seen() ? 1 : 0;
    twins.stayed += test.stayed() ? 1 : 0;
    if (test.seen() && !test.stayed()) twins.moved_by = schema.attributes[i].name;
  }
  return twins;
}

}  // namespace rankveil::audit
