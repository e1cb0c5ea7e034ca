// Where victims are attacked: what everybody knows, and targets that nobody has touched yet.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "rankveil/attack/index_target.h"
#include "rankveil/attack/target.h"
#include "rankveil/audit/levels.h"
#include "rankveil/base/result.h"
#include "rankveil/ranking/index.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

using MakeTarget = std::function<Result<std::unique_ptr<attack::Target>>()>;

// What a live target answered so far.
struct AnswerCount {
  std::uint64_t all = 0;
  std::uint64_t empty = 0;  // without a row
};

struct Arena {
  attack::Knowledge knowledge;
  MakeTarget fresh;
  bool takes_inserts = false;
  bool takes_sets = true;  // several values of an attribute at once
  // A row's own value is always among those that it matches: the only value that a row can match is
  // its own. Not so where a defense shows values that are not the row's.
  bool own_value_shows = true;
  // By private attribute, 1: every row has a value. Where some have none, a row that matches one
  // value may still be one of those. Empty: so for all.
  std::vector<std::uint8_t> complete = {};
  std::uint32_t threads = 0;  // 1: targets must not be used at the same time
  // Of a live target: filled by those that `fresh` makes. Null: nothing is counted.
  std::shared_ptr<AnswerCount> answers = {};

  bool is_complete(PrivateId attribute) const {
    return complete.empty() || complete[+attribute] != 0;
  }
  bool is_unprotected() const { return knowledge.belief.kind == attack::ProfileKind::OneValue; }
};

// How rows of an index match values: the belief of an adversary who knows what kind of defense it
// meets, and nothing about the key.
attack::Belief belief_about(const IndexInfo& info, const Profiles& profiles, const Table& truth);

// That every row matches its own value; and that there is one, where that is so.
attack::Belief unprotected_belief(const Table& truth);

// By private attribute, whether every row has a value.
std::vector<std::uint8_t> complete_attributes(const Table& truth);

// Whether the scheme lets every row match its own value.
bool shows_own_value(std::string_view scheme);

// What a defense makes of one row that somebody inserts. Unprotected, the row's values. Schemes
// that treat every row by itself are run on it (with a key of their own); those that hide it among
// rows with the same public values, on it and 64 of these at most (new_rows.h). Schemes that hide
// new rows until enough have come show the shares of the whole table, or nothing. Empty: it is not
// known what the scheme makes of them, and the index is attacked with queries only.
attack::MakeProfile profile_of_new_row(const Index& index, const Profiles& profiles,
                                       const Table& truth,
                                       const std::optional<Mechanism>& mechanism);

// An index in this process. `profiles`: index.profiles().
Arena index_arena(const Index& index, const Profiles& profiles, const Table& truth,
                  const std::optional<Mechanism>& mechanism, std::uint32_t k);

}  // namespace rankveil::audit
