// PVS figure 1: how often attacks guess right, without protection and with sets of values.
#include "bench/figures/lab/attack_figures.h"

namespace rankveil::figures {
namespace {

void judge(const AttackedBed& bed, Figure& figure) {
  const Siege* open = bed.find(unprotected);
  const Siege* pvsv = bed.find("pvsv");
  const Siege* pvst = bed.find("pvst");
  if (open != nullptr) {
    add_verdict(figure, "unprotected, nearly all are right", bed.name, at_least_all(*open, 0.95));
  }
  if (pvsv == nullptr) return;
  add_verdict(figure, "with pvsv about half are right", bed.name, near_all(*pvsv, 0.5, 0.05));
  if (open != nullptr) {
    add_verdict(figure, "pvsv is significantly below unprotected", bed.name,
                clearly_below(*pvsv, *open));
  }
  if (pvst != nullptr) {
    add_verdict(figure, "pvst is slightly below pvsv", bed.name, slightly_below(*pvst, *pvsv));
  }
}

void draw(Lab& lab, Report& report) {
  draw_attacks(lab, report,
               {"pvs-1",
                "PVS figure 1",
                "Nearly all guesses are right without protection, about half with PVSV, slightly "
                "fewer with PVST, whose sets may hold more than two values.",
                {besieged(unprotected), besieged("pvsv"), besieged("pvst"), besieged("swap"),
                 besieged("swap", 3), besieged("cluster")},
                judge});
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(count, words, "PVS figure 1: right guesses of attacks.",
                                        rankveil::figures::Asking::Marginals,
                                        rankveil::figures::draw);
}
