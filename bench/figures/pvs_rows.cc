// PVS figures 6 and 7: utility loss by the number of rows.
#include "bench/figures/lab/sweeps.h"

namespace rankveil::figures {
namespace {

void draw(Lab& lab, Report& report) {
  Twins twins{{"pvs-6", "PVS figure 6: utility loss of PVSV by |D|",
               "The number of rows has no significant impact.", "|D|", "U_aul"},
              {"pvs-7", "PVS figure 7: utility loss of PVST by |D|",
               "The number of rows has no impact: the smallest table gives enough true values.",
               "|D|", "U_aul"},
              "pvsv",
              "pvst"};
  draw_twins(lab, twins,
             {{"U_aul at 100",
               row_points,
               100,
               {{"pvsv is flat in |D|", is_flat}},
               {{"pvst is flat in |D|", is_flat}}}});
  report.figures = {std::move(twins.first), std::move(twins.second)};
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(
      count, words, "PVS figures 6 and 7: utility loss by the number of rows.",
      rankveil::figures::Asking::Marginals, rankveil::figures::draw);
}
