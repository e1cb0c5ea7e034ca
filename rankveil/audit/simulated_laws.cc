#include "rankveil/audit/simulated_laws.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "rankveil/audit/prior.h"
#include "rankveil/base/parallel.h"
#include "rankveil/protect/esvt/query_view.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit {

namespace {

// The profiles that the scheme gives the rows of a table, as kinds.
Result<ReleaseKinds> simulate(const Task& task, Dictionaries& dictionaries) {
  auto made = protect(task);
  if (!made) return made.error();
  ReleaseKinds release;
  release.kinds.resize(task.private_count());
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    release.kinds[j] =
        kinds_of(made->profiles, PrivateId{static_cast<std::uint32_t>(j)}, dictionaries[j]);
  });
  return release;
}

// What the scheme does to the table and, if there is one, to another population.
struct Simulations {
  std::array<ReleaseKinds, 2> of;  // [source]

  static Result<Simulations> run(const Scene& scene) {
    Simulations made;
    auto table = simulate(scene.task, scene.dictionaries);
    if (!table) return table.error();
    made.of[0] = std::move(*table);
    if (scene.population == nullptr) return made;
    auto population = simulate(*scene.population, scene.dictionaries);
    if (!population) return population.error();
    made.of[1] = std::move(*population);
    return made;
  }

  std::uint32_t kind(Source source, RowId row, std::uint32_t attribute) const {
    return of[static_cast<std::size_t>(source)].kinds[attribute][+row];
  }
};

class PvstLaw : public Likelihood {
 public:
  explicit PvstLaw(Simulations simulations) : simulations_(std::move(simulations)) {}

  std::uint32_t pattern(Source source, RowId row, std::uint32_t attribute) const override {
    return simulations_.kind(source, row, attribute);
  }
  double weight(std::uint32_t, std::uint32_t, std::uint32_t kind, std::uint32_t,
                std::uint32_t pattern) const override {
    return kind == pattern ? 1 : 0;
  }

 private:
  Simulations simulations_;
};

double choose(std::uint32_t from, std::uint32_t count) {
  double ways = 1;
  for (std::uint32_t i = 0; i < count; ++i) ways = ways * (from - i) / (i + 1);
  return ways;
}

class EsvtLaw : public Likelihood {
 public:
  EsvtLaw(const Scene& scene, const Simulations& simulations)
      : view_(view_queries(scene.task.table.schema(), scene.task.workload)),
        domains_(scene.task.private_domain_sizes()),
        dictionaries_(scene.dictionaries),
        numbers_(domains_.size()),
        patterns_(2) {
    number_rows(Source::Table, scene.task.table, simulations);
    if (scene.population != nullptr) {
      number_rows(Source::Population, scene.population->table, simulations);
    }
  }

  std::uint32_t pattern(Source source, RowId row, std::uint32_t attribute) const override {
    return patterns_[static_cast<std::size_t>(source)][attribute][+row];
  }

  // Virtual tuples take values of these classes; which ones is drawn for the row.
  double weight(std::uint32_t, std::uint32_t attribute, std::uint32_t kind, std::uint32_t code,
                std::uint32_t pattern) const override {
    Classes classes = classes_of(attribute, kind, code);
    if (classes != *lists_[attribute][pattern]) return 0;
    double ways = 1;
    const AttributeView& view = view_.attributes[attribute];
    for (std::size_t i = 0; i < classes.size();) {
      auto end = std::find_if(classes.begin() + static_cast<std::ptrdiff_t>(i), classes.end(),
                              [&](std::uint16_t one) { return one != classes[i]; });
      auto taken =
          static_cast<std::uint32_t>(end - classes.begin()) - static_cast<std::uint32_t>(i);
      auto values = static_cast<std::uint32_t>(view.values[classes[i]].size());
      bool own_too = code < domains_[attribute] && view.class_of[code] == classes[i];
      ways *= choose(values - (own_too ? 1 : 0), taken);
      i += taken;
    }
    return 1 / ways;
  }

 private:
  using Classes = std::vector<std::uint16_t>;  // of the values beside the own one, ascending

  // Nothing that a row could have made when the own value is not there.
  Classes classes_of(std::uint32_t attribute, std::uint32_t kind, std::uint32_t code) const {
    Classes classes;
    bool found = code == domains_[attribute];
    for (const auto& [value, strength] : dictionaries_[attribute].of(kind)) {
      if (value == code) {
        found = true;
      } else {
        classes.push_back(view_.attributes[attribute].class_of[value]);
      }
    }
    if (!found) return {no_class};
    std::sort(classes.begin(), classes.end());
    return classes;
  }

  void number_rows(Source source, const Table& table, const Simulations& simulations) {
    auto& patterns = patterns_[static_cast<std::size_t>(source)];
    lists_.resize(domains_.size());
    for (std::uint32_t j = 0; j < domains_.size(); ++j) {
      auto& of_rows = patterns.emplace_back();
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;  // by kind and code
      for (std::uint32_t row = 0; row < table.rows(); ++row) {
        std::uint32_t code = code_of(table, RowId{row}, j);
        std::uint32_t kind = simulations.kind(source, RowId{row}, j);
        auto [place, is_new] = known.try_emplace({kind, code}, 0);
        if (is_new) place->second = number(j, classes_of(j, kind, code));
        of_rows.push_back(place->second);
      }
    }
  }

  std::uint32_t number(std::uint32_t attribute, Classes classes) {
    auto& numbers = numbers_[attribute];
    auto [place, is_new] =
        numbers.try_emplace(std::move(classes), static_cast<std::uint32_t>(numbers.size()));
    if (is_new) lists_[attribute].push_back(&place->first);
    return place->second;
  }

  static constexpr std::uint16_t no_class = 0xFFFF;

  QueryView view_;
  std::vector<std::uint32_t> domains_;
  const Dictionaries& dictionaries_;
  std::vector<std::map<Classes, std::uint32_t>> numbers_;          // [attribute]
  std::vector<std::vector<const Classes*>> lists_;                 // [attribute][pattern]
  std::vector<std::vector<std::vector<std::uint32_t>>> patterns_;  // [source][attribute][row]
};

}  // namespace

Result<std::unique_ptr<const Likelihood>> pvst_law(const Scene& scene) {
  auto simulations = Simulations::run(scene);
  if (!simulations) return simulations.error();
  return std::unique_ptr<const Likelihood>(std::make_unique<PvstLaw>(std::move(*simulations)));
}

Result<std::unique_ptr<const Likelihood>> esvt_law(const Scene& scene) {
  auto simulations = Simulations::run(scene);
  if (!simulations) return simulations.error();
  return std::unique_ptr<const Likelihood>(
      std::make_unique<EsvtLaw>(scene, std::move(*simulations)));
}

}  // namespace rankveil::audit
