#include <fmt/format.h>

#include <algorithm>

#include "bench/versus/protect/parts.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/ranking/index.h"
#include "rankveil/ranking/testing/plain_ranking.h"

namespace rankveil::versus {
namespace {

constexpr std::uint32_t top_k = 100;
constexpr std::uint32_t question_count = 16;
// One query of each index is compared with the plain ranking, the fractions of which take long.
constexpr std::size_t checked_questions = 1;
constexpr std::uint32_t rounds_a_round = 4;  // a round takes milliseconds

// A table that is served by every scheme in turn.
struct Setting {
  std::string table;  // in words
  TableShape shape;
  std::vector<std::vector<AttributeId>> ladder;
};

Case serving_case(const Setting& setting, const char* scheme, std::uint32_t l) {
  Case what{.part = "serving",
            .name = fmt::format("serving {}, l = {}, {}", scheme, l, setting.table),
            .shape = setting.shape,
            .demand = demand_of(scheme, l),
            .ladder = setting.ladder};
  what.shape.smallest_domain = 3;
  return what;
}

struct Server {
  std::string name;
  std::string kind;
  std::optional<Goal> goal;
  Index index;
  std::vector<double> microseconds = {};
};

std::string kind_of(const Profiles& profiles) {
  if (profiles.unprotected()) return "own values";
  if (const auto* levels = std::get_if<LevelProfiles>(&profiles.kinds())) {
    return levels->levels() == 1 ? "sets" : fmt::format("strengths, {} levels", levels->levels());
  }
  const auto& grouped = std::get<GroupedProfiles>(profiles.kinds());
  std::string signals = grouped.keep.numerator == 0     ? "shares"
                        : grouped.signals.levels() == 1 ? "shown value plus shares"
                                                        : "strengths plus shares";
  return fmt::format("{}, {} groups", signals, grouped.shares.groups());
}

// Sets are read as own values are. What swap and cluster serve is asked for most.
std::optional<Goal> goal_of(std::string_view name, const Profiles& profiles) {
  if (profiles.unprotected()) return {};
  const auto* levels = std::get_if<LevelProfiles>(&profiles.kinds());
  if (levels != nullptr && levels->levels() == 1) return Goal{1.15};
  return name.starts_with("swap") || name.starts_with("cluster") ? Goal{2.5} : Goal{5};
}

std::vector<Query> make_questions(const TableShape& shape, const Schema& schema,
                                  std::uint64_t seed) {
  std::vector<Query> queries;
  for (auto& entry : make_workload(shape, schema, question_count, seed + 1).entries) {
    queries.push_back(std::move(entry.query));
  }
  return queries;
}

bool is_right(const Table& table, const Profiles& profiles, const Index& index,
              const Query& query) {
  auto scores = plain::scores(public_part(table), profiles, query, weights_of(table.schema()));
  auto expected = plain::top_k(scores, std::vector<bool>(table.rows(), true), top_k);
  Answer answer = index.rank(query, {.k = top_k});
  return std::equal(expected.begin(), expected.end(), answer.hits.begin(), answer.hits.end(),
                    [](std::uint32_t row, const Hit& hit) { return row == +hit.row; });
}

class Serving {
 public:
  Serving(Bench& bench, const Setting& setting) : bench_(bench), setting_(setting) {}

  void run(const std::vector<std::pair<const char*, std::uint32_t>>& schemes_and_l) {
    add_unprotected();
    for (const auto& [scheme, l] : schemes_and_l) add(scheme, l);
    bench_.talk("queries");
    for (std::uint32_t i = 0; i < bench_.pace().rounds * rounds_a_round; ++i) round();
    report();
  }

 private:
  void add_unprotected() {
    Case what = serving_case(setting_, "drop", 2);
    Bed bed(what, bench_.pace().seed);
    questions_ = make_questions(what.shape, bed.table().schema(), bench_.pace().seed);
    add("unprotected", bed.table(), unprotected_profiles(bed.table()));
  }

  void add(const char* scheme, std::uint32_t l) {
    if (!bench_.has_scheme(scheme)) return;
    Case what = serving_case(setting_, scheme, l);
    bench_.talk(what.name);
    Bed bed(what, bench_.pace().seed);
    auto made = protect(bed.task(bench_.pace().threads));
    if (!made) {
      bench_.wrong(what.name, made.error().message);
      return;
    }
    add(fmt::format("{}, l = {}", scheme, l), bed.table(), made->profiles);
  }

  void add(const std::string& name, const Table& table, const Profiles& profiles) {
    Server server{name, kind_of(profiles), goal_of(name, profiles),
                  Index::build(public_part(table), profiles, {.scheme = name})};
    for (std::size_t q = 0; q < checked_questions; ++q) {
      if (is_right(table, profiles, server.index, questions_[q])) continue;
      bench_.wrong("serving " + name, fmt::format("query {} has another answer", q));
      return;
    }
    servers_.push_back(std::move(server));
  }

  // The first time through finds the index again after the others have filled the caches.
  void round() {
    for (Server& server : servers_) {
      for (bool timed : {false, true}) {
        for (const Query& query : questions_) {
          Stopwatch watch;
          Answer answer = server.index.rank(query, {.k = top_k});
          if (timed) server.microseconds.push_back(watch.seconds() * 1e6);
        }
      }
    }
  }

  void report() {
    double plain = median(servers_[0].microseconds);
    for (const Server& server : servers_) {
      const auto& times = server.microseconds;
      bench_.results().served.push_back({.table = setting_.table,
                                         .scheme = server.name,
                                         .kind = server.kind,
                                         .median_us = median(times),
                                         .min_us = *std::min_element(times.begin(), times.end()),
                                         .ratio = median(times) / plain,
                                         .bytes = server.index.bytes(),
                                         .goal = server.goal});
    }
  }

  Bench& bench_;
  const Setting& setting_;
  std::vector<Query> questions_;
  std::vector<Server> servers_;  // the unprotected one first
};

}  // namespace

void run_serving(Bench& bench) {
  Setting vectors{"few public vectors", grouped_shape(bench.pace()), {}};
  Serving(bench, vectors)
      .run({{"pvsv", 2},
            {"pvst", 2},
            {"random", 2},
            {"generalise", 2},
            {"rr", 2},
            {"drop", 2},
            {"esvt", 2},
            {"esvt", 3},
            {"estt", 2},
            {"swap", 3},
            {"cluster", 3},
            {"capped", 3},
            {"ldp", 3},
            {"rr-mean", 3}});
  TableShape independent;
  independent.rows = bench.pace().rows;
  Setting ladder{"independent, ladder", independent, usual_ladder()};
  Serving(bench, ladder)
      .run({{"swap", 3}, {"cluster", 3}, {"capped", 3}, {"ldp", 3}, {"rr-mean", 3}});
}

}  // namespace rankveil::versus
