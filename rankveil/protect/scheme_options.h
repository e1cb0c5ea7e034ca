// What single schemes can be told, as one table: the command line makes its flags and help of it,
// check_demand() its checks, and ledgers and indexes keep the values under the same names.
//
//   for (const SchemeOption& option : scheme_options()) show(option.name, option.text(demand));
//
// A new option is a field of Demand, a row of the table, and its name in Scheme::options.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rankveil/base/result.h"
#include "rankveil/protect/demand.h"

namespace rankveil {

struct SchemeOption {
  std::string_view name;   // "n-min", which is --n-min
  std::string_view value;  // what help calls it: "N"
  std::string_view help;
  // least <= number <= most; not 0, of numbers that are not whole.
  double least = 0;
  double most = 0;
  bool whole = true;
  std::span<const std::string_view> words = {};  // not empty: one of these, and its place counts
  double (*get)(const Demand& demand) = nullptr;
  void (*put)(Demand& demand, double value) = nullptr;

  std::string text(const Demand& demand) const;
  // Refuses what is out of range: "it takes a whole number from 2 to 255, not ...".
  Status set(Demand& demand, std::string_view text) const;
  // Refuses a field out of range. What a Demand begins with is allowed, whatever it is.
  Status check(const Demand& demand) const;
  std::string range() const;  // "a whole number from 2 to 255"
};

// "n-min", "gamma", "epsilon", "levels", "fallback", "pairing", "set-size", "node-budget".
std::span<const SchemeOption> scheme_options();
// Null: there is no such option.
const SchemeOption* find_scheme_option(std::string_view name);
// The check of all of them.
Status check_scheme_options(const Demand& demand);

}  // namespace rankveil
