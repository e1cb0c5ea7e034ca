// Scores as expressions and as lists: what parses prints, parses back to the same text and gives
// the same number. A hierarchy, too.
#include <cmath>
#include <cstdint>

#include "rankveil/publish/release/hierarchy.h"
#include "rankveil/publish/score.h"
#include "tests/fuzz/check.h"

namespace rankveil::publish {
namespace {

double value(const Score& score) {
  std::vector<double> values;
  for (std::size_t i = 0; i < score.columns().size(); ++i) {
    values.push_back(0.5 + static_cast<double>(i));
  }
  std::vector<std::span<const double>> columns;
  for (const double& one : values) columns.emplace_back(&one, 1);
  double result = 0;
  score.evaluate(columns, std::span(&result, 1));
  return result;
}

void check_score(const Score& score) {
  auto again = Score::parse(score.text());
  check(again.has_value(), "what is printed can be read");
  check(again->text() == score.text(), "what is printed reads back equal");
  double one = value(score);
  double other = value(*again);
  check(one == other || (std::isnan(one) && std::isnan(other)), "the score stays the same");
  std::vector<ValueRange> ranges(score.columns().size(), ValueRange{-1, 1});
  (void)score.check(ranges).ok();
}

void check_hierarchy(std::string_view text) {
  auto tree = Hierarchy::parse(text, "tree");
  std::string first(text.substr(0, text.find_first_of(",;\n")));
  if (tree && tree->knows(first)) {
    check(tree->is_below(first, tree->common(std::span(&first, 1))), "a value is below its label");
  }
}

}  // namespace
}  // namespace rankveil::publish

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  using rankveil::publish::Score;
  if (auto score = Score::parse(text)) rankveil::publish::check_score(*score);
  if (auto score = Score::of_list(text)) rankveil::publish::check_score(*score);
  rankveil::publish::check_hierarchy(text);
  return 0;
}
