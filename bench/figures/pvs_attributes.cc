// PVS figures 8 and 9: utility loss by the numbers of attributes.
#include "bench/figures/lab/sweeps.h"

namespace rankveil::figures {
namespace {

void draw(Lab& lab, Report& report) {
  Twins twins{{"pvs-8", "PVS figure 8: utility loss of PVSV by m and m'",
               "It falls with the number m of public attributes and rises with the number m' of "
               "private ones.",
               "attributes", "U_aul"},
              {"pvs-9", "PVS figure 9: utility loss of PVST by m and m'",
               "It rises with the number m' of private attributes, and slightly with the number m "
               "of public ones.",
               "attributes", "U_aul"},
              "pvsv",
              "pvst"};
  draw_twins(lab, twins,
             {{"by m",
               public_points,
               100,
               {{"pvsv falls with m", falls}},
               {{"pvst rises slightly with m", rises_slightly}}},
              {"by m'",
               private_points,
               100,
               {{"pvsv rises with m'", rises}},
               {{"pvst rises with m'", rises}}}});
  report.figures = {std::move(twins.first), std::move(twins.second)};
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(
      count, words, "PVS figures 8 and 9: utility loss by the numbers of attributes.",
      rankveil::figures::Asking::Marginals, rankveil::figures::draw);
}
