// What a server holds: public columns and match profiles. No member could store a private value,
// and no byte of its file says more about a row's private values than its profile does (group
// shares are kept as counts; docs/reference/index-format.md says what that tells).
//
//   Index index = Index::build(public_part(table), profiles, {.scheme = "swap", .l = 3});
//   auto answer = index.rank(query, {.k = 10});
//   for (const Hit& hit : answer.hits) show(index.name(hit.row), hit.score * answer.unit);
//
// Thread-safe: an Index never changes. append and erase return a new one; append shares what stayed
// the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/ranking/profiles.h"
#include "rankveil/ranking/query.h"
#include "rankveil/ranking/weights.h"
#include "rankveil/table/table.h"

namespace rankveil {

// The part of a table that everybody may see. Its schema names the private attributes and their
// domains, for queries to ask for; it has no column for them.
struct PublicTable {
  Schema schema;
  std::vector<Column> columns;  // one per public attribute
  RowNames names;
};

PublicTable public_part(const Table& table);

inline constexpr const char* unprotected_scheme = "unprotected";

// What an index says about itself. One built of unprotected_profiles is "unprotected", whatever its
// maker says.
struct IndexInfo {
  std::string scheme = {};  // "unprotected", "swap", ...
  std::uint32_t l = 0;      // 0: no promise
  std::uint32_t default_k = 10;
  Json notes = {};  // an object of whatever the maker wants to tell; may be null

  bool unprotected() const { return scheme == unprotected_scheme; }
};

struct Hit {
  RowId row;
  std::int64_t score;  // in Answer::unit

  bool operator==(const Hit&) const = default;
};

// Best first; equal scores in row order. Real score = score * unit.
struct Answer {
  std::vector<Hit> hits;
  double unit = 1;
};

struct RankOptions {
  std::uint32_t k = 10;              // more than there are rows: all rows
  std::uint32_t threads = 1;         // splits the rows; pays off from a million rows up
  const Weights* weights = nullptr;  // null: the schema's
};

// Position in the order of all rows, from 1.
enum class RankKind {
  Ordinal,      // ties go by row order: what a user of a top-k page sees
  Competition,  // 1 + number of rows with a higher score: equal scores share a rank
};

struct RowRank {
  std::int64_t score;
  double unit;
  std::uint32_t ordinal;
  std::uint32_t competition;
};

// Scores of all rows in row order.
struct Scores {
  std::vector<std::int64_t> values;
  double unit = 1;
};

class Index {
 public:
  // REQUIRES: profiles for as many rows and private attributes as `rows` has.
  static Index build(PublicTable rows, const Profiles& profiles, IndexInfo info);

  std::uint32_t rows() const;
  const Schema& schema() const;
  const IndexInfo& info() const;
  std::string name(RowId row) const;
  // The first row called `name`; a scan over all names.
  std::optional<RowId> find_row(std::string_view name) const;
  ValueId public_value(RowId row, AttributeId attribute) const;
  double match(RowId row, PrivateId attribute, ValueId value) const;
  // Bytes of all that serving needs in memory.
  std::size_t bytes() const;

  // REQUIRES for all of these: a query, and weights if given, of this schema.
  Answer rank(const Query& query, const RankOptions& options) const;
  // Answers in the order of the queries. Threads take whole queries; where there are fewer queries
  // than threads, they split the rows of each.
  std::vector<Answer> rank_all(std::span<const Query> queries, const RankOptions& options) const;
  // The second form, here and below, fills memory that is there already, which takes half the time
  // for millions of rows.
  Scores scores(const Query& query, const Weights* weights = nullptr) const;
  void scores(const Query& query, Scores& out, const Weights* weights = nullptr) const;
  // Ranks of all rows in row order.
  std::vector<std::uint32_t> ranks(const Query& query, RankKind kind,
                                   const Weights* weights = nullptr) const;
  void ranks(const Query& query, RankKind kind, std::vector<std::uint32_t>& out,
             const Weights* weights = nullptr) const;
  // REQUIRES: a row of this index.
  RowRank rank_of(RowId row, const Query& query, const Weights* weights = nullptr) const;

  // New rows go behind the old ones. Attributes must agree by name; domains may have grown at
  // the end. Shown profiles: groups of `profiles` are numbered anew behind the old ones.
  Result<Index> append(PublicTable rows, const Profiles& profiles) const;
  // Writes all rows anew, as one segment, without these: RowIds of later rows move up, order and
  // scores stay. Groups without rows are forgotten. Naming a row twice is harmless; naming none
  // only rewrites. Costs as much as build.
  Index erase(std::span<const RowId> rows) const;
  // What the rows show, in row order; groups without rows are left out.
  Profiles profiles() const;

  struct State;
  explicit Index(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace rankveil
