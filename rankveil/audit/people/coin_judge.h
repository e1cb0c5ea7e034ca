// Whether what rows show tells which of them show their own values, to somebody with a model of
// people who looks at all public columns and at everything that is shown.
//
// Who          knows the scheme, l, who was exchanged with whom, every public value and all that is
//              shown, and has a model of people learnt from others: another table, or rows of this
//              one that he is then not asked about (each half stands in for the other).
// Belief       that a row shows its own vector z of a block: p R'(z) / (p R'(z) + (1 - p) R(z)), p
//              being 1/l. R' is how likely the row is to have z, among all vectors that are shown
//              in its group, by the model of people; R how likely it is to show z if it moved. Both
//              are scaled to what is shown (scaling.h). In circles R is the group's shares of
//              vectors; in a fitted exchange it is learnt from what all rows show.
// Worth        what R'/R is worth he learns as in calibration.h; so beliefs are calibrated, and a
//              ratio that is noise moves nothing.
// Known coins  whether a pair was kept is only known with the key. Without it, a pair that shows
//              another vector than its own moved, and one that shows its own counts as kept but for
//              the chance R' that its own is z anyway. Rows that were never exchanged because
//              they fit nowhere else count as kept, too: they are as good as that to somebody who
//              looks.
// Gain         over R', what he would believe if told that the row moved.
// Acquaintance knows the true values of some private attributes of a victim, and is asked about the
//              others. A block that shows another value than the known one moved. One that shows it
//              is the likelier kept, the rarer the value: odds are divided by how likely the known
//              value is. In a fitted exchange he learns what others' shown values are worth beside
//              what he knows from a release of his own (`practice`), as taking them for the truth
//              moves beliefs that have no reason to move; and he knows that 1/l of the coins were
//              kept. His gain is over what he believed before the release, by public columns and
//              what he knows, on values that he believed in with less than 1/2: of likelier ones
//              two models that differ by little differ by much of what is left to certainty.
// Others       other releases of the same rows: a pair that shows the same again is the likelier
// kept. Cost         at most 20,000 rows are judged, drawn by the seed, and as many learnt from as
// the effort allows (effort.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/audit/people/coded_rows.h"
#include "rankveil/audit/people/coin_figures.h"
#include "rankveil/audit/people/effort.h"
#include "rankveil/audit/people/gain_counts.h"
#include "rankveil/audit/tally.h"
#include "rankveil/base/progress.h"

namespace rankveil::audit {

// How moved rows get what they show.
enum class Exchange {
  Circles,  // a random row's of the group
  Fitted,   // by a law that fits the row
};

// Codes of one private attribute.
struct CodeSet {
  std::uint32_t attribute = 0;
  std::vector<std::uint32_t> codes = {};
};

struct CoinTask {
  const CodedRows& truth;                 // of the table, public columns first
  const ShownRows& shown;                 // the same rows
  std::uint32_t publics = 0;              // columns
  const CodedRows* population = nullptr;  // other people; null: rows left out
  Exchange exchange = Exchange::Circles;
  std::vector<std::uint32_t> group_of = {};             // per row: who was exchanged with whom
  std::vector<std::vector<std::uint32_t>> blocks = {};  // private attributes that share a coin
  double keep = 1;                                      // 1/l
  std::vector<std::uint8_t> kept = {};  // [block][row], where coins are known; else empty
  // What the same rows show in other releases.
  std::vector<const ShownRows*> again = {};
  // What the people who are learnt from (`population`, or those of `truth`) show in a release of
  // his own. Fitted exchanges need it for acquaintances.
  const ShownRows* practice = nullptr;
  // Acquaintances to look at: how many private attributes of the victim they know. One: each in its
  // turn; more: sets by lot; of either at most Effort::sets.
  std::vector<std::uint32_t> knows = {};
  Effort effort = {};
  // Values that together are as sensitive as one.
  std::vector<CodeSet> sets = {};
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
  Progress progress = {};
};

// What somebody learns about the other attributes who knows some of the victim's.
struct AcquaintanceJudgement {
  std::uint32_t knows = 0;
  std::vector<GainCounts> gains;  // [private attribute]: of those who do not know it
  std::vector<Tally> guesses, guesses_before;
};

struct CoinJudgement {
  CoinFigures all;                      // of all pairs
  std::vector<GainCounts> gains;        // [private attribute], over R'
  std::vector<CoinFigures> attributes;  // [private attribute]: of the pairs of its block
  // [private attribute], of all pairs: guesses by what is believed of each value, against R'.
  std::vector<Tally> guesses, guesses_before;
  // Of all pairs, with what somebody makes of more signs than the ratio alone (an insider).
  CoinFigures insider;
  std::vector<AcquaintanceJudgement> acquaintances;  // as in the task; without those who know all
  std::vector<GainCounts> sets;  // as in the task: that the row has any of them, over R'
  bool rows_left_out = false;    // there was no other population
};

// Nothing: too few rows show something, or are there to learn from.
std::optional<CoinJudgement> judge_coins_of(const CoinTask& task);

}  // namespace rankveil::audit
