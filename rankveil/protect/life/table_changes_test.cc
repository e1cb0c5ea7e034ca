// What happens when the way a table is written changes, and not what it says about people.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/protect/ledger/value_codes.h"
#include "rankveil/protect/release/release.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Patient {
  std::string id;
  std::vector<std::string> values;  // town, age, religion, income
};

const std::vector<std::string> column_names = {"town", "age", "religion", "income"};

// As a policy would make it: domains in the natural order of what is there.
Table table_of_patients(const std::vector<Patient>& patients) {
  Schema schema{{}, "id"};
  std::vector<Column> columns;
  for (std::size_t i = 0; i < column_names.size(); ++i) {
    std::vector<std::string> values;
    for (const Patient& patient : patients) values.push_back(patient.values[i]);
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    Attribute attribute{column_names[i], i < 2 ? Visibility::Public : Visibility::Private, 1,
                        *Domain::of(values)};
    std::vector<ValueId> ids;
    for (const Patient& patient : patients)
      ids.push_back(*attribute.domain.find(patient.values[i]));
    columns.emplace_back(attribute.domain.size(), ids);
    schema.attributes.push_back(std::move(attribute));
  }
  TextNames names;
  for (const Patient& patient : patients) {
    names.bytes += patient.id;
    names.ends.push_back(names.bytes.size());
  }
  return Table(std::move(schema), std::move(columns), RowNames(std::move(names)));
}

constexpr const char* religions[] = {"christianity", "islam", "judaism", "none", "other"};

Patient patient(Rng& rng, int id) {
  return {"p" + std::to_string(id),
          {"town" + std::to_string(rng.below(3)), std::to_string(20 + rng.below(40)),
           religions[rng.below(5)], "band" + std::to_string(rng.below(4))}};
}

std::vector<Patient> some_patients(std::uint64_t seed, int count, int first = 0) {
  Rng rng(seed);
  std::vector<Patient> made;
  for (int i = 0; i < count; ++i) made.push_back(patient(rng, first + i));
  return made;
}

// One scheme's release, and what its builds are asked.
class Clinic : public testing::TestWithParam<std::string> {
 protected:
  Clinic() {
    demand_.scheme = GetParam();
    demand_.l = 2;
    demand_.min_group = 5;
    Table table = table_of_patients(patients_);
    auto made = first_release(task(table));
    EXPECT_TRUE(made) << made.error().message;
    store(*made);
  }

  Task task(const Table& table) const {
    return {.table = table, .workload = workload_, .demand = demand_, .key = key_};
  }

  Result<Release> build(const BuildRules& rules = {}) {
    auto ledger = with_new_names(ledger_, key_, rules);
    if (!ledger) return ledger.error();
    auto table = align(table_of_patients(patients_), *ledger, &index_->schema(), rules);
    if (!table) return table.error();
    auto made = next_release(task(*table), *index_, *ledger, rules);
    if (made) store(*made);
    return made;
  }

  void store(const Release& release) {
    index_ =
        Index::build(public_part(release.table), release.profiles, {demand_.scheme, 2, 10, {}});
    ledger_ = release.ledger;
  }

  std::string refusal(const BuildRules& rules = {}) {
    auto made = build(rules);
    if (made) return "nothing was refused";
    EXPECT_EQ(made.error().code, ErrorCode::WrongUse);
    return made.error().message;
  }

  void for_all(const std::function<void(Patient&)>& change) {
    for (Patient& one : patients_) change(one);
  }

  // What everybody is served, by private attribute and value in the order of the index.
  std::map<std::string, std::vector<double>> shown() const {
    std::map<std::string, std::vector<double>> all;
    for (std::uint32_t row = 0; row < index_->rows(); ++row) {
      auto& strengths = all[index_->name(RowId{row})];
      for (std::uint32_t j = 0; j < 2; ++j) {
        std::uint32_t values = index_->schema().attributes[2 + j].domain.size();
        for (std::uint32_t v = 0; v < std::min(values, 5U - j); ++v) {
          strengths.push_back(
              index_->match(RowId{row}, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)}));
        }
      }
    }
    return all;
  }

  GroupSizes::Hook tiny_ = GroupSizes::Hook(GroupSizes::all_one());
  SecretKey key_ = SecretKey::from_seed(7);
  Workload workload_;
  Demand demand_;
  std::vector<Patient> patients_ = some_patients(1, 400);
  std::optional<Index> index_;
  Ledger ledger_;
};

INSTANTIATE_TEST_SUITE_P(Schemes, Clinic, testing::Values("swap", "cluster", "ldp", "pvsv"),
                         [](const auto& scheme) { return scheme.param; });

// Attack 2 of the page on promises: a value under another name withdrew all who have it, and named
// them.
TEST_P(Clinic, ARenamedValueWithdrawsNobody) {
  auto before = shown();
  for_all([](Patient& one) {
    if (one.values[2] == "christianity") one.values[2] = "protestant";
  });
  EXPECT_THAT(refusal(), AllOf(HasSubstr("[column.religion.renamed]"), HasSubstr("protestant"),
                               Not(HasSubstr("p1"))))
      << "undeclared, it is refused";
  BuildRules rules{.renamed = {{"religion", "christianity", "protestant"}}};
  auto made = build(rules);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.withdrawn + made->counts.changed, 0U);
  EXPECT_EQ(made->counts.kept, 400U);
  EXPECT_EQ(shown(), before);
  EXPECT_TRUE(index_->schema().attributes[2].domain.find("protestant"));
  EXPECT_FALSE(index_->schema().attributes[2].domain.find("christianity"));
  auto again = build(rules);
  ASSERT_TRUE(again) << "the policy may go on saying so";
  EXPECT_EQ(again->counts.kept, 400U);
}

TEST_P(Clinic, ValuesThatChangePlacesAreNoChange) {
  auto before = shown();
  // By their names they now come in another order.
  std::map<std::string, std::string> names = {
      {"band0", "d"}, {"band1", "a"}, {"band2", "c"}, {"band3", "b"}};
  BuildRules rules;
  for (const auto& [old_name, new_name] : names)
    rules.renamed.push_back({"income", old_name, new_name});
  for_all([&](Patient& one) { one.values[3] = names[one.values[3]]; });
  auto made = build(rules);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.kept, 400U);
  EXPECT_EQ(shown(), before);
}

TEST_P(Clinic, MergedValuesAreRefused) {
  for_all([](Patient& one) {
    if (one.values[2] == "judaism") one.values[2] = "other";
  });
  EXPECT_THAT(refusal(),
              HasSubstr("religion has no judaism any more, and all that had it now have"));
  EXPECT_THAT(refusal({.renamed = {{"religion", "judaism", "other"}}}),
              HasSubstr("so one cannot be renamed into the other"));
  auto kept = build({.withdraw_after = std::nullopt});
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->counts.withdrawn, 0U) << "the way out that is named";
}

TEST_P(Clinic, AValueThatMostOfItsPeopleLoseIsRefused) {
  int left = 3;
  for_all([&](Patient& one) {
    if (one.values[2] == "judaism" && --left < 0) one.values[2] = "other";
  });
  EXPECT_THAT(refusal(), HasSubstr("too much alike in religion"));
}

TEST_P(Clinic, ChangesAllOverTheTableAreNotRefused) {
  Rng rng(4);
  for (std::size_t i = 0; i < 40; ++i) patients_[10 * i].values[2] = religions[rng.below(5)];
  auto made = build();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_GT(made->counts.withdrawn_now, 20U);
}

TEST_P(Clinic, OtherBinsAreRefused) {
  ledger_.columns[1].bins = "10, 20, 30";
  EXPECT_THAT(refusal({.bins = {{"income", "10, 25, 30"}}}),
              AllOf(HasSubstr("the bins of income have other edges"), HasSubstr("[10, 20, 30]")));
  EXPECT_TRUE(build({.bins = {{"income", "10, 20, 30"}}}));
}

TEST_P(Clinic, ANewValueComesBehindTheOthers) {
  for (Patient& one : some_patients(9, 60, 1000)) patients_.push_back(one);
  for (std::size_t i = 400; i < 430; ++i) patients_[i].values[2] = "buddhism";  // before all others
  if (GetParam() == "ldp") {
    EXPECT_THAT(refusal(), HasSubstr("religion has the value buddhism that was not there"));
    return;
  }
  auto before = shown();
  auto made = build();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.withdrawn + made->counts.changed, 0U);
  EXPECT_EQ(index_->schema().attributes[2].domain.values().back(), "buddhism");
  for (const auto& [name, strengths] : before) EXPECT_EQ(shown()[name], strengths) << name;
}

TEST_P(Clinic, AValueWhoseRowsHaveLeftStays) {
  std::erase_if(patients_, [](const Patient& one) { return one.values[2] == "judaism"; });
  auto made = build();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.withdrawn + made->counts.changed, 0U);
  EXPECT_TRUE(index_->schema().attributes[2].domain.find("judaism"));
}

// ---- Who the people are ----

// Attack 3: the same people under new ids were all released a second time.
TEST_P(Clinic, NewIdsAreRefusedAndCanBeTold) {
  auto before = shown();
  BuildRules rules;
  for_all([&](Patient& one) {
    std::string old_id = one.id;
    one.id = "new-" + old_id;
    rules.new_ids.emplace_back(old_id, one.id);
  });
  EXPECT_THAT(refusal(), AllOf(HasSubstr("--ids-from FILE"), HasSubstr("--people-changed")));
  auto made = build(rules);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.kept, 400U);
  for (const auto& [name, strengths] : before) EXPECT_EQ(shown()["new-" + name], strengths);
  EXPECT_EQ(ledger_.first_names.at("new-p7"), "p7");
  ASSERT_TRUE(build()) << "and from then on without being told";
}

TEST_P(Clinic, NewIdsOfATenthAreSeen) {
  for (std::size_t i = 0; i < 40; ++i) patients_[10 * i].id = "new-" + patients_[10 * i].id;
  EXPECT_THAT(refusal(), HasSubstr("by their public values they are the same people"));
  EXPECT_TRUE(build({.people_changed = true}));
}

TEST_P(Clinic, ATenthThatLeavesAndOthersThatComeAreNotTakenForThem) {
  patients_.erase(patients_.begin(), patients_.begin() + 40);
  for (Patient& one : some_patients(77, 40, 1000)) {
    one.values[2] = patients_.front().values[2];
    patients_.push_back(one);
  }
  auto made = build();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.gone, 40U);
}

TEST_P(Clinic, OtherPeopleNeedAPopulationOfTheirOwn) {
  std::vector<Patient> others = some_patients(55, 300, 5000);
  patients_.resize(150);
  patients_.insert(patients_.end(), others.begin(), others.end());
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("fewer than half of the people of the population \"default\""),
                    HasSubstr("--people-changed")));
  EXPECT_TRUE(build({.people_changed = true}));
}

TEST_P(Clinic, OfWhoLeftNothingStaysButAHash) {
  Patient gone = patients_[3];
  patients_.erase(patients_.begin() + 3);
  ASSERT_TRUE(build());
  EXPECT_FALSE(ledger_.rows.contains(gone.id));
  EXPECT_EQ(ledger_.gone.size(), 1U);
  patients_.push_back(gone);
  auto back = build();
  ASSERT_TRUE(back);
  EXPECT_EQ(back->counts.withdrawn, 1U) << "what it showed is known";
  EXPECT_TRUE(ledger_.gone.empty());
  patients_.pop_back();
  ASSERT_TRUE(build({.forget_gone = true}));
  EXPECT_TRUE(ledger_.gone.empty()) << "if the owner wants nothing to stay";
}

// Attack 5: one newcomer beside rows that somebody planted.
TEST_P(Clinic, NewcomersWaitForAHundred) {
  if (!find_scheme(GetParam())->takes_cover) GTEST_SKIP() << "takes no cover";
  GroupSizes::Hook real{GroupSizes{}};
  for (Patient& one : some_patients(9, 99, 1000)) patients_.push_back(one);
  auto waiting = build({.today = 50});
  ASSERT_TRUE(waiting) << waiting.error().message;
  EXPECT_EQ(waiting->counts.released, 0U);
  EXPECT_EQ(waiting->counts.waiting, 99U);
  EXPECT_EQ(waiting->counts.waiting_since, 50U);
  auto later = build({.today = 79, .batch_after = 30});
  ASSERT_TRUE(later);
  EXPECT_EQ(later->counts.released, 0U);
  EXPECT_EQ(later->counts.waiting_since, 50U);
  patients_.push_back(some_patients(3, 1, 2000).front());
  auto enough = build({.today = 80});
  ASSERT_TRUE(enough);
  EXPECT_GE(enough->counts.released, 90U);
}

TEST_P(Clinic, NewcomersMayBeFewAfterSoManyDays) {
  if (!find_scheme(GetParam())->takes_cover) GTEST_SKIP() << "takes no cover";
  GroupSizes::Hook real{GroupSizes{}};
  for (Patient& one : some_patients(9, 60, 1000)) patients_.push_back(one);
  EXPECT_EQ(build({.today = 50})->counts.released, 0U);
  auto few = build({.today = 80, .batch_after = 30});
  EXPECT_GT(few->counts.released, 40U);
  if (!find_scheme(GetParam())->fits_model) return;
  EXPECT_EQ(few->coverage.covered, 400U) << "and not those who have few to hide among";
  EXPECT_EQ(build({.today = 81})->coverage.covered, 400U) << "in later builds, too";
}

TEST_P(Clinic, WhoWantsNothingShownIsWithdrawnAtOnce) {
  BuildRules rules;
  rules.hidden.assign(400, 0);
  rules.hidden[5] = 1;
  auto made = build(rules);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.withdrawn, 1U);
  EXPECT_EQ(made->counts.kept, 399U);
}

// ---- What an output may show ----

TEST_P(Clinic, APublicColumnOnWhichNothingRestsIsRefused) {
  auto& fit = ledger_.fit_columns;
  std::erase(fit, "age");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("age is public and what rows show does not rest on it"),
                               HasSubstr("--new-release"), HasSubstr("fit_on")));
}

}  // namespace
}  // namespace rankveil
