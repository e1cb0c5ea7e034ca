#include "rankveil/utility/same_rows.h"

#include <fmt/core.h>

#include <string>
#include <unordered_map>

#include "rankveil/base/format.h"

namespace rankveil::utility {

namespace {

using RowOfName = std::unordered_map<std::string, std::uint32_t>;

Error shared_name(const std::string& whose, const std::string& name) {
  return bad_input(
      fmt::format("two rows of {} are called \"{}\", so rows cannot be compared by name; delete "
                  "one of them",
                  whose, name));
}

Result<RowOfName> rows_by_name(const Index& served) {
  RowOfName rows;
  rows.reserve(served.rows());
  for (std::uint32_t row = 0; row < served.rows(); ++row) {
    std::string name = served.name(RowId{row});
    if (!rows.emplace(name, row).second) return shared_name("the index", name);
  }
  return rows;
}

Error different_rows(std::uint32_t only_truth, std::uint32_t only_served) {
  return bad_input(
      fmt::format("the table and the index hold different rows: {} in the table only, {} in the "
                  "index only; measure with the table that the index was made of",
                  counted(only_truth, "row"), grouped(only_served)));
}

}  // namespace

bool SameRows::are_aligned(const Index& truth, const Index& served) {
  if (truth.rows() != served.rows()) return false;
  for (std::uint32_t row = 0; row < truth.rows(); ++row) {
    if (truth.name(RowId{row}) != served.name(RowId{row})) return false;
  }
  return true;
}

Result<SameRows> SameRows::find(const Index& truth, const Index& served) {
  SameRows same(truth.rows());
  if (are_aligned(truth, served)) return same;
  auto rows = rows_by_name(served);
  if (!rows) return rows.error();
  same.served_of_.assign(truth.rows(), nobody);
  same.truth_of_.assign(served.rows(), nobody);
  std::uint32_t found = 0;
  for (std::uint32_t row = 0; row < truth.rows(); ++row) {
    auto match = rows->find(truth.name(RowId{row}));
    if (match == rows->end()) continue;
    if (same.truth_of_[match->second] != nobody) return shared_name("the table", match->first);
    same.served_of_[row] = match->second;
    same.truth_of_[match->second] = row;
    ++found;
  }
  if (found != truth.rows() || found != served.rows()) {
    return different_rows(truth.rows() - found, served.rows() - found);
  }
  return same;
}

}  // namespace rankveil::utility
