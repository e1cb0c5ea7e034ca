// People whose values are awkward on purpose, and a ranking of them without any haste: what the
// services of the tests serve.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "rankveil/base/random.h"
#include "rankveil/ranking/query.h"
#include "rankveil/table/table.h"

namespace rankveil::attack::testing_support {

// Rows are called 100, 101, ...
inline Table awkward_table(std::uint32_t rows = 60) {
  Schema schema;
  schema.id_name = "id";
  schema.attributes = {
      {"city", Visibility::Public, 2, *Domain::of({"Oslo", "O'Hara", "a,b", "say \"hi\"", "{x}"})},
      {"age", Visibility::Public, 1, *Domain::of({"20", "30", "40"})},
      {"job title", Visibility::Public, 1, *Domain::of({"a&b=c", "50%", "z\\y", "Zürich / 日本"})},
      {"religion", Visibility::Private, 1, *Domain::of({"none", "';--", "$1", "NULL", "${k}"})},
      {"income", Visibility::Private, 2, *Domain::of({"low", "middle", "high", ""})},
  };
  Rng rng(7);
  std::vector<Column> columns;
  for (const Attribute& attribute : schema.attributes) {
    std::vector<ValueId> values;
    for (std::uint32_t row = 0; row < rows; ++row) {
      values.push_back(ValueId{static_cast<std::uint16_t>(rng.below(attribute.domain.size()))});
    }
    columns.emplace_back(attribute.domain.size(), values);
  }
  IntegerNames names;
  for (std::uint32_t row = 0; row < rows; ++row) names.values.push_back(100 + row);
  return Table(std::move(schema), std::move(columns), RowNames(std::move(names)));
}

// Rows can be added and removed; of equals, those that came first go first.
class PeopleRanking {
 public:
  explicit PeopleRanking(const Table& table) : schema_(table.schema()) {
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      Person person{table.names().text(RowId{row}), {}};
      for (std::uint32_t i = 0; i < schema_.size(); ++i) {
        person.values.push_back(table.value(RowId{row}, AttributeId{i}));
      }
      people_.push_back(std::move(person));
    }
  }

  const Schema& schema() const { return schema_; }
  std::size_t size() const { return people_.size(); }

  std::vector<std::string> best(const Query& query, std::size_t k) const {
    std::vector<const Person*> order;
    for (const Person& person : people_) order.push_back(&person);
    std::stable_sort(order.begin(), order.end(), [&](const Person* a, const Person* b) {
      return score(*a, query) > score(*b, query);
    });
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < std::min(k, order.size()); ++i) ids.push_back(order[i]->id);
    return ids;
  }

  void add(std::string id, const Query& row) {
    Person person{std::move(id), {}};
    for (const auto& values : row.wanted) {
      person.values.push_back(values.empty() ? missing_value : values[0]);
    }
    people_.push_back(std::move(person));
  }
  // False: there is no such row.
  bool change(const std::string& id, const Query& row) {
    auto person = std::ranges::find(people_, id, &Person::id);
    if (person == people_.end()) return false;
    for (std::size_t i = 0; i < row.wanted.size(); ++i) {
      person->values[i] = row.wanted[i].empty() ? missing_value : row.wanted[i][0];
    }
    return true;
  }
  // All ids by the place of their value in its domain, those without one last.
  std::vector<std::string> sorted(AttributeId by, bool descending) const {
    std::vector<const Person*> order;
    for (const Person& person : people_) order.push_back(&person);
    std::ranges::stable_sort(order, {}, [&](const Person* person) {
      ValueId value = person->values[+by];
      if (value == missing_value) return 1'000'000;
      return descending ? -static_cast<int>(+value) : static_cast<int>(+value);
    });
    std::vector<std::string> ids;
    for (const Person* person : order) ids.push_back(person->id);
    return ids;
  }
  void shuffle(Rng& rng) {
    for (std::size_t i = people_.size(); i > 1; --i) {
      std::swap(people_[i - 1], people_[rng.below(i)]);
    }
  }
  bool remove(const std::string& id) {
    return std::erase_if(people_, [&](const Person& person) { return person.id == id; }) > 0;
  }

 private:
  struct Person {
    std::string id;
    std::vector<ValueId> values;
  };
  double score(const Person& person, const Query& query) const {
    double sum = 0;
    for (std::uint32_t i = 0; i < schema_.size(); ++i) {
      bool matches = std::ranges::find(query.wanted[i], person.values[i]) != query.wanted[i].end();
      if (matches) sum += schema_.attributes[i].weight;
    }
    return sum;
  }

  Schema schema_;
  std::vector<Person> people_;
};

// A line of a program that ranks people (program_service.h).
inline Json answer_to(const Json& question, PeopleRanking& ranking) {
  if (const Json* query = question.find("query")) {
    auto wanted = query_from_json(ranking.schema(), *query);
    auto k = static_cast<std::size_t>(*question.find("k")->as_integer());
    return Json().set("ids", json_texts(ranking.best(*wanted, k)));
  }
  const std::string& id = *question.find("id")->as_text();
  ranking.add(id, *query_from_json(ranking.schema(), *question.find("insert")));
  return Json().set("id", id);
}

}  // namespace rankveil::attack::testing_support
