// Own rows whose score lies between the victim's two possible ones: one comparison tells whether it
// matches.
#pragma once

#include <optional>

#include "rankveil/attack/session.h"

namespace rankveil::attack {

enum class SentinelKind {
  Low,       // less public score than the victim, by less than a match
  LateTie,   // the same public score, behind the victim among equals
  MatchLow,  // less by exactly a match, ahead of the victim among equals
  EarlyTie,  // the same public score, ahead of the victim among equals
};

// The sentinels for one attribute and base. Low, LateTie and MatchLow ones carry a value that is
// asked for; they are exact on sets too. An EarlyTie must not match what is asked for.
class Sentinels {
 public:
  // REQUIRES: a base that shows the victim and asks for single public values of it.
  Sentinels(Session& session, Base& base, PrivateId attribute);

  // Decides for the first kind that works here, inserting at most two rows to find out how ties go.
  // False: none does.
  bool choose();
  SentinelKind kind() const { return kind_; }
  bool carries_asked_value() const { return kind_ != SentinelKind::EarlyTie; }
  // What to ask on top of.
  Base& base() { return *base_; }

  // An own row of this kind with this value; inserted if there is none. Nothing: no more rows.
  std::optional<std::uint32_t> row_with(ValueId value);
  // One that is there already, with a value of `values`.
  std::optional<std::uint32_t> find_row(std::span<const ValueId> values) const;
  ValueId value_of(std::uint32_t row) const;
  // Own rows that tie with the victim, and whose place is not known yet, get it by asking the base
  // again.
  bool calibrate();

 private:
  bool usable(const Session::OwnRow& row) const;
  std::vector<ValueId> values_for(ValueId value) const;
  std::optional<std::uint32_t> insert(ValueId value);
  ValueId first_value() const;
  bool choose_low();
  bool choose_tie();
  bool choose_match_low();
  bool victim_before(std::uint32_t row) const;
  bool row_before(std::uint32_t row) const;

  Session& session_;
  Base* base_;
  PrivateId attribute_;
  SentinelKind kind_ = SentinelKind::Low;
  std::vector<std::uint32_t> changed_;  // public attributes in which the rows differ
};

// Whether the row matches its own value is not known for certain everywhere. Asks for it from a
// query made for the row, where others are ahead of it.
void prove_alive(Session& session, PrivateId attribute, std::uint32_t row);

}  // namespace rankveil::attack
