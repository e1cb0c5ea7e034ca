#include "rankveil/table/draft/name_pattern.h"

#include <algorithm>

#include "rankveil/table/draft/column_name.h"

namespace rankveil::draft {

bool NamePattern::Word::fits(std::string_view word) const {
  if (open_front) return word.find(text) != std::string_view::npos;
  return open_back ? word.starts_with(text) : word == text;
}

NamePattern::NamePattern(std::string_view entry) {
  while (!entry.empty()) {
    auto end = std::min(entry.find(' '), entry.size());
    std::string_view word = entry.substr(0, end);
    entry.remove_prefix(std::min(end + 1, entry.size()));
    bool front = word.starts_with('*'), back = word.ends_with('*');
    auto plain = words_of(word);
    if (plain.empty()) continue;
    words_.push_back({plain.front(), front, back});
    joined_ += plain.front();
  }
  bool is_open = std::any_of(words_.begin(), words_.end(),
                             [](const Word& word) { return word.open_front || word.open_back; });
  if (is_open || words_.size() < 2) joined_.clear();
}

std::size_t NamePattern::length_at(std::span<const std::string> words) const {
  if (words.empty() || words_.empty()) return 0;
  if (!joined_.empty() && words.front() == joined_) return 1;
  if (words.size() < words_.size()) return 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (!words_[i].fits(words[i])) return 0;
  }
  return words_.size();
}

bool NamePattern::has_beginning(std::string_view beginning) const {
  return std::any_of(words_.begin(), words_.end(), [&](const Word& word) {
    return word.text.starts_with(beginning) || (word.open_back && beginning.starts_with(word.text));
  });
}

bool NamePattern::is_in(std::span<const std::string> words) const {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (length_at(words.subspan(i)) > 0) return true;
  }
  return false;
}

std::vector<NamePattern> patterns_of(const std::vector<std::string>& entries) {
  std::vector<NamePattern> patterns;
  patterns.reserve(entries.size());
  for (const std::string& entry : entries) patterns.emplace_back(entry);
  return patterns;
}

bool any_is_in(std::span<const NamePattern> patterns, std::span<const std::string> words) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const NamePattern& pattern) { return pattern.is_in(words); });
}

}  // namespace rankveil::draft
