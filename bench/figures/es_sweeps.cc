// ES figures 4 and 5: utility loss by queries, rows, attributes and weights; four charts each.
#include <fmt/format.h>

#include "bench/figures/lab/sweeps.h"

namespace rankveil::figures {
namespace {

constexpr std::uint32_t k = 10;  // the paper's

Twins twin_charts(const std::string& letter, const std::string& by, const std::string& x_label,
                  const std::string& first_says, const std::string& second_says) {
  return {{"es-4" + letter, "ES figure 4" + letter + ": utility loss of ESVT by " + by, first_says,
           x_label, "U_aul"},
          {"es-5" + letter, "ES figure 5" + letter + ": utility loss of ESTT by " + by, second_says,
           x_label, "U_aul"},
          "esvt",
          "estt"};
}

void draw_one(Lab& lab, Report& report, Twins twins, const std::vector<TwinSweep>& sweeps) {
  draw_twins(lab, twins, sweeps);
  report.figures.push_back(std::move(twins.first));
  report.figures.push_back(std::move(twins.second));
}

void note_proofs(Lab& lab, Figure& figure) {
  for (const Bed& bed : lab.beds()) {
    const ProtectionReport* report = lab.last_report(bed, "esvt");
    if (report == nullptr || report->solved == 0) continue;
    double share = static_cast<double>(report->proven) / static_cast<double>(report->solved);
    figure.notes.push_back(
        fmt::format("On {} with {} private attributes, {:.1f}% of esvt's searches ended with a "
                    "proof within {} nodes; the others keep the best they had found.",
                    bed.name, bed.private_steps.back(), 100 * share, node_budget));
  }
}

void draw(Lab& lab, Report& report) {
  std::string flat = "no significant impact.";
  draw_one(lab, report, twin_charts("a", "|W|", "|W|", flat, flat),
           {{"U_aul at 10",
             workload_points,
             k,
             {{"esvt is flat in |W|", is_flat}},
             {{"estt is flat in |W|", is_flat}}}});
  draw_one(lab, report, twin_charts("b", "|D|", "|D|", flat, flat),
           {{"U_aul at 10",
             row_points,
             k,
             {{"esvt is flat in |D|", is_flat}},
             {{"estt is flat in |D|", is_flat}}}});
  draw_one(
      lab, report,
      twin_charts("c", "m and m'", "attributes",
                  "It rises with the number m' of private attributes and falls with the number "
                  "m of public ones.",
                  "It rises with the number m of public attributes, as groups get smaller."),
      {{"by m", public_points, k, {{"esvt falls with m", falls}}, {{"estt rises with m", rises}}},
       {"by m'", private_points, k, {{"esvt rises with m'", rises}}, {}}});
  note_proofs(lab, report.figures[report.figures.size() - 2]);
  std::string weights = "It falls as the weight of public attributes goes from 1 to 3.";
  draw_one(lab, report, twin_charts("d", "weight ratio", "public weight", weights, weights),
           {{"U_aul at 10",
             weight_points,
             k,
             {{"esvt falls with the weight", falls}},
             {{"estt falls with the weight", falls}}}});
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(
      count, words, "ES figures 4 and 5: utility loss by queries, rows, attributes and weights.",
      rankveil::figures::Asking::Rows, rankveil::figures::draw);
}
