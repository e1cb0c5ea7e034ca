#include "rankveil/protect/life/same_people.h"

#include <fmt/core.h>

#include <map>
#include <unordered_set>

#include "rankveil/bound/hypergeometric.h"

namespace rankveil {

namespace {

constexpr double rare_agreement = 1e-6;
constexpr std::uint64_t one_in = 20;  // of the people: fewer may leave and come unlooked at

using PublicVector = std::vector<std::uint16_t>;

// Of those columns that the table has, too.
class PublicVectors {
 public:
  PublicVectors(const Task& task, const Persons& persons, const Ledger& ledger)
      : persons_(persons), ledger_(ledger), hashes_(task.key, task.table, ledger.public_columns) {}

  PublicVector of_entry(const LedgerEntry& entry) const {
    PublicVector vector;
    auto all = ledger_.public_hashes(entry);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (hashes_.has(i)) vector.push_back(all[i]);
    }
    return vector;
  }
  PublicVector of_person(std::uint32_t person) const {
    PublicVector vector;
    for (std::size_t i = 0; i < ledger_.public_columns.size(); ++i) {
      if (hashes_.has(i)) vector.push_back(hashes_.of(persons_.row(person, 0), i));
    }
    return vector;
  }

 private:
  const Persons& persons_;
  const Ledger& ledger_;
  PublicHashes hashes_;
};

double agreement_of(const Task& task, const Persons& persons, const Ledger& ledger,
                    const PersonClasses& classes) {
  PublicVectors vectors(task, persons, ledger);
  std::map<PublicVector, std::pair<std::uint64_t, std::uint64_t>> kinds;
  std::unordered_set<const LedgerEntry*> there;
  for (std::uint32_t p = 0; p < persons.count(); ++p) {
    if (classes.before[p] != nullptr) {
      there.insert(classes.before[p]);
    } else {
      ++kinds[vectors.of_person(p)].second;
    }
  }
  for (const auto& [name, entry] : ledger.rows) {
    if (!there.contains(&entry)) ++kinds[vectors.of_entry(entry)].first;
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts;
  for (const auto& [vector, count] : kinds) counts.push_back(count);
  return agreement_tail(counts);
}

}  // namespace

Status check_same_people(const Task& task, const Persons& persons, const Ledger& ledger,
                         const PersonClasses& classes, const BuildRules& rules) {
  if (rules.people_changed) return {};
  std::uint64_t people = ledger.rows.size(), stayed = people - classes.gone;
  std::uint64_t came = persons.count() - stayed;
  bool many = classes.gone * one_in > people && came * one_in > people;
  if (many && agreement_of(task, persons, ledger, classes) < rare_agreement) {
    return wrong_use(
        "many ids left the table and as many came, and by their public values they are the same "
        "people: all of them would be released a second time. If they have new ids, pass "
        "--ids-from FILE (CSV with the columns old and new); if they are other people, pass "
        "--people-changed");
  }
  if (stayed * 2 >= people) return {};
  return wrong_use(fmt::format(
      "fewer than half of the people of the population \"{}\" are in this table. If it is about "
      "other people, give them a population of their own in the policy ([population] name = "
      "\"...\"); if the others left, pass --people-changed",
      ledger.population));
}

}  // namespace rankveil
