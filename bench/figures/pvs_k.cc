// PVS figures 2 and 3: utility loss by k, and the sizes of pvst's sets.
#include <fmt/format.h>

#include <numeric>

#include "bench/figures/lab/lab.h"

namespace rankveil::figures {
namespace {

const std::vector<std::uint32_t> ks = {1, 2, 5, 10, 20, 50, 100, 200};

void judge_losses(const Bed& bed, const std::vector<Series>& all, Figure& figure) {
  const Series* random = find_series(all, "random");
  if (const Series* pvsv = find_series(all, "pvsv"); pvsv != nullptr && random != nullptr) {
    add_verdict(figure, "pvsv is well below the random baseline", bed.name,
                well_below(*pvsv, *random));
  }
  if (const Series* pvst = find_series(all, "pvst"); pvst != nullptr && random != nullptr) {
    add_verdict(figure, "pvst is below the random baseline from k = 5", bed.name,
                stays_below(*pvst, *random, 5));
  }
}

Series size_shares(const ProtectionReport& report) {
  Series series{"pvst", {}, {}, {}};
  auto all = std::accumulate(report.set_sizes.begin(), report.set_sizes.end(), 0.0);
  for (std::size_t size = 1; size < report.set_sizes.size(); ++size) {
    series.xs.push_back(static_cast<double>(size));
    series.ys.push_back(all > 0 ? static_cast<double>(report.set_sizes[size]) / all : 0);
  }
  return series;
}

Finding mostly_two(const Series& sizes) {
  double two = 0, more = 0;
  for (std::size_t i = 0; i < sizes.xs.size(); ++i) {
    if (sizes.xs[i] == 2) two = sizes.ys[i];
    if (sizes.xs[i] > 2) more += sizes.ys[i];
  }
  return {two > 0.5 && more > 0,
          fmt::format("of filled sets {:.1f}% two, {:.1f}% more", 100 * two, 100 * more)};
}

void add_sizes(const Lab& lab, const Bed& bed, Figure& figure) {
  const ProtectionReport* report = lab.last_report(bed, "pvst");
  if (report == nullptr) return;
  Series sizes = size_shares(*report);
  add_verdict(figure, "most sets hold two values, some more", bed.name, mostly_two(sizes));
  figure.charts.push_back({bed.name, {std::move(sizes)}});
  figure.notes.push_back(short_sets_note(bed, usual_part(bed), *report));
}

void draw(Lab& lab, Report& report) {
  Figure losses{"pvs-2",
                "PVS figure 2: utility loss by k",
                "PVSV is well below the random baseline for every k, PVST is below it from k = 5.",
                "k",
                "U_aul",
                Look::LogLines};
  Figure sizes{"pvs-3",
               "PVS figure 3: sizes of PVST's sets",
               "Most sets hold two values; some hold more.",
               "values in a set",
               "share of the filled sets",
               Look::Bars};
  for (const Bed& bed : lab.beds()) {
    auto all = lab.by_k(bed, {contender("random"), contender("pvst"), contender("pvsv")}, ks);
    judge_losses(bed, all, losses);
    losses.charts.push_back({bed.name, std::move(all)});
    add_sizes(lab, bed, sizes);
  }
  losses.notes = sizes.notes;
  report.figures = {std::move(losses), std::move(sizes)};
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(
      count, words, "PVS figures 2 and 3: utility loss by k, set sizes.",
      rankveil::figures::Asking::Marginals, rankveil::figures::draw);
}
