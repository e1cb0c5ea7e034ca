// What values of a category generalise to: a tree that the owner writes down.
//
//   Boston,Atlantic,East,*
//   New York,Atlantic,East,*
//   Chicago,Central,East,*
//
// A line for each value: the value, then what it belongs to, from the narrowest to the widest.
// Fields are separated by commas, or by semicolons where the first line has those; quotes as in
// CSV.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil::publish {

class Hierarchy {
 public:
  // `source` is what messages call it. Refuses lines of different lengths, a value with two lines,
  // a label that belongs to two wider ones, and a text without lines.
  static Result<Hierarchy> parse(std::string_view text, std::string_view source);

  const std::string& source() const { return source_; }
  bool knows(const std::string& value) const { return lines_.contains(value); }
  // The narrowest label that all values share; "*" when there is none. REQUIRES: values that are
  // known, at least one.
  std::string common(std::span<const std::string> values) const;
  // Whether a value is the label, or below it.
  bool is_below(const std::string& value, const std::string& label) const;

 private:
  Status add(std::vector<std::string> line, std::size_t number);

  std::string source_;
  std::map<std::string, std::vector<std::string>> lines_;  // the value itself first
  std::vector<std::map<std::string, std::string>> wider_;  // by level: what a label belongs to
};

}  // namespace rankveil::publish
