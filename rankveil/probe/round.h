// One repetition of the experiment, of many ways of asking at once: the own row is given a, and
// every way is asked; then b; and ways whose answers moved are asked again after a is back.
//
// Writes are what the service's owner pays for, so ways share them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/clock.h"
#include "rankveil/probe/own_rows.h"
#include "rankveil/probe/patient.h"
#include "rankveil/probe/repetition.h"
#include "rankveil/probe/values.h"

namespace rankveil::probe {

// What all rounds share.
struct Bench {
  PatientAsker& asker;
  OwnRows& rows;
  ValueMaker& values;
  Clock& clock;
  Meter& meter;
  // Public: strangers see it, and rows may be asked for by it. Nothing: the operator named none.
  std::optional<Field> control = std::nullopt;
  // How long answers lag behind a write: caches, search indexes, replicas. Learnt by the control.
  double settle_seconds = 0;
  // By way: no question about a hidden field is put faster than the control was answered. And when
  // they were asked last.
  std::map<std::string, Pace> paces = {};
  std::map<std::string, double> asked = {};
  double written = 0;
  // The control saw public fields act and no answer vary by itself, in the listing and in those
  // that refer to it: what follows a value follows it by no chance, and is asked for less often.
  bool is_quiet = false;
  bool are_links_quiet = false;
  bool quiet(const Way& way) const {
    return is_quiet && (way.kind != Kind::Relation || are_links_quiet);
  }
  bool& quiet_of(const Way& way) { return way.kind == Kind::Relation ? are_links_quiet : is_quiet; }
  // The end at which the control field keeps the own row in sight of a listing by nothing.
  End sight_end = End::Bottom;
  // By field: how far from the ends its values must stay to be taken.
  std::map<std::string, std::uint32_t> modesty = {};
};

// One way of asking, under test in a round.
struct Contender {
  const Way* way;
  bool restless = false;  // its answers were seen to vary by themselves
  Repetition repetition = {};
  std::vector<Answer> answers = {};
  // Answers with the (first) own row in them, and those that showed the value it held.
  std::uint64_t sighted = 0;
  std::uint64_t shown = 0;
  std::uint64_t requests = 0;

  bool moved() const { return !repetition.following().empty(); }
  // Amid noise, the own row is on one side for a and on the other for b.
  bool in_doubt() const { return moved() || (restless && repetition.sides() != 0); }
};

struct RoundPlan {
  Field field;
  End end = End::Top;
  // How often each state is asked.
  std::uint32_t asks = 1;
  // Of ways in doubt: how often a and b are changed for each other. What others write meanwhile
  // stays for a while, so that only another write is another draw.
  std::uint32_t switches = 1;
  // Of ways in doubt: how often the control field is written before the last answers for
  // a. What the write itself changes does not follow the value, then.
  std::uint32_t control_writes = 1;
  // Asks as fast as it can: what stays then is to be asked again without haste.
  bool hastes = false;
  // Writes on until answers have the own row, where only every second write puts it on the first
  // page. REQUIRES: the bench has a control field.
  bool seeks_sight = false;
  // How long to wait for answers to move at all. The bench learns how long it took.
  double patience_seconds = 0;
};

class Round {
 public:
  Round(Bench& bench, RoundPlan plan) : bench_(bench), plan_(std::move(plan)) {}

  // Asks all of them. An error: the values did not arrive, or the meter says no.
  Status run(std::vector<Contender>& contenders);

  // The values of a round that ran, and one more change of the own row.
  const TestValues& values() const { return values_; }
  Status put(State state);
  // One more answer of each, at once. Those that a cache gave are left out.
  void ask_at_once(std::vector<Contender>& contenders, State state);

 private:
  Status choose_values();
  Status break_rhythm();
  Status write_control();
  void keep_pace(Contender& contender);
  void seek_sight(const Question& question, State state);
  void ask(Contender& contender, State state);
  void ask_all(std::vector<Contender>& contenders, State state);
  void ask_doubtful(std::vector<Contender>& contenders, State state);
  Status switch_back(std::vector<Contender>& contenders);
  void look_again(const std::vector<Contender*>& contenders, State state);
  void wait_for_movement(const std::vector<Contender*>& contenders, State state, double since);
  void learn_delay(double seconds);
  Status confirm(std::vector<Contender>& contenders);
  void look(Contender& contender, State state, const Question& question, bool too_early);
  Bench& bench_;
  RoundPlan plan_;
  TestValues values_ = {};
};

// The question of a way about a field, `values` being what own rows hold.
Question question_of(const Way& way, const Field& field, const TestValues& values, End end,
                     const std::vector<std::string>& own);

}  // namespace rankveil::probe
