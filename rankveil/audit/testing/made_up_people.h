// People whose private values hang on public ones, and releases of them made by hand, for tests.
#pragma once

#include <cmath>
#include <vector>

#include "rankveil/audit/people/coded_rows.h"
#include "rankveil/base/random.h"

namespace rankveil::audit::testing_support {

inline constexpr std::uint32_t made_up_publics = 3, made_up_privates = 2;
inline constexpr std::uint32_t made_up_values = 5;

// The chance that somebody with these public values has the private value `x`: two of the public
// values each make one private value six times as likely.
inline double made_up_chance(const CodedRows& people, std::uint32_t row, std::uint32_t j,
                             std::uint32_t x) {
  auto weight = [&](std::uint32_t value) {
    return (value == people.codes[j][row] ? 6.0 : 1.0) *
           (value == people.codes[j + 1][row] ? 6.0 : 1.0);
  };
  double all = 0;
  for (std::uint32_t value = 0; value < made_up_values; ++value) all += weight(value);
  return weight(x) / all;
}

// Three public columns of 5, 4 and 5 values, two private ones of 5; the last code is "no value",
// which nobody has.
inline CodedRows made_up_people(std::uint32_t rows, std::uint64_t seed) {
  CodedRows people{rows, {6, 5, 6, 6, 6}, {}};
  people.codes.assign(5, std::vector<std::uint32_t>(rows));
  Rng rng(seed);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t i = 0; i < made_up_publics; ++i) {
      people.codes[i][row] = static_cast<std::uint32_t>(rng.below(people.domains[i] - 1));
    }
    for (std::uint32_t j = 0; j < made_up_privates; ++j) {
      double at = rng.uniform();
      std::uint32_t x = 0;
      while (x + 1 < made_up_values && (at -= made_up_chance(people, row, j, x)) >= 0) ++x;
      people.codes[made_up_publics + j][row] = x;
    }
  }
  return people;
}

struct MadeUpRelease {
  ShownRows shown;
  std::vector<std::uint8_t> kept;  // [block][row]
};

// Rows that do not keep their whole private vector show that of the one before them in one circle
// a group.
inline MadeUpRelease circles(const CodedRows& people, const std::vector<std::uint32_t>& group_of,
                             double keep, std::uint64_t seed) {
  MadeUpRelease made{{people, std::vector<std::uint8_t>(people.rows, 1)},
                     std::vector<std::uint8_t>(people.rows)};
  Rng rng(seed);
  std::vector<std::vector<std::uint32_t>> movers;
  for (std::uint32_t row = 0; row < people.rows; ++row) {
    made.kept[row] = rng.uniform() < keep ? 1 : 0;
    movers.resize(std::max<std::size_t>(movers.size(), group_of[row] + 1));
    if (made.kept[row] == 0) movers[group_of[row]].push_back(row);
  }
  for (auto& circle : movers) {
    for (std::size_t i = circle.size(); i > 1; --i) std::swap(circle[i - 1], circle[rng.below(i)]);
    for (std::size_t i = 0; i < circle.size(); ++i) {
      for (std::uint32_t j = made_up_publics; j < people.codes.size(); ++j) {
        made.shown.coded.codes[j][circle[i]] = people.codes[j][circle[(i + 1) % circle.size()]];
      }
    }
  }
  return made;
}

// A coin for each private column; values of rows that moved are exchanged by the law that they were
// drawn by, from where they are.
inline MadeUpRelease fitted(const CodedRows& people, double keep, std::uint64_t seed) {
  MadeUpRelease made{{people, std::vector<std::uint8_t>(people.rows, 1)}, {}};
  Rng rng(seed);
  for (std::uint32_t j = 0; j < made_up_privates; ++j) {
    std::vector<std::uint32_t> moved;
    for (std::uint32_t row = 0; row < people.rows; ++row) {
      made.kept.push_back(rng.uniform() < keep ? 1 : 0);
      if (made.kept.back() == 0) moved.push_back(row);
    }
    auto& shown = made.shown.coded.codes[made_up_publics + j];
    for (std::uint64_t step = 0; step < 200 * moved.size(); ++step) {
      std::uint32_t a = moved[rng.below(moved.size())], b = moved[rng.below(moved.size())];
      double now = made_up_chance(people, a, j, shown[a]) * made_up_chance(people, b, j, shown[b]);
      double then = made_up_chance(people, a, j, shown[b]) * made_up_chance(people, b, j, shown[a]);
      if (rng.uniform() < then / now) std::swap(shown[a], shown[b]);
    }
  }
  return made;
}

}  // namespace rankveil::audit::testing_support
