// TOML documents: a small tree that remembers on which line everything stands.
//
//   auto root = parse_toml(text, "target.toml", "a target");
//   const Toml* kind = root->find("kind");
//   if (kind == nullptr || kind->as_text() == nullptr) return toml_error(source, root->line, ...);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil {

struct TomlMember;

struct Toml {
  using Array = std::vector<Toml>;
  using Table = std::vector<TomlMember>;

  // Nothing: a date or a time, which no file of ours has a use for.
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Table> value;
  std::uint32_t line = 1;

  // Null when the value is of another kind.
  const bool* as_bool() const { return std::get_if<bool>(&value); }
  const std::int64_t* as_integer() const { return std::get_if<std::int64_t>(&value); }
  const std::string* as_text() const { return std::get_if<std::string>(&value); }
  const Array* as_array() const { return std::get_if<Array>(&value); }
  const Table* as_table() const { return std::get_if<Table>(&value); }
  std::optional<double> as_number() const;  // whole or real

  // What the key holds; null when this is no table or has none.
  const Toml* find(std::string_view key) const;
};

// A key and its value; a table keeps them in the order of the file.
struct TomlMember {
  std::string key;
  std::uint32_t line;
  Toml value;
};

// "source, line 3: message"
Error toml_error(std::string_view source, std::uint32_t line, std::string_view message);

// A table. `what` says in messages what the text should be, such as "a policy". Refuses, with the
// line: what is not TOML or not UTF-8, more than 64 MB, and keys of more than nine parts.
Result<Toml> parse_toml(std::string_view text, std::string_view source, std::string_view what);

// Refuses keys that are not among `known`. `where` follows "is not known": "in [query]".
Status check_keys(const Toml& table, const std::vector<std::string_view>& known,
                  std::string_view where, std::string_view source);

}  // namespace rankveil
