#include "rankveil/protect/life/moved_rows.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "rankveil/protect/release/release.h"
#include "rankveil/protect/scheme.h"

namespace rankveil {
namespace {

// People of three towns; what they have depends on the town, and each town has somebody of all.
struct Townsfolk {
  std::vector<std::string> town, illness;
};

const std::vector<std::string> towns = {"east", "middle", "west"};
const std::vector<std::string> illnesses = {"flu", "gout"};

Townsfolk townsfolk() {
  Townsfolk all;
  for (int i = 0; i < 3000; ++i) {
    int town = i % 3;
    int often = town == 0 ? 10 : town == 1 ? 30 : 90;  // of 100 have gout
    all.town.push_back(towns[static_cast<std::size_t>(town)]);
    all.illness.push_back(illnesses[i / 3 % 100 < often ? 1 : 0]);
  }
  return all;
}

Column coded(const std::vector<std::string>& texts, const Domain& domain) {
  std::vector<ValueId> values;
  for (const std::string& text : texts) values.push_back(*domain.find(text));
  return Column(domain.size(), values);
}

Table table_of_townsfolk(const Townsfolk& all, const std::vector<std::string>& all_towns) {
  Schema schema{{{"town", Visibility::Public, 1, *Domain::of(all_towns)},
                 {"illness", Visibility::Private, 1, *Domain::of(illnesses)}},
                "id"};
  TextNames names;
  for (std::size_t i = 0; i < all.town.size(); ++i) {
    names.bytes += fmt::format("p{}", i);
    names.ends.push_back(names.bytes.size());
  }
  return Table(schema,
               {coded(all.town, schema.attributes[0].domain),
                coded(all.illness, schema.attributes[1].domain)},
               RowNames(std::move(names)));
}

class Moves : public testing::Test {
 protected:
  Moves() {
    demand_.scheme = "swap";
    Table table = table_of_townsfolk(all_, towns_);
    Workload none;
    auto made = first_release({.table = table, .workload = none, .demand = demand_, .key = key_});
    EXPECT_TRUE(made) << made.error().message;
    store(*made);
  }

  void store(Release& made) {
    index_.emplace(Index::build(public_part(made.table), made.profiles,
                                {"swap", 3, 10, Json().set("build", made.ledger.build)}));
    ledger_ = std::move(made.ledger);
    profiles_.emplace(std::move(made.profiles));
  }

  ReleaseCounts build() {
    auto table = align(table_of_townsfolk(all_, towns_), ledger_, &index_->schema(), {});
    EXPECT_TRUE(table);
    Workload none;
    auto made = next_release({.table = *table, .workload = none, .demand = demand_, .key = key_},
                             *index_, ledger_);
    EXPECT_TRUE(made) << made.error().message;
    ReleaseCounts counts = made->counts;
    store(*made);
    return counts;
  }

  double strength(std::uint32_t row, std::uint16_t illness) const {
    return profiles_->match(RowId{row}, PrivateId{0}, ValueId{illness});
  }
  // Of a town, somebody who shows this.
  std::uint32_t somebody(std::size_t town, std::uint16_t illness) const {
    for (std::uint32_t row = 0; row < all_.town.size(); ++row) {
      bool shows = ledger_.codes[ledger_.rows.at(fmt::format("p{}", row)).at + 2] == illness;
      if (all_.town[row] == towns[town] && shows) return row;
    }
    ADD_FAILURE() << "nobody in " << towns[town] << " shows " << illnesses[illness];
    return 0;
  }

  std::vector<std::string> towns_ = towns;
  Townsfolk all_ = townsfolk();
  SecretKey key_ = SecretKey::from_seed(3);
  Demand demand_;
  std::optional<Index> index_;
  std::optional<Profiles> profiles_;
  Ledger ledger_;
};

// Gout was given to few in the east by trade, and most in the west have it: it is the own one.
TEST_F(Moves, WhoShowsWhatFitsTheNewTownBetterShowsTheBaseAlone) {
  std::uint32_t row = somebody(0, 1);
  all_.town[row] = "west";
  ReleaseCounts counts = build();
  EXPECT_EQ(counts.moved, 0U);
  EXPECT_EQ(counts.moved_out_now, 1U);
  EXPECT_EQ(ledger_.rows.at(fmt::format("p{}", row)).status, RowStatus::Company);
  EXPECT_NEAR(strength(row, 1), strength(somebody(2, 1), 1) * 1.5 - 0.5, 1e-6) << "in full";
  EXPECT_EQ(ledger_.scheme_state.find("moved"), nullptr);
}

TEST_F(Moves, WhoseValueFitsTheOldTownKeepsItBesideTheNewBase) {
  std::uint32_t row = somebody(0, 0), neighbour = somebody(2, 0);
  double before = strength(row, 0);
  all_.town[row] = "west";
  ReleaseCounts counts = build();
  EXPECT_EQ(counts.moved, 1U);
  EXPECT_EQ(counts.moved_out_now, 0U);
  EXPECT_LT(counts.moved_belief, 1.0 / 3);
  EXPECT_NE(strength(row, 0), before);
  EXPECT_EQ(strength(row, 0), strength(neighbour, 0));
}

// Either move alone tells less than .7.
TEST_F(Moves, StepsAddUp) {
  std::uint32_t row = somebody(0, 1);
  for (const char* town : {"middle", "west"}) {
    all_.town[row] = town;
    build();
    build();
  }
  EXPECT_EQ(ledger_.rows.at(fmt::format("p{}", row)).status, RowStatus::Company);

  std::uint32_t other = somebody(1, 1);
  all_.town[other] = "west";
  ReleaseCounts counts = build();
  EXPECT_EQ(counts.moved, 1U);
  EXPECT_GT(counts.moved_belief, 1.0 / 3);
  EXPECT_LT(counts.moved_belief, max_believed_of_moved);
}

// A town may only be called otherwise.
TEST_F(Moves, ValuesThatNobodyHadSayNothing) {
  std::uint32_t row = somebody(0, 1);
  double before = strength(row, 1);
  towns_.push_back("far west");
  all_.town[row] = "far west";
  ReleaseCounts counts = build();
  EXPECT_EQ(counts.moved + counts.moved_out_now, 0U);
  EXPECT_EQ(strength(row, 1), before);
  all_.town[row] = "west";
  EXPECT_EQ(build().moved_out_now, 1U) << "it is known what it was released with";
}

TEST_F(Moves, NobodyElseIsTouched) {
  std::vector<double> before;
  for (std::uint32_t row = 0; row < 3000; ++row) before.push_back(strength(row, 1));
  std::uint32_t row = somebody(0, 1);
  all_.town[row] = "west";
  build();
  for (std::uint32_t other = 0; other < 3000; ++other) {
    if (other == row) continue;
    ASSERT_EQ(strength(other, 1), before[other]) << other;
  }
}

}  // namespace
}  // namespace rankveil
