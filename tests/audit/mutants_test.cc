// Deliberately broken defenses. Each declares a scheme and does something else; each must be caught
// by the check that is there for it, whatever the levels that trust the declaration say.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "audited.h"
#include "rankveil/attack/index_target.h"
#include "rankveil/audit/testing/made_up_people.h"
#include "rankveil/audit/testing/small_ranking.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;
using ::testing::Contains;
using ::testing::IsEmpty;

constexpr std::uint64_t seeds = 3;
constexpr std::uint32_t rows = 1500;

Defended swap_by_hand(const HandSwap& how, std::uint64_t seed) {
  Table table = small_table(rows, seed);
  Profiles profiles = hand_swap(table, how, seed);
  return {std::move(table), declared("swap-exact", how.l), std::move(profiles)};
}

// Catches it by that name, for every seed.
template <typename Make>
void expect_caught(const std::string& check, Make make) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Defended defended = make(seed);
    AuditReport report = audit_of(defended, seed);
    EXPECT_THAT(broken_by(report), Contains(check));
    for (const Finding& finding : report.findings) {
      bool caught = finding.level == check && finding.verdict == Verdict::Broken;
      if (caught && seed == 1) {
        fmt::print("{}, {}: {}\n", check, finding.attribute, finding.reason);
      }
    }
  }
}

TEST(Mutants, SwapWrittenByHandIsSoundBeforeItIsBroken) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    EXPECT_THAT(broken_by(audit_of(swap_by_hand({}, seed), seed)), IsEmpty()) << "seed " << seed;
  }
}

TEST(Mutants, SharesUpdatedRowByRowAreCaught) {
  expect_caught("repeats", [](std::uint64_t seed) {
    Defended defended = swap_by_hand({}, seed);
    // One row changed its first private value, and the shares of its group followed.
    auto moved = std::get<GroupedProfiles>(defended.profiles.kinds());
    std::uint32_t group = moved.group_of[7];
    ValueId old_value = defended.table.value(RowId{7}, AttributeId{3});
    ValueId new_value{static_cast<std::uint16_t>((+old_value + 1) % 4)};
    auto add = [&](ValueId value, int rows_more) {
      std::uint32_t count = moved.shares.count(group, PrivateId{0}, value);
      moved.shares.set_count(group, PrivateId{0}, value,
                             static_cast<std::uint32_t>(static_cast<int>(count) + rows_more));
    };
    add(old_value, -1);
    add(new_value, 1);
    defended.others.emplace_back(std::move(moved));
    return defended;
  });
}

TEST(Mutants, DecoysThatAreTooPopularAreCaught) {
  auto make = [](std::uint64_t seed) { return swap_by_hand({.popular_decoys = true}, seed); };
  expect_caught("trained", make);
  expect_caught("fits", make);
}

// People whose private values hang on public ones; hardly any two are alike in all of these.
Table strongly_dependent_people(std::uint64_t seed) {
  CodedRows people = made_up_people(1500, seed);
  Schema schema;
  std::vector<Column> columns;
  for (std::size_t i = 0; i < people.codes.size(); ++i) {
    bool is_public = i < made_up_publics;
    schema.attributes.push_back(attribute("c" + std::to_string(i),
                                          is_public ? Visibility::Public : Visibility::Private,
                                          people.domains[i] - 1));
    std::vector<ValueId> values;
    for (std::uint32_t code : people.codes[i]) {
      values.push_back(ValueId{static_cast<std::uint16_t>(code)});
    }
    columns.emplace_back(people.domains[i] - 1, values);
  }
  return Table(std::move(schema), std::move(columns), RowNames(RowNumbers{people.rows}));
}

// Vectors that travel whole among people with other public values: who knows people sees which of
// them fit, and so which rows kept their own.
TEST(Mutants, SwapOnCoarseRungsIsCaught) {
  for (const char* level : {"population", "trained"}) {
    expect_caught(level, [](std::uint64_t seed) {
      Table table = strongly_dependent_people(seed);
      HandSwap how{.rungs = {{AttributeId{0}}}};
      Profiles profiles = hand_swap(table, how, seed);
      Mechanism mechanism = declared("swap-exact", how.l);
      mechanism.ladder = how.rungs;
      return Defended{std::move(table), std::move(mechanism), std::move(profiles)};
    });
  }
}

TEST(Mutants, SetsOneShortAreCaught) {
  expect_caught("fits", [](std::uint64_t seed) {
    Table table = small_table(rows, seed);
    Profiles profiles = protected_profiles(table, declared("random", 2), seed);
    return Defended{std::move(table), declared("random", 3), std::move(profiles)};
  });
}

// Ranks as it should, but for ties.
class SortedTies : public attack::Target {
 public:
  SortedTies(const Table& table, Index index, std::uint32_t k)
      : table_(table), index_(std::move(index)), k_(k) {}

  Result<std::vector<std::uint32_t>> query(const Query& query) override {
    auto scores = index_.scores(query).values;
    std::vector<std::uint32_t> order(scores.size());
    for (std::uint32_t row = 0; row < order.size(); ++row) order[row] = row;
    AttributeId last{table_.schema().size() - 1};
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (scores[a] != scores[b]) return scores[a] > scores[b];
      return +table_.value(RowId{a}, last) < +table_.value(RowId{b}, last);
    });
    order.resize(std::min<std::size_t>(order.size(), k_));
    return order;
  }
  Result<std::uint32_t> insert(std::span<const ValueId>) override {
    return wrong_use("this ranking takes no rows");
  }
  bool takes_inserts() const override { return false; }

 private:
  const Table& table_;
  Index index_;
  std::uint32_t k_;
};

TEST(Mutants, TiesInTheOrderOfAPrivateValueAreCaught) {
  auto table = std::make_shared<Table>();
  expect_caught("ties", [&](std::uint64_t seed) {
    Defended defended = swap_by_hand({}, seed);
    *table = defended.table;
    Index index =
        Index::build(public_part(*table), defended.profiles, {.scheme = "swap-exact", .l = 3});
    defended.target = [table, index]() -> Result<std::unique_ptr<attack::Target>> {
      return std::unique_ptr<attack::Target>(new SortedTies(*table, index, 50));
    };
    return defended;
  });
}

// Draws anew for every question, from a few draws made beforehand.
class Forgetful : public attack::Target {
 public:
  explicit Forgetful(std::vector<Index> draws) : draws_(std::move(draws)) {}

  Result<std::vector<std::uint32_t>> query(const Query& query) override {
    std::vector<std::uint32_t> answer;
    for (const Hit& hit : draws_[asked_++ % draws_.size()].rank(query, {.k = 50}).hits) {
      answer.push_back(+hit.row);
    }
    return answer;
  }
  Result<std::uint32_t> insert(std::span<const ValueId>) override {
    return wrong_use("this ranking takes no rows");
  }
  bool takes_inserts() const override { return false; }

 private:
  std::vector<Index> draws_;
  std::size_t asked_ = 0;
};

TEST(Mutants, AnswersDrawnAnewForEveryQuestionAreCaught) {
  expect_caught("repeats", [](std::uint64_t seed) {
    Defended defended = swap_by_hand({}, seed);
    std::vector<Index> draws;
    for (std::uint64_t key = 0; key < 3; ++key) {
      draws.push_back(Index::build(public_part(defended.table),
                                   hand_swap(defended.table, {}, seed + 100 * key),
                                   {.scheme = "swap-exact", .l = 3}));
    }
    defended.target = [draws]() -> Result<std::unique_ptr<attack::Target>> {
      return std::unique_ptr<attack::Target>(new Forgetful(draws));
    };
    return defended;
  });
}

TEST(Mutants, BuildsThatDrawAnewAreCaught) {
  for (const char* scheme : {"swap-exact", "cluster", "capped", "ldp"}) {
    SCOPED_TRACE(scheme);
    expect_caught("repeats", [&](std::uint64_t seed) {
      Table table = small_table(rows, seed);
      Mechanism mechanism = declared(scheme, 3);
      Profiles profiles = protected_profiles(table, mechanism, seed);
      std::vector<Profiles> others = {protected_profiles(table, mechanism, seed + 1000)};
      return Defended{std::move(table), mechanism, std::move(profiles), std::move(others)};
    });
  }
}

TEST(Mutants, StrengthsOneLevelTooHighAreCaught) {
  expect_caught("fits", [](std::uint64_t seed) {
    Table table = small_table(rows, seed);
    Mechanism mechanism = declared("capped", 3);
    Profiles sound = protected_profiles(table, mechanism, seed);
    auto loud = std::get<LevelProfiles>(sound.kinds());
    for (std::uint32_t j = 0; j < loud.domain_sizes().size(); ++j) {
      for (std::uint32_t row = 0; row < loud.rows(); ++row) {
        auto strength = [&](std::uint16_t v) {
          return loud.strength(RowId{row}, PrivateId{j}, ValueId{v});
        };
        std::uint16_t top = 0;
        for (std::uint16_t v = 1; v < loud.domain_sizes()[j]; ++v) {
          if (strength(v) > strength(top)) top = v;
        }
        loud.set(RowId{row}, PrivateId{j}, ValueId{top}, strength(top) + 1);
      }
    }
    return Defended{std::move(table), mechanism, Profiles(std::move(loud))};
  });
}

TEST(Mutants, ACoinThatKeepsTwiceAsOftenIsCaught) {
  expect_caught("trained",
                [](std::uint64_t seed) { return swap_by_hand({.keep = 2.0 / 3}, seed); });
}

TEST(Mutants, ACoinOneLevelOffIsCaught) {
  expect_caught("trained",
                [](std::uint64_t seed) { return swap_by_hand({.keep = 1.0 / 2}, seed); });
}

TEST(Mutants, SignalsThatCountForLAboveTheDeclaredOneAreCaught) {
  expect_caught("fits", [](std::uint64_t seed) {
    Table table = small_table(rows, seed);
    Profiles profiles = protected_profiles(table, declared("swap-exact", 2), seed);
    return Defended{std::move(table), declared("swap-exact", 3), std::move(profiles)};
  });
}

TEST(Mutants, AForgottenAttributeIsCaught) {
  expect_caught("trained", [](std::uint64_t seed) { return swap_by_hand({.forgotten = 1}, seed); });
  expect_caught("fits", [](std::uint64_t seed) {
    Table table = small_table(rows, seed);
    Mechanism mechanism = declared("ldp", 3);
    Profiles sound = protected_profiles(table, mechanism, seed);
    auto open = std::get<LevelProfiles>(sound.kinds());
    for (std::uint32_t row = 0; row < open.rows(); ++row) {
      ValueId own = table.value(RowId{row}, AttributeId{3});
      for (std::uint16_t v = 0; v < open.domain_sizes()[0]; ++v) {
        open.set(RowId{row}, PrivateId{0}, ValueId{v}, ValueId{v} == own ? open.levels() : 0);
      }
    }
    return Defended{std::move(table), mechanism, Profiles(std::move(open))};
  });
}

TEST(Mutants, SuppressedRowsThatMatchTheirOwnValueAreCaught) {
  expect_caught("fits", [](std::uint64_t seed) {
    Table table = small_table(rows, seed);
    Mechanism mechanism = declared("swap-exact", 3);
    for (std::uint32_t row = 0; row < rows; ++row) mechanism.taking_part.push_back(row % 10 != 0);
    Profiles sound = protected_profiles(table, mechanism, seed);
    auto open = std::get<GroupedProfiles>(sound.kinds());
    for (std::uint32_t row = 0; row < rows; row += 10) {
      open.signals.set(RowId{row}, PrivateId{0}, table.value(RowId{row}, AttributeId{3}));
    }
    return Defended{std::move(table), mechanism, Profiles(std::move(open))};
  });
}

// A table of few rows: most have too few others like them to hide among.
Defended with_rule(const std::string& scheme, std::uint64_t seed) {
  Table table = small_table(320, seed);
  Mechanism mechanism = declared(scheme, 3);
  mechanism.taking_part.assign(table.rows(), 1);
  mechanism.taking_part[0] = 0;
  Profiles profiles = protected_profiles(table, mechanism, seed);
  return {std::move(table), mechanism, std::move(profiles)};
}

TEST(Mutants, CoverFromPlantedRowsIsCaught) {
  for (const char* scheme : {"swap-exact", "cluster"}) {
    SCOPED_TRACE(scheme);
    expect_caught("planted", [&](std::uint64_t seed) {
      Defended defended = with_rule(scheme, seed);
      defended.rebuild = [scheme, seed](const Table& table,
                                        const std::vector<std::uint8_t>&) -> Result<Profiles> {
        return protected_profiles(table, declared(scheme, 3), seed);  // everybody covers
      };
      return defended;
    });
  }
}

TEST(Mutants, CoverFromEstablishedRowsAloneIsNotBlamed) {
  for (const char* scheme : {"swap-exact", "cluster", "capped", "ldp"}) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      SCOPED_TRACE(::testing::Message() << scheme << ", seed " << seed);
      AuditReport report = audit_of(with_rule(scheme, seed), seed);
      EXPECT_THAT(broken_by(report), IsEmpty());
      bool looked = std::any_of(report.findings.begin(), report.findings.end(),
                                [](const Finding& f) { return f.level == "planted"; });
      EXPECT_TRUE(looked);
    }
  }
}

}  // namespace
}  // namespace rankveil::audit
