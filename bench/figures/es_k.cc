// ES figure 3: utility loss by k, against sets of random rows.
#include "bench/figures/lab/lab.h"

namespace rankveil::figures {
namespace {

const std::vector<std::uint32_t> ks = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

void judge(const Bed& bed, const std::vector<Series>& all, Figure& figure) {
  const Series* random = find_series(all, random_tuples);
  add_verdict(figure, "the random baseline is about 0.5 from k = 5", bed.name,
              is_near(*random, 0.5, 0.1, 5));
  for (const char* scheme : {"esvt", "estt"}) {
    const Series* series = find_series(all, scheme);
    if (series == nullptr) continue;
    std::string name = scheme;
    add_verdict(figure, name + " is below the random baseline", bed.name,
                stays_below(*series, *random));
    add_verdict(figure, name + " goes up, then down, with k", bed.name, goes_up_then_down(*series));
  }
}

void draw(Lab& lab, Report& report) {
  Figure figure{"es-3",
                "ES figure 3: utility loss by k",
                "The random baseline is around 0.5 for diverse k; virtual tuples (ESVT) and true "
                "tuples (ESTT) are below it; the loss first rises with k, then falls.",
                "k",
                "U_aul",
                Look::LogLines};
  Contender random{random_tuples, {}};
  random.demand.scheme = random_tuples;
  for (const Bed& bed : lab.beds()) {
    auto all = lab.by_k(bed, {random, contender("estt"), contender("esvt")}, ks);
    judge(bed, all, figure);
    figure.charts.push_back({bed.name, std::move(all)});
  }
  report.figures = {std::move(figure)};
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(count, words, "ES figure 3: utility loss by k.",
                                        rankveil::figures::Asking::Rows, rankveil::figures::draw);
}
