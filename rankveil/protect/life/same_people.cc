#include "rankveil/protect/life/same_people.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_set>

#include "rankveil/promise/hypergeometric.h"

namespace rankveil {

namespace {

constexpr double rare_agreement = 1e-6;
constexpr std::uint64_t one_in = 20;  // of the people: fewer may leave and come unlooked at

using PublicVector = std::vector<std::uint16_t>;

// Hashes of public values, in the columns that ledger and table both have.
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

// ---- Other ledgers ----

namespace {

// The two entries of everybody who is in both.
using EntryPairs = std::vector<std::pair<const LedgerEntry*, const LedgerEntry*>>;

EntryPairs people_in_both(const Ledger& one, const Ledger& other) {
  EntryPairs pairs;
  for (const auto& [name, entry] : one.rows) {
    auto found = other.rows.find(name);
    if (found != other.rows.end()) pairs.emplace_back(&entry, &found->second);
  }
  return pairs;
}

// At most how likely `hits` of `tries` are, each of which has no more than this chance: the
// exponential bound of Chernoff.
double chance_of_hits(std::uint64_t hits, std::uint64_t tries, double chance) {
  auto n = static_cast<double>(tries);
  double share = static_cast<double>(hits) / n;
  if (share <= chance || chance >= 1) return 1;
  double divergence = share * std::log(share / chance);
  if (share < 1) divergence += (1 - share) * std::log((1 - share) / (1 - chance));
  return std::exp(-n * divergence);
}

struct HashPair {
  std::uint16_t one;
  std::uint16_t other;
};

// What one ledger's values are called in the other, as most people have it.
std::map<std::uint16_t, std::uint16_t> translation(const std::vector<HashPair>& pairs) {
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::uint64_t> counts;
  for (HashPair pair : pairs) ++counts[{pair.one, pair.other}];
  std::map<std::uint16_t, std::uint16_t> most;
  std::map<std::uint16_t, std::uint64_t> best;
  for (const auto& [pair, count] : counts) {
    if (count <= best[pair.first]) continue;
    best[pair.first] = count;
    most[pair.first] = pair.second;
  }
  return most;
}

double most_common_share(const std::vector<HashPair>& pairs) {
  std::map<std::uint16_t, std::uint64_t> counts;
  std::uint64_t most = 0;
  for (HashPair pair : pairs) most = std::max(most, ++counts[pair.other]);
  return static_cast<double>(most) / static_cast<double>(pairs.size());
}

// Values are translated as half of the people say; the other half shows whether that is right.
double chance_of_agreement(const std::array<std::vector<HashPair>, 2>& halves) {
  if (halves[0].empty() || halves[1].empty()) return 1;
  auto translated = translation(halves[0]);
  std::uint64_t hits = 0;
  for (HashPair pair : halves[1]) {
    auto found = translated.find(pair.one);
    hits += found != translated.end() && found->second == pair.other ? 1 : 0;
  }
  return chance_of_hits(hits, halves[1].size(), most_common_share(halves[1]));
}

}  // namespace

Ledger public_side(const Task& task) {
  Ledger made;
  for (const Attribute& attribute : task.table.schema().attributes) {
    if (!attribute.is_private()) made.public_columns.push_back(attribute.name);
  }
  Persons persons(task);
  PublicHashes hashes(task.key, task.table, made.public_columns);
  for (std::uint32_t person = 0; person < persons.count(); ++person) {
    LedgerEntry entry;
    entry.at = made.codes.size();
    for (std::size_t i = 0; i < made.public_columns.size(); ++i) {
      made.codes.push_back(hashes.of(persons.row(person, 0), i));
    }
    made.rows.emplace(persons.name(person), entry);
  }
  return made;
}

bool about_the_same_people(const Ledger& one, const Ledger& other) {
  EntryPairs both = people_in_both(one, other);
  auto columns = static_cast<double>(one.public_columns.size());
  for (std::size_t i = 0; i < one.public_columns.size(); ++i) {
    auto found = std::ranges::find(other.public_columns, one.public_columns[i]);
    if (found == other.public_columns.end()) continue;
    auto j = static_cast<std::size_t>(found - other.public_columns.begin());
    std::array<std::vector<HashPair>, 2> halves;
    for (std::size_t p = 0; p < both.size(); ++p) {
      halves[p % 2].push_back(
          {one.public_hashes(*both[p].first)[i], other.public_hashes(*both[p].second)[j]});
    }
    if (chance_of_agreement(halves) * columns < rare_agreement) return true;
  }
  return false;
}

}  // namespace rankveil
