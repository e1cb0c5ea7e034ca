// The papers' attack tests: 1,000 rows attacked, 250 with each of four methods, on a table without
// protection and on protected ones.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/figures/lab/campaign.h"
#include "bench/figures/lab/lab.h"
#include "rankveil/audit/finding.h"

namespace rankveil::figures {

// What came of one contender on one table.
struct Siege {
  Contender contender;
  std::vector<Tally> tallies = {};  // one per paper method
  double seconds = 0;               // the attacks alone
  // What adversaries who hold all profiles learn about all attributes, one per level.
  std::vector<audit::Finding> levels = {};
};

// All contenders on one table, in their order.
struct AttackedBed {
  std::string name;
  std::vector<Siege> sieges;

  const Siege* find(const std::string& label) const;
};

struct AttackPlan {
  std::string id;     // "pvs-1"
  std::string title;  // "PVS figure 1"
  std::string says;
  std::vector<Contender> contenders;
  // Adds what the paper claims about a table.
  void (*judge)(const AttackedBed& bed, Figure& figure);
};

// Attacks every contender on every table, and adds the figures: right guesses, those of stronger
// adversaries, proven values, queries a victim.
void draw_attacks(Lab& lab, Report& report, const AttackPlan& plan);

// A scheme as the papers' attack tests use it: rows whose set cannot be filled match nothing.
Contender besieged(const std::string& scheme, std::uint32_t l = 2);

// What claims look at: whether a value is right in all four methods.
Finding near_all(const Siege& siege, double value, double tolerance);
Finding at_least_all(const Siege& siege, double value);
// The intervals of no method touch those of the other.
Finding clearly_below(const Siege& low, const Siege& high);
// On average over methods, and by at most a tenth. However little it is, it holds: the value says
// where chance alone explains it.
Finding slightly_below(const Siege& low, const Siege& high);
Finding below_on_average(const Siege& siege, double value);

}  // namespace rankveil::figures
