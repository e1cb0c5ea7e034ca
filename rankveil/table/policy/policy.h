// What the owner allows: each column's role, weight and domain, and how numbers become
// categories. Read from TOML; deny by default.
//
//   l = 3                      # values that must stay possible for every private attribute
//   scheme = "swap"
//   k = 10                     # rows a query returns unless it says otherwise
//   ladder = [["city", "age"], ["city"]]     # coarser public columns, for rows in small groups
//   established = { column = "joined", before = "2026-01-01" }    # or { column = "checked", is =
//   "yes" }
//   together = [["race", "birth_country"]]   # private columns that say nearly the same: one coin
//   apart = [["pay", "grade"]]                # they do, and are meant to have coins of their own
//   person = "patient_nbr"     # rows of one person; `time` puts them in order
//   time = "visit_date"
//   consent = "choice"         # of each person: open, protected or hidden
//   ids = "keyed"              # how rows are called in answers; or "plain", "none"
//   batch_after = "30d"        # how long newcomers wait for company
//   missing = ["?", "n/a"]     # what the table writes where there is no value
//
//   [population]               # whose rows these are, over all files made of them
//   name = "patients"
//
//   [column.city]
//   role = "public"            # id, public, private or ignored; "?" where nobody decided yet
//   same = [["Paris", "paris"]]              # read as the first of each
//
//   [column.age]
//   role = "public"
//   weight = 2
//   bins = { edges = [18, 25, 35, 50] }      # or { equal_width = 8 } or { quantiles = 4 }
//
//   [column.religion]
//   role = "private"
//   domain = ["none", "christian", "muslim", "other"]   # its order, and values no row may have
//   not_sensitive = ["none"]   # values that everybody may learn: cluster and capped spare them
//   epsilon = 0.5              # what ldp may show of it, if not what the others may
//   sensitive_sets = [["christian", "muslim"]]    # nobody should learn that one of these holds
//   known_from = ["city"]      # public columns that tell it, which is accepted
//
//   [column.religion.renamed]  # since the last build
//   "christianity" = "christian"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil {

enum class Role {
  Id,
  Public,
  Private,
  Ignored,
  Undecided,  // "?": a draft did not know; like ignored, but what serves anybody refuses it
};

std::string_view role_name(Role role);
std::optional<Role> role_from_name(std::string_view name);

// Category i is [edges[i-1], edges[i]); the first and last are open. Edges ascend strictly.
struct BinEdges {
  std::vector<double> edges;
  bool operator==(const BinEdges&) const = default;
};
struct EqualWidth {
  std::uint32_t bins;  // at least 2, between the smallest and largest value of the data
  bool operator==(const EqualWidth&) const = default;
};
struct Quantiles {
  std::uint32_t bins;  // at least 2; equal values stay together, so fewer may come out
  bool operator==(const Quantiles&) const = default;
};
using Binning = std::variant<std::monostate, BinEdges, EqualWidth, Quantiles>;

struct ColumnPolicy {
  std::string name = {};
  Role role = Role::Ignored;
  double weight = 1;                     // from 0.000001 to 1,000,000
  std::vector<std::string> domain = {};  // empty: taken from the data
  Binning bins = {};                     // makes its own domain, so never together with one
  // Private columns only: values that need no protection, some of the domain and not all.
  std::vector<std::string> not_sensitive = {};
  // Private columns only, for ldp: what it may show, above 0 and at most largest_epsilon.
  std::optional<double> epsilon = {};
  // Private columns only: values that together are as sensitive as one, two or more of them each.
  std::vector<std::vector<std::string>> sensitive_sets = {};
  // Private columns only: what values were called in the last build, and are called now.
  std::vector<std::pair<std::string, std::string>> renamed = {};
  // Lists of values that are read as the first of them. No value is in two.
  std::vector<std::vector<std::string>> same = {};
  // What stands for no value in this column, instead of the policy's `missing`.
  std::optional<std::vector<std::string>> missing = {};

  // Private columns only: public columns that tell it before any ranking. The promise is about what
  // they leave open.
  std::vector<std::string> known_from = {};

  bool operator==(const ColumnPolicy&) const = default;
};

inline constexpr double largest_epsilon = 100;

// Why a column with these values cannot have its `not_sensitive`: it names a value that is not
// there, or all of them. Empty: it can.
std::string not_sensitive_problem(const ColumnPolicy& column,
                                  const std::vector<std::string>& domain);

// The same for its `sensitive_sets`: a value that is not there, or a set of all values.
std::string sensitive_sets_problem(const ColumnPolicy& column,
                                   const std::vector<std::string>& domain);
// The same for its `renamed`: an old name that is still a value. A new one need not be in a domain
// of the data.
std::string renamed_problem(const ColumnPolicy& column, const std::vector<std::string>& domain);

// Which rows are known to be real people. Only they serve others as cover: rows that somebody
// planted must not. Exactly one of `is` and `before` is given.
struct EstablishedRule {
  std::string column;                      // any column of the source that is not private
  std::optional<std::string> is = {};      // the value that established rows have
  std::optional<std::string> before = {};  // established rows have less: a date, a number
  bool operator==(const EstablishedRule&) const = default;

  // A missing value is never established. Numbers compare by size, other text byte by byte, which
  // is right for dates such as 2026-01-31.
  bool accepts(std::string_view value) const;
};

// How rows are called where they are served.
enum class IdForm {
  Plain,  // by their id
  Keyed,  // by a keyed number of it, which the key's holder can translate back
  None,   // by their place in the index, which says nothing
};
std::string_view id_form_name(IdForm form);
std::optional<IdForm> id_form_from_name(std::string_view name);

// The people that rows are about, whatever file of them is made: they have one ledger.
struct PopulationRule {
  std::string name = "default";  // letters, digits, '-', '_' and '.', at most 64
  // Columns that a later file of the same people will show in public, beside those of this one.
  // None is private or the id, and each has a section.
  std::vector<std::string> fit_on = {};
  std::string ledger = {};  // where it lies; empty: beside the key
  bool operator==(const PopulationRule&) const = default;
};

struct Policy {
  std::uint32_t l = 3;  // at least 2
  std::string scheme = "swap";
  std::uint32_t k = 10;  // at least 1
  // Lists of public columns, each coarser than the one before. Rows whose own public group is small
  // are protected among rows that are alike in the columns of the first list that makes a large
  // enough group.
  std::vector<std::vector<std::string>> ladder = {};
  std::optional<EstablishedRule> established = {};
  // Lists of two or more private columns that share a coin. No column is in two of them.
  std::vector<std::vector<std::string>> together = {};
  // Lists of two or more private columns that may have coins of their own though they say nearly
  // the same.
  std::vector<std::vector<std::string>> apart = {};
  IdForm ids = IdForm::Plain;
  bool ids_tell = false;  // ids that tell private values are served all the same
  // Columns of the source, with or without a section, none of them private; empty: none.
  std::string person = {};   // rows with the same value are one person's
  std::string time = {};     // puts them in order; only beside `person`
  std::string consent = {};  // open, protected or hidden; missing: protected
  PopulationRule population = {};
  // After how many days newcomers are shown although they are few. Nothing: they wait.
  std::optional<std::uint32_t> batch_after_days = {};
  // After how many days rows whose values changed are withdrawn although they are few.
  std::uint32_t withdraw_after_days = 30;
  std::vector<std::string> missing = {};   // texts that stand for no value, beside the empty one
  std::vector<ColumnPolicy> columns = {};  // in the order of the file
  // Whether somebody wrote the scheme down, or it is the default.
  bool names_scheme = false;

  const ColumnPolicy* find(std::string_view column) const;
  std::vector<std::string> undecided() const;  // names of columns whose role is "?"
  // What they say, however it came about.
  bool operator==(const Policy& other) const;
};

// What is wrong with what the keys say of columns (`together`, `apart`, `person`, `time`,
// `consent`, `fit_on`, `known_from`), now that flags may have changed roles. Empty: nothing.
// parse_policy asks it, too.
std::string column_use_problem(const Policy& policy);

// The same columns for a file of other people: it need not have their values, nor who they are, how
// long they are known and what they chose.
Policy policy_for_others(Policy policy);

// `source` names the text in messages, e.g. the path. Refuses unknown keys, roles and bins, columns
// without a role, weights out of range, two id columns, a domain beside bins, values declared not
// sensitive of a column that is not private or that its domain lacks, a budget of one that is not
// private, each with the line.
// Numbers and booleans in a domain count as their text. Which schemes exist is not known here.
Result<Policy> parse_policy(std::string_view text, std::string_view source);

// TOML that parse_policy reads back to an equal policy, for names and values of any characters
// (bytes that are no UTF-8 become U+FFFD). `comments` (one per column, may be shorter) go above
// the columns' sections.
std::string to_toml(const Policy& policy, const std::vector<std::string>& comments = {});

}  // namespace rankveil
