#include "rankveil/base/text/closest.h"

#include <algorithm>
#include <vector>

#include "rankveil/base/format.h"

namespace rankveil {

namespace {

// A name longer than this is no typing mistake, and the distance is quadratic.
constexpr std::size_t longest_name = 64;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment: three rows of the usual table, one more than Levenshtein needs, to
// look back over a swap of neighbours.
std::size_t mistakes(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before(right.size() + 1);
  std::vector<std::size_t> above(right.size() + 1);
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      bool same = lower(left[i - 1]) == lower(right[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      bool swapped = i > 1 && j > 1 && lower(left[i - 1]) == lower(right[j - 2]) &&
                     lower(left[i - 2]) == lower(right[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[right.size()];
}

}  // namespace

std::optional<std::string> closest(std::string_view typed, std::span<const std::string> names) {
  std::optional<std::string> best;
  if (typed.empty() || typed.size() > longest_name) return best;
  std::size_t fewest = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& name : names) {
    if (name.size() > longest_name) continue;
    std::size_t count = mistakes(typed, name);
    if (count >= fewest) continue;
    fewest = count;
    best = name;
  }
  return best;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> names,
                         std::string_view otherwise) {
  auto near = closest(typed, names);
  return near ? "did you mean " + *near + "?" : std::string(otherwise);
}

std::string near_and_all(std::string_view typed, std::span<const std::string> names,
                         std::size_t most) {
  std::string near = did_you_mean(typed, names, "");
  return near + (near.empty() ? "" : " ") + "there are " + listed(names, most);
}

}  // namespace rankveil
