// What the owner allows: each column's role, weight and domain, and how numbers become
// categories. Read from TOML; deny by default.
//
//   l = 3                      # values that must stay possible for every private attribute
//   scheme = "swap"
//   k = 10                     # rows a query returns unless it says otherwise
//   ladder = [["city", "age"], ["city"]]     # coarser public columns, for rows in small groups
//   established = { column = "joined", before = "2026-01-01" }    # or { column = "checked", is =
//   "yes" }
//
//   [column.city]
//   role = "public"            # id, public, private or ignored
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
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil {

enum class Role { Id, Public, Private, Ignored };

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

  bool operator==(const ColumnPolicy&) const = default;
};

inline constexpr double largest_epsilon = 100;

// Why a column with these values cannot have its `not_sensitive`: it names a value that is not
// there, or all of them. Empty: it can.
std::string not_sensitive_problem(const ColumnPolicy& column,
                                  const std::vector<std::string>& domain);

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

struct Policy {
  std::uint32_t l = 3;  // at least 2
  std::string scheme = "swap";
  std::uint32_t k = 10;  // at least 1
  // Lists of public columns, each coarser than the one before. Rows whose own public group is small
  // are protected among rows that are alike in the columns of the first list that makes a large
  // enough group.
  std::vector<std::vector<std::string>> ladder = {};
  std::optional<EstablishedRule> established = {};
  std::vector<ColumnPolicy> columns = {};  // in the order of the file
  // Whether somebody wrote the scheme down, or it is the default.
  bool names_scheme = false;

  const ColumnPolicy* find(std::string_view column) const;
  // What they say, however it came about.
  bool operator==(const Policy& other) const;
};

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
