// What rows said under ldp, read off their profiles.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/audit/likelihood.h"
#include "rankveil/audit/rounded_strengths.h"
#include "rankveil/protect/chance/ldp.h"

namespace rankveil::audit {

// Of one attribute. The scheme and its rounding are public, and estimates of shares hang on answers
// alone: so whoever has the answers can make the profiles, and answers that make just these
// profiles are looked for by going back and forth a few times. Answers that lead to one profile
// cannot be told apart, and nobody needs to.
class LdpAnswers {
 public:
  // `kinds`: the profile of every row, as `numbers` numbers it.
  LdpAnswers(const Task& task, const KnownGroups& groups, const KindNumbers& numbers,
             const std::vector<std::uint32_t>& kinds, std::uint32_t attribute,
             const LdpChannel& channel);

  // Which answers may have led to a profile in a group: at least one for every profile there.
  // REQUIRES: a row of the group has it.
  std::vector<std::uint32_t> answers(std::uint32_t group, std::uint32_t kind) const;
  // The profiles of a group's rows.
  const std::vector<std::uint32_t>& kinds(std::uint32_t group) const {
    return groups_[group].kinds;
  }

 private:
  struct Group {
    std::vector<std::uint32_t> kinds;    // that its rows have
    std::vector<double> rows;            // per kind
    std::vector<double> shares;          // as far as they are known
    std::vector<std::uint32_t> kind_of;  // per answer
    std::vector<double> said;            // rows per answer
    double explained = 0;                // rows whose profile an answer leads to exactly
  };
  void read(const Task& task, const KnownGroups& groups, const std::vector<std::uint32_t>& kinds);
  void first_guess(Group& group) const;
  void count(Group& group) const;
  void estimate();
  bool match(Group& group) const;
  Strengths profile(const Group& group, std::uint32_t said) const;

  std::uint32_t attribute_;
  std::uint32_t levels_;
  const LdpChannel& channel_;
  const KindNumbers& numbers_;
  RoundedStrengths rounded_;
  std::vector<Group> groups_;
};

}  // namespace rankveil::audit
