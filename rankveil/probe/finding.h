// What a probe says about one field and one way of asking, and the proof of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/probe/asking.h"

namespace rankveil::probe {

enum class Verdict {
  Leak,      // answers depend on the hidden value
  Declared,  // they do, and the service says so: it ranks by the field under a promise
  Shown,     // answers show the field itself: it is not hidden
  Refused,   // the service refuses to be asked: the best answer
  Inert,     // it answers, a public field acts under this way, and the hidden one does nothing
  Absent,    // it does nothing for public fields either: the service does not know this way
  Blind,     // not known, and `reason` says why
};

// "LEAK", "DECLARED", ..., "BLIND".
std::string_view to_text(Verdict verdict);
std::optional<Verdict> parse_verdict(std::string_view text);

// What a stranger sees of an answer that matters: own rows only.
struct Sighting {
  Outcome outcome = Outcome::Answered;
  int status = 0;
  std::uint64_t rows = 0;  // in the answer
  // Of each own row, from 1; nothing: it is not in the answer.
  std::vector<std::optional<std::uint64_t>> places = {};
  std::optional<std::int64_t> count = std::nullopt;
  // What the verdict rests on, as text: "place 1", "not there", "count 2,001".
  std::string observed = {};
};

// One of the requests of a proof, after the own row was given `written`.
struct Exchange {
  std::string state;           // "a" or "b"
  std::vector<Value> written;  // into each own row
  Question question;
  std::string request;
  Sighting seen;
};

// a, b, a: the same question each time. The two a agree, and b differs.
struct Proof {
  std::string feature;  // in what: "place of the own row", "count", "cursor"
  std::vector<Exchange> exchanges;
};

struct Finding {
  std::string field;
  Way way;
  Verdict verdict = Verdict::Blind;
  std::string reason = {};         // one sentence; always there for BLIND, ABSENT and DECLARED
  std::vector<Proof> proofs = {};  // of LEAK and DECLARED: one for each repetition
  std::uint64_t requests = 0;      // spent on this finding alone
};

}  // namespace rankveil::probe
