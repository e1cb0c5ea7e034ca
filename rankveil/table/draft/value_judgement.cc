#include "rankveil/table/draft/value_judgement.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "rankveil/table/draft/column_name.h"
#include "rankveil/table/draft/value_forms.h"
#include "rankveil/table/draft/value_lists.h"
#include "rankveil/table/number_text.h"

namespace rankveil::draft {

namespace {

constexpr std::size_t max_looked_at = 3000;  // different values, the frequent ones

std::vector<std::size_t> looked_at(const ColumnFacts& facts) {
  auto order = facts.by_frequency();
  if (order.size() > max_looked_at) order.resize(max_looked_at);
  return order;
}

using Form = bool (*)(std::string_view);

double share_of(const ColumnFacts& facts, const std::vector<std::size_t>& values, Form form) {
  if (values.empty()) return 0;
  auto fit = std::count_if(values.begin(), values.end(),
                           [&](std::size_t i) { return form(facts.values[i]); });
  return static_cast<double>(fit) / static_cast<double>(values.size());
}

std::vector<std::string_view> texts_of(const ColumnFacts& facts,
                                       const std::vector<std::size_t>& values) {
  std::vector<std::string_view> texts;
  texts.reserve(values.size());
  for (std::size_t i : values) texts.emplace_back(facts.values[i]);
  return texts;
}

struct IdentifyingForm {
  Form form;
  const char* what;
  double min_share;
  std::size_t min_values;
};

constexpr std::array<IdentifyingForm, 8> identifying_forms = {{
    {looks_like_email, "e-mail addresses", 0.3, 2},
    {looks_like_ip, "IP addresses", 0.5, 3},
    {looks_like_url, "addresses of pages", 0.5, 3},
    {looks_like_national_number, "numbers of people, insured ones or accounts", 0.9, 12},
    {looks_like_phone, "telephone numbers", 0.5, 5},
    {looks_like_hash, "hashes or UUIDs, which stand for somebody", 0.5, 3},
    {looks_like_full_name, "names of people", 0.3, 12},
    {looks_like_own_words, "words of their own", 0.3, 50},
}};

// For each meaning: how many different values say it, strongly and at all, and how many rows.
struct Said {
  std::size_t strong = 0, any = 0;
  std::uint64_t rows = 0;
};

std::vector<Said> count_meanings(const ColumnFacts& facts, const std::vector<std::size_t>& values) {
  std::vector<Said> said(value_meanings().size());
  for (std::size_t i : values) {
    SaidByValue one = said_by(facts.values[i]);
    for (std::size_t meaning : one.strong) {
      ++said[meaning].strong;
      ++said[meaning].any;
      said[meaning].rows += facts.counts[i];
    }
    for (std::size_t meaning : one.weak) {
      ++said[meaning].any;
      said[meaning].rows += facts.counts[i];
    }
  }
  return said;
}

std::optional<Meaning> listed_meaning(const ColumnFacts& facts,
                                      const std::vector<std::size_t>& values) {
  auto said = count_meanings(facts, values);
  std::optional<Meaning> best;
  std::size_t most = 0;
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (said[i].strong == 0) continue;
    bool many = said[i].any >= 2 && 5 * said[i].any >= std::min<std::size_t>(values.size(), 40);
    bool frequent = 10 * said[i].rows >= 3 * facts.present;
    bool is_certain = (many || (frequent && values.size() <= 12)) && !value_meanings()[i].doubtful;
    if (best && (best->certainty == Certainty::Certain) >= is_certain && said[i].any <= most)
      continue;
    if (best && best->certainty == Certainty::Certain && !is_certain) continue;
    // A single value of many may be a chance: "Christian" among first names.
    bool is_chance = !is_certain && said[i].strong * 50 < values.size();
    if (is_chance) continue;
    best = Meaning{value_meanings()[i].what, is_certain ? Certainty::Certain : Certainty::Doubtful};
    most = said[i].any;
  }
  return best;
}

std::optional<Meaning> meaning_of_forms(const ColumnFacts& facts,
                                        const std::vector<std::size_t>& values) {
  if (facts.is_numeric || values.size() < 2) return std::nullopt;
  for (const ValueMeaning& meaning : value_meanings()) {
    for (const std::string& form : meaning.forms) {
      if (form == "icd10") {
        if (share_of(facts, values, looks_like_icd10) < 0.7 || values.size() < 8) continue;
        bool detailed = share_of(facts, values, is_detailed_icd10) >= 0.2;
        return Meaning{meaning.what, detailed ? Certainty::Certain : Certainty::Doubtful};
      }
      if (form == "income_bracket" && share_of(facts, values, looks_like_income_bracket) >= 0.5) {
        return Meaning{meaning.what, Certainty::Certain};
      }
    }
  }
  return std::nullopt;
}

bool is_whole(double number) { return number == std::floor(number) && std::abs(number) < 1e12; }

bool names_codes(std::string_view name) {
  static constexpr std::array<std::string_view, 22> words = {
      "code", "codes", "cd",   "zip",  "zipcode", "postcode", "postal", "plz",
      "cp",   "cap",   "id",   "type", "typ",     "class",    "naics",  "sic",
      "fips", "msa",   "isco", "isic", "state",   "country"};
  auto parts = words_of(name);
  return std::any_of(parts.begin(), parts.end(), [](const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  });
}

bool has_leading_zeros(const ColumnFacts& facts) {
  return std::any_of(facts.values.begin(), facts.values.end(), [](const std::string& value) {
    return value.size() > 1 && value[0] == '0' && value.find('.') == std::string::npos;
  });
}

bool is_far_off(double number) {
  static constexpr std::array<double, 15> words = {77,   88,   98,   99,   777, 888, 998, 999,
                                                   7777, 8888, 9998, 9999, -1,  -9,  -99};
  return std::find(words.begin(), words.end(), number) != words.end();
}

// 1, 2, ..., 30, 77, 99.
bool has_far_off_words(const std::vector<double>& sorted) {
  std::vector<double> usual;
  for (double number : sorted) {
    if (!is_far_off(number)) usual.push_back(number);
  }
  if (usual.empty() || usual.size() == sorted.size() || sorted.size() > 60) return false;
  return usual.back() - usual.front() < 2 * static_cast<double>(usual.size()) &&
         (usual.back() < 70 || usual.back() * 2 < sorted.back());
}

bool has_one_length_and_gaps(const ColumnFacts& facts, const std::vector<double>& sorted) {
  std::size_t length = facts.values.front().size();
  bool same =
      length >= 3 && std::all_of(facts.values.begin(), facts.values.end(),
                                 [&](const std::string& value) { return value.size() == length; });
  bool repeated = facts.present >= 20 * facts.distinct;
  return same && repeated &&
         sorted.back() - sorted.front() + 1 >= 2 * static_cast<double>(sorted.size());
}

// The lists of harmless values that hold all values of the column.
std::vector<std::size_t> lists_of_all(const ColumnFacts& facts) {
  if (!facts.is_exact || facts.values.size() < 2 || facts.values.size() > 60) return {};
  std::vector<std::size_t> common;
  bool first = true;
  for (const std::string& value : facts.values) {
    HarmlessIn in = harmless_in(value);
    if (in.anywhere && in.lists.empty()) continue;
    if (first) {
      common = in.lists;
    } else {
      std::erase_if(common, [&](std::size_t list) {
        return std::find(in.lists.begin(), in.lists.end(), list) == in.lists.end();
      });
    }
    first = false;
    if (common.empty()) return {};
  }
  return common;
}

}  // namespace

std::optional<std::string> identifying_values(const ColumnFacts& facts) {
  auto values = looked_at(facts);
  for (const IdentifyingForm& one : identifying_forms) {
    if (values.size() < one.min_values) continue;
    if (facts.is_numeric && one.form != looks_like_hash) continue;
    if (share_of(facts, values, one.form) >= one.min_share) return one.what;
  }
  if (hold_birthdays(texts_of(facts, values))) return "numbers with a birthday in them";
  return std::nullopt;
}

std::optional<Meaning> sensitive_values_of(const ColumnFacts& facts) {
  if (facts.is_numeric) return std::nullopt;
  auto values = looked_at(facts);
  auto listed = listed_meaning(facts, values);
  if (listed && listed->certainty == Certainty::Certain) return listed;
  auto formed = meaning_of_forms(facts, values);
  return formed ? formed : listed;
}

bool has_harmless_values(const ColumnFacts& facts) { return !lists_of_all(facts).empty(); }

bool has_speaking_values(const ColumnFacts& facts) {
  constexpr std::size_t enough_values = 5;  // of one list, which is no chance
  auto lists = lists_of_all(facts);
  if (facts.values.size() >= enough_values && std::ranges::any_of(lists, speaks)) return true;
  return std::any_of(facts.values.begin(), facts.values.end(), [&](const std::string& value) {
    auto alone = harmless_in(value).alone;
    return std::any_of(alone.begin(), alone.end(), [&](std::size_t list) {
      return std::find(lists.begin(), lists.end(), list) != lists.end();
    });
  });
}

bool holds_codes(const ColumnFacts& facts) {
  if (!facts.is_numeric || !facts.is_exact || facts.values.empty() || facts.distinct > 1000)
    return false;
  std::vector<double> sorted;
  for (const std::string& value : facts.values) {
    auto number = number_from_text(value);
    if (!number || !is_whole(*number)) return false;
    sorted.push_back(*number);
  }
  std::sort(sorted.begin(), sorted.end());
  return has_leading_zeros(facts) || names_codes(facts.name) || has_far_off_words(sorted) ||
         has_one_length_and_gaps(facts, sorted);
}

}  // namespace rankveil::draft
