// Values for own rows: rare, fresh each time, and beyond those of everybody else, so that the own
// row stands on the first page.
//
//   ValueMaker values(seed);
//   TestValues pair = values.make(income, End::Top);   // a = 899,999,983, b = -899,999,941
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rankveil/base/random.h"
#include "rankveil/probe/field.h"

namespace rankveil::probe {

enum class End { Top, Bottom };

// `a` lies at one end of the order, `b` and `other_b` at the opposite one. Nothing but `a` lies
// between low and high.
struct TestValues {
  Value a;
  Value b;
  Value other_b;
  Value low;
  Value high;
};

class ValueMaker {
 public:
  explicit ValueMaker(std::uint64_t seed) : rng_(seed) {}

  // `a` at `end`. A service may refuse values so far out: a larger `modesty` keeps nearer to what
  // is usual. Nothing: there is none more modest.
  std::optional<TestValues> make(const Field& field, End end, std::uint32_t modesty = 0);

 private:
  std::optional<Value> one(const Field& field, End end, std::uint32_t modesty, std::uint64_t nth);
  std::string letters(std::size_t count);
  Rng rng_;
};

// Whether somebody who makes values made this text: "zzzzkvqbtd".
bool is_made_up_text(std::string_view text);

// Whether both mean one value of this type: 7 and 7.0, a day and its midnight.
bool same_value(const Field& field, const Value& left, const Value& right);

}  // namespace rankveil::probe
