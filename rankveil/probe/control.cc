#include "rankveil/probe/control.h"

#include <algorithm>

namespace rankveil::probe {
namespace {

// How often a listing is looked at before it is said that it always shows the own row.
constexpr int looks_at_listing = 4;

// A field that no service has, asked for a value that no row has: what the service says to those
// who ask by nothing it knows.
Answer ask_made_up(Bench& bench, const Way& way, End end) {
  Field nobodys = *bench.control;
  nobodys.name += "_nx";
  auto values = bench.values.make(nobodys, end);
  const TestValues any = values.value_or(TestValues{});
  // Some services fail over a name that they do not know.
  return bench.asker.ask(question_of(way, nobodys, any, end, bench.rows.ids()), 2);
}

// Where made-up fields are refused: the public one from the other end, for a value that no row has.
Answer ask_by_nothing(Bench& bench, const Way& way, End end) {
  Answer made_up = ask_made_up(bench, way, end);
  if (made_up.outcome == Outcome::Answered) return made_up;
  auto values = bench.values.make(*bench.control, end);
  const End other_end = end == End::Top ? End::Bottom : End::Top;
  return bench.asker.ask(
      question_of(way, *bench.control, values.value_or(TestValues{}), other_end, bench.rows.ids()));
}

bool has_own_row(Bench& bench, const Answer& answer) {
  return place_of(answer, bench.rows.ids().front()) > 0;
}

// The text that all answers of a state have in a feature that follows the value.
std::string text_in(const Repetition& repetition, State state, const std::string& name) {
  const auto& observations = repetition.observations();
  const auto seen = std::ranges::find(observations, state, &Observation::state);
  return seen == observations.end() ? "nothing" : feature_text(seen->features, name);
}

bool differs_from(const Contender& contender, State state, const Answer& made_up,
                  const std::vector<std::string>& own) {
  if (made_up.outcome != Outcome::Answered) return true;
  const Features other = features_of(made_up, own);
  return std::ranges::any_of(contender.repetition.following(), [&](const std::string& name) {
    return text_in(contender.repetition, state, name) != feature_text(other, name);
  });
}

void note_answers(WayControl& control, const Contender& contender, const std::string& own) {
  control.refused = false;
  control.restless = control.restless || contender.repetition.restless();
  for (const Answer& answer : contender.answers) {
    if (answer.outcome == Outcome::Refused) control.refused = true;
    control.answered |= answer.outcome != Outcome::Failed;
    if (!answer.rows.empty() && place_of(answer, own) == 0) control.sighted = false;
  }
}

bool had_own_row(const Contender& contender, State state) {
  const auto& observations = contender.repetition.observations();
  return std::ranges::any_of(observations, [&](const Observation& seen) {
    return seen.state == state && seen.exchange.seen.places.front().has_value();
  });
}

// What fails now and then goes with the value by chance.
bool ever_failed(const Contender& contender) {
  return std::ranges::any_of(
      contender.answers, [](const Answer& answer) { return answer.outcome == Outcome::Failed; });
}

bool has_rows(const Contender& contender) {
  return std::ranges::any_of(contender.answers,
                             [](const Answer& answer) { return !answer.rows.empty(); });
}

class ControlCheck {
 public:
  ControlCheck(Bench& bench, Controls& controls, End end, double patience)
      : bench_(bench), controls_(controls), end_(end), patience_(patience) {}

  Status run(std::span<const Way> ways) {
    std::vector<Contender> contenders;
    for (const Way& way : ways) {
      if (!controls_[way.name].acts) contenders.push_back({&way});
    }
    if (contenders.empty()) return {};
    Round round(bench_, {.field = *bench_.control,
                         .end = end_,
                         .control_writes = 0,
                         .patience_seconds = patience_});
    if (auto done = round.run(contenders); !done) return done;
    for (const Contender& contender : contenders) {
      note_answers(controls_[contender.way->name], contender, bench_.rows.ids().front());
    }
    std::erase_if(contenders, [](const Contender& contender) {
      return !contender.moved() || ever_failed(contender);
    });
    if (contenders.empty()) return {};
    if (auto done = compare_with_made_up(round, contenders); !done) return done;
    return doubt_restless(contenders);
  }

 private:
  // The own row holds a: the round ended so. How fast answers may follow is seen on the way.
  Status compare_with_made_up(Round& round, std::vector<Contender>& contenders) {
    for (const Contender& contender : contenders) compare(contender, State::A);
    if (auto done = round.put(State::B); !done) return done;
    round.ask_at_once(contenders, State::B);
    for (const Contender& contender : contenders) compare(contender, State::B);
    for (const Contender& contender : contenders) {
      bench_.paces[contender.way->name] = contender.repetition.pace();
    }
    if (auto done = look_after_other_writes(round, contenders); !done) return done;
    if (!bench_.meter.may_go_on()) return wrong_use(bench_.meter.reason());
    return {};
  }

  void compare(const Contender& contender, State state) {
    WayControl& control = controls_[contender.way->name];
    const bool seen = had_own_row(contender, state);
    if (control.acts && (!control.needs_sight || !seen)) return;
    const Answer made_up = ask_made_up(bench_, *contender.way, end_);
    if (!differs_from(contender, state, made_up, bench_.rows.ids())) return;
    control.acts = true;
    control.end = end_;
    control.needs_sight = has_rows(contender) && !(seen && comes_into_sight(contender));
  }

  // Writes may take the own row out of the list by turns, and it was there for the first looks. One
  // way that lists it here, too, speaks for all.
  Status look_after_other_writes(Round& round, const std::vector<Contender>& contenders) {
    std::vector<const Contender*> listed;
    for (const Contender& contender : contenders) {
      const bool needs_sight = controls_[contender.way->name].needs_sight;
      if (needs_sight && had_own_row(contender, State::A)) listed.push_back(&contender);
    }
    if (listed.empty()) return {};
    auto done = bench_.rows.put_first(*bench_.control, round.values().other_b);
    if (done) done = round.put(State::A);
    for (const Contender* contender : listed) {
      if (!done || !comes_into_sight(*contender)) return done;
      controls_[contender->way->name].needs_sight = false;
    }
    return done;
  }

  // Whether there is a listing without the own row, and these answers have it still.
  bool comes_into_sight(const Contender& contender) {
    const Question& question = contender.repetition.observations().back().exchange.question;
    const int looks = always_listed_ ? 1 : looks_at_listing;
    for (int look = 0; look < looks; ++look) {
      if (has_own_row(bench_, ask_by_nothing(bench_, *contender.way, end_))) continue;
      return has_own_row(bench_, bench_.asker.ask(question));
    }
    always_listed_ = true;
    return false;
  }

  // What varies by itself may have gone with the value by chance.
  Status doubt_restless(std::vector<Contender>& contenders) {
    std::vector<Contender> doubtful;
    for (const Contender& contender : contenders) {
      const WayControl& control = controls_[contender.way->name];
      if (control.acts && control.restless) doubtful.push_back({contender.way, true});
    }
    if (doubtful.empty()) return {};
    const RoundPlan twice{
        .field = *bench_.control, .end = end_, .asks = 2, .switches = 2, .control_writes = 0};
    auto done = Round(bench_, twice).run(doubtful);
    for (const Contender& contender : doubtful) {
      controls_[contender.way->name].acts = done.ok() && contender.moved();
    }
    return done;
  }

  Bench& bench_;
  Controls& controls_;
  End end_;
  double patience_;
  bool always_listed_ = false;
};

// The first end has learnt how long an answer may take to move.
double slowest(const Bench& bench) {
  double seconds = 0.5;
  for (const auto& [way, pace] : bench.paces) {
    seconds = std::max({seconds, 1.5 * pace.after_ask, 1.5 * pace.after_write});
  }
  return seconds;
}

// Ways that need the own row in sight get it there, if the control field can do that.
Status keep_in_sight(Bench& bench, std::span<const Way> ways, const Controls& controls) {
  const auto needs =
      std::ranges::find_if(ways, [&](const Way& way) { return controls.at(way.name).needs_sight; });
  if (needs == ways.end()) return {};
  for (const End end : {End::Bottom, End::Top}) {
    const auto known = bench.modesty.find(bench.control->name);
    auto values =
        bench.values.make(*bench.control, end, known == bench.modesty.end() ? 0 : known->second);
    if (!values) return {};
    if (auto done = bench.rows.put(*bench.control, State::A, *values); !done) return done;
    bench.sight_end = end;
    bench.written = bench.clock.now();
    bench.clock.sleep(bench.settle_seconds);
    if (has_own_row(bench, ask_by_nothing(bench, *needs, end))) return {};
  }
  return {};
}

std::vector<Contender> acting_at(std::span<const Way> ways, const Controls& controls, End end) {
  std::vector<Contender> contenders;
  for (const Way& way : ways) {
    const WayControl& control = controls.at(way.name);
    if (control.acts && control.end == end) contenders.push_back({&way, control.restless});
  }
  return contenders;
}

}  // namespace

Result<Controls> check_controls(Bench& bench, std::span<const Way> ways, double patience) {
  Controls controls;
  for (const End end : {End::Top, End::Bottom}) {
    const double wait = end == End::Top ? patience : std::min(patience, slowest(bench));
    auto done = ControlCheck(bench, controls, end, wait).run(ways);
    if (!done) return done.error();
  }
  for (const Way& way : ways) bench.quiet_of(way) |= controls[way.name].acts;
  for (const Way& way : ways) bench.quiet_of(way) &= !controls[way.name].restless;
  if (auto done = keep_in_sight(bench, ways, controls); !done) return done.error();
  return controls;
}

Result<std::vector<std::string>> still_acting(Bench& bench, std::span<const Way> ways,
                                              const Controls& controls) {
  std::vector<std::string> acting;
  for (const End end : {End::Top, End::Bottom}) {
    auto contenders = acting_at(ways, controls, end);
    // Somebody else's write at the wrong moment is forgiven twice.
    for (int tries = 0; tries < 3 && !contenders.empty(); ++tries) {
      const RoundPlan once{
          .field = *bench.control, .end = end, .control_writes = 0, .seeks_sight = tries > 0};
      auto done = Round(bench, once).run(contenders);
      if (!done) return done.error();
      for (const Contender& contender : contenders) {
        if (contender.moved()) acting.push_back(contender.way->name);
      }
      std::erase_if(contenders, &Contender::moved);
      for (Contender& contender : contenders) contender = {contender.way, contender.restless};
    }
  }
  return acting;
}

}  // namespace rankveil::probe
