#include "rankveil/audit/sort/sort_attack.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "rankveil/base/random.h"

namespace rankveil::audit {

namespace {

constexpr int times_asked = 3;
// Of values up to so many there are two marks each.
constexpr std::uint32_t max_marked_twice = 50;
constexpr std::size_t max_voters = 8;

std::uint32_t first_private_of(const Table& truth) { return truth.schema().public_count(); }

// A refusal that counts was met before, and its column left out.
SortLists refused_lists(const SortArena& arena, const Table& truth, std::string_view attribute) {
  SortLists lists{.doubt = doubt_of_refusal(arena, truth, attribute)};
  if (lists.doubt.empty()) {
    lists.doubt = fmt::format(
        "the service refuses some of the orders by {} and answers others, so that no list of it "
        "was looked at; have both directions answered, or both refused",
        attribute);
  }
  return lists;
}

}  // namespace

Result<SortLists> ask_lists(const SortArena& arena, const Table& truth,
                            std::string_view attribute) {
  SortLists lists;
  for (int i = 0; i < times_asked; ++i) {
    for (bool descending : {false, true}) {
      auto rows = ask_order(arena, attribute, descending);
      if (!rows && arena.target->was_refused()) return refused_lists(arena, truth, attribute);
      if (!rows) return rows.error();
      (descending ? lists.down : lists.up).push_back(*std::move(rows));
    }
  }
  return lists;
}

std::uint32_t sort_code(const Column& column, ValueId value) {
  return value == missing_value ? column.domain_size() : +value;
}

std::vector<bool> open_codes(const Table& truth, AttributeId attribute) {
  const Column& column = truth.column(attribute);
  std::vector<bool> open(column.domain_size() + std::size_t{1}, true);
  open.back() = false;
  for (std::uint32_t row = 0; row < column.size() && !open.back(); ++row) {
    open.back() = column.value(RowId{row}) == missing_value;
  }
  return open;
}

// ---- Own rows ----

namespace {

// What own rows have in one attribute, in turn: each value once or twice.
std::vector<ValueId> values_to_mark(const AskedRows& asked, const Table& truth, AttributeId own) {
  const std::uint32_t at = +asked.schema.find(truth.schema()[own].name).value();
  std::vector<ValueId> values;
  for (std::uint32_t v = 0; v < asked.schema.attributes[at].domain.size(); ++v) {
    values.push_back(ValueId{static_cast<std::uint16_t>(v)});
  }
  if (open_codes(truth, own).back()) values.push_back(missing_value);
  bool twice = values.size() <= max_marked_twice && asked.is_number[at] == 0;
  const std::size_t once = values.size();
  for (std::size_t i = 0; twice && i < once; ++i) values.push_back(values[i]);
  return values;
}

// A value that the target takes for one of the table.
ValueId asked_value(const AskedRows& asked, std::uint32_t at, ValueId value) {
  const auto& meaning = asked.meaning[at];
  auto found = std::ranges::find(meaning, value);
  if (value == missing_value || found == meaning.end()) return missing_value;
  return ValueId{static_cast<std::uint16_t>(found - meaning.begin())};
}

// Public values of somebody in the table.
std::vector<ValueId> public_like(const AskedRows& asked, const Table& truth, Rng& rng) {
  std::vector<ValueId> row(asked.schema.size(), missing_value);
  const RowId like{static_cast<std::uint32_t>(rng.below(truth.rows()))};
  for (std::uint32_t i = 0; i < first_private_of(truth); ++i) {
    const std::uint32_t at = +asked.schema.find(truth.schema().attributes[i].name).value();
    row[at] = asked_value(asked, at, truth.value(like, AttributeId{i}));
  }
  return row;
}

std::vector<std::vector<ValueId>> rows_to_mark(const AskedRows& asked, const Table& truth,
                                               std::uint64_t most_rows, std::uint64_t seed) {
  std::vector<std::vector<ValueId>> values;
  std::size_t count = 0;
  for (std::uint32_t i = first_private_of(truth); i < truth.schema().size(); ++i) {
    values.push_back(values_to_mark(asked, truth, AttributeId{i}));
    count = std::max(count, values.back().size());
  }
  Rng rng(seed ^ 0x3a4c5);
  std::vector<std::vector<ValueId>> rows;
  for (std::size_t m = 0; m < std::min<std::uint64_t>(count, most_rows); ++m) {
    rows.push_back(public_like(asked, truth, rng));
    for (std::size_t j = 0; j < values.size(); ++j) {
      const Attribute& own = truth.schema().attributes[first_private_of(truth) + j];
      if (!values[j].empty()) {
        rows.back()[+asked.schema.find(own.name).value()] = values[j][m % values[j].size()];
      }
    }
  }
  return rows;
}

// Whether every row's own value fits. Marks are left out: they are what is believed.
bool holds_true(const MarkedLists& marked, const Table& truth, std::span<const MarkedList> lists) {
  const AttributeId attribute{marked.attribute};
  const std::vector<bool> open = open_codes(truth, attribute);
  for (std::uint32_t row = 0; row < truth.rows(); ++row) {
    if (marked.marks.contains(row)) continue;
    const std::uint32_t own =
        sort_code(truth.column(attribute), truth.value(RowId{row}, attribute));
    std::vector<std::uint32_t> codes = fitting(lists, row, open);
    if (std::ranges::find(codes, own) == codes.end()) return false;
  }
  return true;
}

std::vector<MarkedList> marked_lists(const MarkedLists& marked, const Marks& marks,
                                     std::uint32_t codes) {
  std::vector<MarkedList> lists;
  for (const auto* direction : {&marked.lists.up, &marked.lists.down}) {
    for (const OrderedRows& list : *direction) {
      lists.emplace_back(list, marks, codes, marked.in_order);
    }
  }
  return lists;
}

bool is_marked(const MarkedLists& marked, std::uint32_t row) {
  auto has = [row](const OrderedRows& list) { return std::ranges::find(list, row) != list.end(); };
  return std::ranges::any_of(marked.lists.up, has) || std::ranges::any_of(marked.lists.down, has);
}

std::set<std::uint32_t> marked_codes(const MarkedLists& marked) {
  std::set<std::uint32_t> codes;
  for (const auto& [row, code] : marked.marks) {
    if (!codes.contains(code) && is_marked(marked, row)) codes.insert(code);
  }
  return codes;
}

std::vector<MarkedList> marked_lists(const MarkedLists& marked, const Table& truth) {
  return marked_lists(marked, marked.marks,
                      truth.column(AttributeId{marked.attribute}).domain_size() + std::uint32_t{1});
}

}  // namespace

void hold_against(const Table& truth, MarkedLists& marked) {
  marked.in_order = true;
  const std::vector<MarkedList> ordered = marked_lists(marked, truth);
  const bool marks_fit = std::ranges::all_of(ordered, &MarkedList::goes_by_codes);
  marked.holds_true = marks_fit && holds_true(marked, truth, ordered);
  if (marked.holds_true) return;
  marked.in_order = false;
  marked.holds_true = holds_true(marked, truth, marked_lists(marked, truth));
  // Where nothing is proven either way, the order of marks is what there is to guess by.
  marked.in_order = marks_fit && !marked.holds_true;
}

std::size_t values_marked(const MarkedLists& marked, const Table& truth) {
  std::set<std::uint32_t> codes = marked_codes(marked);
  codes.erase(sort_code(truth.column(AttributeId{marked.attribute}), missing_value));
  return codes.size();
}

double share_marked(const MarkedLists& marked, const Table& truth) {
  const std::set<std::uint32_t> codes = marked_codes(marked);
  const Column& column = truth.column(AttributeId{marked.attribute});
  double rows = 0;
  for (std::uint32_t row = 0; row < column.size(); ++row) {
    rows += codes.contains(sort_code(column, column.value(RowId{row}))) ? 1 : 0;
  }
  return truth.rows() > 0 ? rows / truth.rows() : 0;
}

double share_among(const MarkedLists& marked, const Table& truth) {
  std::vector<bool> among(truth.rows(), false);
  auto is_mark = [&](std::uint32_t row) { return marked.marks.contains(row); };
  for (const auto* direction : {&marked.lists.up, &marked.lists.down}) {
    for (const OrderedRows& list : *direction) {
      auto first = std::ranges::find_if(list, is_mark);
      auto last = std::find_if(list.rbegin(), list.rend(), is_mark).base();
      for (; first < last; ++first) {
        if (*first < truth.rows()) among[*first] = true;
      }
    }
  }
  auto rows = static_cast<double>(std::ranges::count(among, true));
  return truth.rows() > 0 ? rows / truth.rows() : 0;
}

Result<SortCampaign> attack_by_marks(const SortArena& arena, const Table& truth,
                                     std::uint64_t most_rows, std::uint64_t seed) {
  SortCampaign campaign{.method = marks_method};
  if (auto done = arena.target->restart(); !done) return done.error();
  campaign.inserted = rows_to_mark(arena.asked, truth, most_rows, seed);
  std::vector<std::uint32_t> numbers;
  for (const auto& row : campaign.inserted) {
    auto number = arena.target->insert(row);
    if (!number) return number.error();
    numbers.push_back(*number);
  }
  for (std::uint32_t i = first_private_of(truth); i < truth.schema().size(); ++i) {
    const AttributeId attribute{i};
    const std::string& name = truth.schema()[attribute].name;
    const std::uint32_t at = +arena.asked.schema.find(name).value();
    auto lists = ask_lists(arena, truth, name);
    if (!lists) return lists.error();
    campaign.questions += lists->up.size() + lists->down.size();
    MarkedLists& marked = campaign.attributes.emplace_back();
    marked.attribute = i;
    marked.lists = *std::move(lists);
    for (std::size_t m = 0; m < numbers.size(); ++m) {
      const ValueId value = campaign.inserted[m][at];
      const ValueId meant = value == missing_value ? value : arena.asked.meaning[at][+value];
      marked.marks.emplace(numbers[m], sort_code(truth.column(attribute), meant));
    }
    hold_against(truth, marked);
  }
  return campaign;
}

SortCampaign attack_by_known(const Table& truth, const std::vector<SortLists>& lists,
                             const std::vector<std::uint32_t>& known) {
  SortCampaign campaign{.method = known_method};
  for (std::uint32_t j = 0; j < lists.size(); ++j) {
    const AttributeId attribute{first_private_of(truth) + j};
    campaign.questions += lists[j].up.size() + lists[j].down.size();
    MarkedLists& marked = campaign.attributes.emplace_back();
    marked.attribute = +attribute;
    marked.lists = lists[j];
    for (std::uint32_t row : known) {
      marked.marks.emplace(row,
                           sort_code(truth.column(attribute), truth.value(RowId{row}, attribute)));
    }
    hold_against(truth, marked);
  }
  return campaign;
}

// ---- What follows ----

namespace {

ValueId value_of_code(std::uint32_t code, std::uint32_t domain) {
  return code == domain ? missing_value : ValueId{static_cast<std::uint16_t>(code)};
}

// Where nothing fits all lists: as the nearest marks are.
std::vector<double> votes_for(std::span<const MarkedList> lists, std::uint32_t row,
                              const std::vector<bool>& open, std::size_t marks) {
  const std::size_t nearest = std::clamp<std::size_t>(marks / (2 * open.size()), 1, max_voters);
  std::vector<double> votes(open.size(), 0);
  for (const MarkedList& list : lists) list.vote(row, nearest, votes);
  double sum = 0;
  for (std::size_t code = 0; code < open.size(); ++code) {
    votes[code] = open[code] ? votes[code] : 0;
    sum += votes[code];
  }
  for (std::size_t code = 0; code < open.size(); ++code) {
    if (sum <= 0) votes[code] = open[code] ? 1 : 0;
  }
  return votes;
}

Recovered recovered_value(const MarkedLists& marked, std::span<const MarkedList> lists,
                          std::uint32_t row, const std::vector<bool>& open) {
  const auto domain = static_cast<std::uint32_t>(open.size() - 1);
  std::vector<double> weights(open.size(), 0);
  const std::vector<std::uint32_t> codes = fitting(lists, row, open);
  for (std::uint32_t code : codes) weights[code] = 1;
  for (const MarkedList& list : lists) list.weigh(row, weights);
  if (codes.empty()) weights = votes_for(lists, row, open, marked.marks.size());
  double sum = 0;
  for (double weight : weights) sum += weight;
  Recovered recovered;
  recovered.queries = lists.size();
  for (std::uint32_t code = 0; code < weights.size(); ++code) {
    if (weights[code] <= 0) continue;
    recovered.candidates.push_back(value_of_code(code, domain));
    recovered.weights.push_back(weights[code] / sum);
  }
  recovered.proven = codes.size() == 1 && codes.front() != domain && marked.holds_true;
  return recovered;
}

bool is_seen(std::span<const MarkedList> lists, std::uint32_t row) {
  return std::ranges::any_of(lists, [&](const MarkedList& list) { return list.has(row); });
}

void recover_attribute(const MarkedLists& marked, const Table& truth, Campaign& campaign) {
  const std::vector<bool> open = open_codes(truth, AttributeId{marked.attribute});
  const auto codes = static_cast<std::uint32_t>(open.size());
  const std::vector<MarkedList> lists = marked_lists(marked, marked.marks, codes);
  for (Attacked& attacked : campaign.victims) {
    if (!marked.marks.contains(attacked.victim)) {
      attacked.attributes.push_back(recovered_value(marked, lists, attacked.victim, open));
      attacked.seen = attacked.seen || is_seen(lists, attacked.victim);
      continue;
    }
    Marks others = marked.marks;
    others.erase(attacked.victim);
    const std::vector<MarkedList> without = marked_lists(marked, others, codes);
    attacked.attributes.push_back(recovered_value(marked, without, attacked.victim, open));
    attacked.seen = attacked.seen || is_seen(without, attacked.victim);
  }
}

}  // namespace

Campaign recovered_from(const SortCampaign& campaign, const Table& truth,
                        std::span<const std::uint32_t> victims) {
  Campaign made;
  made.method = campaign.method;
  for (std::uint32_t victim : victims) {
    made.victims.push_back(
        {.victim = victim, .queries = campaign.questions, .inserts = campaign.inserted.size()});
  }
  for (const MarkedLists& marked : campaign.attributes) recover_attribute(marked, truth, made);
  return made;
}

}  // namespace rankveil::audit
