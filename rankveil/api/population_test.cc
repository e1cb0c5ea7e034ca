// One ledger a key and population: every output of the same people shows the same.
#include "rankveil/api/population.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "rankveil/api/testing/owned_table.h"
#include "rankveil/protect/groups/group_sizes.h"

namespace rankveil::api {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::OwnedRow;
using testing_support::OwnedTable;

std::string refusal_of(const Result<ProtectResult>& made) {
  return made ? "nothing was refused" : made.error().message;
}

class Population : public testing::TestWithParam<std::string> {
 protected:
  Population() {
    Rng rng(3);
    owned.add(rng, 400);
  }

  GroupSizes::Hook tiny = GroupSizes::Hook(GroupSizes::all_one());
  OwnedTable owned{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Schemes, Population, testing::Values("swap", "cluster", "rr", "pvsv"),
                         [](const auto& scheme) { return scheme.param; });

// Attack 4 of the page on promises: last month's file and this month's were two answers, and rows
// that agreed in both showed their own values in .81 of all cases.
TEST_P(Population, AnotherFileNameIsNoSecondAnswer) {
  ASSERT_TRUE(owned.build("october.rankveil"));
  auto october = owned.shown("october.rankveil");
  Rng rng(8);
  owned.rows.erase(owned.rows.begin(), owned.rows.begin() + 10);
  owned.add(rng, 150);
  auto made = owned.build("november.rankveil");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(made->continued);
  EXPECT_EQ(made->counts.kept, 390U);
  auto november = owned.shown("november.rankveil");
  std::size_t both = 0;
  for (const auto& [id, strengths] : october) {
    if (!november.contains(id)) continue;
    ++both;
    ASSERT_EQ(november[id], strengths) << id;
  }
  EXPECT_EQ(both, 390U);
  auto again = owned.build("october.rankveil");
  ASSERT_TRUE(again) << "who came in November is in October's file, too";
  EXPECT_EQ(owned.shown("october.rankveil"), november);
}

TEST_P(Population, AnOutputWithFewerPublicColumnsShowsTheSame) {
  ASSERT_TRUE(owned.build("all.rankveil"));
  auto made = protect(owned.request("few.rankveil", {"city"}));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->public_attributes, 1U);
  EXPECT_EQ(owned.shown("few.rankveil"), owned.shown("all.rankveil"));
}

TEST_P(Population, AnOutputWithOtherPublicColumnsIsRefusedUnlessTheFirstRestedOnThem) {
  ASSERT_TRUE(protect(owned.request("few.rankveil", {"city"})));
  EXPECT_THAT(refusal_of(owned.build("all.rankveil")),
              HasSubstr("age is public and what rows show does not rest on it"));
  OwnedTable prepared(GetParam());
  prepared.rows = owned.rows;
  prepared.sections = "[population]\nfit_on = [\"age\"]\n";
  ASSERT_TRUE(protect(prepared.request("few.rankveil", {"city"})));
  EXPECT_TRUE(prepared.build("all.rankveil"));
}

TEST_P(Population, AnotherLIsRefused) {
  ASSERT_TRUE(owned.build());
  owned.l = 2;
  EXPECT_THAT(
      refusal_of(owned.build("other.rankveil")),
      AllOf(HasSubstr("l was 3 in the last build and is 2 now"), HasSubstr("--new-release")));
}

TEST_P(Population, ALedgerOfAnOlderVersionIsNotPassedOver) {
  std::string key = SecretKey::from_seed(1).fingerprint();
  std::string head =
      R"({"kind":"rankveil ledger","version":1,"parameters":{"key":")" + key + "\"}}\n";
  ASSERT_TRUE(write_text(owned.path("old.rankveil.ledger"), head));
  EXPECT_THAT(refusal_of(owned.build()), HasSubstr("was begun with this key by an older version"));
  ProtectRequest anew = owned.request();
  anew.new_release = true;
  EXPECT_TRUE(protect(anew));
}

// ---- A larger l ----

class LargerL : public testing::Test {
 protected:
  LargerL() {
    Rng rng(3);
    owned.add(rng, 400);
    EXPECT_TRUE(owned.build("near.rankveil"));
  }

  Result<ProtectResult> build_under(std::uint32_t l, const std::string& output) {
    owned.l = l;
    auto made = owned.build(output);
    owned.l = 3;
    return made;
  }

  GroupSizes::Hook tiny = GroupSizes::Hook(GroupSizes::all_one());
  OwnedTable owned{"swap"};
};

TEST_F(LargerL, IsAnOutputThatShowsLessAndGoesOnShowingIt) {
  auto made = build_under(5, "far.rankveil");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->l, 5U);
  EXPECT_EQ(made->coverage.covered, 400U);
  auto near = owned.signals("near.rankveil"), far = owned.signals("far.rankveil");
  EXPECT_NE(near, far);

  Rng rng(8);
  owned.rows.erase(owned.rows.begin(), owned.rows.begin() + 10);
  owned.add(rng, 150);
  made = build_under(5, "far.rankveil");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.kept, 390U);
  EXPECT_EQ(made->counts.waiting, 150U) << "nobody is released here";
  ASSERT_TRUE(owned.build("near.rankveil"));
  made = build_under(5, "later.rankveil");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.kept, 390U);
  EXPECT_EQ(made->counts.released, 150U);
  auto near_now = owned.signals("near.rankveil"), far_now = owned.signals("later.rankveil");
  for (const OwnedRow& row : owned.rows) {
    if (!near.contains(row.id)) continue;
    EXPECT_EQ(near_now[row.id], near[row.id]) << row.id;
    EXPECT_EQ(far_now[row.id], far[row.id]) << row.id;
  }
}

TEST_F(LargerL, FilesOfTwoLDoNotReplaceEachOther) {
  EXPECT_THAT(refusal_of(build_under(5, "near.rankveil")), HasSubstr("was made under l = 3"));
  ASSERT_TRUE(build_under(5, "far.rankveil"));
  auto before = owned.files();
  EXPECT_THAT(refusal_of(owned.build("far.rankveil")), HasSubstr("was made under l = 5"));
  EXPECT_THAT(refusal_of(build_under(7, "far.rankveil")), HasSubstr("was made under l = 5"));
  EXPECT_THAT(refusal_of(build_under(2, "two.rankveil")), HasSubstr("l was 3 in the last build"));
  EXPECT_EQ(owned.files(), before);
}

TEST_F(LargerL, NeedsWhatItShowedLast) {
  ASSERT_TRUE(build_under(5, "far.rankveil"));
  std::filesystem::remove(owned.path("far.rankveil"));
  EXPECT_THAT(refusal_of(build_under(5, "other.rankveil")), HasSubstr("far.rankveil"));
  ASSERT_TRUE(owned.build("near.rankveil")) << "which does not go on from it";
}

TEST_F(LargerL, NeedsNames) {
  owned.keys = "ids = \"none\"";
  EXPECT_THAT(refusal_of(build_under(5, "far.rankveil")), HasSubstr("ids = \"keyed\""));
  owned.keys = "ids = \"keyed\"";
  EXPECT_TRUE(build_under(5, "far.rankveil"));
  EXPECT_TRUE(build_under(5, "far.rankveil"));
}

TEST_F(LargerL, GoesOnWhereAValueIsCalledOtherwise) {
  ASSERT_TRUE(build_under(5, "far.rankveil"));
  auto far = owned.signals("far.rankveil");
  for (OwnedRow& row : owned.rows) {
    if (row.religion == "r1") row.religion = "q";
  }
  owned.sections = "[column.religion.renamed]\nr1 = \"q\"\n";
  ASSERT_TRUE(owned.build("near.rankveil"));
  ASSERT_TRUE(build_under(5, "far.rankveil"));
  for (auto& [id, signals] : owned.signals("far.rankveil")) {
    bool was = far[id].erase("religion=r1") > 0;
    if (was) far[id].insert("religion=q");
    EXPECT_EQ(signals, far[id]) << id;
  }
}

// The release's own index is older than the ledger then.
TEST_F(LargerL, WhoIsWithdrawnMeanwhileStaysSo) {
  std::map<std::string, std::string> illness;
  for (std::size_t i = 0; i < 12; ++i) {
    illness[owned.rows[i].id] = owned.rows[i].illness;
    owned.rows[i].illness = owned.rows[i].illness == "i0" ? "i1" : "i0";
  }
  auto made = build_under(5, "far.rankveil");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.withdrawn, 24U);
  made = owned.build("near.rankveil");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.withdrawn, 24U);
  auto near = owned.signals("near.rankveil"), far = owned.signals("far.rankveil");
  EXPECT_EQ(near.size(), 376U);
  EXPECT_EQ(far.size(), 376U);
  for (const auto& [id, own] : illness) {
    EXPECT_FALSE(near.contains(id) || far.contains(id)) << id;
  }
}

TEST_P(Population, ARefusedBuildWritesNothing) {
  ASSERT_TRUE(owned.build());
  auto before = owned.files();
  for (OwnedRow& row : owned.rows) {
    if (row.religion == "r1") row.religion = "q";
  }
  EXPECT_THAT(refusal_of(owned.build()), HasSubstr("[column.religion.renamed]"));
  EXPECT_EQ(owned.files(), before);
  owned.sections = "[column.religion.renamed]\nr1 = \"q\"\n";
  auto made = owned.build();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.withdrawn + made->counts.changed, 0U);
}

TEST_P(Population, AnotherBuildOfTheSamePeopleHasToWait) {
  ASSERT_TRUE(owned.build());
  auto before = owned.files();
  {
    auto busy = PopulationLedger::open(owned.ledger());
    ASSERT_TRUE(busy);
    auto made = owned.build("other.rankveil");
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::Io);
    EXPECT_THAT(made.error().message, HasSubstr("another build works with"));
  }
  EXPECT_EQ(owned.files(), before);
}

// Killed after the new ledger was written, or after the index was: the index decides.
TEST_P(Population, ABuildThatIsStoppedCountsIfItsIndexIsThere) {
  ASSERT_TRUE(owned.build());
  auto old_files = owned.files();
  Rng rng(8);
  owned.add(rng, 150);
  ASSERT_TRUE(owned.build());
  auto new_files = owned.files();
  std::string name = "people.key.default.ledger";
  auto stop = [&](bool index_written) {
    const auto& index = index_written ? new_files : old_files;
    EXPECT_TRUE(write_text(owned.path("people.rankveil"), index.at("people.rankveil")));
    for (const auto& [file, text] :
         {std::pair(name, old_files.at(name)), std::pair(name + ".next", new_files.at(name))}) {
      EXPECT_TRUE(write_text(owned.path(file), text));
      EXPECT_EQ(::chmod(owned.path(file).c_str(), 0600), 0);
    }
  };
  stop(true);
  auto counted = owned.build("more.rankveil");
  ASSERT_TRUE(counted) << counted.error().message;
  EXPECT_EQ(counted->counts.released, 0U);
  EXPECT_EQ(counted->counts.kept, 550U);
  std::filesystem::remove(owned.path("more.rankveil"));
  stop(false);
  auto dropped = owned.build("more.rankveil");
  ASSERT_TRUE(dropped) << dropped.error().message;
  EXPECT_EQ(dropped->counts.kept, 400U);
  EXPECT_FALSE(std::filesystem::exists(owned.path(name + ".next")));
}

TEST_P(Population, OtherPeopleHaveALedgerOfTheirOwn) {
  ASSERT_TRUE(owned.build());
  Rng rng(77);
  owned.rows.clear();
  owned.add(rng, 300);
  EXPECT_THAT(refusal_of(owned.build("others.rankveil")), HasSubstr("--people-changed"));
  owned.sections = "[population]\nname = \"others\"\n";
  auto made = owned.build("others.rankveil");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_FALSE(made->continued);
  EXPECT_EQ(made->ledger, owned.path("people.key.others.ledger"));
  EXPECT_THAT(refusal_of(owned.build("people.rankveil")), HasSubstr("was not made from"));
}

TEST_P(Population, TheLedgerCanStandElsewhere) {
  std::filesystem::create_directory(owned.path("books"));
  owned.sections = "[population]\nledger = \"" + owned.path("books/people.ledger") + "\"\n";
  auto made = owned.build();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(std::filesystem::exists(owned.path("books/people.ledger")));
  EXPECT_FALSE(std::filesystem::exists(owned.ledger()));
}

TEST_P(Population, FilesMayMoveTogether) {
  ASSERT_TRUE(owned.build("here.rankveil"));
  auto before = owned.shown("here.rankveil");
  std::filesystem::create_directory(owned.path("there"));
  std::filesystem::rename(owned.path("here.rankveil"), owned.path("there/here.rankveil"));
  EXPECT_THAT(refusal_of(owned.build("new.rankveil")), HasSubstr("that index is not there"));
  ASSERT_TRUE(owned.build("there/here.rankveil"));
  EXPECT_EQ(owned.shown("there/here.rankveil"), before);
}

// Behind what the file says about itself; nothing of it can be opened any more.
void damage(const std::string& path) {
  auto text = *read_text(path);
  text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 0x55);
  ASSERT_TRUE(write_text(path, text));
  ASSERT_FALSE(open_index(path));
}

bool warns_of(const ProtectResult& made, std::string_view words) {
  return std::ranges::any_of(made.warnings, [&](const std::string& warning) {
    return warning.find(words) != std::string::npos;
  });
}

TEST_P(Population, ADamagedIndexIsMadeAgain) {
  ASSERT_TRUE(owned.build());
  auto before = owned.shown();
  damage(owned.path("people.rankveil"));
  if (GetParam() == "pvsv") {
    EXPECT_THAT(refusal_of(owned.build()), HasSubstr("hangs on the queries of then"));
    return;
  }
  auto made = owned.build();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(made->continued);
  EXPECT_EQ(made->release, 1U);
  EXPECT_EQ(made->counts.kept, 400U);
  EXPECT_EQ(made->counts.released, 0U);
  EXPECT_TRUE(warns_of(*made, "does not match its checksum. What rows show was taken from"));
  EXPECT_EQ(owned.shown(), before);
  auto again = owned.build();
  ASSERT_TRUE(again) << "and the next build goes on from it: " << again.error().message;
  EXPECT_FALSE(warns_of(*again, "taken from"));
  EXPECT_EQ(owned.shown(), before);
}

TEST_P(Population, NothingIsLeftOfTheIndex) {
  ASSERT_TRUE(owned.build());
  auto before = owned.shown();
  ASSERT_TRUE(write_text(owned.path("people.rankveil"), ""));
  if (GetParam() == "pvsv") {
    EXPECT_THAT(refusal_of(owned.build()), HasSubstr("hangs on the queries of then"));
    return;
  }
  auto made = owned.build();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(owned.shown(), before);
}

TEST(DamagedIndex, GoesOnWithPeopleWhoCameAndLeft) {
  GroupSizes::Hook tiny(GroupSizes::all_one());
  OwnedTable owned("swap");
  Rng rng(3);
  owned.add(rng, 400);
  ASSERT_TRUE(owned.build());
  owned.add(rng, 150);
  owned.rows.erase(owned.rows.begin(), owned.rows.begin() + 10);
  ASSERT_TRUE(owned.build());
  auto before = owned.signals("people.rankveil");
  damage(owned.path("people.rankveil"));
  owned.rows.erase(owned.rows.begin(), owned.rows.begin() + 5);
  owned.add(rng, 20);
  auto made = owned.build();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.kept, 535U);
  EXPECT_EQ(made->counts.gone, 5U);
  auto after = owned.signals("people.rankveil");
  std::size_t both = 0;
  for (const auto& [id, values] : before) {
    auto found = after.find(id);
    if (found == after.end()) continue;
    ++both;
    ASSERT_EQ(found->second, values) << id;
  }
  EXPECT_EQ(both, 535U);
}

// What old and new public values tell of a coin is weighed as if the index were whole.
TEST(DamagedIndex, KnowsThePublicValuesOfThen) {
  GroupSizes::Hook tiny(GroupSizes::all_one());
  std::vector<std::uint64_t> moved;
  std::vector<double> beliefs;
  std::vector<OwnedTable::Shown> shown;
  for (bool damaged : {false, true}) {
    OwnedTable owned("swap");
    Rng rng(3);
    owned.add(rng, 400);
    ASSERT_TRUE(owned.build());
    if (damaged) damage(owned.path("people.rankveil"));
    for (int i = 0; i < 40; ++i) {
      owned.rows[i].city = owned.rows[i].city == "city0" ? "city1" : "city0";
    }
    auto made = owned.build();
    ASSERT_TRUE(made) << made.error().message;
    moved.push_back(made->counts.moved + made->counts.moved_out_now);
    beliefs.push_back(made->counts.moved_belief);
    shown.push_back(owned.shown());
  }
  EXPECT_EQ(moved[0], 40U);
  EXPECT_EQ(moved[1], moved[0]);
  EXPECT_EQ(beliefs[1], beliefs[0]);
  EXPECT_EQ(shown[1], shown[0]);
}

TEST(DamagedIndex, IsRefusedWhereAPublicValueOfThenIsUnknown) {
  GroupSizes::Hook tiny(GroupSizes::all_one());
  OwnedTable owned("swap");
  Rng rng(3);
  owned.add(rng, 400);
  ASSERT_TRUE(owned.build());
  damage(owned.path("people.rankveil"));
  auto files = owned.files();
  for (OwnedRow& row : owned.rows) {
    if (row.city == "city0") row.city = "town0";
  }
  EXPECT_THAT(refusal_of(owned.build()), HasSubstr("build from the table of then once"));
  EXPECT_EQ(owned.files(), files);
}

TEST(DamagedIndex, IsRefusedWhereTheLedgerDoesNotTellIt) {
  GroupSizes::Hook tiny(GroupSizes::all_one());
  OwnedTable owned("cluster");
  Rng rng(3);
  owned.add(rng, 400);
  ASSERT_TRUE(owned.build());
  std::string whole = *read_text(owned.path("people.rankveil"));
  damage(owned.path("people.rankveil"));
  owned.rows[7].religion = owned.rows[7].religion == "r0" ? "r1" : "r0";
  EXPECT_THAT(refusal_of(owned.build()), HasSubstr("comes out otherwise from this table"));
  ASSERT_TRUE(write_text(owned.path("people.rankveil"), whole));
  ASSERT_TRUE(owned.build());
  damage(owned.path("people.rankveil"));
  EXPECT_THAT(refusal_of(owned.build()), HasSubstr("was built several times"));
}

TEST(DamagedIndex, IsRefusedWhereItIsYoungerThanTheLedger) {
  GroupSizes::Hook tiny(GroupSizes::all_one());
  OwnedTable owned("swap");
  Rng rng(3);
  owned.add(rng, 400);
  ASSERT_TRUE(owned.build());
  std::string older = *read_text(owned.ledger());
  owned.add(rng, 150);
  ASSERT_TRUE(owned.build());
  damage(owned.path("people.rankveil"));
  ASSERT_TRUE(write_text(owned.ledger(), older));
  std::filesystem::permissions(owned.ledger(), std::filesystem::perms(0600));
  EXPECT_THAT(refusal_of(owned.build()), HasSubstr("what is there cannot be read"));
}

TEST_P(Population, NewIdsComeFromAFile) {
  ASSERT_TRUE(owned.build());
  auto before = owned.shown();
  std::string list = "old,new\n";
  for (OwnedRow& row : owned.rows) {
    list += row.id + ",n" + row.id + "\n";
    row.id = "n" + row.id;
  }
  ASSERT_TRUE(write_text(owned.path("ids.csv"), list));
  EXPECT_THAT(refusal_of(owned.build()), HasSubstr("--ids-from FILE"));
  ProtectRequest request = owned.request();
  request.ids_from = owned.path("ids.csv");
  auto made = protect(request);
  ASSERT_TRUE(made) << made.error().message;
  auto after = owned.shown();
  for (const auto& [id, strengths] : before) ASSERT_EQ(after["n" + id], strengths);
  // A nightly build that nobody told of the first must not be sent to --new-release.
  EXPECT_THAT(refusal_of(protect(request)), HasSubstr("leave --ids-from out"));
  request.ids_from.clear();
  ASSERT_TRUE(protect(request));
  EXPECT_EQ(owned.shown(), after);
}

TEST_P(Population, AnotherKeyIsAnotherReleaseAndSaysItsPrice) {
  ASSERT_TRUE(owned.build());
  ASSERT_TRUE(write_key_file(SecretKey::from_seed(2), owned.path("new.key")));
  ProtectRequest request = owned.request();
  request.key_path = owned.path("new.key");
  EXPECT_THAT(refusal_of(protect(request)), HasSubstr("was not made from"));
  request.new_key = true;
  auto made = protect(request);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->release, 2U);
  EXPECT_THAT(made->warnings, testing::Contains(HasSubstr("in .93 of all cases")));
  EXPECT_THAT(made->holds_against, testing::Not(testing::Contains(AdversaryLevel::Intersecting)));
}

// Attack 4: two keys were two answers, and rows that agreed showed their own values in .93.
TEST_P(Population, ASecondKeyOfTheSamePeopleIsRefused) {
  ASSERT_TRUE(owned.build());
  ASSERT_TRUE(write_key_file(SecretKey::from_seed(2), owned.path("second.key")));
  ProtectRequest request = owned.request("second.rankveil");
  request.key_path = owned.path("second.key");
  auto before = owned.files();
  std::string last_step;
  request.input.progress = [&](std::string_view step, double) { last_step = step; };
  auto refused = protect(request);
  EXPECT_THAT(refusal_of(refused),
              AllOf(HasSubstr("people.key.default.ledger has the same people under another key"),
                    HasSubstr("--new-key")));
  EXPECT_THAT(last_step, HasSubstr("protecting with")) << "nothing is exchanged before";
  request.input.progress = {};
  EXPECT_EQ(refused.error().code, ErrorCode::WrongUse);
  EXPECT_EQ(owned.files(), before);
  request.new_release = true;
  EXPECT_THAT(refusal_of(protect(request)), HasSubstr("--new-key")) << "there is no old release";
  request.new_release = false;
  request.new_key = true;
  EXPECT_TRUE(protect(request));
  request.new_key = false;
  auto again = protect(request);
  EXPECT_TRUE(again) << "said once, it need not be said again: " << refusal_of(again);
}

TEST_P(Population, ASecondKeyIsSeenThoughATenthHasChangedAndAThirdIsNew) {
  ASSERT_TRUE(owned.build());
  ASSERT_TRUE(write_key_file(SecretKey::from_seed(2), owned.path("second.key")));
  Rng rng(4);
  for (std::size_t i = 0; i < owned.rows.size(); i += 10) owned.rows[i].city = "city9";
  owned.rows.erase(owned.rows.begin(), owned.rows.begin() + 130);
  owned.add(rng, 130);
  ProtectRequest request = owned.request("second.rankveil");
  request.key_path = owned.path("second.key");
  EXPECT_THAT(refusal_of(protect(request)), HasSubstr("--new-key"));
}

// Numbers for ids, the same columns and values: nothing but chance joins the two.
TEST_P(Population, ATableOfOtherPeopleWithTheSameIdsMayHaveAKeyBesideIt) {
  ASSERT_TRUE(owned.build());
  for (std::uint32_t seed = 2; seed < 12; ++seed) {
    std::string name = fmt::format("key{}", seed);
    ASSERT_TRUE(write_key_file(SecretKey::from_seed(seed), owned.path(name)));
    Rng rng(100 + seed);
    for (OwnedRow& row : owned.rows) {
      std::string id = row.id;
      row = owned.person(rng);
      row.id = id;
    }
    ProtectRequest request = owned.request(name + ".rankveil");
    request.key_path = owned.path(name);
    auto made = protect(request);
    ASSERT_TRUE(made) << seed << ": " << refusal_of(made);
  }
}

// Attack 5: without a word on who is real, anybody's rows are cover.
TEST_P(Population, WithoutEstablishedRowsNothingIsPromisedAgainstPlantedOnes) {
  bool takes_cover = find_scheme(GetParam())->takes_cover;
  auto made = owned.build();
  ASSERT_TRUE(made);
  EXPECT_EQ(made->planted_rows_count, takes_cover);
  auto index = open_index(owned.path("people.rankveil"));
  const Json* note = index->info().notes.find("planted");
  EXPECT_EQ(note != nullptr, takes_cover);
  if (takes_cover) {
    EXPECT_EQ(*note->as_text(), "no promise against planted rows");
    EXPECT_THAT(made->warnings, testing::Contains(HasSubstr("no rule \"established\"")));
  }
  OwnedTable careful(GetParam());
  careful.rows = owned.rows;
  careful.keys = "established = { column = \"city\", is = \"city1\" }";
  auto established = careful.build();
  ASSERT_TRUE(established) << established.error().message;
  EXPECT_FALSE(established->planted_rows_count);
  auto promised = open_index(careful.path("people.rankveil"));
  EXPECT_EQ(promised->info().notes.find("planted"), nullptr);
}

}  // namespace
}  // namespace rankveil::api
