// ES figure 2: how often attacks guess right, without protection and with equivalent sets.
#include "bench/figures/lab/attack_figures.h"

namespace rankveil::figures {
namespace {

void judge(const AttackedBed& bed, Figure& figure) {
  if (const Siege* open = bed.find(unprotected)) {
    add_verdict(figure, "unprotected, nearly all are right", bed.name, at_least_all(*open, 0.95));
  }
  if (const Siege* esvt = bed.find("esvt")) {
    add_verdict(figure, "with esvt about half are right", bed.name, near_all(*esvt, 0.5, 0.05));
  }
  if (const Siege* estt = bed.find("estt")) {
    add_verdict(figure, "with estt about half are right", bed.name, near_all(*estt, 0.5, 0.05));
    add_verdict(figure, "with estt fewer than half are right", bed.name,
                below_on_average(*estt, 0.5));
  }
}

void draw(Lab& lab, Report& report) {
  draw_attacks(lab, report,
               {"es-2",
                "ES figure 2",
                "All guesses can be right without protection; about half are with ESVT and ESTT, "
                "with ESTT fewer than half.",
                {besieged(unprotected), besieged("esvt"), besieged("estt"), besieged("swap"),
                 besieged("swap", 3), besieged("cluster")},
                judge});
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(count, words, "ES figure 2: right guesses of attacks.",
                                        rankveil::figures::Asking::Marginals,
                                        rankveil::figures::draw);
}
