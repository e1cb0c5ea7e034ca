// An entry of the lists of names: words in a row, some of them open at an end.
//
//   "age"           the word
//   "diabet*"       words that begin so; "*krank*" words that have it anywhere
//   "credit score"  both words, one after the other, or written as one ("creditscore")
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rankveil::draft {

class NamePattern {
 public:
  explicit NamePattern(std::string_view entry);

  // How many of the words it takes, from the first one on; 0 when it does not fit them.
  std::size_t length_at(std::span<const std::string> words) const;
  bool is_in(std::span<const std::string> words) const;
  // Whether one of its words begins so: the beginning may stand for it.
  bool has_beginning(std::string_view beginning) const;

 private:
  struct Word {
    std::string text;
    bool open_front, open_back;
    bool fits(std::string_view word) const;
  };
  std::vector<Word> words_;
  std::string joined_;  // empty: words that are open are not written as one
};

std::vector<NamePattern> patterns_of(const std::vector<std::string>& entries);
bool any_is_in(std::span<const NamePattern> patterns, std::span<const std::string> words);

}  // namespace rankveil::draft
