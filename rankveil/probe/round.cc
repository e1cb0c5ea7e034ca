#include "rankveil/probe/round.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace rankveil::probe {
namespace {

// Shorter ones are found in other fields, too, by chance.
constexpr std::size_t rare_length = 6;

std::string_view last_component(std::string_view name) {
  return name.substr(name.find_last_of('.') + 1);
}

bool same_name(std::string_view left, std::string_view right) {
  return std::ranges::equal(last_component(left), last_component(right), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  });
}

std::string without_quotes(const std::string& json) {
  const bool quoted = json.size() >= 2 && json.front() == '"' && json.back() == '"';
  return quoted ? json.substr(1, json.size() - 2) : json;
}

bool shows(const Answer& answer, const std::string& row, const Field& field, const Value& value) {
  return std::ranges::any_of(answer.parts, [&](const Part& part) {
    if (part.row != row) return false;
    const bool may_be_it = same_name(part.name, field.name) || value.text.size() >= rare_length;
    return may_be_it && same_value(field, {without_quotes(part.text)}, value);
  });
}

Sighting sighting_of(const Answer& answer, const std::vector<std::string>& own) {
  Sighting seen{answer.outcome, answer.status, answer.rows.size(), {}, answer.count, {}};
  for (const std::string& row : own) {
    const std::size_t place = place_of(answer, row);
    seen.places.push_back(place == 0 ? std::nullopt : std::optional<std::uint64_t>(place));
  }
  return seen;
}

}  // namespace

Question question_of(const Way& way, const Field& field, const TestValues& values, End end,
                     const std::vector<std::string>& own) {
  Question question;
  question.way = way.name;
  question.field = field.name;
  question.value = values.a;
  question.low = values.low;
  question.high = values.high;
  question.direction = end == End::Top ? Direction::Descending : Direction::Ascending;
  question.own = own;
  return question;
}

// ---- writing ----

Status Round::put(State state) {
  auto done = bench_.rows.put(plan_.field, state, values_);
  bench_.written = bench_.clock.now();
  if (done && bench_.settle_seconds > 0) bench_.clock.sleep(bench_.settle_seconds);
  return done;
}

// Values that the service takes at both ends. How far out they may be is tried once for a field.
Status Round::choose_values() {
  const auto known = bench_.modesty.find(plan_.field.name);
  if (known != bench_.modesty.end()) {
    values_ = bench_.values.make(plan_.field, plan_.end, known->second).value();
    return {};
  }
  Status refused = bad_input("no two values are known that " + plan_.field.name + " may have");
  for (std::uint32_t modesty = 0;; ++modesty) {
    auto values = bench_.values.make(plan_.field, plan_.end, modesty);
    if (!values) return refused;
    values_ = *values;
    refused = put(State::B);
    if (refused) refused = put(State::A);
    if (refused) bench_.modesty[plan_.field.name] = modesty;
    if (refused || !bench_.meter.may_go_on()) return refused;
  }
}

// A service that keeps old rows for a while may put new ones in two places by turns, so that every
// second write looks alike. A third value for b moves a to the other turn.
Status Round::break_rhythm() { return bench_.rows.put_first(plan_.field, values_.other_b); }

Status Round::write_control() {
  Bench& bench = bench_;
  const auto known = bench.modesty.find(bench.control->name);
  const std::uint32_t modesty = known == bench.modesty.end() ? 0 : known->second;
  auto values = bench.values.make(*bench.control, bench.sight_end, modesty);
  if (!values) return {};
  auto done = bench.rows.put(*bench.control, State::A, *values);
  bench.written = bench.clock.now();
  return done;
}

// ---- asking ----

namespace {

std::vector<Contender*> pointers_to(std::vector<Contender>& contenders) {
  std::vector<Contender*> pointers;
  pointers.reserve(contenders.size());
  for (Contender& contender : contenders) pointers.push_back(&contender);
  return pointers;
}

}  // namespace

void Round::keep_pace(Contender& contender) {
  const Pace& pace = bench_.paces[contender.way->name];
  const double now = bench_.clock.now();
  const double asked = bench_.asked[contender.way->name];
  const double wait =
      std::max(bench_.written + pace.after_write - now, asked + pace.after_ask - now);
  if (wait > 0) bench_.clock.sleep(wait);
}

void Round::look(Contender& contender, State state, const Question& question, bool too_early) {
  const double asked = bench_.clock.now();
  Answer answer = bench_.asker.ask(question);
  const double answered = bench_.clock.now();
  // A cache keeps what was answered from then on, however long the probe had to wait before.
  bench_.asked[contender.way->name] = answered;
  contender.requests += answer.requests;
  const std::vector<std::string>& own = bench_.rows.ids();
  const std::vector<Value> held = bench_.rows.values(state, values_);
  if (place_of(answer, own.front()) > 0) {
    ++contender.sighted;
    if (shows(answer, own.front(), plan_.field, held.front())) ++contender.shown;
  }
  Observation seen{
      state,
      features_of(answer, own),
      {state == State::A ? "a" : "b", held, question, answer.request, sighting_of(answer, own)},
      asked,
      answered,
      bench_.written};
  contender.answers.push_back(std::move(answer));
  if (too_early) {
    contender.repetition.replace_last(std::move(seen));
  } else {
    contender.repetition.add(std::move(seen));
  }
}

// A leak may keep it out of sight whatever is written, so this ends.
void Round::seek_sight(const Question& question, State state) {
  constexpr int most_writes = 3;
  for (int i = 0; i < most_writes && bench_.meter.may_go_on(); ++i) {
    if (place_of(bench_.asker.ask(question), bench_.rows.ids().front()) > 0) return;
    const bool is_control = plan_.field.name == bench_.control->name;
    if (!(is_control ? put(state) : write_control())) return;
    if (bench_.settle_seconds > 0) bench_.clock.sleep(bench_.settle_seconds);
  }
}

// Again and again, as far apart as a cache makes necessary.
void Round::ask(Contender& contender, State state) {
  const Question question =
      question_of(*contender.way, plan_.field, values_, plan_.end, bench_.rows.ids());
  if (plan_.seeks_sight) seek_sight(question, state);
  const std::uint32_t times = contender.restless ? 2 * plan_.asks : plan_.asks;
  for (std::uint32_t i = 0; i < times; ++i) {
    if (i == 0 && !plan_.hastes) keep_pace(contender);
    if (i > 0 && bench_.settle_seconds > 0) bench_.clock.sleep(bench_.settle_seconds);
    look(contender, state, question, false);
  }
}

void Round::ask_all(std::vector<Contender>& contenders, State state) {
  for (Contender& contender : contenders) ask(contender, state);
}

void Round::ask_at_once(std::vector<Contender>& contenders, State state) {
  for (Contender& contender : contenders) {
    Contender asked = contender;
    look(asked, state, contender.repetition.observations().back().exchange.question, false);
    if (asked.moved()) contender = std::move(asked);
  }
}

void Round::ask_doubtful(std::vector<Contender>& contenders, State state) {
  std::vector<Contender*> doubtful;
  for (Contender& contender : contenders) {
    if (contender.in_doubt()) doubtful.push_back(&contender);
  }
  const double since = bench_.clock.now();
  for (Contender* contender : doubtful) ask(*contender, state);
  wait_for_movement(doubtful, state, since);
}

void Round::look_again(const std::vector<Contender*>& contenders, State state) {
  for (Contender* contender : contenders) {
    if (contender->moved()) continue;
    const Question question =
        question_of(*contender->way, plan_.field, values_, plan_.end, bench_.rows.ids());
    look(*contender, state, question, true);
  }
}

// Where nothing moves, as long as the plan allows. Where some have moved, the others have a little
// more time, what has passed since the first was asked: a cache forgets one answer after the other.
void Round::wait_for_movement(const std::vector<Contender*>& contenders, State state,
                              double since) {
  const auto moved = [&] { return std::ranges::count_if(contenders, &Contender::moved); };
  const auto all = static_cast<std::ptrdiff_t>(contenders.size());
  const double began = bench_.clock.now();
  const double little = std::min(plan_.patience_seconds, std::max(1.5, began - since));
  double pause = 0.5;
  for (auto before = moved(); before < all && bench_.meter.may_go_on();) {
    const double waited = bench_.clock.now() - began;
    if (waited >= (before > 0 ? little : plan_.patience_seconds)) return;
    bench_.clock.sleep(pause);
    pause *= 2;
    look_again(contenders, state);
    const auto after = moved();
    // Where most have moved at once, the others have a pace of their own.
    if (after > before && 2 * before < all) learn_delay(bench_.clock.now() - since);
    before = after;
  }
}

void Round::learn_delay(double seconds) {
  bench_.settle_seconds = std::max(bench_.settle_seconds, 1.25 * seconds);
}

// ---- the round ----

// To a; and to b and a once more, as often as the plan says.
Status Round::switch_back(std::vector<Contender>& contenders) {
  if (auto done = put(State::A); !done) return done;
  ask_doubtful(contenders, State::A);
  for (std::uint32_t i = 1; i < plan_.switches; ++i) {
    for (const State state : {State::B, State::A}) {
      if (std::ranges::none_of(contenders, &Contender::in_doubt)) return {};
      if (auto done = put(state); !done) return done;
      ask_doubtful(contenders, state);
    }
  }
  return {};
}

Status Round::confirm(std::vector<Contender>& contenders) {
  if (auto done = break_rhythm(); !done) return done;
  if (auto done = switch_back(contenders); !done) return done;
  if (!bench_.control || plan_.control_writes == 0) return {};
  for (std::uint32_t i = 0; i < plan_.control_writes; ++i) {
    if (auto done = write_control(); !done) return done;
  }
  if (bench_.settle_seconds > 0) bench_.clock.sleep(bench_.settle_seconds);
  ask_doubtful(contenders, State::A);
  return {};
}

Status Round::run(std::vector<Contender>& contenders) {
  if (auto chosen = choose_values(); !chosen) return chosen;
  if (auto done = put(State::A); !done) return done;
  const double since = bench_.clock.now();
  ask_all(contenders, State::A);
  if (auto done = put(State::B); !done) return done;
  ask_all(contenders, State::B);
  wait_for_movement(pointers_to(contenders), State::B, since);
  if (!bench_.meter.may_go_on()) return wrong_use(bench_.meter.reason());
  if (std::ranges::none_of(contenders, &Contender::in_doubt)) return {};
  if (auto done = confirm(contenders); !done) return done;
  if (!bench_.meter.may_go_on()) return wrong_use(bench_.meter.reason());
  return {};
}

}  // namespace rankveil::probe
