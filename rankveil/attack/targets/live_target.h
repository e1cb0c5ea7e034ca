// A target that lives outside the attack: a database, a server, a program, or an index.
//
// Answers name rows by ids; this maps them to the rows of the adversary's public table.
//
// Ids that are not in the table end the attack with an error, since a table that is out of date
// makes bad guesses; or they are left out of the answer, if the target's file says so. Proofs stay
// right either way: an answer with a row left out still says who goes before whom. Rows that this
// campaign itself left behind (a target that cannot remove them, an insert whose answer got lost)
// are left out silently.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rankveil/attack/target.h"
#include "rankveil/attack/targets/conversation.h"
#include "rankveil/table/row_names.h"

namespace rankveil::attack {

// Not for several threads at once: one campaign, one conversation.
class LiveTarget : public Target {
 public:
  struct Options {
    std::uint32_t k = 10;
    bool skip_unknown_ids = false;
    std::string id_format = "*";  // how answers call a row of the table; * is its id
    // Rows of ours that are there before anybody wrote them, and not in the table.
    std::vector<std::string> own_rows = {};
    // Columns of which the target's file says how the service calls them in orders.
    std::vector<std::string> named_fields = {};
  };
  LiveTarget(std::unique_ptr<Conversation> conversation, Schema schema, const RowNames& names,
             Options options);

  Result<std::vector<std::uint32_t>> query(const Query& query) override;
  Result<std::uint32_t> insert(std::span<const ValueId> values) override;
  // Whether the last query failed because the target does not answer such questions.
  bool was_refused() const { return conversation_->was_refused(); }
  bool takes_inserts() const override;
  bool takes_sets() const override;
  bool names_field(std::string_view column) const;

  // Back to the table's own rows, for the next victim: what was inserted is rolled back or removed,
  // or where neither is possible stays and is left out of answers. Costs nothing without inserts.
  Status restart();

  // How many rows it takes at a time; nothing: any number.
  std::optional<std::size_t> most_rows() const {
    return options_.own_rows.empty() ? std::nullopt : std::optional(options_.own_rows.size());
  }

  // What its owner should know: ids left out, short answers, rows that stay behind.
  std::vector<std::string> notes() const;

 private:
  Result<std::vector<std::uint32_t>> rows_of(const Query& query,
                                             const std::vector<std::string>& ids);
  bool is_own(const std::string& id) const;
  bool is_left_out(const std::string& id);
  Error unknown_id(const Query& query, const std::string& id) const;

  std::unique_ptr<Conversation> conversation_;
  Schema schema_;
  Options options_;
  std::uint32_t table_rows_;
  std::unordered_map<std::string, std::uint32_t> row_of_;
  std::vector<std::string> own_;                 // ids of rows inserted since the last restart
  std::unordered_set<std::string> left_behind_;  // ids of rows that this campaign knows it left
  std::size_t written_before_;                   // of these, there before it
  std::unordered_set<std::string> unknown_;      // others that were left out
  std::uint64_t doubtful_ = 0;                   // inserts that may have left a row of unknown id
  std::unordered_set<std::string> strays_;       // at most as many
  std::uint64_t short_answers_ = 0;
};

}  // namespace rankveil::attack
