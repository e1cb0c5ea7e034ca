#include "rankveil/audit/sort/sort_transcript.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "rankveil/base/format.h"

namespace rankveil::audit {

namespace {

// Of so many marks those are left out that the proof does not need.
constexpr std::size_t max_shortened = 400;

// A proof under way: own rows, questions and what was seen of the answers.
struct OrderProof {
  AttributeId attribute{};  // of the table
  std::uint32_t victim = 0;
  std::uint32_t code = 0;
  std::vector<bool> open = {};
  Marks marks = {};
  bool in_order = false;              // MarkedLists
  std::vector<bool> directions = {};  // of lists: whether descending
  std::vector<OrderedRows> lists = {};
};

// Rows that the proof looks at: marks and the victim.
OrderedRows rows_of_proof(const OrderProof& proof, const OrderedRows& list) {
  OrderedRows rows;
  for (std::uint32_t row : list) {
    if (row == proof.victim || proof.marks.contains(row)) rows.push_back(row);
  }
  return rows;
}

bool proves_order(const OrderProof& proof) {
  std::vector<MarkedList> lists;
  for (const OrderedRows& rows : proof.lists) {
    lists.emplace_back(rows, proof.marks, static_cast<std::uint32_t>(proof.open.size()),
                       proof.in_order);
  }
  return fitting(lists, proof.victim, proof.open) == std::vector<std::uint32_t>{proof.code};
}

// The first lists that are enough: one, one of each direction, or all.
bool choose_lists(const MarkedLists& marked, OrderProof& proof) {
  auto add = [&](const OrderedRows& list, bool descending) {
    proof.lists.push_back(rows_of_proof(proof, list));
    proof.directions.push_back(descending);
  };
  if (marked.lists.up.empty()) return false;
  for (std::size_t count : {0UL, 1UL, marked.lists.up.size()}) {
    proof.lists.clear();
    proof.directions.clear();
    if (count == 0) add(marked.lists.up.front(), false);
    for (std::size_t i = 0; i < count; ++i) {
      add(marked.lists.up[i], false);
      add(marked.lists.down[i], true);
    }
    if (proves_order(proof)) return true;
  }
  return false;
}

void drop_mark(OrderProof& proof, std::uint32_t row) {
  proof.marks.erase(row);
  for (OrderedRows& rows : proof.lists) std::erase(rows, row);
}

void shorten(OrderProof& proof) {
  std::set<std::uint32_t> rows;
  for (const auto& [row, code] : proof.marks) rows.insert(row);
  if (rows.size() > max_shortened) return;
  for (std::uint32_t row : rows) {
    OrderProof less = proof;
    drop_mark(less, row);
    if (proves_order(less)) proof = std::move(less);
  }
}

// ---- Doing it ----

struct OwnRow {
  std::uint32_t number = 0;  // in the campaign, then in the target
  std::vector<ValueId> values;
};

// The marks that are left, in the order of their numbers, inserted into a target without own rows.
Status insert_again(const SortArena& arena, std::vector<OwnRow>& own, OrderProof& proof) {
  if (auto done = arena.target->restart(); !done) return done;
  Marks marks = proof.marks;
  for (OwnRow& row : own) {
    auto number = arena.target->insert(row.values);
    if (!number) return number.error();
    const std::uint32_t code = proof.marks.at(row.number);
    marks.erase(row.number);
    row.number = *number;
    marks[row.number] = code;
  }
  proof.marks = std::move(marks);
  return {};
}

Status ask_again(const SortArena& arena, std::string_view attribute, OrderProof& proof) {
  proof.lists.clear();
  for (bool descending : proof.directions) {
    auto list = ask_order(arena, attribute, descending);
    if (!list) return list.error();
    proof.lists.push_back(rows_of_proof(proof, *list));
  }
  return {};
}

// ---- In words ----

class OrderStepWords {
 public:
  OrderStepWords(const SortArena& arena, const Table& truth, const OrderProof& proof,
                 const std::vector<OwnRow>& own)
      : arena_(arena), truth_(truth), proof_(proof), own_(own) {}

  Step insert(std::size_t at) const {
    Step step{.is_insert = true};
    const Schema& schema = arena_.asked.schema;
    for (std::uint32_t i = 0; i + 1 < schema.size(); ++i) {
      const ValueId value = own_[at].values[i];
      step.row.emplace_back();
      if (value != missing_value) step.row.back() = schema.attributes[i].domain.text(value);
    }
    step.why = fmt::format("a row of one's own as a mark: its {} is {}", name(),
                           value_text(proof_.marks.at(own_[at].number)));
    return step;
  }

  Step list(std::size_t at) const {
    Step step;
    step.query = query_to_json(
        arena_.asked.schema,
        attack::order_query(arena_.asked.schema, {arena_.asked.schema.find(name()).value(),
                                                  static_cast<bool>(proof_.directions[at])}));
    for (std::uint32_t row : proof_.lists[at]) step.answer.push_back(row_name(row));
    step.why = where(proof_.lists[at]);
    return step;
  }

 private:
  const std::string& name() const { return truth_.schema()[proof_.attribute].name; }

  std::string value_text(std::uint32_t code) const {
    const Domain& domain = truth_.schema()[proof_.attribute].domain;
    return code == domain.size() ? "none" : domain.text(ValueId{static_cast<std::uint16_t>(code)});
  }

  std::string row_name(std::uint32_t row) const {
    if (row < truth_.rows()) return truth_.names().text(RowId{row});
    auto own = std::ranges::find(own_, row, &OwnRow::number);
    return fmt::format("+{}", own - own_.begin() + 1);
  }

  std::string mark_text(std::uint32_t row) const {
    return fmt::format("{} ({})", row_name(row), value_text(proof_.marks.at(row)));
  }

  std::string where(const OrderedRows& rows) const {
    MarkedList list(rows, proof_.marks, static_cast<std::uint32_t>(proof_.open.size()));
    auto before = list.mark_before(proof_.victim), behind = list.mark_behind(proof_.victim);
    std::string text = truth_.names().text(RowId{proof_.victim}) + " stands";
    if (before) text += " behind " + mark_text(*before);
    if (before && behind) text += " and";
    if (behind) text += " before " + mark_text(*behind);
    return text;
  }

  const SortArena& arena_;
  const Table& truth_;
  const OrderProof& proof_;
  const std::vector<OwnRow>& own_;
};

std::vector<OwnRow> own_rows_of(const SortCampaign& campaign, const Table& truth,
                                const OrderProof& proof) {
  std::vector<OwnRow> own;
  for (std::size_t m = 0; m < campaign.inserted.size(); ++m) {
    const std::uint32_t number = truth.rows() + static_cast<std::uint32_t>(m);
    if (proof.marks.contains(number)) own.push_back({number, campaign.inserted[m]});
  }
  return own;
}

OrderProof proof_of(const Table& truth, const MarkedLists& marked, const Claim& claim) {
  OrderProof proof{.attribute = AttributeId{marked.attribute}, .victim = claim.victim};
  proof.code = +claim.value;
  proof.open = open_codes(truth, proof.attribute);
  proof.marks = marked.marks;
  proof.marks.erase(claim.victim);
  return proof;
}

}  // namespace

Result<std::optional<Transcript>> order_transcript(const SortArena& arena, const Table& truth,
                                                   const SortCampaign& campaign,
                                                   const Claim& claim) {
  std::optional<Transcript> made;
  const MarkedLists& marked = campaign.attributes[+claim.attribute];
  OrderProof proof = proof_of(truth, marked, claim);
  if (!choose_lists(marked, proof)) {
    proof.in_order = marked.in_order;
    if (!choose_lists(marked, proof)) return made;
  }
  shorten(proof);
  const Attribute& attribute = truth.schema()[proof.attribute];
  std::vector<OwnRow> own = own_rows_of(campaign, truth, proof);
  if (auto done = insert_again(arena, own, proof); !done) return done.error();
  if (auto done = ask_again(arena, attribute.name, proof); !done) return done.error();
  if (!proves_order(proof)) return made;
  made.emplace();
  made->victim = truth.names().text(RowId{claim.victim});
  made->attribute = attribute.name;
  made->value = attribute.domain.text(claim.value);
  made->method = campaign.method;
  made->recorded = campaign.inserted.size() + marked.lists.up.size() + marked.lists.down.size();
  made->confirmed = true;
  OrderStepWords words(arena, truth, proof, own);
  for (std::size_t i = 0; i < own.size(); ++i) made->steps.push_back(words.insert(i));
  for (std::size_t i = 0; i < proof.lists.size(); ++i) made->steps.push_back(words.list(i));
  return made;
}

// ---- Back to numbers ----

namespace {

Error not_in(const std::string& what) {
  return bad_input(fmt::format(
      "the transcript names {}, which is not there; use the target file, the table and the policy "
      "that the report was made with",
      what));
}

Result<std::vector<ValueId>> values_in(const Step& step, const Schema& schema) {
  std::vector<ValueId> values(schema.size(), missing_value);
  if (step.row.size() + 1 != schema.size()) return not_in("a row of other columns");
  for (std::uint32_t i = 0; i + 1 < schema.size(); ++i) {
    if (!step.row[i]) continue;
    auto value = schema.attributes[i].domain.find(*step.row[i]);
    if (!value)
      return not_in("\"" + *step.row[i] + "\" as a value of " + schema.attributes[i].name);
    values[i] = *value;
  }
  return values;
}

// Reads the steps of a transcript, doing them.
class OrderReplay {
 public:
  OrderReplay(const SortArena& arena, const Table& truth, const Transcript& transcript)
      : arena_(arena), truth_(truth), transcript_(transcript) {
    for (std::uint32_t row = 0; row < truth.rows(); ++row) {
      rows_.emplace(truth.names().text(RowId{row}), row);
    }
  }

  Result<Replayed> run() {
    if (auto claimed = read_claim(); !claimed) return claimed.error();
    if (auto done = arena_.target->restart(); !done) return done.error();
    for (const Step& step : transcript_.steps) {
      auto done = step.is_insert ? insert(step) : list(step);
      if (!done) return done.error();
    }
    proof_.in_order = goes_in_order();
    replayed_.still_leaks = proves_order(proof_);
    return std::move(replayed_);
  }

 private:
  Status read_claim() {
    auto attribute = truth_.schema().find(transcript_.attribute);
    if (!attribute) return not_in("the column " + transcript_.attribute);
    auto value = truth_.schema()[*attribute].domain.find(transcript_.value);
    if (!value) return not_in("the value " + transcript_.value);
    auto victim = rows_.find(transcript_.victim);
    if (victim == rows_.end()) return not_in("row " + transcript_.victim);
    proof_.attribute = *attribute;
    proof_.code = +*value;
    proof_.victim = victim->second;
    proof_.open = open_codes(truth_, *attribute);
    return {};
  }

  Status insert(const Step& step) {
    auto values = values_in(step, arena_.asked.schema);
    if (!values) return values.error();
    auto number = arena_.target->insert(*values);
    if (!number) return number.error();
    const std::uint32_t at = +arena_.asked.schema.find(transcript_.attribute).value();
    const ValueId value = (*values)[at];
    const ValueId meant = value == missing_value ? value : arena_.asked.meaning[at][+value];
    proof_.marks.emplace(*number, sort_code(truth_.column(proof_.attribute), meant));
    rows_.emplace(fmt::format("+{}", ++inserted_), *number);
    replayed_.changes.emplace_back();
    return {};
  }

  // Rows of the table in an answer are people whose values are known, in one of the two methods.
  Status list(const Step& step) {
    auto query = query_from_json(arena_.asked.schema, step.query);
    if (!query) return query.error();
    OrderedRows then;
    for (const std::string& name : step.answer) {
      auto row = rows_.find(name);
      if (row == rows_.end()) return not_in("row " + name);
      then.push_back(row->second);
      bool is_known = transcript_.method == known_method && row->second != proof_.victim;
      if (!is_known) continue;
      proof_.marks.emplace(row->second,
                           sort_code(truth_.column(proof_.attribute),
                                     truth_.value(RowId{row->second}, proof_.attribute)));
    }
    auto all = arena_.target->query(*query);
    if (!all && refuses_now()) return note_refusal();
    if (!all) return all.error();
    compare(then, *all);
    whole_.lists.up.push_back(*std::move(all));
    return {};
  }

  // Where there is no public column, the service may refuse every order.
  bool refuses_now() const {
    return arena_.target->was_refused() && truth_.schema().public_count() > 0;
  }

  Status note_refusal() {
    ++replayed_.queries;
    replayed_.changes.emplace_back("refused now");
    return {};
  }

  // As when it was proven: every row's own value fits.
  bool goes_in_order() {
    whole_.attribute = +proof_.attribute;
    whole_.marks = proof_.marks;
    hold_against(truth_, whole_);
    return whole_.in_order && whole_.holds_true;
  }

  void compare(const OrderedRows& then, const OrderedRows& all) {
    OrderedRows now = rows_of_proof(proof_, all);
    ++replayed_.queries;
    replayed_.same += now == then ? 1 : 0;
    replayed_.changes.push_back(
        now == then ? "" : "answered otherwise now: the rows named stand in another order");
    proof_.lists.push_back(std::move(now));
  }

  const SortArena& arena_;
  const Table& truth_;
  const Transcript& transcript_;
  std::unordered_map<std::string, std::uint32_t> rows_;
  OrderProof proof_;
  MarkedLists whole_;  // answers with all their rows
  Replayed replayed_;
  std::uint32_t inserted_ = 0;
};

}  // namespace

Result<Replayed> replay_order(const SortArena& arena, const Table& truth,
                              const Transcript& transcript) {
  return OrderReplay(arena, truth, transcript).run();
}

}  // namespace rankveil::audit
