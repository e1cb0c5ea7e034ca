#include "rankveil/probe/dialect/toml_section.h"

#include <fmt/core.h>

#include "rankveil/table/toml/toml_text.h"

namespace rankveil::probe {

void TomlSection::only(const std::vector<std::string_view>& known) {
  note(check_keys(table_, known, where_.empty() ? "here" : where_, source_));
}

void TomlSection::fail(std::string_view key, std::string_view message) {
  const Toml* node = table_.find(key);
  note(toml_error(source_, node != nullptr ? node->line : table_.line,
                  fmt::format("{}{}{} {}", key, where_.empty() ? "" : " ", where_, message)));
}

void TomlSection::text(std::string_view key, std::string& target) {
  const Toml* node = table_.find(key);
  if (node == nullptr) return;
  if (node->as_text() == nullptr) return fail(key, "must be text in quotes");
  target = *node->as_text();
}

void TomlSection::needed_text(std::string_view key, std::string& target) {
  const Toml* node = table_.find(key);
  if (node == nullptr) return fail(key, "is missing");
  text(key, target);
  if (node->as_text() != nullptr && node->as_text()->empty()) fail(key, "must not be empty");
}

void TomlSection::texts(std::string_view key, std::vector<std::string>& target) {
  const Toml* node = table_.find(key);
  if (node == nullptr) return;
  target.clear();
  if (node->as_text() != nullptr) return target.push_back(*node->as_text());
  const auto* list = node->as_array();
  if (list == nullptr) return fail(key, "must be a list of texts in quotes");
  for (const Toml& item : *list) {
    if (item.as_text() == nullptr) return fail(key, "must be a list of texts in quotes");
    target.push_back(*item.as_text());
  }
}

void TomlSection::whole_numbers(std::string_view key, std::int64_t least, std::int64_t most,
                                std::vector<int>& target) {
  const Toml* node = table_.find(key);
  if (node == nullptr) return;
  target.clear();
  const auto* list = node->as_array();
  const std::string wish =
      fmt::format("must be a list of whole numbers from {} to {}", least, most);
  if (list == nullptr) return fail(key, wish);
  for (const Toml& item : *list) {
    const auto* number = item.as_integer();
    if (number == nullptr || *number < least || *number > most) return fail(key, wish);
    target.push_back(static_cast<int>(*number));
  }
}

void TomlSection::truth(std::string_view key, bool& target) {
  const Toml* node = table_.find(key);
  if (node == nullptr) return;
  if (node->as_bool() == nullptr) return fail(key, "must be true or false");
  target = *node->as_bool();
}

void TomlSection::pairs(std::string_view key, Pairs& target) {
  const Toml* section = table(key);
  if (section == nullptr) return;
  for (const TomlMember& member : *section->as_table()) {
    if (member.value.as_text() == nullptr) {
      return note(toml_error(
          source_, member.line,
          fmt::format("{} in [{}] must be text in quotes", toml_quoted(member.key), key)));
    }
    target.emplace_back(member.key, *member.value.as_text());
  }
}

const Toml* TomlSection::table(std::string_view key) {
  const Toml* node = table_.find(key);
  if (node == nullptr || node->as_table() != nullptr) return node;
  fail(key, fmt::format("must be a section, [{}]", key));
  return nullptr;
}

std::vector<const Toml*> TomlSection::tables(std::string_view key) {
  std::vector<const Toml*> found;
  const Toml* node = table_.find(key);
  if (node == nullptr) return found;
  const std::string wish = fmt::format("must be written as [[{}]]", key);
  const auto* list = node->as_array();
  if (list == nullptr) {
    fail(key, wish);
    return found;
  }
  for (const Toml& item : *list) {
    if (item.as_table() == nullptr) {
      fail(key, wish);
      return {};
    }
    found.push_back(&item);
  }
  return found;
}

}  // namespace rankveil::probe
