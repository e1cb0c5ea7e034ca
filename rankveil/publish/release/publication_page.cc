#include <fmt/core.h>

#include "rankveil/base/format.h"
#include "rankveil/publish/release/publication.h"
#include "rankveil/report/page.h"

namespace rankveil::publish {

namespace {

std::string short_number(double number) { return fmt::format("{:.6g}", number); }

std::vector<std::string> head_of(const Publication& publication) {
  std::vector<std::string> head = {"group"};
  head.insert(head.end(), publication.columns.begin(), publication.columns.end());
  for (const char* name : {"score", "members", "of the top", "precision"}) head.emplace_back(name);
  if (publication.groups.empty()) return head;
  for (const Generalised& one : publication.groups[0].quasi) head.push_back(one.column);
  for (const Disclosure& one : publication.groups[0].sensitive) head.push_back(one.column);
  return head;
}

std::vector<std::string> row_of(const PublishedGroup& group, std::size_t number) {
  std::vector<std::string> row = {fmt::format("{}", number)};
  for (const Range& range : group.ranges) row.push_back(text_of(range, RangeStyle::Words));
  std::string score = text_of(group.score, RangeStyle::Words);
  if (group.least_score) score += fmt::format(", at least {:.10g}", *group.least_score);
  row.push_back(score);
  row.push_back(grouped(group.members));
  row.push_back(grouped(group.true_positives));
  row.push_back(fmt::format("{:.3f}", group.precision));
  for (const Generalised& one : group.quasi) row.push_back(one.text(RangeStyle::Words));
  for (const Disclosure& one : group.sensitive) row.push_back(one.text(RangeStyle::Words));
  return row;
}

// In Markdown a bar ends a cell, and a line break a table.
std::string cell_text(const std::string& text) {
  std::string safe;
  for (char c : text) {
    if (c == '|' || c == '\\') safe += '\\';
    safe += c == '\n' || c == '\r' ? ' ' : c;
  }
  return safe;
}

std::string table_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell_text(cell) + " |";
  return line + "\n";
}

std::string what_it_is(const Publication& publication) {
  return fmt::format(
      "Ranges of the best {} by {}. Every group has at least {} members, and at least {:.6g}% of "
      "them belong to the best.",
      counted(publication.top_rows, "row"), publication.score, publication.k,
      publication.least_precision * 100);
}

std::string what_it_covers(const Publication& publication) {
  return fmt::format(
      "{} of the {} best are in {}; {} of {} published rows belong to the best ({:.1f}%).",
      grouped(publication.true_positives), grouped(publication.top_rows),
      publication.groups.size() == 1 ? "one group" : grouped(publication.groups.size()) + " groups",
      grouped(publication.true_positives), grouped(publication.members),
      publication.precision * 100);
}

}  // namespace

std::string to_markdown(const Publication& publication) {
  std::vector<std::string> head = head_of(publication);
  std::string text = what_it_is(publication) + "\n\n" + table_line(head);
  text += table_line(std::vector<std::string>(head.size(), "---"));
  for (std::size_t i = 0; i < publication.groups.size(); ++i) {
    text += table_line(row_of(publication.groups[i], i + 1));
  }
  return text + "\n" + what_it_covers(publication) + "\n";
}

std::string to_html(const Publication& publication, const std::string& title) {
  reports::Table table;
  table.caption = "Groups";
  for (const std::string& name : head_of(publication)) {
    bool counts = name == "members" || name == "of the top" || name == "precision";
    table.columns.emplace_back(name, counts);
  }
  for (std::size_t i = 0; i < publication.groups.size(); ++i) {
    auto row = row_of(publication.groups[i], i + 1);
    table.rows.emplace_back(row.begin(), row.end());
  }
  reports::Page page{.kind = "Anonymous top of a ranking", .title = title};
  page.subtitle = what_it_is(publication);
  page.figures = {
      {fmt::format("{:.1f}%", publication.covered * 100), "of the top is published"},
      {fmt::format("{:.1f}%", publication.precision * 100), "of what is published is in the top"},
      {grouped(publication.groups.size()), publication.groups.size() == 1 ? "group" : "groups"}};
  page.sections.push_back({"Groups", {what_it_covers(publication), std::move(table)}});
  page.origin = {{"Score", publication.score},
                 {"Method", publication.method},
                 {"Members a group has at least", fmt::format("{}", publication.k)},
                 {"Least precision", short_number(publication.least_precision)},
                 {"Rows of equal score at the end of the top",
                  publication.ties == "include" ? "included" : "cut"}};
  return reports::to_html(page);
}

}  // namespace rankveil::publish
