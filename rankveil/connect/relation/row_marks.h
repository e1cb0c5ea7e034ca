// What a policy wants to know of rows beside their attributes: who is established, who consents,
// whose rows they are.
//
//   auto marks = RowMarks::create(policy, relation);
//   select the builder's columns, then marks->columns();
//   for each chunk: marks->add(chunk, first column of ours);
//   auto people = std::move(*marks).finish();
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/connect/duckdb/session.h"
#include "rankveil/connect/relation/relation.h"
#include "rankveil/connect/source.h"
#include "rankveil/table/building/dictionary.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil::connect {

class RowMarks {
 public:
  // Refuses columns that the source does not have.
  static Result<RowMarks> create(const Policy& policy, const Relation& relation);

  // SQL of the columns to select behind all others.
  const std::vector<std::string>& columns() const { return columns_; }
  // `first`: which column of the chunk is the first of ours. Refuses, naming the row, a choice that
  // is none and a row without a person.
  Status add(const Chunk& chunk, std::size_t first);
  RowPeople finish() &&;

 private:
  RowMarks() = default;
  Status want(const Relation& relation, std::string_view key, const std::string& column,
              std::optional<std::size_t>& place);
  void add_established(const Chunk& chunk, std::size_t column);
  Status add_consent(const Chunk& chunk, std::size_t column);
  Status add_persons(const Chunk& chunk, std::size_t column);
  void add_times(const Chunk& chunk, std::size_t column);
  std::vector<std::uint32_t> places() const;
  void agree_on_consent();

  Policy policy_;
  std::vector<std::string> columns_;
  std::optional<std::size_t> established_at_, consent_at_, person_at_, time_at_;  // in columns_
  std::uint64_t rows_ = 0;
  RowPeople people_;
  Dictionary persons_, times_;
  std::vector<std::uint32_t> time_of_;  // per row a number of times_; Dictionary::none: missing
};

}  // namespace rankveil::connect
