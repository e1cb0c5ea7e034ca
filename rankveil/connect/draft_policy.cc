#include <fmt/core.h>

#include <optional>

#include "rankveil/connect/relation/relation.h"
#include "rankveil/connect/relation/telling.h"
#include "rankveil/connect/source.h"
#include "rankveil/table/building/row_names_builder.h"
#include "rankveil/table/draft/column_study.h"
#include "rankveil/table/draft/draft_table.h"

namespace rankveil::connect {

namespace {

using draft::ColumnFacts;
using draft::ColumnStudy;

std::string select_texts(const Relation& relation, const std::vector<std::size_t>& columns) {
  std::string texts;
  for (std::size_t i : columns) texts += (texts.empty() ? "" : ", ") + relation.columns[i].text;
  return fmt::format("SELECT {} FROM {}", texts, relation.from);
}

Result<std::vector<ColumnFacts>> study(Session& session, const Relation& relation,
                                       const std::function<void(double)>& progress) {
  std::vector<std::size_t> columns;
  std::vector<ColumnStudy> studies;
  for (const RelationColumn& column : relation.columns) {
    columns.push_back(columns.size());
    studies.emplace_back(column.name);
  }
  auto streamed = session.stream(
      select_texts(relation, columns),
      [&](const Chunk& chunk) {
        for (std::size_t i : columns) studies[i].add(chunk.texts(i), chunk.present(i));
        return Status();
      },
      progress);
  if (!streamed) return streamed.error();
  std::vector<ColumnFacts> facts;
  facts.reserve(studies.size());
  for (ColumnStudy& one : studies) facts.push_back(std::move(one).finish());
  return facts;
}

// Reads a column of many values again, as ids. An error of the reading itself was met before.
bool is_unique(Session& session, const Relation& relation, std::size_t column) {
  RowNamesBuilder ids(relation.columns[column].name);
  auto streamed = session.stream(select_texts(relation, {column}), [&](const Chunk& chunk) {
    return ids.add(chunk.texts(0), chunk.present(0));
  });
  return streamed.ok() && std::move(ids).finish().has_value();
}

// Candidates are checked one at a time, so that one set of ids at most is in memory.
std::optional<std::size_t> find_id(Session& session, const Relation& relation,
                                   const std::vector<ColumnFacts>& facts) {
  for (int likeness = 3; likeness > 0; --likeness) {
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (draft::id_likeness(facts[i], i == 0) != likeness) continue;
      if (facts[i].is_exact || is_unique(session, relation, i)) return i;
    }
  }
  return std::nullopt;
}

Result<PolicyDraft> draft_once(const Source& source, const ReadOptions& options) {
  auto session = Session::open(options.threads);
  if (!session) return session.error();
  auto relation = open_relation(*session, source);
  if (!relation) return in_source(source, relation.error());
  Teller tell(options.progress, "looking at " + source.name());
  auto facts = study(*session, *relation, [&](double done) { tell(done); });
  if (!facts) return in_source(source, facts.error());
  if (facts->empty() || facts->front().rows == 0) return in_source(source, no_rows());
  auto id = find_id(*session, *relation, *facts);
  tell.finish();
  return draft::draft_table(*facts, id);
}

}  // namespace

Result<PolicyDraft> draft_policy(const Source& source, const ReadOptions& options) {
  return read_surely(source, [&](const Source& from) { return draft_once(from, options); });
}

}  // namespace rankveil::connect
