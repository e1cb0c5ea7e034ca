#include "rankveil/attack/targets/conversation.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "rankveil/base/format.h"

namespace rankveil::attack {

using connect::Done;
using connect::Reply;
using connect::Trouble;

namespace {

constexpr double longest_wait = 60;

std::string row_text(const Schema& schema, std::span<const ValueId> values) {
  Json row = Json::Object{};
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    if (values[i] == missing_value) continue;
    row.set(schema.attributes[i].name, schema.attributes[i].domain.text(values[i]));
  }
  return row.dump(-1);
}

}  // namespace

std::string NewIds::at(std::uint64_t number) const {
  if (!first) return prefix + std::to_string(number + 1);
  return std::to_string(*first + static_cast<std::int64_t>(number));
}

void Pace::wait_turn() {
  if (gap_ == 0) return;
  double now = clock_.now();
  if (now < next_) {
    clock_.sleep(next_ - now);
    now = next_;
  }
  next_ = now + gap_;
}

PatientConversation::PatientConversation(std::unique_ptr<Service> service, Schema schema,
                                         Manners manners, NewIds new_ids, Clock& clock)
    : service_(std::move(service)),
      schema_(std::move(schema)),
      manners_(manners),
      new_ids_(std::move(new_ids)),
      clock_(clock),
      pace_(manners.rate, clock) {}

Error PatientConversation::give_up(const std::string& what, const Error& error,
                                   std::uint32_t tries) const {
  std::string times = tries > 1 ? fmt::format(" (asked {} times)", tries) : "";
  return {error.code,
          fmt::format("{} failed at {}{}: {}", service_->name(), what, times, error.message)};
}

// Tries until there is an answer, trouble that does not pass, or too much of it. `attempt` returns
// a Reply<T>.
template <typename T, typename Try>
Result<T> PatientConversation::insist(const std::string& what, const Try& attempt) {
  double wait = manners_.backoff;
  was_refused_ = false;
  for (std::uint32_t tries = 1;; ++tries) {
    pace_.wait_turn();
    Reply<Done> back = is_lost_ ? try_to_come_back() : Done{};
    Reply<T> answer = back ? attempt() : Reply<T>(back.trouble());
    if (answer) return std::move(*answer);
    const Trouble& trouble = answer.trouble();
    was_refused_ = trouble.is_refusal;
    if (was_refused_) return give_up(what, trouble.error, tries);
    is_lost_ = is_lost_ || service_->forgets();  // trouble breaks a transaction
    if (!trouble.passes || tries > manners_.retries) return give_up(what, trouble.error, tries);
    clock_.sleep(std::min(std::max(wait, trouble.wait_seconds), longest_wait));
    wait *= 2;
  }
}

// A new connection with the rows of the old one.
Reply<Done> PatientConversation::try_to_come_back() {
  if (auto back = service_->restart(); !back) return back;
  for (Held& held : held_) {
    if (!service_->forgets()) break;
    pace_.wait_turn();
    auto id = service_->add(held.row.values, held.id_now);
    if (!id) return id.trouble();
    held.id_now = std::move(*id);
  }
  is_lost_ = false;
  return Done{};
}

Status PatientConversation::come_back() {
  is_lost_ = true;
  auto back = insist<Done>("starting anew", [] { return Reply<Done>(Done{}); });
  return back ? Status{} : Status{back.error()};
}

Result<std::vector<std::string>> PatientConversation::rank(const Query& query) {
  auto ids = insist<std::vector<std::string>>("the query " + query_to_json(schema_, query).dump(-1),
                                              [&] { return service_->rank(query); });
  if (!ids || held_.empty()) return ids;
  for (std::string& id : *ids) {
    auto held = std::ranges::find(held_, id, &Held::id_now);
    if (held != held_.end()) id = held->row.id;
  }
  return ids;
}

Result<Conversation::Added> PatientConversation::add(std::span<const ValueId> values) {
  last_doubtful_ = 0;
  auto attempt = [&] {
    std::string proposed = new_ids_.at(next_id_++);
    auto id = service_->add(values, proposed);
    if (!id && id.trouble().may_be_done && !service_->forgets()) {
      ++last_doubtful_;
      doubtful_ids_.push_back(std::move(proposed));
    }
    return id;
  };
  auto id = insist<std::string>("inserting " + row_text(schema_, values), attempt);
  if (!id) return id.error();
  held_.push_back({{{values.begin(), values.end()}, *id}, *id});
  return Added{*id, last_doubtful_};
}

Status PatientConversation::remove_all() {
  while (!held_.empty() || !doubtful_ids_.empty()) {
    bool certain = doubtful_ids_.empty();
    const std::string id = certain ? held_.back().id_now : doubtful_ids_.back();
    auto removed =
        insist<Done>(fmt::format("removing row \"{}\"", id), [&] { return service_->remove(id); });
    if (!removed) return removed.error();
    if (certain) {
      held_.pop_back();
    } else {
      doubtful_ids_.pop_back();
    }
  }
  return {};
}

Result<bool> PatientConversation::restart() {
  if (service_->forgets()) {
    bool clean = held_.empty() && !is_lost_;
    held_.clear();
    if (clean) return true;
    auto back = come_back();
    return back ? Result<bool>(true) : Result<bool>(back.error());
  }
  if (!service_->removes_rows()) {
    bool none = held_.empty();
    held_.clear();
    return none;
  }
  auto removed = remove_all();
  return removed ? Result<bool>(true) : Result<bool>(removed.error());
}

Status PatientConversation::resume(std::vector<AddedRow> rows, std::uint64_t next_id) {
  next_id_ = next_id;
  held_.clear();
  for (AddedRow& row : rows) {
    std::string id = row.id;
    held_.push_back({std::move(row), std::move(id)});
  }
  if (held_.empty() || !service_->forgets()) return {};
  return come_back();
}

}  // namespace rankveil::attack
