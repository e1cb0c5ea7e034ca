#include "rankveil/connect/read_numbers.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "rankveil/base/text/closest.h"
#include "rankveil/connect/relation/relation.h"
#include "rankveil/connect/relation/telling.h"

namespace rankveil::connect {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Result<RelationColumn> named_column(const Relation& relation, const std::string& name) {
  std::vector<std::string> names;
  for (const RelationColumn& column : relation.columns) {
    if (column.name == name) return column;
    names.push_back(column.name);
  }
  auto near = closest(name, names);
  return bad_input(fmt::format("there is no column \"{}\"{}", name,
                               near ? fmt::format("; did you mean \"{}\"?", *near) : ""));
}

Result<double> parse_number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.empty()) return missing;
  if (text.front() == '+') text.remove_prefix(1);
  double number = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    return bad_input(fmt::format("\"{}\" is no finite number", text));
  }
  return number;
}

Status add_numbers(std::vector<double>& all, std::span<const double> numbers, Presence present) {
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (present[row] && !std::isfinite(numbers[row])) return bad_input("it holds no finite number");
    all.push_back(present[row] ? numbers[row] : missing);
  }
  return {};
}

Status add_texts(std::vector<double>& all, std::span<const PackedText> texts, Presence present) {
  for (std::size_t row = 0; row < texts.size(); ++row) {
    auto number = parse_number(present[row] ? texts[row].view() : std::string_view{});
    if (!number) return number.error();
    all.push_back(*number);
  }
  return {};
}

}  // namespace

Result<std::vector<std::vector<double>>> read_numbers(const Source& source,
                                                      const std::vector<std::string>& columns,
                                                      const ReadOptions& options) {
  auto session = Session::open(options.threads);
  if (!session) return session.error();
  auto relation = open_relation(*session, source);
  if (!relation) return in_source(source, relation.error());
  std::vector<RelationColumn> wanted;
  std::string list;
  for (const std::string& name : columns) {
    auto column = named_column(*relation, name);
    if (!column) return in_source(source, column.error());
    list += (list.empty() ? "" : ", ") + (column->number.empty() ? column->text : column->number);
    wanted.push_back(std::move(*column));
  }
  std::vector<std::vector<double>> all(columns.size());
  Teller tell(options.progress, "reading " + source.name());
  auto take = [&](const Chunk& chunk) -> Status {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      auto added = wanted[i].number.empty()
                       ? add_texts(all[i], chunk.texts(i), chunk.present(i))
                       : add_numbers(all[i], chunk.numbers(i), chunk.present(i));
      if (added) continue;
      return bad_input(fmt::format("column \"{}\", row {}: {}", wanted[i].name, all[i].size() + 1,
                                   added.error().message));
    }
    return {};
  };
  auto read = session->stream(fmt::format("SELECT {} FROM {}", list, relation->from), take,
                              [&](double done) { tell(done); });
  if (!read) return in_source(source, read.error());
  tell.finish();
  return all;
}

}  // namespace rankveil::connect
