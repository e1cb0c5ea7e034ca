#include "rankveil/audit/publication_audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/audit/gate.h"
#include "rankveil/audit/report_junit.h"
#include "rankveil/audit/report_sarif.h"

namespace rankveil::audit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Two groups of four by points. The first shows one pay only when `homogeneous`.
struct Scene {
  publish::Publication publication;
  publish::Truth truth;

  explicit Scene(bool homogeneous) {
    truth.ranking = {{9, 8, 8, 7, 6, 5, 5, 4, 1, 1}};
    truth.scores = truth.ranking[0];
    truth.texts = {{"age", {"20", "30", "40"}, {0, 1, 0, 1, 2, 2, 2, 2, 0, 1}},
                   {"pay",
                    {"low", "high"},
                    homogeneous ? std::vector<std::uint32_t>{0, 0, 0, 0, 0, 1, 0, 1, 1, 1}
                                : std::vector<std::uint32_t>{0, 1, 0, 1, 0, 1, 0, 1, 1, 0}}};
    publication.columns = {"points"};
    publication.score = "points";
    publication.top = 8;
    publication.k = 4;
    publication.diversity.distinct = 2;
    publication.groups = {group({7, 9}, {20, 30}, homogeneous ? Pay{{"low", 4}} : even()),
                          group({4, 6}, {40, 40}, even())};
  }

  using Pay = std::vector<std::pair<std::string, std::uint64_t>>;
  static Pay even() { return {{"high", 2}, {"low", 2}}; }
  static publish::PublishedGroup group(publish::Range points, publish::Range age, Pay pay) {
    publish::PublishedGroup one{
        .ranges = {points}, .score = points, .members = 4, .true_positives = 4, .precision = 1};
    one.quasi = {{.column = "age", .range = age}};
    one.sensitive = {{.column = "pay", .values = std::move(pay)}};
    return one;
  }

  PublicationReport run() const { return audit_publication(publication, truth); }
};

const Finding* find(const PublicationReport& report, const std::string& attribute,
                    const std::string& level) {
  for (const Finding& finding : report.audit.findings) {
    if (finding.attribute == attribute && finding.level == level) return &finding;
  }
  return nullptr;
}

TEST(PublicationAudit, KeepsItsPromiseWhereGroupsAreDiverse) {
  PublicationReport report = Scene(false).run();
  EXPECT_THAT(report.verification.problems, IsEmpty());
  EXPECT_EQ(report.audit.overall(), Verdict::Kept);
  const Finding* pay = find(report, "pay", "scores");
  ASSERT_NE(pay, nullptr);
  EXPECT_EQ(pay->attempts, 8U);
  EXPECT_EQ(pay->rate, 0.5);
  EXPECT_EQ(pay->certain, 0);
  EXPECT_EQ(find(report, "group", "scores")->rate, 1);
  EXPECT_EQ(find(report, "group", "quasi")->rate, 0.5) << "only ages of 40 are nowhere else";
}

TEST(PublicationAudit, AGroupOfOneValueBreaksThePromiseForWhoCanPlacePeopleInIt) {
  PublicationReport report = Scene(true).run();
  EXPECT_EQ(report.audit.overall(), Verdict::Broken);
  EXPECT_EQ(find(report, "pay", "membership")->verdict, Verdict::Broken);
  EXPECT_EQ(find(report, "pay", "membership")->proven, 4U);
  EXPECT_EQ(find(report, "pay", "quasi")->verdict, Verdict::Kept) << "these he cannot place";
  EXPECT_THAT(find(report, "publication", "table")->reason, HasSubstr("pay"))
      << "the recount sees it, too";
  auto failed = failures(report.audit, {*rule_from_text("certain>0")}, {});
  ASSERT_THAT(failed, SizeIs(1)) << "one for each attribute";
  EXPECT_THAT(failed[0], HasSubstr("1 more finding")) << "membership and scores";
}

TEST(PublicationAudit, PromisesNothingWithoutATestOfDiversity) {
  Scene scene(true);
  scene.publication.diversity = {};
  PublicationReport report = scene.run();
  EXPECT_EQ(report.audit.overall(), Verdict::Kept) << "groups are as stated";
  EXPECT_EQ(find(report, "pay", "membership")->verdict, Verdict::NotPromised);
  EXPECT_EQ(find(report, "pay", "membership")->certain, 0.5);
}

TEST(PublicationAudit, KeptSaysWhatWasPromised) {
  Scene scene(false);
  EXPECT_EQ(kept_sentence(scene.run()),
            "every group is as stated, and no sensitive value is surer than promised");
  scene.publication.diversity = {};
  EXPECT_EQ(kept_sentence(scene.run()),
            "every group is as stated; nothing was promised about guesses of pay");
  for (auto& group : scene.publication.groups) group.sensitive.clear();
  EXPECT_EQ(kept_sentence(scene.run()),
            "every group is as stated, and no sensitive column is published");
}

TEST(PublicationAudit, KeptDoesNotHideCertainValues) {
  Scene scene(true);
  scene.publication.diversity = {.closeness = 0.6};  // half of the table have low pay
  PublicationReport report = scene.run();
  EXPECT_EQ(report.audit.overall(), Verdict::Kept);
  EXPECT_EQ(certain_values(report), 4U);
  EXPECT_THAT(kept_sentence(report), HasSubstr("4 sensitive values are certain all the same"));
  EXPECT_THAT(to_html(report), HasSubstr("4 sensitive values are certain all the same"));
}

TEST(PublicationAudit, ClosenessOfCategoriesIsAPromise) {
  Scene scene(true);
  scene.publication.diversity = {.closeness = 0.3};
  PublicationReport report = scene.run();
  EXPECT_EQ(find(report, "pay", "membership")->verdict, Verdict::Broken);
  EXPECT_EQ(find(report, "pay", "quasi")->verdict, Verdict::Kept) << "these he cannot place";
}

TEST(PublicationAudit, ClosenessOfNumbersBoundsNoGuess) {
  Scene scene(true);
  scene.truth.texts[1].values = {"10", "20"};
  for (auto& group : scene.publication.groups) {
    group.sensitive[0].values.clear();
    group.sensitive[0].range = publish::Range{10, 20};
  }
  scene.publication.groups[0].sensitive[0].range = publish::Range{10, 10};
  scene.publication.diversity = {.closeness = 0.6};
  PublicationReport report = scene.run();
  const Finding* pay = find(report, "pay", "scores");
  EXPECT_EQ(pay->verdict, Verdict::NotPromised);
  EXPECT_EQ(pay->reason,
            "4 of 8 values are certain; it was tested for closeness, which bounds no guess of "
            "numbers");
  EXPECT_EQ(kept_sentence(report),
            "every group is as stated; nothing was promised about guesses of pay; 4 sensitive "
            "values are certain all the same");
}

TEST(PublicationAudit, WritesTheFilesOfAnAudit) {
  PublicationReport report = Scene(true).run();
  report.audit.subject.target = "top.json";
  report.audit.subject.table = "nba.csv";
  EXPECT_THAT(to_junit(report.audit), HasSubstr("<failure"));
  EXPECT_THAT(to_sarif(report.audit).dump(), HasSubstr("nba.csv"));
  std::string page = to_html(report);
  for (const char* text : {"Promise broken", "membership", "Who can be placed", "nba.csv"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
  Json json = to_json(report);
  EXPECT_EQ(*json.find("verdict")->as_text(), "broken");
  EXPECT_EQ(json.find("findings")->as_array()->size(), 3U + 3U + 1U);
}

}  // namespace
}  // namespace rankveil::audit
