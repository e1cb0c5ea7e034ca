#include "rankveil/table/draft/judge_column.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "rankveil/base/text/unicode.h"
#include "rankveil/table/draft/column_name.h"
#include "rankveil/table/draft/draft_bins.h"
#include "rankveil/table/draft/name_meaning.h"
#include "rankveil/table/draft/value_forms.h"
#include "rankveil/table/draft/value_judgement.h"
#include "rankveil/table/draft/value_lists.h"

namespace rankveil::draft {

namespace {

constexpr std::uint64_t max_words = 1000;      // more different texts than this nobody asks for
constexpr std::uint64_t max_identifying = 20;  // a "name" with fewer values names no person

std::string count_text(const ColumnFacts& facts) {
  std::string text = !facts.is_exact       ? "more than 65,534 values"
                     : facts.distinct == 1 ? "1 value"
                                           : fmt::format("{} values", facts.distinct);
  if (facts.present == 0) return "no values";
  std::uint64_t missing = facts.rows - facts.present;
  return missing == 0 ? text : text + fmt::format(", {} rows without", missing);
}

bool is_one_of(std::string_view word, std::span<const std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr std::array<std::string_view, 50> person_words = {
    "patient",     "person",     "people",      "user",        "customer",  "client",
    "member",      "subject",    "employee",    "emp",         "student",   "respondent",
    "participant", "individual", "household",   "visitor",     "guest",     "player",
    "applicant",   "borrower",   "case",        "mrn",         "encounter", "pupil",
    "kunde",       "kunden",     "patienten",   "mitarbeiter", "mitglied",  "versicherten",
    "schuler",     "nutzer",     "cliente",     "paciente",    "empleado",  "usuario",
    "paziente",    "utente",     "utilisateur", "salarie",     "klant",     "klient",
    "pacjent",     "pacjenta",   "klienta",     "pracownika",  "eleve",     "alumno",
    "studente",    "pracownik"};

constexpr std::array<std::string_view, 9> country_words = {
    "country", "nation", "land", "pays", "pais", "paese", "kraj", "cntry", "staat"};

// "guest country": where somebody is from, and not where something is.
bool names_country_of_person(std::string_view name) {
  auto words = words_of(name);
  auto has = [&](std::span<const std::string_view> list) {
    return std::ranges::any_of(words,
                               [&](const std::string& word) { return is_one_of(word, list); });
  };
  return has(country_words) && has(person_words);
}

// Numbers of five digits or more, another one in each row: so counts whoever keeps a register.
bool numbers_rows(const ColumnFacts& facts) {
  constexpr std::size_t fewest_rows = 100, fewest_digits = 5;
  bool all_differ =
      facts.is_numeric && facts.present > fewest_rows && facts.distinct == facts.present;
  return all_differ && std::ranges::all_of(facts.values, [](const std::string& value) {
           return value.size() >= fewest_digits &&
                  value.find_first_not_of("0123456789") == std::string::npos;
         });
}

// What was found out of a column, before a role follows from it.
class Judge {
 public:
  explicit Judge(const ColumnFacts& facts)
      : facts_(facts), named_(sensitive_meaning(facts.name)), valued_(sensitive_values_of(facts)) {
    // Krebs is an illness, and beside Widder and Stier a star sign.
    if (is(valued_, Certainty::Doubtful) && has_speaking_values(facts)) valued_.reset();
    if (!named_ && names_country_of_person(facts.name)) {
      named_ = Meaning{"racial or ethnic origin", Certainty::Doubtful};
    }
  }

  JudgedColumn judge() const;

 private:
  JudgedColumn with(Role role, std::string_view why) const;
  JudgedColumn sensitive(const std::string& why) const;
  std::optional<JudgedColumn> of_no_use() const;
  std::optional<JudgedColumn> identifying() const;
  std::optional<JudgedColumn> by_meaning() const;
  std::optional<JudgedColumn> harmless() const;
  JudgedColumn unknown() const;

  // Whether rows can be asked for by it: by words, or by bins of numbers.
  bool is_measure() const { return facts_.is_numeric && !holds_codes(facts_); }
  bool can_be_asked_for() const {
    return is_measure() || (!facts_.nearly_unique() && facts_.distinct <= max_words);
  }
  bool is(const std::optional<Meaning>& meaning, Certainty certainty) const {
    return meaning && meaning->certainty == certainty;
  }

  const ColumnFacts& facts_;
  std::optional<Meaning> named_, valued_;
};

JudgedColumn Judge::with(Role role, std::string_view why) const {
  JudgedColumn judged{.column = {.name = facts_.name, .role = role}, .comment = count_text(facts_)};
  if (role != Role::Ignored) {
    judged.column.bins = drafted_bins(facts_);
    std::string bins = bins_text(judged.column.bins);
    if (!bins.empty()) judged.comment += ", " + bins;
    judged.column.same = alike_values(facts_);
    if (!judged.column.same.empty())
      judged.comment += ", some alike but for case, spaces or Unicode form";
  }
  judged.comment +=
      fmt::format("; {}: {}", role == Role::Undecided ? "undecided" : role_name(role), why);
  return judged;
}

JudgedColumn Judge::sensitive(const std::string& why) const {
  JudgedColumn judged =
      can_be_asked_for()
          ? with(Role::Private, why)
          : with(Role::Ignored,
                 why + ", but it has too many values to ask for; make it coarser to rank by it");
  judged.is_sensitive = true;
  return judged;
}

std::optional<JudgedColumn> Judge::of_no_use() const {
  if (facts_.present == 0) return with(Role::Ignored, "nothing to rank by");
  if (facts_.distinct == 1) return with(Role::Ignored, "it ranks nobody");
  return std::nullopt;
}

std::optional<JudgedColumn> Judge::identifying() const {
  if (auto what = identifying_values(facts_)) {
    return with(Role::Ignored, "its values look like " + *what);
  }
  auto what = identifying_meaning(facts_.name);
  if (!what) return std::nullopt;
  if (facts_.distinct > max_identifying || facts_.nearly_unique()) {
    return with(Role::Ignored, "its name says that it tells " + *what);
  }
  return with(Role::Undecided, "its name says that it tells " + *what + ", but it has few values");
}

std::optional<JudgedColumn> Judge::by_meaning() const {
  if (is(named_, Certainty::Certain)) return sensitive("its name is about " + named_->what);
  bool harmless_name = !named_ && has_harmless_name(facts_.name);
  if (is(valued_, Certainty::Certain)) {
    if (!harmless_name) return sensitive("its values are about " + valued_->what);
    JudgedColumn judged =
        with(Role::Undecided, "its name sounds harmless, but values are about " + valued_->what);
    judged.is_sensitive = true;
    return judged;
  }
  if (named_) return with(Role::Undecided, "by its name it may be about " + named_->what);
  if (valued_) return with(Role::Undecided, "some values may be about " + valued_->what);
  return std::nullopt;
}

std::optional<JudgedColumn> Judge::harmless() const {
  bool by_name = has_harmless_name(facts_.name);
  // A file without a header names its columns by the values of its first row.
  bool is_unnamed = says_nothing(facts_.name) || !harmless_in(facts_.name).lists.empty();
  bool by_values =
      (is_unnamed && has_harmless_values(facts_)) || (!by_name && has_speaking_values(facts_));
  if (!by_name && !by_values) return std::nullopt;
  if (numbers_rows(facts_)) return with(Role::Ignored, "each row has a number of its own, as ids");
  if (!can_be_asked_for()) {
    return with(
        Role::Undecided,
        "its name sounds harmless, but so many values say who somebody is; make it coarser");
  }
  if (by_name) return with(Role::Public, "people show what its name says; you know better");
  return with(Role::Public, "people show what its values say; you know better");
}

JudgedColumn Judge::unknown() const {
  if (sounds_like_id(facts_.name) && facts_.nearly_unique())
    return with(Role::Ignored, "it looks like another id");
  if (!facts_.is_numeric && facts_.nearly_unique())
    return with(Role::Ignored, "nearly every row has its own");
  if (facts_.is_numeric || facts_.distinct <= max_words)
    return with(Role::Undecided, "nothing is known of it");
  return with(Role::Undecided, "nothing is known of it, and it has too many values to ask for");
}

JudgedColumn Judge::judge() const {
  if (auto judged = of_no_use()) return *judged;
  if (auto judged = identifying()) return *judged;
  if (auto judged = by_meaning()) return *judged;
  if (auto judged = harmless()) return *judged;
  return unknown();
}

constexpr std::array<std::string_view, 26> id_words = {
    "codice",       "codigo", "id",          "ids",           "uuid",
    "guid",         "key",    "userid",      "personid",      "pid",
    "uid",          "nr",     "no",          "nbr",           "num",
    "number",       "index",  "rowid",       "idx",           "kennung",
    "nummer",       "numero", "identifiant", "identificador", "identificativo",
    "identyfikator"};

}  // namespace

JudgedColumn judge_column(const ColumnFacts& facts) { return Judge(facts).judge(); }

std::vector<std::vector<std::string>> alike_values(const ColumnFacts& facts) {
  constexpr std::size_t max_compared = 5000;
  if (facts.is_numeric || facts.values.size() > max_compared) return {};
  std::map<std::string, std::vector<std::string>> by_form;
  for (std::size_t i : facts.by_frequency()) {
    std::string form = likened(facts.values[i]);
    if (!form.empty()) by_form[form].push_back(facts.values[i]);
  }
  std::vector<std::vector<std::string>> lists;
  for (auto& [form, values] : by_form) {
    if (values.size() > 1) lists.push_back(std::move(values));
  }
  return by_form.size() > 1 ? lists : std::vector<std::vector<std::string>>{};
}

bool sounds_like_id(std::string_view name) {
  auto words = words_of(name);
  return !words.empty() &&
         (is_one_of(words.back(), id_words) || is_one_of(words.front(), id_words));
}

bool is_called_person(std::string_view name) {
  // Of groups and cases there may be many numbers that are nobody's.
  static constexpr std::array<std::string_view, 5> others = {"people", "household", "case",
                                                             "encounter", "subject"};
  auto words = words_of(name);
  return words.size() == 1 && is_one_of(words[0], person_words) && !is_one_of(words[0], others);
}

bool names_persons(std::string_view name) {
  auto words = words_of(name);
  if (words.empty()) return false;
  auto has = [&](std::span<const std::string_view> list) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return is_one_of(word, list); });
  };
  for (std::string_view joined : {"patientid", "userid", "customerid", "personid", "clientid",
                                  "memberid", "subjectid", "employeeid", "studentid", "playerid"}) {
    if (words.size() == 1 && words[0] == joined) return true;
  }
  return (sounds_like_id(name) && has(person_words)) || is_number_of_persons(name);
}

}  // namespace rankveil::draft
