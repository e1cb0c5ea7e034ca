// One section of a TOML file, read key by key. The first thing that is wrong stays; readers after
// it do nothing, so that callers ask for the status once.
//
//   TomlSection section(*tree, "people.toml", "");
//   section.only({"name", "way"});
//   section.text("name", name);
//   if (!section.status()) return section.status().error();
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/table/toml/toml.h"

namespace rankveil::probe {

class TomlSection {
 public:
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  // `where` follows keys in messages: "in [list]", or nothing. `table` must be a table.
  TomlSection(const Toml& table, std::string_view source, std::string where)
      : table_(table), source_(source), where_(std::move(where)) {}

  // Refuses other keys than these.
  void only(const std::vector<std::string_view>& known);
  bool has(std::string_view key) const { return table_.find(key) != nullptr; }

  // Sets `target` if the key is there.
  void text(std::string_view key, std::string& target);
  void needed_text(std::string_view key, std::string& target);
  void texts(std::string_view key, std::vector<std::string>& target);  // one text is a list, too
  void whole_numbers(std::string_view key, std::int64_t least, std::int64_t most,
                     std::vector<int>& target);
  void truth(std::string_view key, bool& target);
  // All members of a section, which must be texts: headers.
  void pairs(std::string_view key, Pairs& target);
  // Null when the key is not there, or is no table.
  const Toml* table(std::string_view key);
  // [[key]]: none when it is not there.
  std::vector<const Toml*> tables(std::string_view key);

  void fail(std::string_view key, std::string_view message);
  void note(const Status& status) {
    if (status_.ok()) status_ = status;
  }
  const Status& status() const { return status_; }

 private:
  const Toml& table_;
  std::string_view source_;
  std::string where_;
  Status status_;
};

}  // namespace rankveil::probe
