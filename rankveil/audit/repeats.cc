#include "rankveil/audit/repeats.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "rankveil/audit/check.h"
#include "rankveil/audit/profile_kinds.h"
#include "rankveil/base/format.h"
#include "rankveil/base/random.h"

namespace rankveil::audit {

namespace {

using Answers = std::vector<std::vector<std::uint32_t>>;

// Each attribute is asked for in half of the queries.
Query random_query(const Schema& schema, Rng& rng) {
  Query query = empty_query(schema);
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    std::uint32_t domain = schema.attributes[i].domain.size();
    if (domain == 0 || rng.below(2) == 0) continue;
    query.wanted[i].push_back(ValueId{static_cast<std::uint16_t>(rng.below(domain))});
  }
  return query;
}

Result<Answers> ask(attack::Target& target, const std::vector<Query>& queries, bool backwards) {
  Answers answers(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    std::size_t at = backwards ? queries.size() - 1 - i : i;
    auto answer = target.query(queries[at]);
    if (!answer) return answer.error();
    answers[at] = *std::move(answer);
  }
  return answers;
}

std::string answers_problem(const Answers& first, const Answers& again, const Answers& other) {
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    changed += first[i] != again[i] || first[i] != other[i] ? 1 : 0;
  }
  if (changed == 0) return {};
  return fmt::format("{} of {} queries had another answer when asked again", grouped(changed),
                     grouped(first.size()));
}

}  // namespace

Result<Finding> check_answers(const Arena& arena, std::uint64_t seed, std::uint32_t queries) {
  Rng rng(seed ^ 0x4e9ea7);
  std::vector<Query> asked;
  for (std::uint32_t i = 0; i < queries; ++i) {
    asked.push_back(random_query(arena.knowledge.schema, rng));
  }
  auto target = arena.fresh();
  if (!target) return target.error();
  auto first = ask(**target, asked, false);
  if (!first) return first.error();
  auto again = ask(**target, asked, true);
  if (!again) return again.error();
  auto fresh = arena.fresh();
  if (!fresh) return fresh.error();
  auto other = ask(**fresh, asked, false);
  if (!other) return other.error();
  return check_finding("repeats", "all", queries, answers_problem(*first, *again, *other));
}

namespace {

const GroupedProfiles* grouped_in(const Profiles& profiles) {
  return std::get_if<GroupedProfiles>(&profiles.kinds());
}

bool is_there(const std::vector<std::uint8_t>& there, std::uint32_t row) {
  return there.empty() || there[row] != 0;
}

bool is_silent(const Profiles& profiles, std::uint32_t row) {
  const GroupedProfiles* grouped = grouped_in(profiles);
  return grouped != nullptr && grouped->shares.in_full(grouped->group_of[row]);
}

// What a row shows of its own: its signal; where there are none, its shares.
std::vector<std::uint32_t> shown_kinds(const Profiles& profiles, PrivateId attribute,
                                       KindNumbers& numbers) {
  const GroupedProfiles* grouped = grouped_in(profiles);
  bool signals = grouped != nullptr && grouped->keep.numerator > 0;
  return signals ? kinds_of(grouped->signals, attribute, numbers)
                 : kinds_of(profiles, attribute, numbers);
}

std::uint32_t attributes_of(const Profiles& profiles) {
  const GroupedProfiles* grouped = grouped_in(profiles);
  const LevelProfiles& signals =
      grouped != nullptr ? grouped->signals : *std::get_if<LevelProfiles>(&profiles.kinds());
  return static_cast<std::uint32_t>(signals.domain_sizes().size());
}

}  // namespace

Finding check_builds(const RowNames& names, const Profiles& first, const Profiles& second,
                     const std::vector<std::uint8_t>& there) {
  std::vector<std::uint8_t> changed(first.rows(), 0);
  for (std::uint32_t j = 0; j < attributes_of(first); ++j) {
    KindNumbers numbers;
    auto before = shown_kinds(first, PrivateId{j}, numbers);
    auto after = shown_kinds(second, PrivateId{j}, numbers);
    for (std::uint32_t row = 0; row < first.rows(); ++row) {
      if (before[row] != after[row]) changed[row] = 1;
    }
  }
  std::uint64_t both = 0, rows = 0;
  std::string example;
  for (std::uint32_t row = 0; row < first.rows(); ++row) {
    if (!is_there(there, row) || is_silent(first, row) || is_silent(second, row)) continue;
    ++both;
    if (changed[row] == 0) continue;
    if (rows++ == 0) example = names.text(RowId{row});
  }
  std::string evidence;
  if (rows > 0) {
    evidence = fmt::format(
        "{} of {} that show something in two releases do not show the same, {} "
        "among them",
        grouped(rows), counted(both, "row"), example);
  }
  return check_finding("repeats", "all", both, std::move(evidence));
}

namespace {

// The rows that must have come or gone to turn one group's counts into the other's. Counts may have
// been divided by a common factor, so that only those of about the same size are compared.
std::uint64_t rows_moved(const GroupShares& from, std::uint32_t a, const GroupShares& to,
                         std::uint32_t b) {
  std::uint64_t most =
      from.size(a) > to.size(b) ? from.size(a) - to.size(b) : to.size(b) - from.size(a);
  for (std::uint32_t j = 0; j < from.domain_sizes().size(); ++j) {
    std::uint64_t more = 0, fewer = 0;
    for (std::uint32_t v = 0; v < from.domain_sizes()[j]; ++v) {
      ValueId value{static_cast<std::uint16_t>(v)};
      std::uint32_t before = from.count(a, PrivateId{j}, value);
      std::uint32_t after = to.count(b, PrivateId{j}, value);
      (after > before ? more : fewer) += after > before ? after - before : before - after;
    }
    most = std::max({most, more, fewer});
  }
  return most;
}

}  // namespace

Finding check_shares(const RowNames& names, const Profiles& first, const Profiles& second,
                     std::uint32_t min_group, const std::vector<std::uint8_t>& there) {
  const GroupedProfiles* before = grouped_in(first);
  const GroupedProfiles* after = grouped_in(second);
  if (before == nullptr || after == nullptr) return check_finding("repeats", "all", 0, {});
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  std::uint64_t moved_groups = 0;
  std::string example;
  for (std::uint32_t row = 0; row < first.rows(); ++row) {
    std::uint32_t a = before->group_of[row], b = after->group_of[row];
    bool shows = is_there(there, row) && !is_silent(first, row) && !is_silent(second, row);
    if (!shows || !seen.insert({a, b}).second) continue;
    std::uint64_t moved = rows_moved(before->shares, a, after->shares, b);
    if (moved == 0 || moved >= min_group) continue;
    if (moved_groups++ > 0) continue;
    example = fmt::format("those of the group of {} by {}", names.text(RowId{row}),
                          counted(moved, "row"));
  }
  std::string evidence;
  if (moved_groups > 0) {
    evidence = fmt::format(
        "the shares of {} moved by fewer than {} rows between two releases, and "
        "so spell out these rows: {}",
        counted(moved_groups, "group"), min_group, example);
  }
  return check_finding("repeats", "all", seen.size(), std::move(evidence));
}

}  // namespace rankveil::audit
