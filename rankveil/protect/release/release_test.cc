#include "rankveil/protect/release/release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "rankveil/protect/chance/ldp_budgets.h"
#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/protect/life/profile_merger.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/protect/release/served_table.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Pointwise;
using testing_support::profile_of;
using testing_support::random_workload;

constexpr std::uint32_t domains[] = {3, 2, 4, 5};  // two public, two private

struct Person {
  int id;
  std::vector<int> values;
};

std::vector<Person> people(Rng& rng, int first, int count) {
  std::vector<Person> made;
  for (int i = 0; i < count; ++i) {
    Person person{first + i, {}};
    for (std::uint32_t domain : domains)
      person.values.push_back(static_cast<int>(rng.below(domain)));
    made.push_back(person);
  }
  return made;
}

Table table_of(const std::vector<Person>& people) {
  std::vector<std::vector<int>> rows;
  IntegerNames names;
  for (const Person& person : people) {
    rows.push_back(person.values);
    names.values.push_back(person.id);
  }
  Table coded = testing_support::coded_table(rows, 2, {std::begin(domains), std::end(domains)});
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < 4; ++i) columns.push_back(coded.column(AttributeId{i}));
  return Table(coded.schema(), std::move(columns), RowNames(std::move(names)));
}

// The owner's side of one scheme over time.
struct Owner {
  explicit Owner(const std::string& scheme) {
    demand.scheme = scheme;
    demand.l = 2;
    demand.min_group = 5;
  }

  Release first(const std::vector<Person>& list) {
    Table table = table_of(list);
    auto made = first_release(task(table));
    EXPECT_TRUE(made) << made.error().message;
    store(*made);
    return std::move(*made);
  }

  Release next(const std::vector<Person>& list, const BuildRules& rules = {.withdraw_after = 0}) {
    auto made = try_next(list, rules);
    EXPECT_TRUE(made) << made.error().message;
    store(*made);
    return std::move(*made);
  }

  Result<Release> try_next(const std::vector<Person>& list, const BuildRules& rules) const {
    auto table = align(table_of(list), ledger, &index->schema(), rules);
    if (!table) return table.error();
    return next_release(task(*table), *index, ledger, rules);
  }

  Task task(const Table& table) const {
    Task made{.table = table, .workload = workload, .demand = demand, .key = key};
    made.taking_part = taking_part;
    made.declared = declared;
    return made;
  }

  void store(const Release& release) {
    index = Index::build(public_part(release.table), release.profiles,
                         {demand.scheme, demand.l, 10, {}});
    ledger = release.ledger;
  }

  // All strengths of a person, as served.
  std::vector<double> shown(int id) const {
    auto row = index->find_row(std::to_string(id));
    EXPECT_TRUE(row);
    std::vector<double> all;
    for (std::uint32_t j = 0; j < 2; ++j) {
      const Domain& domain = index->schema().attributes[2 + j].domain;
      for (std::uint32_t v = 0; v < domains[2 + j]; ++v) {
        auto value = domain.find("v" + std::to_string(v));
        all.push_back(value ? index->match(*row, PrivateId{j}, *value) : 0);
      }
    }
    return all;
  }

  // As few as n-min says here.
  GroupSizes::Hook few = GroupSizes::Hook({.base_group = 5,
                                           .base_mix = 1,
                                           .base_rows_a_group = 5,
                                           .batch = 5,
                                           .exact_class = 5,
                                           .history_class = 5});
  Demand demand = {};
  Workload workload = {};
  SecretKey key = SecretKey::from_seed(3);
  std::vector<std::uint8_t> taking_part = {};
  std::vector<std::uint8_t> declared = {};
  std::optional<Index> index = {};
  Ledger ledger = {};
};

Task on_threads(Task task, std::uint32_t threads) {
  task.threads = threads;
  return task;
}

class EveryScheme : public testing::TestWithParam<std::string> {};

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const Scheme& scheme : schemes()) names.emplace_back(scheme.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Release, EveryScheme, testing::ValuesIn(scheme_names()),
                         [](const auto& scheme) {
                           std::string name = scheme.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(EveryScheme, KeepsWhatRowsShowAfterNewRowsAndAnotherWorkload) {
  Rng rng(1);
  Owner owner(GetParam());
  std::vector<Person> list = people(rng, 0, 120);
  owner.workload = random_workload(rng, table_of(list).schema(), 5);
  owner.first(list);
  std::vector<std::vector<double>> before;
  std::vector<bool> waited;
  for (int id = 0; id < 120; ++id) {
    before.push_back(owner.shown(id));
    waited.push_back(owner.ledger.rows[std::to_string(id)].status == RowStatus::Waiting);
  }
  for (int round = 1; round <= 3; ++round) {
    for (const Person& person : people(rng, 1000 * round, 12)) {
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(rng.below(list.size())), person);
    }
    owner.workload = random_workload(rng, table_of(list).schema(), 5);
    Release release = owner.next(list);
    EXPECT_GE(release.counts.kept, 120U - owner.demand.min_group);
    EXPECT_EQ(release.counts.withdrawn, 0U);
    for (int id = 0; id < 120; ++id) {
      if (waited[static_cast<std::size_t>(id)]) continue;
      ASSERT_EQ(owner.shown(id), before[static_cast<std::size_t>(id)]) << id;
    }
  }
}

// Who was withdrawn though nothing of theirs changed.
std::optional<int> company_in(const Ledger& ledger) {
  for (const auto& [name, entry] : ledger.rows) {
    if (entry.status == RowStatus::Company) return std::stoi(name);
  }
  return std::nullopt;
}

TEST_P(EveryScheme, WithdrawsChangedRowsWithAsManyOthersAndNobodyElse) {
  if (find_scheme(GetParam())->shows_nothing) GTEST_SKIP() << "there is nothing to withdraw";
  Rng rng(2);
  Owner owner(GetParam());
  std::vector<Person> list = people(rng, 0, 100);
  owner.first(list);
  std::vector<std::vector<double>> before;
  for (int id = 0; id < 100; ++id) before.push_back(owner.shown(id));
  int changed = 0;
  while (owner.ledger.rows[std::to_string(changed)].status != RowStatus::Shown) ++changed;
  auto& value = list[static_cast<std::size_t>(changed)].values[2];
  value = (value + 1) % 4;
  Release release = owner.next(list);
  EXPECT_EQ(release.counts.withdrawn, 2U);
  EXPECT_EQ(release.counts.withdrawn_now, 1U);
  EXPECT_EQ(release.counts.company_now, 1U);
  auto company = company_in(owner.ledger);
  ASSERT_TRUE(company);
  for (int id = 0; id < 100; ++id) {
    if (id == changed || id == *company) continue;
    ASSERT_EQ(owner.shown(id), before[static_cast<std::size_t>(id)]) << id;
  }
  std::vector<double> withdrawn = owner.shown(changed);
  // Another change, or the old value back: what it is served does not move.
  value = (value + 3) % 4;
  EXPECT_EQ(owner.next(list).counts.withdrawn, 2U);
  EXPECT_EQ(owner.shown(changed), withdrawn);
}

TEST_P(EveryScheme, FewChangesWaitForOthersAndShowWhatTheyShowed) {
  if (find_scheme(GetParam())->shows_nothing) GTEST_SKIP() << "there is nothing to withdraw";
  Rng rng(22);
  Owner owner(GetParam());
  std::vector<Person> list = people(rng, 0, 300);
  owner.first(list);
  std::vector<std::vector<double>> before;
  for (int id = 0; id < 300; ++id) before.push_back(owner.shown(id));
  auto change = [&](std::size_t id) { list[id].values[2] = (list[id].values[2] + 1) % 4; };
  for (std::size_t id = 0; id < 8; ++id) change(id);
  Release few = owner.next(list, {.today = 100});
  std::uint64_t waiting = few.counts.changed;
  EXPECT_GT(waiting, 2U);
  EXPECT_EQ(few.counts.changed_since, 100U);
  EXPECT_EQ(few.counts.withdrawn, 0U);
  for (int id = 0; id < 300; ++id) {
    ASSERT_EQ(owner.shown(id), before[static_cast<std::size_t>(id)]) << id;
  }
  EXPECT_EQ(owner.next(list, {.today = 129}).counts.changed, waiting) << "29 days";
  BuildRules never{.today = 500, .withdraw_after = std::nullopt};
  EXPECT_EQ(owner.next(list, never).counts.changed, waiting);
  change(0);
  change(0);
  change(0);  // back to what it was
  EXPECT_LE(owner.next(list, {.today = 129}).counts.changed, waiting);
  Release due = owner.next(list, {.today = 130});
  EXPECT_EQ(due.counts.changed, 0U);
  EXPECT_EQ(due.counts.withdrawn, 2 * due.counts.withdrawn_now);
  EXPECT_NEAR(due.counts.withdrawal_gain, 0.5, 0.03) << "one half, but for the share that changes";
}

TEST_P(EveryScheme, TenChangesAreWithdrawnAtOnce) {
  if (find_scheme(GetParam())->shows_nothing) GTEST_SKIP() << "there is nothing to withdraw";
  Rng rng(23);
  Owner owner(GetParam());
  std::vector<Person> list = people(rng, 0, 300);
  owner.first(list);
  for (std::size_t id = 0; id < 30; ++id) list[id].values[2] = (list[id].values[2] + 1) % 4;
  Release due = owner.next(list, {.today = 1});
  EXPECT_GE(due.counts.withdrawn_now, 10U);
  EXPECT_EQ(due.counts.company_now, due.counts.withdrawn_now);
  EXPECT_EQ(due.counts.changed, 0U);
}

TEST_P(EveryScheme, ABuildThatChangesNothingCountsTheSameRowsWithoutASignal) {
  Rng rng(4);
  Owner owner(GetParam());
  std::vector<Person> list = people(rng, 0, 60);
  owner.taking_part.assign(60, 1);
  owner.taking_part[7] = 0;
  Release first = owner.first(list);
  Release next = owner.next(list);
  EXPECT_EQ(next.report.rows_without_signal, first.report.rows_without_signal);
  EXPECT_EQ(next.report.unique_rows, first.report.unique_rows);
  EXPECT_EQ(next.counts.not_established, 1U);
}

TEST_P(EveryScheme, TellsWhatWasSaidOfKeptRows) {
  if (find_scheme(GetParam())->shows_nothing) GTEST_SKIP() << "nothing is kept";
  Rng rng(5);
  Owner owner(GetParam());
  std::vector<Person> list = people(rng, 0, 60);
  Release first = owner.first(list);
  for (const Person& person : people(rng, 1000, 30)) list.push_back(person);
  Release next = owner.next(list);
  ASSERT_TRUE(next.earlier);
  EXPECT_EQ(next.earlier->released, first.counts.released);
  EXPECT_EQ(next.earlier->report.set_sizes, first.report.set_sizes);
  EXPECT_EQ(coarser_rows(next.earlier->report), coarser_rows(first.report));
  EXPECT_EQ(next.ledger.told.released, first.counts.released + next.counts.released);
  EXPECT_EQ(coarser_rows(next.ledger.told.report),
            coarser_rows(first.report) + coarser_rows(next.report));
}

TEST_P(EveryScheme, DeletingARowLeavesTheOthersAsTheyAre) {
  Rng rng(3);
  Owner owner(GetParam());
  std::vector<Person> list = people(rng, 0, 100);
  owner.first(list);
  std::vector<std::vector<double>> before;
  for (int id = 0; id < 100; ++id) before.push_back(owner.shown(id));
  Person gone = list[40];
  bool had_signal = owner.ledger.rows["40"].releases > 0;
  list.erase(list.begin() + 40);
  Release release = owner.next(list);
  EXPECT_EQ(release.counts.gone, 1U);
  for (int id = 0; id < 100; ++id) {
    if (id == 40) continue;
    ASSERT_EQ(owner.shown(id), before[static_cast<std::size_t>(id)]) << id;
  }
  list.push_back(gone);
  Release back = owner.next(list);
  bool shows = !find_scheme(GetParam())->shows_nothing;
  EXPECT_EQ(back.counts.withdrawn, had_signal && shows ? 1U : 0U) << "who comes back shows nothing";
}

TEST_P(EveryScheme, IsTheSameOnAnyNumberOfThreads) {
  Rng rng(4);
  std::vector<Person> list = people(rng, 0, 90);
  Table table = table_of(list);
  Owner owner(GetParam());
  owner.workload = random_workload(rng, table.schema(), 5);
  auto one = first_release(on_threads(owner.task(table), 1));
  auto four = first_release(on_threads(owner.task(table), 4));
  ASSERT_TRUE(one && four);
  for (std::uint32_t row = 0; row < 90; ++row) {
    for (std::uint32_t j = 0; j < 2; ++j) {
      ASSERT_EQ(profile_of(one->profiles, RowId{row}, PrivateId{j}, domains[2 + j]),
                profile_of(four->profiles, RowId{row}, PrivateId{j}, domains[2 + j]));
    }
  }
}

TEST_P(EveryScheme, NewRowsOfAnotherMakeUpChangeNothingOfTheOthers) {
  Rng rng(8);
  Owner owner(GetParam());
  bool rounds = find_scheme(GetParam())->reads("levels");
  std::vector<Person> list = people(rng, 0, 120);
  owner.first(list);
  for (int batch = 1; rounds && batch <= 3; ++batch) {
    std::vector<std::vector<double>> before;
    for (const Person& person : list) before.push_back(owner.shown(person.id));
    std::vector<Person> more = people(rng, batch * 1000, 60);
    for (Person& person : more) {
      if (rng.below(3) > 0) person.values[3] = batch;
      if (rng.below(3) > 0) person.values[2] = batch;
    }
    list.insert(list.end(), more.begin(), more.end());
    Release release = owner.next(list);
    EXPECT_GT(release.counts.released, 30U);
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(owner.shown(list[i].id), before[i]);
    }
  }
}

TEST(NextRelease, NewRowsWaitUntilThereAreEnoughOfThem) {
  Rng rng(5);
  Owner owner("swap");
  std::vector<Person> list = people(rng, 0, 100);
  owner.first(list);
  std::vector<double> frozen;
  for (int id = 200; id < 204; ++id) {
    list.push_back({id, {1, 1, static_cast<int>(rng.below(4)), 0}});
    EXPECT_EQ(owner.next(list).counts.waiting, static_cast<std::uint64_t>(id - 199));
    // Shares do not move with a single insert, and all waiting rows of a group look alike.
    if (id > 200) {
      EXPECT_EQ(owner.shown(id), frozen);
    }
    frozen = owner.shown(200);
  }
  list.push_back({204, {1, 1, 2, 2}});
  Release release = owner.next(list);
  EXPECT_EQ(release.counts.released, 5U);
  EXPECT_EQ(release.counts.waiting, 0U);
}

// Nothing that rows without a signal are served moves while nothing about them changes.
TEST_P(EveryScheme, RowsThatWaitAreServedTheSameForAsLong) {
  Rng rng(8);
  Owner owner(GetParam());
  owner.demand.min_group = 9;
  std::vector<Person> list = people(rng, 0, 80);
  std::vector<std::uint8_t> established(80, 1);
  for (std::size_t i = 70; i < 80; ++i) established[i] = 0;
  owner.taking_part = established;
  owner.first(list);
  std::vector<std::vector<double>> before;
  for (int id = 0; id < 80; ++id) before.push_back(owner.shown(id));
  // The others move to another town, and their order is another.
  for (std::size_t i = 0; i < 40; ++i) list[i].values[0] = (list[i].values[0] + 1) % 3;
  std::reverse(list.begin(), list.end());
  std::reverse(established.begin(), established.end());
  owner.taking_part = established;
  Release release = owner.next(list);
  EXPECT_EQ(release.counts.withdrawn, 0U);
  for (int id = 0; id < 80; ++id) {
    auto& entry = owner.ledger.rows[std::to_string(id)];
    bool same_state = entry.releases == (entry.status == RowStatus::Shown ? 1U : 0U);
    ASSERT_TRUE(same_state);
    ASSERT_EQ(owner.shown(id), before[static_cast<std::size_t>(id)]) << id;
  }
}

// People of the towns 0 and 1, of whom each public group has its own favourites.
std::vector<Person> people_with_tastes(Rng& rng, int first, int count) {
  std::vector<Person> made = people(rng, first, count);
  for (Person& person : made) {
    person.values[0] %= 2;
    int group = 2 * person.values[0] + person.values[1];
    if (rng.below(3) > 0) person.values[2] = group;
    if (rng.below(3) > 0) person.values[3] = group + 1;
  }
  return made;
}

// Shares of those who are in the town, and of this kind; -1: any.
std::vector<double> shares_of_group(const std::vector<Person>& list, int town, int kind) {
  std::vector<double> shares(domains[2] + domains[3], 0);
  double rows = 0;
  for (const Person& person : list) {
    if (town >= 0 && (person.values[0] != town || person.values[1] != kind)) continue;
    ++rows;
    ++shares[static_cast<std::size_t>(person.values[2])];
    ++shares[domains[2] + static_cast<std::size_t>(person.values[3])];
  }
  for (double& share : shares) share /= rows;
  return shares;
}

// What a row there is served that shows nothing. Schemes that show no shares of groups do not begin
// to: in a group where all are alike they would say what everybody has.
std::vector<double> shares_served(const Scheme& scheme, const std::vector<Person>& released,
                                  int town, int kind) {
  return scheme.climbs ? shares_of_group(released, town, kind) : shares_of_group(released, -1, -1);
}

// ldp serves estimates, swap counts of what is shown: they have tests of their own.
bool serves_counted_shares(const Scheme& scheme) {
  return !scheme.shows_nothing && scheme.promise != PromiseKind::LikelihoodRatio &&
         scheme.base_shares == nullptr;
}

TEST_P(EveryScheme, ServesNewAndChangedRowsSharesAsTheyWereReleased) {
  const Scheme& scheme = *find_scheme(GetParam());
  if (!serves_counted_shares(scheme)) GTEST_SKIP() << "nothing that could be counted";
  Rng rng(12);
  Owner owner(GetParam());
  std::vector<Person> list = people_with_tastes(rng, 0, 160);
  std::vector<Person> released = list;
  owner.first(list);
  list[7].values[2] = (list[7].values[2] + 1) % 4;
  // Who leaves in the same build moves no share.
  list.erase(list.begin() + 20, list.begin() + 24);
  list.push_back({500, {1, 1, 0, 0}});
  list.push_back({501, {2, 0, 0, 0}});
  Release release = owner.next(list);
  EXPECT_EQ(release.counts.withdrawn_now, 1U);
  EXPECT_THAT(owner.shown(7),
              Pointwise(DoubleNear(1e-12),
                        shares_served(scheme, released, list[7].values[0], list[7].values[1])));
  if (!scheme.takes_cover) return;
  EXPECT_EQ(release.counts.waiting, 2U);
  EXPECT_THAT(owner.shown(500),
              Pointwise(DoubleNear(1e-12), shares_served(scheme, released, 1, 1)));
  EXPECT_THAT(owner.shown(501), Pointwise(DoubleNear(1e-12), shares_of_group(released, -1, -1)))
      << "there was nobody in that town: all groups";
}

TEST_P(EveryScheme, SharesOfAGroupGrowByWholeBatches) {
  const Scheme& scheme = *find_scheme(GetParam());
  bool waits = scheme.climbs && serves_counted_shares(scheme);
  if (!waits) GTEST_SKIP() << "there are no groups, or nothing that could be counted";
  Rng rng(13);
  Owner owner(GetParam());
  std::vector<Person> list = people_with_tastes(rng, 0, 160);
  owner.first(list);
  for (int id = 500; id < 505; ++id) list.push_back({id, {1, 0, 0, 0}});
  EXPECT_EQ(owner.next(list).counts.released, 5U);
  std::vector<Person> released = list;
  list.push_back({600, {1, 0, 3, 3}});
  EXPECT_EQ(owner.next(list).counts.waiting, 1U);
  EXPECT_THAT(owner.shown(600), Pointwise(DoubleNear(1e-12), shares_of_group(released, 1, 0)));
}

// A row that took no part in the first release was served what answers say about its group, too.
TEST(NextRelease, LdpServesNewAndChangedRowsWhatAnswersSayAboutTheirGroup) {
  Rng rng(14);
  Owner owner("ldp");
  owner.demand.epsilon = 2;
  owner.demand.levels = 255;
  std::vector<Person> list = people_with_tastes(rng, 0, 400);
  list.push_back({400, {1, 1, 0, 0}});
  owner.taking_part.assign(401, 1);
  owner.taking_part.back() = 0;
  owner.first(list);
  std::vector<double> estimated = owner.shown(400);
  std::size_t changed = 0;
  while (list[changed].values[0] != 1 || list[changed].values[1] != 1) ++changed;
  list[changed].values[2] = (list[changed].values[2] + 1) % 4;
  list.push_back({500, {1, 1, 0, 0}});
  owner.taking_part.push_back(1);
  Release release = owner.next(list);
  EXPECT_EQ(release.counts.withdrawn_now, 1U);
  EXPECT_THAT(owner.shown(500), Pointwise(DoubleNear(1.0 / 255), estimated));
  EXPECT_THAT(owner.shown(list[changed].id), Pointwise(DoubleNear(1.0 / 255), estimated));
  EXPECT_GT(owner.shown(500)[3], 0.5) << "what most of them have";
}

// What is kept for rows to come must not hang on true values: of two tables in which all rows say
// the same, it is the same.
TEST(FirstRelease, LdpKeepsCountsOfAnswersAndNotOfValues) {
  Rng rng(15);
  Owner owner("ldp");
  owner.demand.epsilon = 0.001;  // hardly anybody says the own value
  std::vector<Person> list = people(rng, 0, 2000);
  for (Person& person : list) person.values[2] = 0;
  Release release = owner.first(list);
  ASSERT_EQ(release.ledger.shares[0].second.size(), 4U);
  for (const auto& [value, rows] : release.ledger.shares[0].second) {
    EXPECT_NEAR(static_cast<double>(rows), 500, 120) << value;
  }
}

// A value that only silent rows have would name them by being in the domain.
TEST_P(EveryScheme, DomainsNameNoValueThatOnlySilentRowsHave) {
  if (!find_scheme(GetParam())->takes_cover) GTEST_SKIP() << "all rows show something";
  if (GetParam() == "ldp") GTEST_SKIP() << "its domains are declared";
  Rng rng(9);
  Owner owner(GetParam());
  owner.declared = {0, 0};
  std::vector<Person> list = people(rng, 0, 60);
  for (Person& person : list) person.values[2] = std::min(person.values[2], 2);
  list.push_back({100, {0, 0, 3, 1}});
  owner.taking_part.assign(61, 1);
  owner.taking_part.back() = 0;
  Release release = owner.first(list);
  EXPECT_FALSE(release.table.schema().attributes[2].domain.find("v3"));
  EXPECT_EQ(owner.index->schema().attributes[2].domain.size(), 3U);
  // Still alone, still unnamed; and so is a newcomer's own value.
  owner.taking_part.back() = 1;
  EXPECT_EQ(owner.next(list).counts.waiting, 1U);
  EXPECT_FALSE(owner.index->schema().attributes[2].domain.find("v3"));
  for (int id = 101; id < 110; ++id) {
    list.push_back({id, {0, 0, 3, static_cast<int>(rng.below(5))}});
    owner.taking_part.push_back(1);
  }
  EXPECT_EQ(owner.next(list).counts.released, 10U);
  EXPECT_TRUE(owner.index->schema().attributes[2].domain.find("v3")) << "now there are ten";
}

TEST(NextRelease, CountsWhoLeftAndWhoCameBack) {
  Rng rng(10);
  Owner owner("pvsv");
  std::vector<Person> list = people(rng, 0, 30);
  owner.first(list);
  Person third = list[3];
  list.erase(list.begin() + 3);
  EXPECT_EQ(owner.next(list).counts.gone, 1U);
  EXPECT_EQ(owner.next(list).counts.gone, 0U) << "left before";
  list.push_back(third);
  list.erase(list.begin() + 4);
  Release release = owner.next(list);
  EXPECT_EQ(release.counts.gone, 1U);
  EXPECT_EQ(release.counts.withdrawn, 1U);
}

TEST(NextRelease, ARowShownAgainIsCounted) {
  Rng rng(11);
  Owner owner("swap");
  std::vector<Person> list = people(rng, 0, 60);
  EXPECT_FALSE(owner.first(list).shown_twice());
  for (std::size_t i = 0; i < 20; ++i) list[i].values[2] = (list[i].values[2] + 1) % 4;
  EXPECT_FALSE(owner.next(list).shown_twice());
  EXPECT_TRUE(owner.next(list, {.release_changed = true}).shown_twice());
}

TEST(NextRelease, ReleasesChangedRowsWhenTold) {
  Rng rng(6);
  Owner owner("pvsv");
  std::vector<Person> list = people(rng, 0, 30);
  owner.first(list);
  list[3].values[3] = (list[3].values[3] + 1) % 5;
  EXPECT_EQ(owner.next(list).counts.withdrawn, 2U);
  Release release = owner.next(list, {.release_changed = true});
  EXPECT_EQ(release.counts.withdrawn, 1U) << "who did not change has nothing new to say";
  EXPECT_EQ(release.counts.released, 1U);
  EXPECT_EQ(owner.ledger.rows["3"].releases, 2U);
}

TEST(NextRelease, RefusesAnotherKeyOrPromise) {
  Rng rng(7);
  Owner owner("swap");
  std::vector<Person> list = people(rng, 0, 30);
  owner.first(list);
  Table table = table_of(list);
  owner.demand.l = 4;
  auto other_l = next_release(owner.task(table), *owner.index, owner.ledger);
  ASSERT_FALSE(other_l);
  EXPECT_THAT(other_l.error().message, HasSubstr("l was 2 in the last build and is 4 now"));
  owner.demand.l = 2;
  owner.key = SecretKey::from_seed(99);
  EXPECT_FALSE(next_release(owner.task(table), *owner.index, owner.ledger));
}

TEST(NextRelease, RefusesToSpareOtherValuesThanBefore) {
  Rng rng(7);
  Owner owner("cluster");
  std::vector<Person> list = people(rng, 0, 30);
  Table table = table_of(list);
  const Attribute& attribute = table.schema().attributes[2];
  auto text = [&](std::uint16_t value) {
    return std::string(attribute.domain.text(ValueId{value}));
  };
  owner.demand.not_sensitive = {{attribute.name, {text(0)}}};
  owner.first(list);
  auto refused = [&] {
    auto made = next_release(owner.task(table), *owner.index, owner.ledger);
    return made ? std::string("nothing was refused") : made.error().message;
  };
  EXPECT_EQ(refused(), "nothing was refused");
  owner.demand.not_sensitive[0].values = {text(1)};
  EXPECT_THAT(refused(), HasSubstr("not_sensitive was v0 (b2) in the last build and is v1 (b2)"));
  owner.demand.not_sensitive.clear();
  EXPECT_THAT(refused(), HasSubstr("and is not given now"));
}

TEST(NextRelease, RefusesOtherBudgetsThanBefore) {
  Rng rng(7);
  Owner owner("ldp");
  std::vector<Person> list = people(rng, 0, 30);
  Table table = table_of(list);
  owner.demand.budgets = {{table.schema().attributes[2].name, 0.5}};
  owner.first(list);
  auto refused = [&] {
    auto made = next_release(owner.task(table), *owner.index, owner.ledger);
    return made ? std::string("nothing was refused") : made.error().message;
  };
  EXPECT_EQ(refused(), "nothing was refused");
  owner.demand.budgets[0].epsilon = 0.50001;  // what is told apart is also told
  EXPECT_THAT(refused(), HasSubstr("epsilon was 0.5 (b2) in the last build and is 0.50001 (b2)"));
  owner.demand.budgets[0].epsilon = 0.6;
  EXPECT_THAT(refused(), HasSubstr("epsilon was 0.5 (b2) in the last build and is 0.6 (b2)"));
  owner.demand.budgets.clear();
  EXPECT_THAT(refused(), HasSubstr("and is not given now"));
}

// Strengths that were rounded for few bitmaps, by a version that did so, are not what new rows get.
TEST(NextRelease, RefusesALedgerThatNamesBitmaps) {
  Demand demand{.scheme = "ldp"};
  SecretKey key = SecretKey::from_seed(3);
  Json now = release_parameters(demand, key);
  Json before;
  for (const auto& [name, value] : *now.as_object()) {
    before.set(name, value);
    if (name == "levels") before.set("bitmaps", "2");
  }
  auto checked = check_parameters(before, now);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("--bitmaps"));
  EXPECT_THAT(checked.error().message, HasSubstr("start over with --new-release"));
  EXPECT_FALSE(demand_from_parameters(before));
  EXPECT_TRUE(demand_from_parameters(now));
}

TEST(Align, PutsOldValuesFirstAndNewOnesBehind) {
  Table old = testing_support::coded_table({{0}, {1}}, 0, {2});
  Schema schema = old.schema();
  schema.attributes[0].domain = *Domain::of({"v1", "x", "v0"});
  auto aligned = align(testing_support::coded_table({{0}, {1}, {2}, {-1}}, 0, {3}), schema);
  ASSERT_TRUE(aligned);
  EXPECT_EQ(aligned->schema().attributes[0].domain.values(),
            (std::vector<std::string>{"v1", "x", "v0", "v2"}));
  EXPECT_EQ(+aligned->value(RowId{0}, AttributeId{0}), 2U);
  EXPECT_EQ(+aligned->value(RowId{2}, AttributeId{0}), 3U);
  EXPECT_EQ(aligned->value(RowId{3}, AttributeId{0}), missing_value);
}

TEST(ReleaseParameters, TellTheDemandTheyCameFrom) {
  SecretKey key = SecretKey::from_seed(3);
  for (const Scheme& scheme : schemes()) {
    Demand demand;
    demand.scheme = scheme.name;
    demand.l = 4;
    demand.min_group = 30;
    demand.pairing = Pairing::SortedWeight;
    demand.fallback = Fallback::WholeDomain;
    demand.epsilon = 0.75;
    demand.gamma = 1.5;
    demand.levels = 31;
    demand.not_sensitive = {{"smokes", {"no", "unknown"}}};
    demand.budgets = {{"diet", 0.1}, {"smokes", 1.0 / 3}};
    Json parameters = release_parameters(demand, key);
    auto back = demand_from_parameters(*parse_json(parameters.dump()));
    ASSERT_TRUE(back) << scheme.name;
    EXPECT_EQ(release_parameters(*back, key).dump(), parameters.dump());
    EXPECT_EQ(back->not_sensitive, spared_by(demand)) << scheme.name;
    EXPECT_EQ(back->not_sensitive.empty(), !scheme.has_caps()) << scheme.name;
    EXPECT_EQ(back->budgets, budgets_used(demand)) << scheme.name;
    EXPECT_EQ(back->budgets.empty(), scheme.name != "ldp") << scheme.name;
  }
  EXPECT_FALSE(demand_from_parameters(Json()));
  EXPECT_FALSE(demand_from_parameters(Json().set("scheme", "cluster").set("l", 3)));
}

}  // namespace
}  // namespace rankveil
