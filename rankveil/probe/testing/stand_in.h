// A service in this process, for tests: rows of people with public and hidden fields, twenty ways
// of asking, leaks that can be put in one by one, and noise.
//
// Written plainly and apart from the probe: it reads questions as a service would.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/base/clock.h"
#include "rankveil/base/random.h"
#include "rankveil/probe/asking.h"

namespace rankveil::probe {

class FakeClock : public Clock {
 public:
  double now() override { return now_; }
  void sleep(double seconds) override { now_ += seconds; }

 private:
  double now_ = 0;
};

// "city" and "name" are public; all others are hidden.
struct Person {
  std::string id;
  std::uint64_t slot = 0;     // where it lies on disk
  std::uint64_t updated = 0;  // when
  std::map<std::string, Value> values = {};
};

enum class DefaultOrder { Id, Slot, Updated, Name, Chance };

struct StandInOptions {
  std::uint64_t seed = 1;
  std::size_t rows = 200;
  std::size_t page = 10;
  // Names of ways that act on hidden fields; of those of `leaking` only, where that is not empty.
  std::set<std::string> leaks = {};
  std::set<std::string> leaking = {};
  bool refuses = false;                  // hidden fields; else it passes over them
  bool takes_types = false;              // a condition on income must be a number, else 400
  std::set<std::string> unknown = {};    // ways that it passes over for all fields
  std::set<std::string> broken = {};     // ways that it cannot carry out for any field
  std::set<std::string> throttled = {};  // "sort income": it always says 429 to that
  DefaultOrder order = DefaultOrder::Id;
  bool ties_by_chance = false;  // rows that are equal come in another order each time
  bool two_slots = false;       // an update moves a row to its other slot, and back
  bool shows_updated = false;   // in rows, and a time in each answer
  double cache_seconds = 0;
  std::uint32_t every_nth_throttled = 0;  // 429 with a second to wait
  std::uint32_t empty_after = 0;          // from this request on answers are empty (0: never)
  std::uint32_t refuses_after = 0;        // from this request on it refuses everything (0: never)
  double fails = 0;                       // share of requests that end in 503
  bool others_write = false;              // other people change their public fields meanwhile
  bool shows_hidden = false;
  bool swallows_writes = false;  // hidden values: says yes, and keeps what was there
  std::uint64_t dies_at = 0;     // this call, of any kind, and all after it fail (0: none)
  bool loses_reply = false;      // to who makes a row: it is made, and nobody hears of it
  bool lists_no_drafts = false;  // new rows are in no listing, their owner's neither
  bool reads_no_marks = false;   // of rows that are there
};

class StandIn : public Asker, public Writer {
 public:
  StandIn(StandInOptions options, FakeClock& clock)
      : options_(std::move(options)), clock_(clock), rng_(options_.seed) {
    for (const char* name : names_of_ways) ways_.push_back({name, kind_of(name), "stand-in"});
    for (std::size_t i = 0; i < options_.rows; ++i) people_.push_back(made_up(i));
  }

  // ---- as asked by strangers ----

  std::span<const Way> ways() const override { return ways_; }
  // Only some of them.
  void offer(const std::set<std::string>& names) {
    std::erase_if(ways_, [&](const Way& way) { return !names.contains(way.name); });
  }
  void require_all() {
    for (Way& way : ways_) way.required = true;
  }

  Answer ask(const Question& question) override {
    ++requests_;
    Answer answer;
    answer.status = 200;
    answer.request = question.way + " " + question.field;
    if (is_dead()) return failing(answer, Outcome::Failed, 0);
    if (on_call) on_call(calls_);
    if (is_due(options_.every_nth_throttled)) return failing(answer, Outcome::Throttled, 429);
    if (options_.throttled.contains(question.way + " " + question.field)) {
      return failing(answer, Outcome::Throttled, 429);
    }
    if (rng_.uniform() < options_.fails) return failing(answer, Outcome::Failed, 503);
    if (options_.broken.contains(question.way)) return failing(answer, Outcome::Failed, 500);
    if (is_after(options_.refuses_after)) return failing(answer, Outcome::Refused, 403);
    if (is_after(options_.empty_after)) return answer;
    if (options_.others_write) change_somebody();
    return cached(question, answer);
  }

  // ---- as written by owners ----

  bool makes_rows() const override { return true; }
  connect::Reply<std::string> create(const std::string& mark) override {
    if (is_dead()) return gone();
    Person person = made_up(next_id_);
    person.values["mark"] = {mark};
    touch(person);
    people_.push_back(person);
    ++made_;
    if (options_.loses_reply) return gone();
    return person.id;
  }
  connect::Reply<std::vector<std::string>> find(const std::string& mark) override {
    if (is_dead()) return gone();
    std::vector<std::string> ids;
    if (options_.lists_no_drafts) return ids;
    for (Person& person : people_) {
      if (person.values.contains("mark") && person.values["mark"].text == mark) {
        ids.push_back(person.id);
      }
    }
    return ids;
  }
  connect::Reply<HeldMark> read_mark(const std::string& row) override {
    if (find_person(row) == nullptr && !is_dead()) return HeldMark{.is_gone = true};
    if (options_.reads_no_marks) return connect::Trouble{io_error("status 403")};
    auto value = read(row, {"mark"});
    if (!value) return value.trouble();
    return HeldMark{.value = *value};
  }
  connect::Reply<connect::Done> remove(const std::string& row) override {
    if (is_dead()) return gone();
    std::erase_if(people_, [&](const Person& person) { return person.id == row; });
    ++removed_;
    return connect::Done{};
  }
  connect::Reply<connect::Done> write(const std::string& row, const Field& field,
                                      const std::optional<Value>& value) override {
    if (is_dead()) return gone();
    ++writes_;
    Person* person = find_person(row);
    if (person == nullptr) return bad_input("no such row");
    touch(*person);
    if (options_.swallows_writes && is_hidden(field.name)) return connect::Done{};
    if (takes_value && !takes_value(field, *value)) return bad_input("400: out of range");
    if (value) {
      person->values[field.name] = *value;
    } else {
      person->values.erase(field.name);
    }
    return connect::Done{};
  }
  connect::Reply<std::optional<Value>> read(const std::string& row, const Field& field) override {
    if (is_dead()) return gone();
    Person* person = find_person(row);
    if (person == nullptr) return bad_input("no such row");
    const auto value = person->values.find(field.name);
    if (value == person->values.end()) return std::optional<Value>();
    return std::optional<Value>(value->second);
  }

  // ---- as seen by tests ----

  std::function<bool(const Field&, const Value&)> takes_value = {};
  std::function<void(std::uint64_t)> on_call = {};  // of questions: how many calls there were
  void revive() { options_.dies_at = 0; }
  std::vector<Person>& people() { return people_; }
  std::uint64_t calls() const { return calls_; }  // of all kinds
  std::uint64_t requests() const { return requests_; }
  std::uint64_t writes() const { return writes_; }
  std::uint64_t made() const { return made_; }
  std::uint64_t removed() const { return removed_; }

  static constexpr const char* names_of_ways[] = {
      "sort",       "equals",  "not_equal", "greater",  "greater_equal", "less",
      "less_equal", "between", "in",        "contains", "starts",        "or",
      "nested",     "dotted",  "search",    "count",    "max",           "group_by",
      "cursor",     "posts",   "column"};

 private:
  bool is_dead() {
    ++calls_;
    return options_.dies_at != 0 && calls_ >= options_.dies_at;
  }
  static connect::Trouble gone() { return {io_error("connection lost"), true, true}; }

  static Kind kind_of(const std::string& way) {
    static const std::map<std::string, Kind> kinds = {
        {"sort", Kind::Sort},      {"search", Kind::Search},    {"count", Kind::Count},
        {"max", Kind::Aggregate},  {"group_by", Kind::GroupBy}, {"cursor", Kind::Cursor},
        {"posts", Kind::Relation}, {"column", Kind::Column}};
    const auto kind = kinds.find(way);
    return kind == kinds.end() ? Kind::Filter : kind->second;
  }

  static bool is_public(const std::string& field) { return field == "name" || field == "city"; }
  static bool is_hidden(const std::string& field) {
    return field == "income" || field == "religion" || field == "note";
  }

  Person made_up(std::size_t number) {
    static const char* cities[] = {"Bern", "Lima", "Oslo", "Rome"};
    static const char* religions[] = {"buddhist", "christian", "hindu", "jewish", "muslim"};
    next_id_ = number + 1;
    Person person{"u" + std::to_string(1000 + number), number, number};
    person.values["name"] = {"n" + std::to_string(rng_.below(900) + 100)};
    person.values["city"] = {cities[rng_.below(4)]};
    person.values["income"] = {std::to_string(20'000 + 100 * rng_.below(800)), false};
    person.values["religion"] = {religions[rng_.below(5)]};
    person.values["note"] = {"likes " + std::to_string(rng_.below(50))};
    return person;
  }

  Person* find_person(const std::string& id) {
    const auto person = std::ranges::find(people_, id, &Person::id);
    return person == people_.end() ? nullptr : &*person;
  }

  void touch(Person& person) {
    person.updated = 1'000'000 + ++time_;
    if (!options_.two_slots) {
      person.slot = 1'000'000 + time_;
    } else {
      person.slot = person.slot % 2 == 0 ? 5 : 150;  // on the first page, and not
    }
  }

  void change_somebody() {
    if (rng_.below(20) != 0) return;
    Person& person = people_[rng_.below(people_.size() - 1)];
    if (person.values.contains("mark")) return;
    person.values["city"] = {"Bern"};
    person.updated = 1'000'000 + ++time_;
  }

  bool is_due(std::uint32_t every) const { return every != 0 && requests_ % every == 0; }
  bool is_after(std::uint32_t count) const { return count != 0 && requests_ > count; }

  static Answer failing(Answer answer, Outcome outcome, int status) {
    answer.outcome = outcome;
    answer.status = status;
    answer.reason = "status " + std::to_string(status);
    answer.wait_seconds = outcome == Outcome::Throttled ? 1 : 0;
    return answer;
  }

  Answer cached(const Question& question, const Answer& empty) {
    if (options_.cache_seconds == 0) return answered(question, empty);
    const std::string key = question.way + "|" + question.field + "|" + question.value.text + "|" +
                            question.low.text + "|" + std::to_string(question.page) +
                            std::to_string(static_cast<int>(question.direction));
    const auto kept = cache_.find(key);
    if (kept != cache_.end() && clock_.now() < kept->second.first) return kept->second.second;
    Answer answer = answered(question, empty);
    cache_[key] = {clock_.now() + options_.cache_seconds, answer};
    return answer;
  }

  // ---- reading a question ----

  bool acts(const Question& question) const {
    if (options_.unknown.contains(question.way)) return false;
    if (is_public(question.field)) return true;
    if (!is_hidden(question.field)) return false;
    const bool field_leaks = options_.leaking.empty() || options_.leaking.contains(question.field);
    return field_leaks && options_.leaks.contains(question.way);
  }

  static int compare(const Value& left, const Value& right) {
    if (left.is_text || right.is_text) return left.text.compare(right.text);
    const double a = std::stod(left.text);
    const double b = std::stod(right.text);
    return a < b ? -1 : (a > b ? 1 : 0);
  }

  static Value value_of(const Person& person, const std::string& field) {
    const auto value = person.values.find(field);
    return value == person.values.end() ? Value{} : value->second;
  }

  static bool fits(const Person& person, const Question& question) {
    const Value value = value_of(person, question.field);
    const std::string& way = question.way;
    const bool equal = value.text == question.value.text;
    if (way == "equals" || way == "in" || way == "or" || way == "dotted") return equal;
    if (way == "not_equal" || way == "nested") return !equal;
    if (way == "greater" || way == "count") return compare(value, question.low) > 0;
    if (way == "greater_equal") return compare(value, question.low) >= 0;
    if (way == "less") return compare(value, question.high) < 0;
    if (way == "less_equal") return compare(value, question.high) <= 0;
    if (way == "between") {
      return compare(value, question.low) > 0 && compare(value, question.high) < 0;
    }
    if (way == "starts") return value.text.starts_with(question.value.text);
    if (way == "contains") return value.text.find(question.value.text) != std::string::npos;
    return true;
  }

  // A search box has no field in its question: it looks into all that it may.
  bool found(const Person& person, const Question& question) const {
    for (const auto& [field, value] : person.values) {
      Question about = question;
      about.field = field;
      if (acts(about) && value.text.find(question.value.text) != std::string::npos) return true;
    }
    return false;
  }

  std::vector<const Person*> fitting(const Question& question) const {
    std::vector<const Person*> rows;
    const bool searches = question.way == "search" && !options_.unknown.contains("search");
    for (const Person& person : people_) {
      if (searches ? found(person, question) : !acts(question) || fits(person, question)) {
        rows.push_back(&person);
      }
    }
    return rows;
  }

  void put_in_order(std::vector<const Person*>& rows, const Question& question) {
    std::map<const Person*, std::uint64_t> chance;
    for (const Person* row : rows) {
      const bool drawn = options_.order == DefaultOrder::Chance || options_.ties_by_chance;
      chance[row] = drawn ? rng_() : row->slot;
    }
    std::ranges::sort(rows, {}, [&](const Person* row) { return std::pair(chance[row], row->id); });
    std::ranges::stable_sort(rows, [&](const Person* left, const Person* right) {
      return comes_before(*left, *right, question);
    });
  }

  bool comes_before(const Person& left, const Person& right, const Question& question) const {
    const bool sorts = question.way == "sort" || question.way == "posts";
    if (sorts && acts(question)) {
      const int order = compare(value_of(left, question.field), value_of(right, question.field));
      return question.direction == Direction::Ascending ? order < 0 : order > 0;
    }
    switch (options_.order) {
      case DefaultOrder::Id:
        return left.id > right.id;
      case DefaultOrder::Updated:
        return left.updated > right.updated;
      case DefaultOrder::Name:
        return compare(value_of(left, "name"), value_of(right, "name")) < 0;
      case DefaultOrder::Slot:
      case DefaultOrder::Chance:
        return false;
    }
    return false;
  }

  Answer answered(const Question& question, Answer answer) {
    if (is_hidden(question.field) && options_.refuses && question.way != "search" &&
        !acts(question)) {
      return failing(answer, Outcome::Refused, 400);
    }
    const bool is_condition = kind_of(question.way) == Kind::Filter;
    if (options_.takes_types && is_condition && question.field == "income" &&
        question.value.is_text) {
      return failing(answer, Outcome::Refused, 400);
    }
    std::vector<const Person*> rows = fitting(question);
    put_in_order(rows, question);
    add_numbers(answer, question, rows);
    if (question.way == "count" || question.way == "max" || question.way == "group_by") {
      return answer;
    }
    add_page(answer, question, rows);
    return answer;
  }

  void add_numbers(Answer& answer, const Question& question,
                   const std::vector<const Person*>& rows) const {
    if (options_.shows_updated) answer.parts.push_back({"time", std::to_string(time_)});
    if (question.way == "count") answer.count = static_cast<std::int64_t>(rows.size());
    if (!acts(question)) return;
    if (question.way == "max") {
      const auto most = std::ranges::max_element(rows, [&](const Person* a, const Person* b) {
        return compare(value_of(*a, question.field), value_of(*b, question.field)) < 0;
      });
      answer.parts.push_back({"max", value_of(**most, question.field).text});
    }
    if (question.way == "group_by") {
      std::map<std::string, int> counts;
      for (const Person* row : rows) ++counts[value_of(*row, question.field).text];
      std::string text;
      for (const auto& [value, count] : counts) text += value + ":" + std::to_string(count) + " ";
      answer.parts.push_back({"groups", text});
    }
  }

  void add_page(Answer& answer, const Question& question, const std::vector<const Person*>& rows) {
    const std::size_t size = question.way == "cursor" ? 1 : options_.page;
    const std::size_t from = question.page * size;
    for (std::size_t i = from; i < std::min(rows.size(), from + size); ++i) {
      answer.rows.push_back(rows[i]->id);
      add_row(answer, question, *rows[i]);
    }
    if (from + size >= rows.size() || answer.rows.empty()) return;
    answer.cursor = std::to_string(from + size);
    if (question.way != "cursor") return;
    answer.cursor = answer.rows.back();
    if (acts(question)) answer.cursor += value_of(*rows[from + size - 1], question.field).text;
  }

  void add_row(Answer& answer, const Question& question, const Person& person) const {
    if (std::ranges::find(question.own, person.id) == question.own.end()) return;
    for (const auto& [field, value] : person.values) {
      const bool asked = question.way == "column" && question.field == field && acts(question);
      if (is_public(field) ? question.way != "column" || asked : asked || options_.shows_hidden) {
        answer.parts.push_back({field, "\"" + value.text + "\"", person.id});
      }
    }
    if (!options_.shows_updated) return;
    answer.parts.push_back({"updatedAt", std::to_string(person.updated), person.id});
  }

  StandInOptions options_;
  FakeClock& clock_;
  Rng rng_;
  std::vector<Way> ways_;
  std::vector<Person> people_;
  std::size_t next_id_ = 0;
  std::uint64_t time_ = 0;
  std::uint64_t calls_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t writes_ = 0;
  std::uint64_t made_ = 0;
  std::uint64_t removed_ = 0;
  std::map<std::string, std::pair<double, Answer>> cache_ = {};
};

}  // namespace rankveil::probe
