// PVS figures 4 and 5: utility loss by the number of queries.
#include "bench/figures/lab/sweeps.h"

namespace rankveil::figures {
namespace {

void draw(Lab& lab, Report& report) {
  Twins twins{{"pvs-4", "PVS figure 4: utility loss of PVSV by |Q|",
               "It rises with the number of queries that the sets are tuned for.", "|Q|", "U_aul"},
              {"pvs-5", "PVS figure 5: utility loss of PVST by |Q|",
               "The number of queries has no significant impact.", "|Q|", "U_aul"},
              "pvsv",
              "pvst"};
  draw_twins(lab, twins,
             {{"U_aul at 100",
               workload_points,
               100,
               {{"pvsv rises with |Q|", rises}},
               {{"pvst is flat in |Q|", is_flat}}}});
  report.figures = {std::move(twins.first), std::move(twins.second)};
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(
      count, words, "PVS figures 4 and 5: utility loss by the number of queries.",
      rankveil::figures::Asking::Marginals, rankveil::figures::draw);
}
