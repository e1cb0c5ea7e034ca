#include "rankveil/probe/reading.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "rankveil/probe/features.h"
#include "rankveil/probe/meter.h"
#include "rankveil/probe/patient.h"
#include "rankveil/probe/repetition.h"
#include "rankveil/probe/values.h"

namespace rankveil::probe {
namespace {

// Ties that are broken by chance look like an effect every second time.
constexpr int times_compared = 8;

// Both ends of a field: State::A asks for the least values, State::B for the greatest.
struct Pair {
  Question least;
  Question greatest;
};

Question end_question(const Way& way, const Field& field, End end, const TestValues& values) {
  Question question;
  question.way = way.name;
  question.field = field.name;
  question.value = values.a;
  question.low = values.low;
  question.high = values.high;
  question.direction = end == End::Bottom ? Direction::Ascending : Direction::Descending;
  return question;
}

// What answers tell of others stays out of proofs: of an order there is a number only.
Exchange read_exchange(State state, const Question& question, const Answer& answer) {
  Sighting seen{answer.outcome, answer.status, answer.rows.size(), {}, answer.count, {}};
  return {state == State::A ? "least" : "greatest", {}, question, answer.request, seen};
}

std::string told_apart(const std::string& feature, const std::string& text) {
  if (feature == "count" || feature == "outcome") return text;
  return fmt::format("{:08x}", static_cast<std::uint32_t>(std::hash<std::string>{}(text)));
}

struct Reading {
  Repetition answers = {};
  std::vector<std::string> acting = {};  // features that go with the end asked for
  bool restless = false;
  bool throttled = false;  // it may answer another time
  std::uint64_t answered = 0;
  std::uint64_t refused = 0;
  std::uint64_t requests = 0;
  std::string refusal = {};
  std::string trouble = {};
};

class Reader {
 public:
  Reader(PatientAsker& asker, ValueMaker& values) : asker_(asker), values_(values) {}

  Reading read(const Way& way, const Field& field) {
    Reading reading;
    const Pair pair = pair_of(way, field);
    compare(reading, pair);
    for (int i = 1; i < times_compared && differs(reading); ++i) compare(reading, pair);
    reading.restless = reading.answers.restless();
    if (differs(reading)) reading.acting = without_made_up(way, field, reading);
    return reading;
  }

  // A service may refuse the value, not the question: a text where it has numbers. `is_known`: it
  // answers such questions about a public field.
  Reading read_as_any_type(const Way& way, const Field& field, bool is_known) {
    Reading reading = read(way, field);
    if (!is_refused(reading) || !asks_for_values(way.kind)) return reading;
    for (const FieldType type :
         {FieldType::Number, FieldType::Text, FieldType::Date, FieldType::Flag}) {
      const Field other{field.name, type};
      const bool is_tried = type != field.type && (is_known || type == FieldType::Number);
      if (!is_tried) continue;
      Reading first;
      ask(first, State::A, pair_of(way, other).least);
      reading.requests += first.requests;
      if (is_refused(first)) continue;
      const std::uint64_t before = reading.requests;
      reading = read(way, other);
      reading.requests += before;
      break;
    }
    return reading;
  }

 private:
  static bool is_refused(const Reading& reading) {
    return reading.refused > 0 && reading.answered == 0 && reading.trouble.empty();
  }

  static bool asks_for_values(Kind kind) {
    return kind == Kind::Filter || kind == Kind::Count || kind == Kind::Relation;
  }

  Pair pair_of(const Way& way, const Field& field) {
    const auto bottom = values_.make(field, End::Bottom).value_or(TestValues{});
    const auto top = values_.make(field, End::Top).value_or(TestValues{});
    return {end_question(way, field, End::Bottom, bottom), end_question(way, field, End::Top, top)};
  }

  void ask(Reading& reading, State state, const Question& question) {
    const Answer answer = asker_.ask(question);
    reading.requests += answer.requests;
    if (answer.outcome == Outcome::Answered) ++reading.answered;
    if (answer.outcome == Outcome::Refused) {
      ++reading.refused;
      reading.refusal = answer.reason;
    }
    if (answer.outcome == Outcome::Failed || answer.outcome == Outcome::Throttled) {
      reading.trouble = answer.reason;
    }
    reading.throttled |= answer.outcome == Outcome::Throttled;
    reading.answers.add({state, features_of(answer, {}), read_exchange(state, question, answer)});
  }

  void compare(Reading& reading, const Pair& pair) {
    ask(reading, State::A, pair.least);
    ask(reading, State::B, pair.greatest);
  }

  static bool differs(const Reading& reading) {
    return reading.refused == 0 && reading.trouble.empty() && !reading.answers.following().empty();
  }

  // Less what goes with the end for a field that nobody has.
  std::vector<std::string> without_made_up(const Way& way, const Field& field, Reading& reading) {
    Field nobodys = field;
    nobodys.name += "_nx";
    Reading made_up;
    compare(made_up, pair_of(way, nobodys));
    reading.requests += made_up.requests;
    const auto own = made_up.refused > 0 ? std::vector<std::string>{} : made_up.answers.following();
    std::vector<std::string> acting;
    std::ranges::copy_if(
        reading.answers.following(), std::back_inserter(acting),
        [&](const std::string& name) { return std::ranges::find(own, name) == own.end(); });
    return acting;
  }

  PatientAsker& asker_;
  ValueMaker& values_;
};

// ---- verdicts ----

struct Told {
  Verdict verdict;
  std::string reason;
};

Told tell_dependence(const Way& way, const Field& field, const Reading& reading) {
  if (way.kind == Kind::Sort && !field.declared.empty()) return {Verdict::Declared, field.declared};
  return {Verdict::Leak,
          fmt::format("{} goes with the end of {} that is asked for, and not with that of a "
                      "made-up field; seen by reading, {} times of {}",
                      reading.acting.front(), field.name, times_compared, times_compared)};
}

// A way that the service cannot carry out tells nothing of any field.
bool fails_for_all(const Reading& reading, const Reading* control) {
  const auto fails = [](const Reading& one) {
    return !one.trouble.empty() && !one.throttled && one.answered == 0 && one.refused == 0;
  };
  return control != nullptr && fails(reading) && fails(*control);
}

Told tell(const Way& way, const Field& field, const Reading& reading, const Reading* control) {
  if (!reading.acting.empty()) return tell_dependence(way, field, reading);
  if (fails_for_all(reading, control) && !way.required) {
    return {Verdict::Absent, "it fails for a public field, too: " + reading.trouble};
  }
  if (!reading.trouble.empty()) return {Verdict::Blind, "the service fails: " + reading.trouble};
  if (control == nullptr) return {Verdict::Blind, "no public field is known to compare with"};
  if (control->answered == 0 && !control->trouble.empty()) {
    return {Verdict::Blind, "the service fails for a public field: " + control->trouble};
  }
  if (control->answered == 0) {
    return {way.required ? Verdict::Blind : Verdict::Absent,
            "refused for a public field, too: " + control->refusal};
  }
  if (reading.answered == 0) return {Verdict::Refused, reading.refusal};
  if (control->acting.empty()) {
    return {Verdict::Blind,
            "nothing is seen of this way by reading; write into an own row to see it"};
  }
  if (reading.restless) {
    return {Verdict::Blind, "answers vary by themselves; write into an own row to see more"};
  }
  return {Verdict::Inert, "nothing goes with it, and a public field acts; seen by reading"};
}

Proof proof_of(const Reading& reading) {
  const std::string& feature = reading.acting.front();
  Proof proof{feature, {}};
  for (const Observation& seen : reading.answers.observations()) {
    if (proof.exchanges.size() == 3) break;
    Exchange exchange = seen.exchange;
    exchange.seen.observed = told_apart(feature, feature_text(seen.features, feature));
    proof.exchanges.push_back(std::move(exchange));
  }
  return proof;
}

Finding tell_of(const Way& way, const Field& field, const Reading& reading,
                const Reading* control) {
  Told told = tell(way, field, reading, control);
  Finding finding{field.name, way, told.verdict, std::move(told.reason), {}, reading.requests};
  if (told.verdict == Verdict::Leak || told.verdict == Verdict::Declared) {
    finding.proofs.push_back(proof_of(reading));
  }
  return finding;
}

using Readings = std::map<std::string, Reading>;  // by way

Readings read_control(Reader& reader, std::span<const Way> ways, const Field& control) {
  Readings readings;
  for (const Way& way : ways) readings.emplace(way.name, reader.read(way, control));
  return readings;
}

// A service that has gone silent meanwhile was not seen to do nothing.
void settle_readings(Reader& reader, std::span<const Way> ways, const Field& control,
                     const Readings& before, std::vector<Finding>& findings) {
  const auto acted = std::ranges::find_if(
      ways, [&](const Way& way) { return !before.at(way.name).acting.empty(); });
  const bool acts = acted != ways.end() && !reader.read(*acted, control).acting.empty();
  if (acts) return;
  for (Finding& finding : findings) {
    const bool rests = finding.verdict == Verdict::Inert || finding.verdict == Verdict::Refused ||
                       finding.verdict == Verdict::Absent;
    if (!rests) continue;
    finding.verdict = Verdict::Blind;
    finding.reason =
        "no public field was seen to act in the end: the service throttles, or the requests are "
        "misspelt";
  }
}

std::vector<Kind> kinds_unseen(const std::vector<Finding>& findings) {
  std::set<Kind> unseen = {Kind::Column};
  for (const Finding& finding : findings) {
    if (finding.verdict == Verdict::Blind) unseen.insert(finding.way.kind);
  }
  return {unseen.begin(), unseen.end()};
}

}  // namespace

ReadingReport probe_by_reading(Asker& asker, const ReadingOptions& options, Clock& clock,
                               const Progress& progress) {
  Meter meter(options.budget, options.stop);
  PatientAsker patient(asker, meter, clock, {.seconds = options.patience});
  ValueMaker values(options.seed);
  Reader reader(patient, values);
  Readings control;
  if (options.control) control = read_control(reader, asker.ways(), *options.control);
  ReadingReport result;
  double done = 0;
  for (const Field& field : options.fields) {
    report(progress, "asking for " + field.name,
           done++ / static_cast<double>(options.fields.size()));
    for (const Way& way : asker.ways()) {
      const auto known = control.find(way.name);
      const Reading* public_one = known == control.end() ? nullptr : &known->second;
      const bool is_known = public_one != nullptr && public_one->answered > 0;
      const Reading reading = reader.read_as_any_type(way, field, is_known);
      result.findings.push_back(tell_of(way, field, reading, public_one));
    }
  }
  if (options.control) {
    settle_readings(reader, asker.ways(), *options.control, control, result.findings);
  }
  result.requests = meter.spent();
  result.unseen = kinds_unseen(result.findings);
  return result;
}

}  // namespace rankveil::probe
