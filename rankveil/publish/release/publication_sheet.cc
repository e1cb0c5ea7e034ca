#include <fmt/core.h>

#include "rankveil/publish/release/publication.h"
#include "rankveil/table/number_text.h"

namespace rankveil::publish {

namespace {

std::vector<std::string> sheet_row(const PublishedGroup& group, std::size_t number,
                                   bool has_least_score) {
  std::vector<std::string> row = {fmt::format("{}", number)};
  for (const Range& range : group.ranges) {
    row.push_back(number_text(range.low));
    row.push_back(number_text(range.high));
  }
  row.push_back(number_text(group.score.low));
  row.push_back(number_text(group.score.high));
  if (has_least_score) row.push_back(group.least_score ? number_text(*group.least_score) : "");
  row.push_back(fmt::format("{}", group.members));
  row.push_back(fmt::format("{}", group.true_positives));
  row.push_back(number_text(group.precision));
  for (const Generalised& one : group.quasi) row.push_back(one.text());
  for (const Disclosure& one : group.sensitive) row.push_back(one.text());
  return row;
}

bool any_least_score(const Publication& publication) {
  for (const PublishedGroup& group : publication.groups) {
    if (group.least_score) return true;
  }
  return false;
}

// Finds cells of a sheet by the name of their column.
class Cells {
 public:
  Cells(const connect::Sheet& sheet, std::string& problem) : sheet_(sheet), problem_(problem) {}

  std::optional<std::size_t> find(const std::string& column) const {
    for (std::size_t i = 0; i < sheet_.columns.size(); ++i) {
      if (sheet_.columns[i].name == column) return i;
    }
    return std::nullopt;
  }
  // 0 when something is wrong, and `problem` says what.
  double needed(std::size_t row, const std::string& column) {
    auto at = find(column);
    if (!at) wrong(fmt::format("there is no column \"{}\"", column));
    return at ? read(row, *at) : 0;
  }
  std::optional<double> optional(std::size_t row, const std::string& column) {
    auto at = find(column);
    if (!at || sheet_.rows[row][*at].empty()) return std::nullopt;
    return read(row, *at);
  }
  std::uint64_t count(std::size_t row, const std::string& column) {
    double value = optional(row, column).value_or(0);
    if (!(value >= 0 && value < 1e15)) wrong(fmt::format("\"{}\" must be a count", column));
    return value >= 0 && value < 1e15 ? static_cast<std::uint64_t>(value) : 0;
  }

 private:
  double read(std::size_t row, std::size_t column) {
    auto number = number_from_text(sheet_.rows[row][column]);
    if (!number) {
      wrong(fmt::format("{} is \"{}\" in row {}, which is no number", sheet_.columns[column].name,
                        sheet_.rows[row][column], row + 1));
    }
    return number.value_or(0);
  }
  void wrong(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

  const connect::Sheet& sheet_;
  std::string& problem_;
};

}  // namespace

connect::Sheet to_sheet(const Publication& publication) {
  connect::Sheet sheet;
  auto add = [&](const std::string& name, bool is_number = true) {
    sheet.columns.push_back({name, is_number});
  };
  add("group");
  for (const std::string& column : publication.columns) {
    add(column + "_low");
    add(column + "_high");
  }
  add("score_low");
  add("score_high");
  bool least_score = any_least_score(publication);
  if (least_score) add("score_at_least");
  for (const char* name : {"members", "true_positives", "precision"}) add(name);
  if (!publication.groups.empty()) {
    for (const Generalised& one : publication.groups[0].quasi) add(one.column, false);
    for (const Disclosure& one : publication.groups[0].sensitive) add(one.column, false);
  }
  for (std::size_t i = 0; i < publication.groups.size(); ++i) {
    sheet.rows.push_back(sheet_row(publication.groups[i], i + 1, least_score));
  }
  return sheet;
}

Result<Publication> publication_from_sheet(const connect::Sheet& sheet,
                                           const std::vector<std::string>& columns) {
  std::string problem;
  Cells cells(sheet, problem);
  Publication publication;
  publication.columns = columns;
  for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
    PublishedGroup group;
    for (const std::string& column : columns) {
      group.ranges.push_back(
          {cells.needed(row, column + "_low"), cells.needed(row, column + "_high")});
    }
    group.score = {cells.needed(row, "score_low"), cells.needed(row, "score_high")};
    group.least_score = cells.optional(row, "score_at_least");
    group.members = cells.count(row, "members");
    group.true_positives = cells.count(row, "true_positives");
    group.precision = cells.optional(row, "precision").value_or(0);
    publication.groups.push_back(std::move(group));
  }
  if (problem.empty()) return publication;
  return bad_input("this is no publication: " + problem);
}

}  // namespace rankveil::publish
