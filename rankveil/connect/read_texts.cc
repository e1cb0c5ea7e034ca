#include "rankveil/connect/read_texts.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/connect/relation/relation.h"
#include "rankveil/connect/relation/telling.h"

namespace rankveil::connect {

Result<std::vector<std::vector<std::string>>> read_texts(const Source& source,
                                                         const std::vector<std::string>& columns) {
  auto session = Session::open(0);
  if (!session) return session.error();
  auto relation = open_relation(*session, source);
  if (!relation) return in_source(source, relation.error());
  std::string list;
  for (const std::string& name : columns) {
    auto found = std::ranges::find(relation->columns, name, &RelationColumn::name);
    if (found == relation->columns.end()) {
      return in_source(source, bad_input(fmt::format("there is no column \"{}\"", name)));
    }
    list += (list.empty() ? "" : ", ") + found->text;
  }
  std::vector<std::vector<std::string>> all(columns.size());
  auto take = [&](const Chunk& chunk) -> Status {
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto texts = chunk.texts(i);
      auto present = chunk.present(i);
      for (std::size_t row = 0; row < texts.size(); ++row) {
        all[i].emplace_back(present[row] ? texts[row].view() : std::string_view());
      }
    }
    return {};
  };
  auto read =
      session->stream(fmt::format("SELECT {} FROM {}", list, relation->from), take, [](double) {});
  if (!read) return in_source(source, read.error());
  return all;
}

}  // namespace rankveil::connect
