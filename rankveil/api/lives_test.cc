// Random lives of a release: people come, leave, change and get new ids, values get new names,
// other outputs are made, builds are stopped half-way. Nobody's signal moves without the ledger
// saying so, and a build that is refused writes nothing.
//
// RANKVEIL_LIVES says how many; a few are in the quick tests.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <set>

#include "rankveil/api/testing/owned_table.h"
#include "rankveil/protect/groups/group_sizes.h"

namespace rankveil::api {
namespace {

using testing_support::OwnedRow;
using testing_support::OwnedTable;

constexpr const char* schemes_that_live[] = {"swap", "cluster", "ldp", "pvsv", "rr"};

class Life {
 public:
  explicit Life(std::uint64_t seed) : rng_(seed), scheme_(schemes_that_live[rng_.below(5)]) {
    if (scheme_ == "ldp") {
      for (const char* column : {"religion", "illness"}) declare(column);
    }
    owned_.add(rng_, 60 + static_cast<int>(rng_.below(60)));
  }

  void live() {
    build();
    for (int year = 0; year < 5 && !testing::Test::HasFailure(); ++year) {
      int events = 1 + static_cast<int>(rng_.below(3));
      for (int i = 0; i < events; ++i) happen();
      build();
    }
  }

  std::uint64_t refused() const { return refused_; }
  std::uint64_t built() const { return built_; }
  std::uint64_t compared() const { return compared_; }

 private:
  struct Seen {
    std::map<std::string, double> strengths;
    std::set<std::string> signals;
    std::uint32_t releases = 0;
  };
  using SeenById = std::map<std::string, Seen>;

  void declare(const std::string& column) {
    std::string values = column == "religion" ? R"("r0", "r1", "r2", "r3")" : R"("i0", "i1", "i2")";
    declared_[column] = "[column." + column + "]\nrole = \"private\"\ndomain = [" + values + "]\n";
  }

  OwnedRow& somebody() { return owned_.rows[rng_.below(owned_.rows.size())]; }

  void happen() {
    switch (rng_.below(7)) {
      case 0:
        owned_.add(rng_, 1 + static_cast<int>(rng_.below(30)));
        break;
      case 1:
        leave(1 + rng_.below(20));
        break;
      case 2:
        change(1 + rng_.below(4));
        break;
      case 3:
        change(20);
        break;
      case 4:
        rename_value();
        break;
      case 5:
        rename_person();
        break;
      default:
        owned_.today += static_cast<std::uint32_t>(rng_.below(40));
        break;
    }
  }

  void leave(std::uint64_t count) {
    for (; count > 0 && owned_.rows.size() > 40; --count) {
      owned_.rows.erase(owned_.rows.begin() +
                        static_cast<std::ptrdiff_t>(rng_.below(owned_.rows.size())));
    }
  }

  void change(std::uint64_t count) {
    for (; count > 0; --count) {
      OwnedRow& row = somebody();
      if (rng_.below(2) == 0) row.illness = somebody().illness;
      if (rng_.below(2) == 0) row.religion = somebody().religion;
      if (rng_.below(4) == 0) row.age = somebody().age;
    }
  }

  // Said in the policy most of the time.
  void rename_value() {
    if (scheme_ == "ldp") return;
    std::string before = somebody().religion, now = fmt::format("v{}", next_value_++);
    for (OwnedRow& row : owned_.rows) {
      if (row.religion == before) row.religion = now;
    }
    if (rng_.below(4) > 0) renamed_.emplace_back(before, now);
  }

  void rename_person() {
    OwnedRow& row = somebody();
    new_ids_.emplace_back(row.id, "n" + row.id);
    row.id = "n" + row.id;
  }

  // In what was seen of them, too, once the build is made.
  void call_otherwise(SeenById& seen) const {
    for (const auto& [before, now] : new_ids_) {
      auto node = seen.extract(before);
      if (node.empty()) continue;
      node.key() = now;
      seen.insert(std::move(node));
    }
  }

  ProtectRequest request() {
    owned_.sections.clear();
    if (!renamed_.empty()) owned_.sections = "[column.religion.renamed]\n";
    for (const auto& [before, now] : renamed_) owned_.sections += before + " = \"" + now + "\"\n";
    auto output = fmt::format("out{}.rankveil", rng_.below(2));
    // Under a larger l, from what the others show.
    bool further = scheme_ == "swap" && !seen_.empty() && rng_.below(3) == 0;
    if (further) output = fmt::format("far{}.rankveil", rng_.below(2));
    owned_.l = further ? 5 : 3;
    bool fewer = rng_.below(4) == 0;
    ProtectRequest asked = owned_.request(
        output, fewer ? std::vector<std::string>{"city"} : std::vector<std::string>{"city", "age"});
    if (scheme_ == "ldp") declare_in_policy();
    asked.people_changed = rng_.below(3) == 0;
    asked.release_changed = rng_.below(8) == 0;
    if (new_ids_.empty()) return asked;
    std::string list = "old,new\n";
    for (const auto& [before, now] : new_ids_) list += before + "," + now + "\n";
    asked.ids_from = owned_.path("ids.csv");
    EXPECT_TRUE(write_text(asked.ids_from, list));
    return asked;
  }

  void declare_in_policy() {
    std::string policy = *read_text(owned_.path("people.toml"));
    for (const auto& [column, section] : declared_) {
      std::string plain = "[column." + column + "]\nrole = \"private\"\n";
      policy.replace(policy.find(plain), plain.size(), section);
    }
    EXPECT_TRUE(write_text(owned_.path("people.toml"), policy));
  }

  void build() {
    ProtectRequest asked = request();
    auto before = owned_.files();
    auto made = protect(asked);
    if (!made) {
      ++refused_;
      EXPECT_EQ(owned_.files(), before) << "a refused build writes nothing";
      if (seen_.empty()) FAIL() << scheme_ << ": " << made.error().message;
      make_up_for(made.error().message);
      return;
    }
    ++built_;
    std::string name = std::filesystem::path(asked.output).filename().string();
    if (!before.contains("people.key.default.ledger") || rng_.below(4) > 0) {
      look(name);
      return;
    }
    stop_half_way(name, before);
  }

  // What owners do who are refused: here, they go back to what the table was.
  void make_up_for(const std::string&) {
    if (!last_rows_.empty()) owned_.rows = last_rows_;
    renamed_ = last_renamed_;
    new_ids_.clear();
  }

  void stop_half_way(const std::string& output, const std::map<std::string, std::string>& before) {
    auto after = owned_.files();
    std::string ledger = "people.key.default.ledger";
    put(ledger, before.at(ledger));
    put(ledger + ".next", after.at(ledger));
    if (rng_.below(2) == 0) {  // after the index was written: it counts
      auto settled = PopulationLedger::open(owned_.ledger());
      ASSERT_TRUE(settled);
      look(output);
      return;
    }
    if (before.contains(output)) {
      put(output, before.at(output));
    } else {
      std::filesystem::remove(owned_.path(output));
    }
    auto settled = PopulationLedger::open(owned_.ledger());
    ASSERT_TRUE(settled);
    EXPECT_EQ(*read_text(owned_.ledger()), before.at(ledger));
    make_up_for("");
  }

  void put(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_text(owned_.path(name), text));
    ASSERT_EQ(::chmod(owned_.path(name).c_str(), 0600), 0);
  }

  std::string name_now(const std::string& value) const {
    std::string name = value;
    for (const auto& [before, now] : renamed_) {
      if (name == "religion=" + before) name = "religion=" + now;
    }
    return name;
  }

  // Compares what everybody is served with what they were served.
  void look(const std::string& output) {
    auto ledger = read_ledger(owned_.ledger());
    ASSERT_TRUE(ledger) << ledger.error().message;
    bool further = output.starts_with("far");
    SeenById& before = further ? seen_further_ : seen_;
    SeenById seen;
    call_otherwise(seen_);
    call_otherwise(seen_further_);
    auto signals = owned_.signals(output);
    for (auto& [id, strengths] : owned_.shown(output)) {
      const LedgerEntry& entry = ledger->rows.at(id);
      bool has_some = shows(entry.status) && (!further || signals.contains(id));
      if (further && signals.contains(id)) {
        ASSERT_TRUE(shows(entry.status)) << id;
      }
      if (!has_some) continue;
      Seen now{std::move(strengths), signals[id], entry.releases};
      auto known = before.find(id);
      if (known != before.end()) compare(id, known->second, now, has_moved(*ledger, id));
      seen[id] = std::move(now);
    }
    before = std::move(seen);
    last_rows_ = owned_.rows;
    last_renamed_ = renamed_;
    new_ids_.clear();
  }

  // Whether its public values are others than when it was released: then its base may be.
  static bool has_moved(const Ledger& ledger, const std::string& id) {
    const Json* moved = ledger.scheme_state.find("moved");
    return moved != nullptr && moved->find(id) != nullptr;
  }

  void compare(const std::string& id, const Seen& was, const Seen& is, bool moved) {
    if (is.releases != was.releases) return;  // the ledger says that it is shown again
    ++compared_;
    std::set<std::string> signals;
    for (const std::string& value : was.signals) signals.insert(name_now(value));
    ASSERT_EQ(is.signals, signals) << scheme_ << ", " << id;
    if (moved) return;
    for (const auto& [value, strength] : was.strengths) {
      auto now = is.strengths.find(name_now(value));
      ASSERT_TRUE(now != is.strengths.end()) << value;
      ASSERT_EQ(now->second, strength) << scheme_ << ", " << id << ", " << value;
    }
  }

  Rng rng_;
  std::string scheme_;
  OwnedTable owned_{scheme_};
  std::map<std::string, std::string> declared_;
  SeenById seen_;          // who shows something, as last served
  SeenById seen_further_;  // likewise, in outputs under a larger l
  std::vector<OwnedRow> last_rows_;
  std::vector<std::pair<std::string, std::string>> renamed_, last_renamed_, new_ids_;
  int next_value_ = 0;
  std::uint64_t refused_ = 0, built_ = 0, compared_ = 0;
};

TEST(Lives, NobodysSignalMovesWithoutTheLedgerSayingSo) {
  GroupSizes::Hook tiny{GroupSizes::all_one()};
  const char* asked = std::getenv("RANKVEIL_LIVES");
  std::uint64_t lives = asked == nullptr ? 12 : std::strtoull(asked, nullptr, 10);
  std::uint64_t refused = 0, built = 0, compared = 0;
  for (std::uint64_t seed = 1; seed <= lives && !HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "life " << seed);
    Life life(seed);
    life.live();
    refused += life.refused();
    built += life.built();
    compared += life.compared();
  }
  fmt::print("{} lives: {} builds, {} refused, {} signals compared\n", lives, built, refused,
             compared);
  EXPECT_GT(built, 3 * lives);
  EXPECT_GT(refused, 0U);
  EXPECT_GT(compared, 100 * lives);
}

}  // namespace
}  // namespace rankveil::api
