#include "rankveil/protect/estt/equivalent_sets.h"

#include <algorithm>

namespace rankveil {

std::uint32_t EquivalentSets::set_count(std::uint32_t rows, std::uint32_t set_size) {
  return rows == 0 ? 0 : std::max(1U, rows / set_size);
}

std::span<const std::uint32_t> EquivalentSets::set(std::uint32_t i) const {
  std::size_t begin = std::size_t{i} * set_size;
  std::size_t end = i + 1 == count() ? rows.size() : begin + set_size;
  return std::span(rows).subspan(begin, end - begin);
}

std::uint32_t distinct_values(const CodeRows& rows, std::span<const std::uint32_t> set,
                              std::uint32_t attribute, std::uint32_t enough) {
  std::uint32_t found = 0;
  for (std::size_t i = 0; i < set.size() && found < enough; ++i) {
    bool is_new = true;
    for (std::size_t j = 0; j < i && is_new; ++j) {
      is_new = rows.code(set[i], attribute) != rows.code(set[j], attribute);
    }
    found += is_new ? 1 : 0;
  }
  return found;
}

std::uint64_t set_cost(const CodeRows& rows, std::span<const std::uint32_t> set, std::uint32_t l) {
  if (l == 2 && set.size() == 2) return rows.same(set[0], set[1]);
  std::uint64_t cost = 0;
  for (std::uint32_t j = 0; j < rows.width(); ++j) cost += l - distinct_values(rows, set, j, l);
  return cost;
}

std::uint64_t total_cost(const CodeRows& rows, const EquivalentSets& sets, std::uint32_t l) {
  std::uint64_t cost = 0;
  for (std::uint32_t i = 0; i < sets.count(); ++i) cost += set_cost(rows, sets.set(i), l);
  return cost;
}

std::uint64_t cost_bound(const CodeRows& rows, std::uint32_t attribute, std::uint32_t sets,
                         std::uint32_t l) {
  std::uint64_t met = 0;
  for (std::uint32_t count : code_counts(rows, attribute)) met += std::min(count, sets);
  std::uint64_t needed = std::uint64_t{sets} * l;
  return needed > met ? needed - met : 0;
}

std::uint64_t cost_bound(const CodeRows& rows, std::uint32_t sets, std::uint32_t l) {
  std::uint64_t bound = 0;
  for (std::uint32_t j = 0; j < rows.width(); ++j) bound += cost_bound(rows, j, sets, l);
  return bound;
}

}  // namespace rankveil
