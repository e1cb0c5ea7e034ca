// Where the values of a domain stand: what is more, and how far apart two of them are.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rankveil/table/schema.h"

namespace rankveil {

struct ValueScale {
  enum class Kind {
    Bins,       // of numbers: a value stands at its middle, an open bin at its edge
    Numbers,    // each value is one
    Places,     // an order that the owner declared: values stand at 0, 1, 2, ...
    Unordered,  // text in the order of its bytes: it has places, but nothing is near or between
  };

  static ValueScale of(const Domain& domain);

  bool is_numeric() const { return kind == Kind::Bins || kind == Kind::Numbers; }
  // Of the way from the least to the largest; 0 for a domain of one value.
  double quarter_span() const;

  Kind kind = Kind::Unordered;
  std::vector<double> edges;         // of bins: value i lies from edge i - 1 to edge i
  std::vector<double> at;            // by value
  std::vector<std::uint32_t> place;  // by value, from 1 for the least
};

}  // namespace rankveil
