#include "rankveil/api/bound.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "rankveil/api/bound_advice.h"
#include "rankveil/api/bound_parameters.h"
#include "rankveil/base/format.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/bound/count_theorem.h"
#include "rankveil/bound/friend_lists.h"
#include "rankveil/connect/columns.h"
#include "rankveil/connect/graph/edge_list.h"
#include "rankveil/table/row_groups.h"

namespace rankveil::api {

namespace {

using bound::Crowd;
using bound::Guarantee;
using bound::Mode;
using bound::Sums;

constexpr std::uint64_t most_points = 10'000;

// One thing that is summed up, and the people it is summed over.
struct Subject {
  std::string attribute = {};
  std::string value = {};
  Crowd crowd = {};  // empty: sums are given
};

bool has_source(const connect::Source& source) {
  return !source.path.empty() || !source.sql.empty();
}
bool has_source(const TableInput& input) { return has_source(input.source); }

Status check_share(const char* name, double share) {
  if (share >= 0 && share < 1) return {};
  return wrong_use(fmt::format("{} is {}; it lies between 0 and 1, without 1", name, share));
}

double required(const std::optional<double>& number) { return number.value_or(0); }

Sums given_sums(const GivenSums& given, const BoundSetting& setting, Scale scale) {
  double unknown = 1 - setting.lambda2;
  double factor = scale == Scale::Unknown ? unknown : setting.lambda2;
  Sums sums;
  sums.people = required(setting.n) * unknown;
  sums.variance = factor * required(given.variance);
  sums.variance_of_others = sums.variance - required(given.largest_variance);
  sums.variance_3_2 = factor * required(given.variance_3_2);
  sums.third = factor * required(given.third);
  sums.absolute_third = factor * required(given.absolute_third);
  sums.fourth = factor * required(given.fourth);
  sums.raw_third = factor * required(given.raw_third);
  sums.raw_fourth = factor * required(given.raw_fourth);
  return sums;
}

struct Needed {
  const char* flag;
  const std::optional<double>* given;
};

std::vector<Needed> needed_sums(const BoundRequest& request) {
  const GivenSums& sums = request.sums;
  bool paper = request.mode == Mode::Paper;
  bool independent = request.theorem == 2 || request.theorem == 4;
  std::vector<Needed> needed = {{"--n", &request.setting.n}};
  if (independent || !request.setting.sigma) needed.push_back({"--variance", &sums.variance});
  if (independent && paper) {
    needed.push_back({"--third", &sums.third});
    if (!request.setting.terms.denominator_outside) {
      needed.push_back({"--variance-3-2", &sums.variance_3_2});
    }
  }
  if (!paper) {
    needed.push_back({"--absolute-third", &sums.absolute_third});
    if (independent) needed.push_back({"--largest-variance", &sums.largest_variance});
  }
  if (!independent && paper) {
    needed.push_back({"--raw-third", &sums.raw_third});
    needed.push_back({"--raw-fourth", &sums.raw_fourth});
  }
  if (!independent && !paper) needed.push_back({"--fourth", &sums.fourth});
  return needed;
}

Status check_given_sums(const BoundRequest& request) {
  std::vector<std::string> missing;
  for (const Needed& needed : needed_sums(request)) {
    if (!*needed.given) missing.emplace_back(needed.flag);
  }
  if (missing.empty()) return {};
  return wrong_use(
      fmt::format("theorem {} in {} mode needs {}; or name a table (see rankveil bound --help)",
                  request.theorem, bound::mode_name(request.mode), listed(missing)));
}

Result<Guarantee> count_bound(const BoundSetting& setting, Mode mode) {
  bound::Count count;
  count.n = static_cast<std::uint64_t>(std::llround(required(setting.n)));
  count.p = required(setting.p);
  count.k = setting.terms.k;
  if (setting.delta) return bound::count_epsilon(count, *setting.delta, mode);
  return bound::count_delta(count, required(setting.terms.epsilon), mode);
}

// People who count or not, all alike.
bool has_coins(const BoundRequest& request) {
  return (request.setting.p || is_swept(request, "p")) &&
         (request.setting.n || is_swept(request, "n"));
}

Crowd coins(const BoundSetting& setting) {
  auto people = static_cast<std::uint64_t>(std::llround(std::max(0.0, required(setting.n))));
  return {{bound::moments_of_share(std::clamp(required(setting.p), 0.0, 1.0)), people}};
}

Sums sums_of(const BoundRequest& request, const BoundSetting& setting, const Subject& subject) {
  if (subject.crowd.empty() && !has_coins(request)) {
    return given_sums(request.sums, setting, request.scale);
  }
  const Crowd crowd = subject.crowd.empty() ? coins(setting) : subject.crowd;
  return request.mode == Mode::Sound ? bound::worst_sums(crowd, setting.lambda2)
                                     : bound::expected_sums(crowd, setting.lambda2);
}

Result<Guarantee> one_bound(const BoundRequest& request, const BoundSetting& setting,
                            const Subject& subject) {
  if (auto fine = check_share("lambda1", setting.lambda1); !fine) return fine.error();
  if (auto fine = check_share("lambda2", setting.lambda2); !fine) return fine.error();
  if (request.theorem == 1) return count_bound(setting, request.mode);
  Sums sums = sums_of(request, setting, subject);
  if (request.theorem == 2 || request.theorem == 4) {
    return bound::independent_bound(sums, setting.terms, request.mode);
  }
  bound::Dependence dependence{setting.lambda1, setting.neighbourhood.value_or(1), setting.sigma};
  if (request.scale == Scale::Printed && setting.sigma) {
    dependence.sigma = *setting.sigma * std::sqrt(setting.lambda2);
  }
  return bound::dependent_bound(sums, dependence, setting.terms, request.mode);
}

bool sets_parameter(BoundSetting& setting, const std::string& name, double x) {
  auto whole = [&] { return static_cast<std::uint64_t>(std::llround(std::max(0.0, x))); };
  if (name == "s") return setting.terms.s = x, true;
  if (name == "k") return setting.terms.k = whole(), true;
  if (name == "n") return setting.n = x, true;
  if (name == "p") return setting.p = x, true;
  if (name == "lambda1") return setting.lambda1 = x, true;
  if (name == "lambda2") return setting.lambda2 = x, true;
  if (name == "neighbourhood") return setting.neighbourhood = whole(), true;
  if (name == "eps1") return setting.terms.eps1 = x, true;
  if (name == "delta1") return setting.terms.delta1 = x, true;
  if (name == "epsilon") return setting.terms.epsilon = x, true;
  if (name == "delta") return setting.delta = x, true;
  return false;
}

std::uint32_t theorem_of(const BoundRequest& request) {
  if (request.theorem != 0) return request.theorem;
  const BoundSetting& setting = request.setting;
  bool known = setting.lambda2 > 0 || is_swept(request, "lambda2");
  bool has_data = !request.column.empty() || has_source(request.input) || has_source(request.graph);
  bool asks_for_epsilon = setting.delta || is_swept(request, "delta");
  if (asks_for_epsilon && !has_data && !known) return 1;
  bool dependent = setting.lambda1 > 0 || setting.neighbourhood.value_or(1) > 1 || setting.sigma ||
                   is_swept(request, "lambda1") || is_swept(request, "neighbourhood");
  // Friendship is mutual: what can be proved of a graph takes lists to depend on each other.
  dependent |= has_source(request.graph) && request.mode == Mode::Sound;
  if (dependent) return known ? 5 : 3;
  return known ? 4 : 2;
}

Status check_theorem(const BoundRequest& request) {
  if (request.theorem > 5) {
    return wrong_use(fmt::format("there is no theorem {}; there are 1 to 5", request.theorem));
  }
  if (auto p = request.setting.p; p && !(*p >= 0 && *p <= 1)) {
    return wrong_use(fmt::format("p is {}; a probability lies between 0 and 1", *p));
  }
  bool known = request.setting.lambda2 > 0 || is_swept(request, "lambda2");
  if (known && request.theorem <= 3) {
    return wrong_use(fmt::format(
        "theorem {} knows of no people whose data is known; with lambda2 take theorem {}",
        request.theorem, request.theorem == 3 ? 5 : 4));
  }
  if (request.theorem == 1 && (has_source(request.input) || has_source(request.graph))) {
    return wrong_use("theorem 1 is about a count with --n and --p; it reads no table and no graph");
  }
  return {};
}

bool has_any(const GivenSums& sums) {
  return sums.variance || sums.largest_variance || sums.variance_3_2 || sums.third ||
         sums.absolute_third || sums.fourth || sums.raw_third || sums.raw_fourth;
}

// A graph brings its own people.
Status check_graph(const BoundRequest& request) {
  if (!has_source(request.graph)) return {};
  const std::pair<const char*, bool> others[] = {
      {"a table", has_source(request.input)},
      {"--policy", !request.input.policy_path.empty()},
      {"what a policy says of columns", !request.input.overrides.empty()},
      {"--column", !request.column.empty()},
      {"--attribute", !request.attribute.empty()},
      {"--value", !request.value.empty()},
      {"--given", request.given.has_value()},
      {"--p", request.setting.p.has_value()},
      {"--n", request.setting.n.has_value()},
      {"a sweep over n", is_swept(request, "n")},
      {"a sweep over p", is_swept(request, "p")},
      {"a sum of moments", has_any(request.sums)}};
  for (const auto& [name, given] : others) {
    if (!given) continue;
    return wrong_use(fmt::format(
        "--graph says how many people there are and what they have; {} does not go with it", name));
  }
  return {};
}

Status check_count(const BoundRequest& request) {
  const BoundSetting& setting = request.setting;
  auto swept = [&](const char* name) { return is_swept(request, name); };
  if (!setting.n && !swept("n")) return wrong_use("theorem 1 needs --n, how many people there are");
  if (!setting.p && !swept("p")) {
    return wrong_use("theorem 1 needs --p, the probability that somebody is in the count");
  }
  bool has_delta = setting.delta || swept("delta");
  bool has_epsilon = setting.terms.epsilon || swept("epsilon");
  if (has_delta == has_epsilon) {
    return wrong_use("theorem 1 needs one of --epsilon and --delta; it gives the other");
  }
  return {};
}

Result<Subject> numeric_subject(BoundRequest& request, std::vector<std::string>& notes) {
  auto columns = connect::read_columns(request.input.source, {request.column}, {},
                                       read_options(request.input));
  if (!columns) return columns.error();
  std::vector<double> values;
  for (double value : columns->numbers[0].values) {
    if (!std::isnan(value)) values.push_back(value);
  }
  if (values.empty()) {
    return bad_input(fmt::format("column \"{}\" has no numbers", request.column));
  }
  if (values.size() < columns->rows) {
    notes.push_back(fmt::format("{} without a value were left out",
                                counted(columns->rows - values.size(), "row")));
  }
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  double range = *high - *low;
  notes.push_back(fmt::format("values go from {} to {}", *low, *high));
  if (range > request.setting.terms.s) {
    notes.push_back(fmt::format(
        "one person can move the sum by {0:.6g}, and --s is {1:.6g}: --s {0:.6g} is the "
        "bound for these values",
        range, request.setting.terms.s));
  }
  return Subject{"", "", {{bound::moments_of(values), values.size()}}};
}

Result<Subject> graph_subject(BoundRequest& request, std::vector<std::string>& notes) {
  auto named = connect::read_graph(request.graph, read_options(request.input));
  if (!named) return named.error();
  for (const std::string& warning : graph::warnings_of(named->report)) notes.push_back(warning);
  if (auto certain = bound::certain_users(named->graph); certain > 0) {
    notes.push_back(fmt::format("{} of {} have one friend or none, and hide nobody",
                                grouped(certain), counted(named->graph.nodes(), "user")));
  }
  bool dependent = request.theorem == 3 || request.theorem == 5;
  if (!dependent && request.mode == Mode::Sound) {
    notes.push_back(
        fmt::format("friendship is mutual, so lists depend on each other: theorem {} would hold if "
                    "they were independent, and theorem {} counts that they are not",
                    request.theorem, request.theorem + 1));
  }
  if (dependent && request.mode == Mode::Sound && !request.setting.neighbourhood) {
    request.setting.neighbourhood = bound::neighbourhood_of(named->graph);
    notes.push_back(
        fmt::format("friendship is mutual, so a list depends on those of all friends: on those of "
                    "{} people at most, "
                    "oneself included",
                    grouped(*request.setting.neighbourhood)));
  }
  return Subject{"", "", bound::crowd_of(named->graph)};
}

// People with these public values have the value with the share it has among them.
Subject counted_subject(const Table& table, const RowGroups& groups, AttributeId attribute,
                        ValueId value) {
  std::vector<std::uint64_t> hits(groups.count(), 0);
  table.column(attribute).for_each([&](std::size_t row, std::uint32_t code) {
    if (code == +value) ++hits[groups.group_of[row]];
  });
  const Attribute& meaning = table.schema()[attribute];
  Subject subject{meaning.name, meaning.domain.text(value), {}};
  for (std::uint32_t group = 0; group < groups.count(); ++group) {
    double share = static_cast<double>(hits[group]) / groups.sizes[group];
    subject.crowd.push_back({bound::moments_of_share(share), groups.sizes[group]});
  }
  return subject;
}

Result<std::vector<AttributeId>> telling_attributes(
    const Schema& schema, const std::optional<std::vector<std::string>>& given) {
  if (!given) return public_attributes(schema);
  std::vector<AttributeId> all;
  for (const std::string& name : *given) {
    auto found = schema.find(name);
    if (!found || schema[*found].is_private()) {
      return bad_input(fmt::format("there is no public attribute \"{}\"", name));
    }
    all.push_back(*found);
  }
  return all;
}

Result<std::vector<AttributeId>> wanted_attributes(const Schema& schema, const std::string& name) {
  std::vector<AttributeId> all;
  std::vector<std::string> names;
  for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
    AttributeId id{i};
    names.push_back(schema[id].name);
    if (name.empty() || schema[id].name == name) all.push_back(id);
  }
  if (!all.empty()) return all;
  if (name.empty()) return bad_input("the policy has no private attribute; name a --column");
  return bad_input(fmt::format("there is no private attribute \"{}\"; there {} {}", name,
                               names.size() == 1 ? "is" : "are", listed(names)));
}

Result<std::vector<Subject>> table_subjects(const BoundRequest& request,
                                            std::vector<std::string>& notes) {
  auto policy = load_policy(request.input);
  if (!policy) return policy.error();
  auto loaded = connect::read_table(request.input.source, *policy, read_options(request.input));
  if (!loaded) return loaded.error();
  const Table& table = loaded->table;
  for (const std::string& warning : loaded->warnings) notes.push_back(warning);
  auto attributes = wanted_attributes(table.schema(), request.attribute);
  if (!attributes) return attributes.error();
  auto telling = telling_attributes(table.schema(), request.given);
  if (!telling) return telling.error();
  RowGroups groups = group_rows(table, *telling);
  notes.push_back(
      fmt::format("people are told apart by {}: {}",
                  telling->empty() ? "nothing" : counted(telling->size(), "public attribute"),
                  counted(groups.count(), "group")));
  std::vector<Subject> subjects;
  for (AttributeId attribute : *attributes) {
    const Attribute& meaning = table.schema()[attribute];
    for (std::uint32_t v = 0; v < meaning.domain.size(); ++v) {
      ValueId value{static_cast<std::uint16_t>(v)};
      if (!request.value.empty() && meaning.domain.text(value) != request.value) continue;
      subjects.push_back(counted_subject(table, groups, attribute, value));
    }
  }
  if (!subjects.empty()) return subjects;
  return bad_input(fmt::format("\"{}\" has no value \"{}\"", request.attribute, request.value));
}

BoundRow row_of(const Subject& subject, double x, Result<Guarantee> guarantee) {
  BoundRow row{subject.attribute, subject.value, x, {}, {}};
  if (guarantee) {
    row.bound = std::move(*guarantee);
  } else {
    row.refusal = guarantee.error().message;
  }
  return row;
}

bool is_worse(const BoundRow& left, const BoundRow& right) {
  if (left.bound.has_value() != right.bound.has_value()) return !left.bound;
  if (!left.bound) return false;
  return std::pair(left.bound->delta, left.bound->epsilon) >
         std::pair(right.bound->delta, right.bound->epsilon);
}

// One row an attribute: its worst value.
std::vector<BoundRow> worst_rows(const BoundRequest& request,
                                 const std::vector<Subject>& subjects) {
  std::vector<BoundRow> rows;
  for (const Subject& subject : subjects) {
    BoundRow row = row_of(subject, 0, one_bound(request, request.setting, subject));
    if (rows.empty() || rows.back().attribute != row.attribute) {
      rows.push_back(std::move(row));
    } else if (is_worse(row, rows.back())) {
      rows.back() = std::move(row);
    }
  }
  return rows;
}

std::uint64_t points_of(const Sweep& sweep) {
  return static_cast<std::uint64_t>(std::floor((sweep.to - sweep.from) / sweep.step + 1e-9)) + 1;
}

std::vector<BoundRow> swept_rows(const BoundRequest& request, const Subject& subject) {
  std::vector<BoundRow> rows;
  const Sweep& sweep = *request.sweep;
  for (std::uint64_t i = 0; i < points_of(sweep); ++i) {
    double x = sweep.from + static_cast<double>(i) * sweep.step;
    if (std::abs(x) < 1e-12 * sweep.step) x = 0;
    BoundSetting setting = request.setting;
    sets_parameter(setting, sweep.parameter, x);
    rows.push_back(row_of(subject, x, one_bound(request, setting, subject)));
  }
  return rows;
}

Result<std::vector<Subject>> subjects_of(BoundRequest& request, std::vector<std::string>& notes) {
  if (has_source(request.graph)) {
    auto subject = graph_subject(request, notes);
    if (!subject) return subject.error();
    return std::vector{std::move(*subject)};
  }
  if (!request.column.empty()) {
    if (!has_source(request.input)) {
      return wrong_use(fmt::format("--column {} needs a table", request.column));
    }
    auto subject = numeric_subject(request, notes);
    if (!subject) return subject.error();
    return std::vector{std::move(*subject)};
  }
  if (has_source(request.input)) return table_subjects(request, notes);
  if (request.theorem == 1) {
    if (auto fine = check_count(request); !fine) return fine.error();
  } else if (has_coins(request)) {
    return std::vector{Subject{}};
  } else if (auto fine = check_given_sums(request); !fine) {
    return fine.error();
  }
  return std::vector{Subject{}};
}

std::string subject_text(const BoundRequest& request) {
  if (request.theorem == 1) return "a count of people, published when it is at least k";
  if (has_source(request.graph)) return "the sum of users' friends, as numbers from 0 to 1";
  if (!request.column.empty()) return fmt::format("the sum of {}", request.column);
  if (has_source(request.input)) return "the number of people with a private value";
  if (request.setting.p) return "a count of people";
  return "a sum over people";
}

// A curve over what the theorem does not read would be flat.
Status check_swept(const BoundRequest& request) {
  if (!request.sweep || reads(request, request.sweep->parameter)) return {};
  return wrong_use(
      fmt::format("a sweep over {} would be flat: theorem {} in {} mode does not read it here",
                  request.sweep->parameter, request.theorem, bound::mode_name(request.mode)));
}

Status check_sweep(const BoundRequest& request, const std::vector<Subject>& subjects) {
  if (!request.sweep || subjects.size() == 1) return {};
  return wrong_use("a sweep needs one thing to follow; name --attribute and --value, or --column");
}

}  // namespace

const std::vector<std::string>& sweep_parameters() {
  static const std::vector<std::string> names = {
      "s",    "k",      "n",       "p",    "lambda1", "lambda2", "neighbourhood",
      "eps1", "delta1", "epsilon", "delta"};
  return names;
}

Result<Sweep> parse_sweep(const std::string& text) {
  auto refuse = [&](const std::string& why) {
    return wrong_use(fmt::format(
        "\"{}\": {}; write PARAMETER=FROM:TO:STEP, such as lambda2=0:0.9:0.1", text, why));
  };
  std::size_t equals = text.find('=');
  if (equals == std::string::npos) return refuse("there is no =");
  Sweep sweep;
  sweep.parameter = text.substr(0, equals);
  BoundSetting probe;
  if (!sets_parameter(probe, sweep.parameter, 1)) {
    return refuse(fmt::format("parameters are {}", listed(sweep_parameters())));
  }
  const char* at = text.data() + equals + 1;
  const char* end = text.data() + text.size();
  for (double* number : {&sweep.from, &sweep.to, &sweep.step}) {
    auto [next, problem] = std::from_chars(at, end, *number);
    bool last = number == &sweep.step;
    if (problem != std::errc() || !std::isfinite(*number) ||
        (last ? next != end : next == end || *next != ':')) {
      return refuse("three numbers are needed");
    }
    at = next + (last ? 0 : 1);
  }
  if (!(sweep.step > 0) || sweep.to < sweep.from)
    return refuse("the step must lead from low to high");
  if ((sweep.to - sweep.from) / sweep.step > most_points) {
    return refuse(fmt::format("that is more than {} points", most_points));
  }
  return sweep;
}

namespace {

Result<BoundResult> bounds_of(const BoundRequest& told) {
  BoundRequest request = told;
  request.theorem = theorem_of(request);
  if (auto fine = check_theorem(request); !fine) return fine.error();
  if (auto fine = check_graph(request); !fine) return fine.error();
  if (auto fine = check_swept(request); !fine) return fine.error();
  BoundResult result{
      request.theorem, request.mode, subject_text(request), 0, request.sweep, {}, {}};
  if (auto note = unread_note(request); !note.empty()) result.notes.push_back(note);
  auto subjects = subjects_of(request, result.notes);
  if (!subjects) return subjects.error();
  if (auto fine = check_sweep(request, *subjects); !fine) return fine.error();
  const Crowd& crowd = subjects->front().crowd;
  result.people =
      crowd.empty() ? request.setting.n.value_or(0) : static_cast<double>(bound::people_in(crowd));
  result.rows =
      request.sweep ? swept_rows(request, subjects->front()) : worst_rows(request, *subjects);
  bool any = std::any_of(result.rows.begin(), result.rows.end(),
                         [](const BoundRow& row) { return row.bound.has_value(); });
  if (!any) return wrong_use(result.rows.front().refusal);
  return result;
}

}  // namespace

Result<BoundResult> bound(const BoundRequest& request) {
  auto result = bounds_of(request);
  if (!result) return result;
  if (auto advice = advice_for(request, *result, bounds_of); !advice.empty()) {
    result->notes.push_back(std::move(advice));
  }
  return result;
}

}  // namespace rankveil::api
