// PVS figures 10 and 11: utility loss by the weight of public attributes.
#include "bench/figures/lab/sweeps.h"

namespace rankveil::figures {
namespace {

void draw(Lab& lab, Report& report) {
  Twins twins{
      {"pvs-10", "PVS figure 10: utility loss of PVSV by weight ratio",
       "It falls as the weight of public attributes goes from 1 to 3.", "public weight", "U_aul"},
      {"pvs-11", "PVS figure 11: utility loss of PVST by weight ratio",
       "It falls as the weight of public attributes goes from 1 to 3.", "public weight", "U_aul"},
      "pvsv",
      "pvst"};
  draw_twins(lab, twins,
             {{"U_aul at 100",
               weight_points,
               100,
               {{"pvsv falls with the weight", falls}},
               {{"pvst falls with the weight", falls}}}});
  report.figures = {std::move(twins.first), std::move(twins.second)};
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(
      count, words, "PVS figures 10 and 11: utility loss by the weight of public attributes.",
      rankveil::figures::Asking::Marginals, rankveil::figures::draw);
}
