#include "bench/versus/protect/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "bench/versus/protect/plain_pvst.h"
#include "rankveil/base/format.h"
#include "rankveil/base/stopwatch.h"

namespace rankveil::versus {
namespace {

const std::string independent = "20 independent attributes";

TableShape shape_of(const Pace& pace, std::uint32_t publics, std::uint32_t smallest = 2) {
  return {.rows = pace.rows, .publics = publics, .smallest_domain = smallest};
}

std::string publics_text(std::uint32_t publics) { return fmt::format("{} public + 10", publics); }

// Schemes that look at a row and at nothing else.
void run_rows(Bench& bench) {
  struct Entry {
    const char* scheme;
    Form form;
    std::optional<Goal> goal;
  };
  const Entry entries[] = {{"pvsv", Form::EqualSets, Goal{0.1}},
                           {"random", Form::EqualSets, Goal{0.1}},
                           {"generalise", Form::Sets, {}},
                           {"rr", Form::AtMostOne, {}},
                           {"drop", Form::Nothing, {}}};
  for (const Entry& entry : entries) {
    bench.run({.part = "rows",
               .name = fmt::format("{}, l = 2", entry.scheme),
               .table = independent,
               .shape = shape_of(bench.pace(), max_publics),
               .demand = demand_of(entry.scheme, 2),
               .form = entry.form,
               .goal = entry.goal});
  }
}

Case pvst_case(const Pace& pace, std::uint32_t l, std::uint32_t publics) {
  return {.part = "pvst",
          .name = fmt::format("pvst, l = {}, m = {}", l, publics),
          .table = publics_text(publics),
          .shape = shape_of(pace, publics, l),
          .demand = demand_of("pvst", l),
          .goal = Goal{1, 0.2}};
}

void run_pvst(Bench& bench) {
  for (std::uint32_t l : {2U, 3U}) {
    for (std::uint32_t m = 0; m <= max_publics; ++m) bench.run(pvst_case(bench.pace(), l, m));
  }
}

void run_hard(Bench& bench) {
  for (std::uint32_t m : {0U, 2U}) {
    Case what = pvst_case(bench.pace(), 4, m);
    what.part = "hard";
    what.name += ", Zipf 2";
    what.table += ", private Zipf(2)";
    what.shape.exponent = 2;
    what.goal = Goal{15, 2};
    bench.run(what);
  }
}

void run_growth(Bench& bench) {
  for (std::uint32_t l : {2U, 3U}) {
    for (std::uint32_t m : {0U, 2U}) {
      Case what = pvst_case(bench.pace(), l, m);
      what.part = "growth";
      what.goal = {};
      auto small = bench.run(what);
      if (!small) continue;
      double before = small->timing.median;
      what.shape.rows *= 10;
      auto large = bench.run(what);
      if (!large) continue;
      bench.add({.part = "growth",
                 .name = what.name + ": exponent of the time in the rows",
                 .value = std::log10(large->timing.median / before),
                 .goal = Goal{1.3},
                 .facts = fmt::format("{} to {} rows", grouped(bench.pace().rows),
                                      grouped(what.shape.rows))});
    }
  }
}

// Whether profiles match exactly the values of these sets.
bool are_sets(const Task& task, const Profiles& profiles, const std::vector<std::uint64_t>& sets) {
  std::uint32_t width = task.private_count();
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    for (std::uint32_t j = 0; j < width; ++j) {
      for (std::uint16_t v = 0; v < task.attribute(PrivateId{j}).domain.size(); ++v) {
        bool is_in = (sets[std::size_t{row} * width + j] >> v & 1) != 0;
        if (profiles.match(RowId{row}, PrivateId{j}, ValueId{v}) != (is_in ? 1 : 0)) return false;
      }
    }
  }
  return true;
}

void run_plain(Bench& bench) {
  const Pace& pace = bench.pace();
  for (std::uint32_t l : {2U, 3U}) {
    Case what = pvst_case(pace, l, 0);
    what.part = "plain";
    what.goal = {};
    what.shape.rows = pace.plain_rows;
    auto fast = bench.run(what);
    if (!fast) continue;
    Timing ours = fast->timing;
    what.shape.rows = pace.rows;
    auto large = bench.run(what);
    what.shape.rows = pace.plain_rows;

    bench.talk(what.name + ", as printed");
    Bed bed(what, pace.seed);
    Task task = bed.task(pace.threads);
    Stopwatch watch;
    std::vector<std::uint64_t> sets = plain_pvst(task);
    double printed = watch.seconds();
    if (!are_sets(task, protect(task)->profiles, sets)) {
      bench.wrong(what.name, "not the sets of the pseudo-code as printed");
      continue;
    }
    bench.add(
        {.part = "plain",
         .name = what.name + ": the pseudo-code as printed takes",
         .value = printed / ours.median,
         .unit = "x",
         .goal = Goal{.limit = 1000, .at_least = true},
         .facts = fmt::format(
             "measured: {:.1f} s against {:.2f} ms at {} rows; {:.0f}x by one thread", printed,
             ours.median * 1e3, grouped(pace.plain_rows), printed / ours.one_thread)});
    if (!large) continue;
    double scale = static_cast<double>(pace.rows) / pace.plain_rows;
    bench.add(
        {.part = "plain",
         .name = what.name + ": the same, extrapolated",
         .value = printed * scale * scale / large->timing.median,
         .unit = "x",
         .facts = fmt::format("{:.0f} s, by the square of the rows, against {:.3f} s at {}",
                              printed * scale * scale, large->timing.median, grouped(pace.rows))});
  }
}

void run_esvt(Bench& bench) {
  for (std::uint32_t l : {2U, 3U}) {
    for (std::uint32_t queries : {10U, 20U}) {
      std::string name = fmt::format("esvt, l = {}, {} queries", l, queries);
      auto outcome = bench.run({.part = "esvt",
                                .name = name,
                                .table = independent,
                                .shape = shape_of(bench.pace(), max_publics, l),
                                .queries = queries,
                                .demand = demand_of("esvt", l),
                                .form = Form::Equivalent,
                                .goal = l == 2 ? Goal{3, 0.8} : Goal{3}});
      if (!outcome) continue;
      bench.add({.part = "esvt",
                 .name = name + ": proven optimal",
                 .value = 100.0 * static_cast<double>(outcome->report.proven) /
                          static_cast<double>(std::max<std::uint64_t>(outcome->report.solved, 1)),
                 .unit = "%",
                 .goal = Goal{.limit = 99.9, .at_least = true}});
    }
  }
}

struct EsttData {
  const char* name;
  const char* words;
  std::vector<std::uint32_t> domains;
  double exponent;
  bool has_parity = false;
};

// D cannot reach the bound, so only a matching tells what is best.
const std::array<EsttData, 4>& estt_data() {
  static const std::array<EsttData, 4> data = {{
      {"A", "10 private", TableShape{}.private_domains, 0.8},
      {"B", "private domains 5, 2, 2, 5, 6", {5, 2, 2, 5, 6}, 0.8},
      {"C", "10 private, Zipf(2)", TableShape{}.private_domains, 2},
      {"D",
       "private domains 2, 2, 2, 5, 6; any two rows agree somewhere",
       {2, 2, 2, 5, 6},
       0.1,
       true},
  }};
  return data;
}

Case estt_case(const EsttData& data, std::uint32_t rows, const std::optional<Goal>& goal) {
  return {.part = "estt",
          .name = fmt::format("estt, data {}, one group of {}", data.name, grouped(rows)),
          .table = data.words,
          .shape = {.rows = rows,
                    .publics = 0,
                    .private_domains = data.domains,
                    .exponent = data.exponent,
                    .has_parity = data.has_parity},
          .demand = demand_of("estt", 2),
          .form = Form::Equivalent,
          .goal = goal};
}

void add_over_the_bound(Bench& bench, const std::string& name, const ProtectionReport& report) {
  if (!report.obfuscation_bound) return;
  auto value = static_cast<double>(report.obfuscation_bound->value);
  auto bound = static_cast<double>(report.obfuscation_bound->bound);
  bench.add({.part = "estt",
             .name = name + ": values replaced over the bound",
             .value = bound == 0 ? 0 : 100 * (value / bound - 1),
             .unit = "%",
             .goal = Goal{.limit = 0.2}});
}

void run_estt(Bench& bench) {
  for (const EsttData& data : std::span(estt_data()).first(3)) {
    Case what = estt_case(data, bench.pace().rows, Goal{3, 0.3});
    if (auto outcome = bench.run(what)) add_over_the_bound(bench, what.name, outcome->report);
  }
  for (const EsttData& data : estt_data()) {
    bench.run(estt_case(data, std::min(bench.pace().rows, rows_a_group), Goal{0.2}));
  }
  bench.run({.part = "estt",
             .name = fmt::format("estt, groups of about {}", rows_a_group),
             .table = "10 public in few vectors + 10",
             .shape = grouped_shape(bench.pace()),
             .demand = demand_of("estt", 2),
             .form = Form::Equivalent});
}

// Schemes that hide rows among those with the same public values.
void run_groups(Bench& bench) {
  struct Entry {
    const char* scheme;
    Form form;
    std::optional<Goal> goal;
  };
  const Entry entries[] = {
      {"swap", Form::Posterior, Goal{15, 5}}, {"swap-exact", Form::Conserved, Goal{0.5}},
      {"cluster", Form::Conserved, Goal{2}},  {"capped", Form::Posterior, Goal{2}},
      {"ldp", Form::Posterior, {}},           {"rr-mean", Form::Posterior, {}}};
  for (const Entry& entry : entries) {
    Case what{.part = "groups",
              .name = fmt::format("{}, l = 3, ladder", entry.scheme),
              .table = "independent; ladder of 5, then 2 public attributes",
              .shape = shape_of(bench.pace(), max_publics, 3),
              .demand = demand_of(entry.scheme, 3),
              .ladder = usual_ladder(),
              .form = entry.form,
              .goal = entry.goal};
    bench.run(what);
    what.name = fmt::format("{}, l = 3, groups of about {}", entry.scheme, rows_a_group);
    what.table = "10 public in few vectors + 10";
    what.shape = grouped_shape(bench.pace());
    what.shape.smallest_domain = 3;
    what.ladder = {};
    bench.run(what);
    what.name = fmt::format("{}, l = 3, large groups", entry.scheme);
    what.table = publics_text(2);
    what.shape = shape_of(bench.pace(), 2, 3);
    bench.run(what);
  }
}

constexpr Part parts[] = {
    {"rows", "row by row: pvsv, random, generalise, rr, drop", run_rows},
    {"pvst", "pvst, l = 2 and 3, m = 0 to 10", run_pvst},
    {"hard", "pvst where few rows cover others: Zipf 2, l = 4", run_hard},
    {"growth", "pvst on ten times the rows", run_growth},
    {"plain", "pvst against the pseudo-code as printed", run_plain},
    {"esvt", "esvt, workloads of 10 and 20 queries", run_esvt},
    {"estt", "estt, one large group and groups of 500", run_estt},
    {"groups", "among others: swap, swap-exact, cluster, capped, ldp, rr-mean", run_groups},
    {"serving", "top-k queries on what each scheme made", run_serving},
};

}  // namespace

std::span<const Part> all_parts() { return parts; }

std::vector<std::vector<AttributeId>> usual_ladder() {
  std::vector<AttributeId> five;
  for (std::uint32_t a = 0; a < 5; ++a) five.push_back(AttributeId{a});
  return {five, {five.begin(), five.begin() + 2}};
}

TableShape grouped_shape(const Pace& pace) {
  return {.rows = pace.rows, .public_kinds = std::max(1U, pace.rows / rows_a_group)};
}

}  // namespace rankveil::versus
