#include "rankveil/probe/control.h"

#include <algorithm>

namespace rankveil::probe {
namespace {

// A field that no service has, asked for a value that no row has.
Answer ask_made_up(Bench& bench, const Way& way, End end) {
  Field nobodys = *bench.control;
  nobodys.name += "_nx";
  auto values = bench.values.make(nobodys, end);
  const TestValues any = values.value_or(TestValues{});
  return bench.asker.ask(question_of(way, nobodys, any, end, bench.rows.ids()));
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

void note_trouble(WayControl& control, const Answer& answer) {
  if (answer.outcome == Outcome::Refused) control.refused = true;
  if (answer.outcome != Outcome::Answered) control.trouble = answer.reason;
  if (!answer.rows.empty() || answer.count.value_or(0) > 0) control.empty = false;
}

void note_answers(WayControl& control, const Contender& contender) {
  control.refused = false;
  control.trouble.clear();
  control.restless = control.restless || contender.repetition.restless();
  for (const Answer& answer : contender.answers) note_trouble(control, answer);
}

class ControlCheck {
 public:
  ControlCheck(Bench& bench, Controls& controls, End end, double patience)
      : bench_(bench),
        controls_(controls),
        round_(bench, {*bench.control, end, 1, 0, patience}),
        end_(end) {}

  Status run(std::span<const Way> ways) {
    std::vector<Contender> contenders;
    for (const Way& way : ways) {
      if (!controls_[way.name].acts) contenders.push_back({&way});
    }
    if (contenders.empty()) return {};
    if (auto done = round_.run(contenders); !done) return done;
    for (const Contender& contender : contenders) {
      note_answers(controls_[contender.way->name], contender);
    }
    std::erase_if(contenders, [](const Contender& contender) { return !contender.moved(); });
    return compare_with_made_up(contenders);
  }

 private:
  // The own row holds a: the round ended so.
  Status compare_with_made_up(const std::vector<Contender>& contenders) {
    if (contenders.empty()) return {};
    for (const Contender& contender : contenders) compare(contender, State::A);
    if (auto done = round_.put(State::B); !done) return done;
    for (const Contender& contender : contenders) compare(contender, State::B);
    if (!bench_.meter.may_go_on()) return wrong_use(bench_.meter.reason());
    return {};
  }

  void compare(const Contender& contender, State state) {
    WayControl& control = controls_[contender.way->name];
    if (control.acts) return;
    const Answer made_up = ask_made_up(bench_, *contender.way, end_);
    control.acts = differs_from(contender, state, made_up, bench_.rows.ids());
    control.end = end_;
  }

  Bench& bench_;
  Controls& controls_;
  Round round_;
  End end_;
};

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
    // What the first end has learnt of delays holds for the second.
    const double wait = end == End::Top ? patience : 0;
    auto done = ControlCheck(bench, controls, end, wait).run(ways);
    if (!done) return done.error();
  }
  return controls;
}

Result<std::vector<std::string>> still_acting(Bench& bench, std::span<const Way> ways,
                                              const Controls& controls) {
  std::vector<std::string> acting;
  for (const End end : {End::Top, End::Bottom}) {
    auto contenders = acting_at(ways, controls, end);
    if (contenders.empty()) continue;
    auto done = Round(bench, {*bench.control, end, 1, 0}).run(contenders);
    if (!done) return done.error();
    for (const Contender& contender : contenders) {
      if (contender.moved()) acting.push_back(contender.way->name);
    }
  }
  return acting;
}

}  // namespace rankveil::probe
