// How long publishing takes: the sweep of the thesis, many groups, big tables, the exact search,
// and the greedy methods against its listings. Every answer is checked before it is timed.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/versus/publish/listings.h"
#include "bench/versus/topk/machine.h"
#include "rankveil/base/parallel.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/publish/groups.h"
#include "rankveil/publish/made_up.h"
#include "rankveil/publish/methods/method.h"

namespace rankveil::versus {
namespace {

using publish::Demand;
using publish::Formed;
using publish::MadeUp;
using publish::Points;
using publish::Spread;

struct Settings {
  bool quick = false;
  std::uint32_t tables() const { return quick ? 3 : 100; }
  std::uint32_t big_rows() const { return quick ? 20'000 : 1'000'000; }
  std::uint32_t big_top() const { return quick ? 50 : 1000; }
};

constexpr std::uint32_t ks[] = {5, 10, 15, 20};

std::vector<Points> tables_of(const Settings& settings, Spread spread) {
  std::vector<Points> tables(settings.tables());
  parallel_for(tables.size(), 0, [&](std::size_t i) {
    tables[i] = publish::make_up({.spread = spread, .seed = i + 1});
  });
  return tables;
}

// The shortest of some runs, in seconds.
template <typename Run>
double shortest(int runs, const Run& run) {
  double best = 1e300;
  for (int i = 0; i < runs; ++i) {
    Stopwatch watch;
    run();
    best = std::min(best, watch.seconds());
  }
  return best;
}

void line(const std::string& what, double seconds, const std::string& aim) {
  fmt::print("| {} | {} | {} |\n", what, time_text(seconds * 1e6), aim);
  std::fflush(stdout);
}

void head(const std::string& title, const std::string& what) {
  fmt::print("\n### {}\n\n| {} | time | aim |\n|---|---|---|\n", title, what);
}

// 100 tables, 8 methods, four k, tops and cuts included; two threads.
void run_sweep(const Settings& settings) {
  head("The thesis' sweep: 100 tables of 10,000 x 5, eight methods, k = 5, 10, 15, 20", "tables");
  for (Spread spread : {Spread::Uniform, Spread::Correlated, Spread::AntiCorrelated}) {
    auto tables = tables_of(settings, spread);
    double seconds = shortest(3, [&] {
      parallel_for(tables.size(), 2, [&](std::size_t i) {
        for (const publish::Method& method : publish::methods()) {
          if (method.name == "exact") continue;
          for (std::uint32_t k : ks) {
            Demand demand{.top = k, .k = k, .method = std::string(method.name), .starts = 1};
            if (!form_groups(tables[i], demand)) std::abort();
          }
        }
      });
    });
    line(std::string(spread_name(spread)), seconds,
         spread == Spread::Uniform ? "2 s, better 0.2 s" : "");
  }
}

void run_exact(const Settings& settings) {
  head("The exact search, k = 20, m = 5, uniform: mean of 100 tables", "what");
  auto tables = tables_of(settings, Spread::Uniform);
  std::size_t found = 0;
  double seconds = shortest(3, [&] {
    found = 0;
    for (const Points& points : tables) {
      found += form_groups(points, {.top = 20, .k = 20, .method = "exact"})->groups.empty() ? 0 : 1;
    }
  });
  line(fmt::format("a table; {} of {} have a box", found, tables.size()),
       seconds / static_cast<double>(tables.size()), "10 ms");
}

bool same_boxes(const Formed& formed, const std::vector<publish::Box>& boxes) {
  if (formed.groups.size() != boxes.size()) return false;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (formed.groups[i].box != boxes[i]) return false;
  }
  return true;
}

// Ends the program when answers differ.
void run_listings(const Settings& settings) {
  fmt::print(
      "\n### Against the thesis' listings: 10,000 x 5, uniform, the same boxes\n\n"
      "| what | listing | ours | times faster (aim: 50) |\n|---|---|---|---|\n");
  auto tables = tables_of({.quick = true}, Spread::Uniform);
  for (auto [top, k] : {std::pair{20U, 20U}, std::pair{100U, 10U}}) {
    for (const char* method : {"greedy-deletion", "greedy-insertion"}) {
      Demand demand{.top = top, .k = k, .method = method};
      double theirs = 0;
      double ours = 0;
      for (const Points& points : tables) {
        Stopwatch watch;
        auto boxes = run_listing(points, demand);
        theirs += watch.seconds();
        if (!same_boxes(*form_groups(points, demand), boxes)) {
          fmt::print(stderr, "{} differs from its listing\n", method);
          std::exit(1);
        }
        ours += shortest(settings.quick ? 1 : 20, [&] { (void)form_groups(points, demand); });
      }
      double n = static_cast<double>(tables.size());
      fmt::print("| {}, top {}, k = {} | {} | {} | {:.0f} |\n", method, top, k,
                 time_text(theirs / n * 1e6), time_text(ours / n * 1e6), theirs / ours);
    }
  }
}

void run_groups(const std::string& title, const MadeUp& options, const Demand& wanted,
                const std::vector<Spread>& spreads, int runs, const char* greedy_aim,
                const char* other_aim) {
  for (Spread spread : spreads) {
    MadeUp made = options;
    made.spread = spread;
    Points points = publish::make_up(made);
    head(fmt::format("{}, {}", title, spread_name(spread)), "method; groups, covered, precision");
    for (const publish::Method& method : publish::methods()) {
      if (method.name == "exact") continue;
      Demand demand = wanted;
      demand.method = method.name;
      Formed formed = *form_groups(points, demand);
      double seconds = shortest(runs, [&] { (void)form_groups(points, demand); });
      line(fmt::format("{}; {}, {:.1f}%, {:.3f}", method.name, formed.groups.size(),
                       formed.covered() * 100, formed.precision()),
           seconds,
           method.name.starts_with("greedy") ? greedy_aim
           : method.options.empty()          ? ""
                                             : other_aim);
    }
  }
}

void run_all(const Settings& settings) {
  fmt::print("{}; {}; {}; Rankveil {}; {}\n", cpu_text(), system_text(), compiler_text(),
             RANKVEIL_VERSION, date_text());
  run_sweep(settings);
  run_exact(settings);
  run_listings(settings);
  run_groups("Top 100, k = 10, of 10,000 x 5", {}, {.top = 100, .k = 10},
             {Spread::Uniform, Spread::Correlated, Spread::AntiCorrelated}, settings.quick ? 1 : 10,
             "10 ms", "");
  run_groups(fmt::format("Top {}, k = 10, of {} x 5", settings.big_top(), settings.big_rows()),
             {.rows = settings.big_rows()}, {.top = settings.big_top(), .k = 10},
             {Spread::Uniform, Spread::Correlated}, settings.quick ? 1 : 2, "1 s", "10 s");
}

}  // namespace
}  // namespace rankveil::versus

// --quick: few tables and small ones, to see whether all is right.
int main(int count, char** words) {
  bool quick = count > 1 && std::strcmp(words[1], "--quick") == 0;
  if (count > 2 || (count > 1 && !quick)) {
    fmt::print(stderr, "usage: bench_publish [--quick]\n");
    return 2;
  }
  rankveil::versus::run_all({.quick = quick});
  return 0;
}
