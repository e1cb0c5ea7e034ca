#include "rankveil/protect/life/next_ledger.h"

#include <algorithm>

#include "rankveil/protect/ledger/row_classes.h"
#include "rankveil/protect/ledger/sealed_values.h"
#include "rankveil/protect/ledger/value_codes.h"
#include "rankveil/protect/life/profile_merger.h"

namespace rankveil {

namespace {

// What every row shows, by attribute; false: some row shows several values of one.
using CodesShown = std::vector<std::vector<std::uint16_t>>;

bool read_shown(const LevelProfiles& signals, CodesShown& codes) {
  if (signals.levels() != 1) return false;
  bool single = true;
  codes.assign(signals.domain_sizes().size(),
               std::vector<std::uint16_t>(signals.rows(), Ledger::no_code));
  for (std::uint32_t j = 0; j < codes.size(); ++j) {
    signals.for_each_bit(PrivateId{j}, [&](RowId row, ValueId value, std::uint32_t) {
      single = single && codes[j][+row] == Ledger::no_code;
      codes[j][+row] = code_of(value);
    });
  }
  return single;
}

std::vector<std::string> joined(std::vector<std::string> names, const Schema& schema) {
  for (const Attribute& attribute : schema.attributes) {
    bool is_new =
        !attribute.is_private() && std::ranges::find(names, attribute.name) == names.end();
    if (is_new) names.push_back(attribute.name);
  }
  return names;
}

// Writes the codes of one person after the other.
class PeopleWriter {
 public:
  PeopleWriter(const SecretKey& key, const PeopleNow& people, const Table& served,
               const Profiles& profiles, Ledger& made)
      : people_(people),
        served_(served),
        made_(made),
        hashes_(key, served, made.public_columns),
        seal_(key, made.columns, made.release) {
    if (made.has_values) read_shown(signals_of(profiles), shown_);
  }

  void add(std::uint32_t person) {
    LedgerEntry entry = people_.entries[person];
    const LedgerEntry* before = people_.before == nullptr ? nullptr : (*people_.before)[person];
    entry.at = made_.codes.size();
    bool stays = before != nullptr && shows(before->status) && shows(entry.status) &&
                 before->releases == entry.releases;
    if (stays) entry.rows = before->rows;
    std::string name = people_.persons.name(person);
    add_hashes(person, before);
    if (shows(entry.status)) {
      if (stays) {
        append(people_.ledger->sealed_values(*before));
      } else {
        add_sealed(person, name, entry);
      }
      if (made_.has_values) add_shown(person, stays ? before : nullptr, entry);
    }
    made_.rows.emplace(std::move(name), entry);
  }

 private:
  void append(std::span<const std::uint16_t> codes) {
    made_.codes.insert(made_.codes.end(), codes.begin(), codes.end());
  }

  // Columns that this table lacks keep the hashes that they had.
  void add_hashes(std::uint32_t person, const LedgerEntry* before) {
    RowId row = people_.persons.row(person, 0);
    for (std::size_t i = 0; i < made_.public_columns.size(); ++i) {
      bool was = before != nullptr && i < people_.ledger->public_columns.size();
      bool old = was && !hashes_.has(i);
      made_.codes.push_back(old ? people_.ledger->public_hashes(*before)[i] : hashes_.of(row, i));
    }
  }

  void add_sealed(std::uint32_t person, const std::string& name, const LedgerEntry& entry) {
    std::uint32_t publics = served_.schema().public_count();
    for (std::uint32_t i = 0; i < entry.rows; ++i) {
      RowId row = people_.persons.row(person, i);
      for (std::uint32_t j = 0; j < made_.columns.size(); ++j) {
        std::uint16_t code = code_of(served_.value(row, AttributeId{publics + j}));
        made_.codes.push_back(seal_.seal(code, j, name, {entry.releases, i}));
      }
    }
  }

  void add_shown(std::uint32_t person, const LedgerEntry* before, const LedgerEntry& entry) {
    if (before != nullptr && people_.ledger->has_values) {
      append(people_.ledger->shown_values(*before));
      return;
    }
    for (std::uint32_t i = 0; i < entry.rows; ++i) {
      RowId row = people_.persons.row(person, i);
      for (const auto& codes : shown_) made_.codes.push_back(codes[+row]);
    }
  }

  const PeopleNow& people_;
  const Table& served_;
  Ledger& made_;
  PublicHashes hashes_;
  ValueSeal seal_;
  CodesShown shown_;
};

// Keeps a hash of the name of everyone who showed something, unless the owner wants none kept.
void remember_gone(const SecretKey& key, const Ledger& before, bool forget, bool everybody_stayed,
                   Ledger& made) {
  made.gone.clear();
  if (forget) return;
  made.gone = before.gone;
  if (!made.gone.empty()) {
    for (const auto& [name, entry] : made.rows) made.gone.erase(hash_of_name(key, name));
  }
  if (everybody_stayed) return;
  for (const auto& [name, entry] : before.rows) {
    bool left = entry.releases > 0 && !made.rows.contains(name);
    if (left) made.gone.insert(hash_of_name(key, name));
  }
}

}  // namespace

bool shows_single_values(const Profiles& profiles) {
  CodesShown codes;
  return read_shown(signals_of(profiles), codes);
}

void write_people(const SecretKey& key, const PeopleNow& people, const Table& served,
                  const Profiles& profiles, const BuildRules& rules, Ledger& made) {
  const Ledger* before = people.ledger;
  made.columns = ledger_columns(served.schema(), rules);
  made.public_columns = joined(
      before == nullptr ? std::vector<std::string>{} : before->public_columns, served.schema());
  made.rows.clear();
  made.codes.clear();
  made.rows.reserve(people.persons.count());
  if (before != nullptr) made.codes.reserve(before->codes.size());
  PeopleWriter writer(key, people, served, profiles, made);
  for (std::uint32_t p = 0; p < people.persons.count(); ++p) writer.add(p);
  if (before == nullptr) return;
  const auto& entries = *people.before;
  auto missing = std::count(entries.begin(), entries.end(), nullptr);
  bool everybody_stayed = entries.size() - static_cast<std::size_t>(missing) == before->rows.size();
  remember_gone(key, *before, rules.forget_gone, everybody_stayed, made);
  std::erase_if(made.first_names,
                [&](const auto& name) { return !made.rows.contains(name.first); });
}

}  // namespace rankveil
