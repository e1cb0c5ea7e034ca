#include "rankveil/graphs/attack/linkage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/graphs/generate.h"
#include "rankveil/graphs/testing/plain_linkage.h"
#include "rankveil/graphs/testing/toy_graphs.h"

namespace rankveil::attack {
namespace {

using graph::Technique;

struct Case {
  std::shared_ptr<const graph::Graph> graph;
  graph::Release release;
};

Case make(graph::Graph graph, Technique technique, std::uint32_t k) {
  auto shared = std::make_shared<const graph::Graph>(std::move(graph));
  auto release = anonymize(shared, {.technique = technique, .k = k});
  EXPECT_TRUE(release) << release.error().message;
  return {shared, std::move(*release)};
}

Background gamma(std::initializer_list<graph::Node> nodes) {
  Background samples(9, 0);
  for (auto node : nodes) samples[node] = 2;
  return samples;
}

TEST(Linkage, GivesTheSharesOfTheWorkedExample) {
  struct Row {
    std::uint32_t k;
    double mle_one, bas_one, mle_three, bas_three;
  };
  for (Row row : {Row{2, .888888889, .444444444, 1, .777777778},
                  Row{3, .888888889, .333333333, 1, .666666667},
                  Row{4, .453703704, .222222222, .629629630, .555555556}}) {
    SCOPED_TRACE(row.k);
    auto made = make(graph::nine(), Technique::Ca, row.k);
    Linkage linkage(*made.graph, made.release);
    auto one = linkage.identified(LinkageLevel::I, gamma({}));
    EXPECT_NEAR(one.mle, row.mle_one, 1e-9);
    EXPECT_NEAR(one.bas, row.bas_one, 1e-9);
    EXPECT_NEAR(one.mle_any_label, made.release.sets.size() / 9.0, 1e-9);
    auto three = linkage.identified(LinkageLevel::III, gamma({0, 6}));
    EXPECT_NEAR(three.mle, row.mle_three, 1e-9);
    EXPECT_NEAR(three.bas, row.bas_three, 1e-9);
  }
}

TEST(Linkage, EqualsThePlainForm) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < some_of(60U); ++seed) {
    Rng rng(seed);
    auto shared = std::make_shared<const graph::Graph>(graph::random_graph(rng, 40));
    auto k = static_cast<std::uint32_t>(2 + rng.below(3));
    for (const auto& info : graph::techniques()) {
      auto release = anonymize(shared, {.technique = info.technique, .k = k, .seed = seed});
      if (!release) continue;
      Linkage linkage(*shared, *release);
      auto samples = draw_background(shared->nodes(), rng.uniform(), rng.uniform(), seed);
      for (LinkageLevel level : linkage_levels) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << info.name << ", level "
                                        << name_of(level) << ", k " << k);
        auto fast = linkage.identified(level, samples);
        auto plain = plain_identified(*shared, *release, level, samples);
        EXPECT_NEAR(fast.mle, plain.mle, 1e-12);
        EXPECT_NEAR(fast.mle_any_label, plain.mle_any_label, 1e-12);
        EXPECT_NEAR(fast.bas, plain.bas, 1e-12);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, some_of(1'000));
}

TEST(Linkage, GrowsWithWhatIsKnown) {
  auto made = make(*graph::generate({.nodes = 3'000, .edges = 15'000}), Technique::Be, 6);
  Linkage linkage(*made.graph, made.release);
  auto samples = draw_background(3'000, 0.2, 0.2, 1);
  auto mle = [&](LinkageLevel level) { return linkage.identified(level, samples).mle; };
  EXPECT_LT(mle(LinkageLevel::I), mle(LinkageLevel::II));
  EXPECT_LT(mle(LinkageLevel::II), mle(LinkageLevel::III));
  EXPECT_LT(mle(LinkageLevel::III), mle(LinkageLevel::IV));
}

// Labels mean the same in every list, so that lists say on whose other lists they must be found:
// without any background, nearly everybody is linked.
TEST(Linkage, ReadsAReleaseAgainstItself) {
  auto made = make(*graph::generate({.nodes = 500, .edges = 2'500}), Technique::Random, 5);
  Linkage linkage(*made.graph, made.release);
  Background nothing(500, 0);
  EXPECT_NEAR(linkage.identified(LinkageLevel::I, nothing).mle_any_label, 0.2, 1e-12);
  EXPECT_GT(linkage.identified(LinkageLevel::Self, nothing).mle, 0.9);
}

TEST(DrawBackground, DrawsTheSharesAndRepeats) {
  auto samples = draw_background(100'000, 0.2, 0.5, 7);
  double lambda = 0, gamma_count = 0, both = 0;
  for (auto sample : samples) {
    lambda += sample & 1;
    gamma_count += sample >> 1;
    both += sample == 3 ? 1 : 0;
  }
  EXPECT_NEAR(lambda / 100'000, 0.2, 0.01);
  EXPECT_NEAR(gamma_count / 100'000, 0.5, 0.01);
  EXPECT_NEAR(both / 100'000, 0.1, 0.01);
  EXPECT_EQ(samples, draw_background(100'000, 0.2, 0.5, 7));
  EXPECT_NE(samples, draw_background(100'000, 0.2, 0.5, 8));
}

TEST(CheckShare, RefusesWhatIsNoShare) {
  EXPECT_TRUE(check_share("lambda1", 0));
  EXPECT_TRUE(check_share("lambda1", 0.999));
  for (double bad : {-0.1, 1.0, 1.5, std::nan("")}) EXPECT_FALSE(check_share("lambda1", bad));
  EXPECT_THAT(check_share("lambda2", 1).error().message, testing::HasSubstr("lambda2 is 1"));
}

TEST(CheckLinkable, RefusesSetsThatMakeTooManyPairs) {
  auto small = make(*graph::generate({.nodes = 40'000, .edges = 40'000}), Technique::Random, 100);
  EXPECT_TRUE(check_linkable(small.release));
  auto large = make(*small.graph, Technique::Random, 40'000);
  EXPECT_THAT(check_linkable(large.release).error().message,
              testing::HasSubstr("take a smaller k"));
}

TEST(LinkageLevel, IsFoundByItsName) {
  for (LinkageLevel level : linkage_levels) EXPECT_EQ(*linkage_level_named(name_of(level)), level);
  EXPECT_FALSE(linkage_level_named("V"));
}

}  // namespace
}  // namespace rankveil::attack
