#include "rankveil/probe/way.h"

#include <array>
#include <utility>

namespace rankveil::probe {
namespace {

constexpr std::array<std::pair<Kind, std::string_view>, 9> kinds = {{
    {Kind::Sort, "sort"},
    {Kind::Filter, "filter"},
    {Kind::Search, "search"},
    {Kind::Count, "count"},
    {Kind::Aggregate, "aggregate"},
    {Kind::GroupBy, "group_by"},
    {Kind::Cursor, "cursor"},
    {Kind::Relation, "relation"},
    {Kind::Column, "column"},
}};

}  // namespace

std::string_view to_text(Kind kind) { return kinds[static_cast<std::size_t>(kind)].second; }

std::optional<Kind> parse_kind(std::string_view text) {
  for (const auto& [kind, name] : kinds) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

}  // namespace rankveil::probe
