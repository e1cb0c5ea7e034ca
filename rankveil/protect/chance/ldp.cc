#include "rankveil/protect/chance/ldp.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/chance/draw_name.h"
#include "rankveil/protect/groups/pieces.h"
#include "rankveil/protect/groups/signal_profiles.h"

namespace rankveil {

// In e^-epsilon, which does not overflow.
LdpChannel::LdpChannel(double epsilon, std::uint32_t domain) : domain_(domain), epsilon_(epsilon) {
  double inverse = std::exp(-epsilon);
  double all = 1 + (domain - 1) * inverse;
  even_ = inverse / all;
  extra_ = (1 - inverse) / all;
}

double LdpChannel::probability(ValueId said, ValueId own) const {
  if (own == missing_value) return 1.0 / domain_;
  return even_ + (said == own ? extra_ : 0);
}

KeyedStream ldp_stream(const SecretKey& key, std::string_view attribute,
                       const LdpChannel& channel) {
  return {key, "ldp answer",
          fmt::format("{}\n{}\n{}", attribute, channel.epsilon(), channel.domain())};
}

// A value is said by everybody with probability `even`: that much is no answer at all, but any
// value alike.
ValueId LdpChannel::say(const KeyedStream& stream, std::string_view name, ValueId own) const {
  if (own != missing_value && stream.uniform(name, 0) < extra_) return own;
  return ValueId{static_cast<std::uint16_t>(stream.below(domain_, name, 1))};
}

namespace {

// One step of expectation and maximisation: answers are handed back to the values that may have
// given them, as the shares so far say.
std::vector<double> improved(const LdpChannel& channel, const std::vector<double>& said,
                             const std::vector<double>& before, double pseudo_rows,
                             const std::vector<double>& shares) {
  double handed_out = 0;
  for (std::size_t x = 0; x < said.size(); ++x) {
    if (said[x] > 0) handed_out += said[x] / (channel.extra() * shares[x] + channel.even());
  }
  std::vector<double> next;
  double all = 0;
  for (std::size_t x = 0; x < said.size(); ++x) {
    double own = said[x] > 0 ? said[x] / (channel.extra() * shares[x] + channel.even()) : 0;
    double rows = shares[x] * (channel.extra() * own + channel.even() * handed_out);
    next.push_back(rows + pseudo_rows * before[x]);
    all += next.back();
  }
  for (double& share : next) share /= all;
  return next;
}

}  // namespace

std::vector<double> estimated_shares(const LdpChannel& channel, const std::vector<double>& said,
                                     const std::vector<double>& before, double pseudo_rows) {
  constexpr int max_steps_of_improvement = 300;
  constexpr double close = 1e-7;
  std::vector<double> shares = before;
  for (int i = 0; i < max_steps_of_improvement; ++i) {
    std::vector<double> next = improved(channel, said, before, pseudo_rows, shares);
    double change = 0;
    for (std::size_t x = 0; x < next.size(); ++x) {
      change = std::max(change, std::abs(next[x] - shares[x]));
    }
    shares = std::move(next);
    if (change < close) break;
  }
  return shares;
}

void ldp_posterior(const LdpChannel& channel, const std::vector<double>& shares, ValueId said,
                   std::vector<double>& out) {
  out = shares;
  if (said == missing_value) return;
  double all = channel.extra() * shares[+said] + channel.even();
  for (double& p : out) p *= channel.even() / all;
  out[+said] = shares[+said] * (channel.extra() + channel.even()) / all;
}

namespace {

std::vector<ValueId> answers_to(const Task& task, PrivateId attribute, const LdpChannel& channel) {
  KeyedStream stream = ldp_stream(task.key, task.attribute(attribute).name, channel);
  const Column& column = task.private_column(attribute);
  const Domain& domain = task.attribute(attribute).domain;
  std::vector<ValueId> said;
  RowNames::Digits digits;
  for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
    bool speaks = task.takes_part(RowId{row}) && channel.domain() > 0;
    ValueId own = column.value(RowId{row});
    std::string_view name = task.table.names().text(RowId{row}, digits);
    said.push_back(speaks ? channel.say(stream, draw_name(name, domain, own), own) : missing_value);
  }
  return said;
}

// Answers of all rows to one attribute, and what they say about the shares of every group: those of
// the climb, behind them the silent ones, and the whole table last.
class AttributeAnswers {
 public:
  AttributeAnswers(const Task& task, const Climb& climb, const SilentGroups& silent,
                   PrivateId attribute, double epsilon)
      : channel_(epsilon, task.private_column(attribute).domain_size()),
        climbed_(climb.groups.size()),
        said_(answers_to(task, attribute, channel_)) {
    estimate(climb, silent);
  }

  const LdpChannel& channel() const { return channel_; }
  // missing_value: the row takes no part.
  ValueId said(RowId row) const { return said_[+row]; }
  const std::vector<double>& shares(std::size_t group) const { return shares_[group]; }

 private:
  void estimate(const Climb& climb, const SilentGroups& silent) {
    std::vector<std::vector<double>> answers(climbed_, std::vector<double>(channel_.domain(), 0));
    std::vector<double> everybody(channel_.domain(), 0);
    for (std::size_t row = 0; row < said_.size(); ++row) {
      if (said_[row] == missing_value) continue;
      ++everybody[+said_[row]];
      if (climb.group_of[row] != Climb::no_group) ++answers[climb.group_of[row]][+said_[row]];
    }
    std::vector<double> even(channel_.domain(), 1.0 / channel_.domain());
    std::vector<double> overall = estimated_shares(channel_, everybody, even, ldp_pseudo_rows);
    for (const auto& group : answers) {
      shares_.push_back(estimated_shares(channel_, group, overall, ldp_pseudo_rows));
    }
    for (const auto& parts : silent.parts) {
      std::vector<double> sum(channel_.domain(), 0);
      for (std::uint32_t part : parts) {
        for (std::size_t x = 0; x < sum.size(); ++x) sum[x] += answers[part][x];
      }
      shares_.push_back(estimated_shares(channel_, sum, overall, ldp_pseudo_rows));
    }
  }

  LdpChannel channel_;
  std::size_t climbed_;
  std::vector<ValueId> said_;
  std::vector<std::vector<double>> shares_;
};

// The group of every row among all that shares are estimated for.
std::vector<std::uint32_t> groups_of(const Climb& climb, const SilentGroups& silent) {
  std::vector<std::uint32_t> group_of = climb.group_of;
  auto climbed = static_cast<std::uint32_t>(climb.groups.size());
  for (std::size_t row = 0; row < group_of.size(); ++row) {
    if (group_of[row] == Climb::no_group) group_of[row] = climbed + silent.group_of[row];
  }
  return group_of;
}

// Returns the largest rounding of a strength.
double write_piece(const Piece& piece, const AttributeAnswers& answers,
                   const std::vector<std::uint32_t>& group_of, LevelProfiles& signals) {
  double rounding = 0;
  std::vector<double> strengths;
  for (std::uint32_t row = piece.begin; row < piece.end; ++row) {
    ldp_posterior(answers.channel(), answers.shares(group_of[row]), answers.said(RowId{row}),
                  strengths);
    for (std::uint32_t v = 0; v < strengths.size(); ++v) {
      std::uint32_t level = nearest_level(strengths[v], signals.levels());
      rounding = std::max(rounding, rounding_of(strengths[v], signals.levels()));
      if (level == 0) continue;
      signals.set(RowId{row}, piece.attribute, ValueId{static_cast<std::uint16_t>(v)}, level);
    }
  }
  return rounding;
}

std::uint64_t rows_not_taking_part(const Task& task) {
  auto& part = task.taking_part;
  return static_cast<std::uint64_t>(std::count(part.begin(), part.end(), 0));
}

}  // namespace

Result<Protection> protect_ldp(const Task& task) {
  report(task.progress, "forming groups", 0);
  auto grouping = grouping_of(task);
  const Climb& groups = *grouping;
  SilentGroups silent = silent_groups(task, groups);
  std::vector<std::uint32_t> group_of = groups_of(groups, silent);
  report(task.progress, "drawing answers", 0.2);
  LdpBudgets budgets(task.table.schema(), task.demand);
  std::vector<std::unique_ptr<AttributeAnswers>> answers(task.private_count());
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    answers[j] =
        std::make_unique<AttributeAnswers>(task, groups, silent, attribute, budgets.of(attribute));
  });
  report(task.progress, "weighing answers", 0.5);
  LevelProfiles signals(task.table.rows(), task.private_domain_sizes(), task.demand.levels);
  ProtectionReport made;
  std::mutex reporting;
  fill_in_pieces(signals, task.threads, [&](const Piece& piece) {
    double here = write_piece(piece, *answers[+piece.attribute], group_of, signals);
    std::lock_guard lock(reporting);
    made.largest_rounding = std::max(made.largest_rounding, here);
  });
  made.rungs = describe(task, groups);
  made.rows_without_signal = rows_not_taking_part(task);
  made.notes.push_back(
      fmt::format("The total epsilon is {:.4g}: {}.", budgets.total(), budgets.to_text()));
  report(task.progress, "weighing answers", 1);
  return Protection{std::move(signals), std::move(made)};
}

std::vector<std::vector<ValueId>> ldp_answers(const Task& task) {
  LdpBudgets budgets(task.table.schema(), task.demand);
  std::vector<std::vector<ValueId>> answers(task.private_count());
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    LdpChannel channel(budgets.of(attribute), task.private_column(attribute).domain_size());
    answers[j] = answers_to(task, attribute, channel);
  });
  return answers;
}

namespace {

std::vector<double> answers_in(const GroupShares& counts, std::uint32_t group,
                               PrivateId attribute) {
  std::vector<double> said;
  for (std::uint32_t v = 0; v < counts.domain_sizes()[+attribute]; ++v) {
    said.push_back(counts.count(group, attribute, ValueId{static_cast<std::uint16_t>(v)}));
  }
  return said;
}

}  // namespace

void estimate_ldp_shares(const Task& task, const GroupShares& everybody, GroupShares& answers) {
  constexpr std::uint32_t parts = 1'000'000;
  LdpBudgets budgets(task.table.schema(), task.demand);
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    PrivateId attribute{j};
    std::uint32_t domain = answers.domain_sizes()[j];
    if (domain == 0) continue;
    LdpChannel channel(budgets.of(attribute), domain);
    std::vector<double> even(domain, 1.0 / domain);
    std::vector<double> overall =
        estimated_shares(channel, answers_in(everybody, 0, attribute), even, ldp_pseudo_rows);
    for (std::uint32_t group = 0; group < answers.groups(); ++group) {
      std::vector<double> shares = estimated_shares(channel, answers_in(answers, group, attribute),
                                                    overall, ldp_pseudo_rows);
      for (std::uint32_t v = 0; v < domain; ++v) {
        auto count = static_cast<std::uint32_t>(shares[v] * parts);  // down: at most 1 in all
        answers.set_count(group, attribute, ValueId{static_cast<std::uint16_t>(v)}, count);
      }
    }
  }
  for (std::uint32_t group = 0; group < answers.groups(); ++group) answers.set_size(group, parts);
}

}  // namespace rankveil
