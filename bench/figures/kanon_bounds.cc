// Figures 2 to 5 of the paper on k-anonymity and background knowledge: the printed bounds at the
// printed settings, and whether what the paper says about the curves is so.
#include <fmt/format.h>

#include <cmath>

#include "bench/figures/lab/lab.h"
#include "rankveil/graphs/bounds/sum_theorems.h"

namespace rankveil::figures {
namespace {

using bound::Guarantee;
using bound::Mode;
using bound::Sums;
using bound::Terms;

// The paper does not say how many people there are. 10,000 is the one of these for which its
// sentence about figure 5(a) holds.
constexpr double people[] = {1000, 10000, 196591};

enum class What { Epsilon, Delta };

Sums figure2_sums(double n) {
  Sums sums;
  sums.people = n;
  sums.variance = 2500;
  sums.variance_3_2 = 100;
  sums.third = 1;
  return sums;
}

Result<Guarantee> figure2_by_s(double n, double s) {
  Terms terms;
  terms.k = 10;
  terms.s = s;
  return independent_bound(figure2_sums(n), terms, Mode::Paper);
}

Result<Guarantee> figure2_by_k(double n, double k) {
  Terms terms;
  terms.k = static_cast<std::uint64_t>(k);
  return independent_bound(figure2_sums(n), terms, Mode::Paper);
}

Sums raw_sums(double n, double third, double root_of_fourth) {
  Sums sums;
  sums.people = n;
  sums.raw_third = third;
  sums.raw_fourth = root_of_fourth * root_of_fourth;
  return sums;
}

Result<Guarantee> figure3_by_share(double n, double share) {
  Terms terms;
  terms.epsilon = 0.1;
  return dependent_bound(raw_sums(n, 5, 1), {share, 1, 50}, terms, Mode::Paper);
}

Result<Guarantee> figure3_by_epsilon(double n, double epsilon) {
  Terms terms;
  terms.epsilon = epsilon;
  return dependent_bound(raw_sums(n, 5, 1), {0.2, 1, 50}, terms, Mode::Paper);
}

Result<Guarantee> figure3_by_s(double n, double s) {
  Terms terms;
  terms.k = 10;
  terms.s = s;
  return dependent_bound(raw_sums(n, 5, 1), {0.2, 1, 50}, terms, Mode::Paper);
}

Result<Guarantee> figure4(double n, double known, double scale) {
  Sums sums;
  sums.people = n * (1 - known);
  sums.variance = 10 * scale;
  sums.variance_3_2 = 100 * scale;
  sums.third = 10 * scale;
  Terms terms;
  terms.k = 10;
  return independent_bound(sums, terms, Mode::Paper);
}

Result<Guarantee> figure4_printed(double n, double known) { return figure4(n, known, known); }
Result<Guarantee> figure4_one_minus(double n, double known) { return figure4(n, known, 1 - known); }

Result<Guarantee> figure5(double n, double share, double known) {
  Terms terms;
  terms.k = 20;
  return dependent_bound(raw_sums(n * (1 - known), 5 * known, 5 * known),
                         {share, 1, std::sqrt(1000 * known)}, terms, Mode::Paper);
}

Result<Guarantee> figure5_by_known(double n, double known) { return figure5(n, 0.1, known); }
Result<Guarantee> figure5_by_share(double n, double share) { return figure5(n, share, 0.1); }

std::vector<double> tenths() {
  std::vector<double> xs;
  for (int i = 1; i <= 9; ++i) xs.push_back(0.1 * i);
  return xs;
}

std::vector<double> whole(double from, double to, double step) {
  std::vector<double> xs;
  for (double x = from; x <= to; x += step) xs.push_back(x);
  return xs;
}

struct Panel {
  std::string id;
  std::string title;
  std::string says;
  std::string x_label;
  What what;
  std::vector<double> xs;
  Result<Guarantee> (*at)(double n, double x);
  std::string claim;
  bool (*holds)(const std::vector<double>& ys);
};

bool rises(const std::vector<double>& ys) {
  for (std::size_t i = 1; i < ys.size(); ++i) {
    if (!(ys[i] > ys[i - 1])) return false;
  }
  return true;
}

bool falls(const std::vector<double>& ys) {
  for (std::size_t i = 1; i < ys.size(); ++i) {
    if (!(ys[i] < ys[i - 1])) return false;
  }
  return true;
}

// Down to 0.2, up from 0.3.
bool dips_at_two_tenths(const std::vector<double>& ys) {
  return falls({ys[0], ys[1]}) && rises(std::vector<double>(ys.begin() + 2, ys.end()));
}

std::vector<Panel> panels() {
  return {
      {"kanon-2a", "Figure 2(a): epsilon by s", "k = 10, eps1 = 0.1, sqrt(sum of variances) = 50",
       "s", What::Epsilon, whole(1, 10, 1), figure2_by_s, "epsilon grows with s", rises},
      {"kanon-2b", "Figure 2(b): delta by s", "third moments 1, sum of variance^(3/2) 100", "s",
       What::Delta, whole(1, 10, 1), figure2_by_s, "delta grows with s", rises},
      {"kanon-2c", "Figure 2(c): epsilon by k", "s = 1, eps1 = 0.1", "k", What::Epsilon,
       whole(10, 100, 10), figure2_by_k, "epsilon grows with k", rises},
      {"kanon-3a", "Figure 3(a): delta by lambda1", "sigma 50, epsilon 0.1", "lambda1", What::Delta,
       tenths(), figure3_by_share, "delta grows with lambda1", rises},
      {"kanon-3b", "Figure 3(b): delta by epsilon", "sigma 50, lambda1 0.2", "epsilon", What::Delta,
       whole(0.1, 1.05, 0.1), figure3_by_epsilon, "delta grows with epsilon", rises},
      {"kanon-3c", "Figure 3(c): epsilon by s", "eps1 = 0.1, k = 10", "s", What::Epsilon,
       whole(1, 10, 1), figure3_by_s, "epsilon grows with s", rises},
      {"kanon-4a", "Figure 4(a): delta by lambda2", "unknown sums set to 10 lambda2, as printed",
       "lambda2", What::Delta, tenths(), figure4_printed, "delta grows with lambda2", rises},
      {"kanon-4b", "Figure 4(b): epsilon by lambda2", "unknown sums set to 10 lambda2, as printed",
       "lambda2", What::Epsilon, tenths(), figure4_printed, "epsilon falls with lambda2", falls},
      {"kanon-4a-other", "Figure 4(a) with sums of 10 (1 - lambda2)",
       "what \"users not in Gamma\" means", "lambda2", What::Delta, tenths(), figure4_one_minus,
       "delta grows with lambda2", rises},
      {"kanon-4b-other", "Figure 4(b) with sums of 10 (1 - lambda2)",
       "what \"users not in Gamma\" means", "lambda2", What::Epsilon, tenths(), figure4_one_minus,
       "epsilon falls with lambda2", falls},
      {"kanon-5a", "Figure 5(a): delta by lambda2", "lambda1 = 0.1, k = 20, s = 1", "lambda2",
       What::Delta, tenths(), figure5_by_known, "delta falls up to 0.2 and rises from 0.3",
       dips_at_two_tenths},
      {"kanon-5b", "Figure 5(b): delta by lambda1", "lambda2 = 0.1", "lambda1", What::Delta,
       tenths(), figure5_by_share, "delta grows with lambda1", rises},
      {"kanon-5c", "Figure 5(c): epsilon by lambda2", "k = 20, s = 1", "lambda2", What::Epsilon,
       tenths(), figure5_by_known, "epsilon falls with lambda2", falls},
  };
}

Series series_of(const Panel& panel, double n) {
  Series series{fmt::format("n = {:.0f}", n), {}, {}, {}};
  for (double x : panel.xs) {
    auto guarantee = panel.at(n, x);
    if (!guarantee) continue;
    series.xs.push_back(x);
    series.ys.push_back(panel.what == What::Epsilon ? guarantee->epsilon : guarantee->delta);
  }
  return series;
}

Figure draw_panel(const Panel& panel) {
  Figure figure{panel.id, panel.title, panel.says, panel.x_label,
                panel.what == What::Epsilon ? "epsilon" : "delta"};
  Chart chart{"printed settings", {}};
  for (double n : people) {
    chart.series.push_back(series_of(panel, n));
    const Series& series = chart.series.back();
    figure.verdicts.push_back({panel.claim, series.name,
                               fmt::format("{:.6g} to {:.6g}", series.ys.front(), series.ys.back()),
                               panel.holds(series.ys)});
  }
  figure.charts.push_back(std::move(chart));
  return figure;
}

void draw(Lab&, Report& report) {
  report.setting =
      "The printed formulas at the printed settings, for three numbers of people: the paper names "
      "none. Several settings cannot occur: figure 2 needs at least 1,562,500 people, figure 4 "
      "breaks sum of variance^(3/2) <= (sum of variance)^(3/2) for every lambda2 below 1.";
  for (const Panel& panel : panels()) report.figures.push_back(draw_panel(panel));
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  using namespace rankveil::figures;
  return run_program(count, words, "figures 2 to 5 of the paper on k-anonymity", Asking::Rows,
                     draw);
}
