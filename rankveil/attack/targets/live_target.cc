#include "rankveil/attack/targets/live_target.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/attack/index_target.h"
#include "rankveil/base/format.h"

namespace rankveil::attack {

LiveTarget::LiveTarget(std::unique_ptr<Conversation> conversation, Schema schema,
                       const RowNames& names, Options options)
    : conversation_(std::move(conversation)),
      schema_(std::move(schema)),
      options_(std::move(options)),
      table_rows_(names.size()),
      left_behind_(options_.own_rows.begin(), options_.own_rows.end()),
      written_before_(left_behind_.size()) {
  row_of_.reserve(names.size());
  for (std::uint32_t row = 0; row < names.size(); ++row) {
    std::string id = options_.id_format;
    row_of_.emplace(id.replace(id.find('*'), 1, names.text(RowId{row})), row);
  }
}

bool LiveTarget::takes_inserts() const { return conversation_->takes_rows(); }

bool LiveTarget::takes_sets() const { return conversation_->takes_sets(); }

bool LiveTarget::names_field(std::string_view column) const {
  return std::ranges::find(options_.named_fields, column) != options_.named_fields.end();
}

Result<std::vector<std::uint32_t>> LiveTarget::query(const Query& query) {
  bool has_set =
      std::ranges::any_of(query.wanted, [](const auto& values) { return values.size() > 1; });
  if (has_set && !takes_sets()) {
    return wrong_use(
        fmt::format("{} asks for several values of an attribute, and this ranking takes one",
                    query_to_json(schema_, query).dump(-1)));
  }
  auto ids = conversation_->rank(query);
  if (!ids) return ids.error();
  if (ids->size() > options_.k) ids->resize(options_.k);
  if (ids->size() < std::min<std::size_t>(options_.k, table_rows_ + own_.size())) ++short_answers_;
  return rows_of(query, *ids);
}

Result<std::vector<std::uint32_t>> LiveTarget::rows_of(const Query& query,
                                                       const std::vector<std::string>& ids) {
  std::vector<std::uint32_t> rows;
  std::unordered_set<std::uint32_t> seen;
  rows.reserve(ids.size());
  for (const std::string& id : ids) {
    auto found = row_of_.find(id);
    if (found == row_of_.end()) {
      if (is_left_out(id)) continue;
      return unknown_id(query, id);
    }
    if (!seen.insert(found->second).second) {
      return bad_input(fmt::format("the answer to {} names the id \"{}\" twice; ids must be unique",
                                   query_to_json(schema_, query).dump(-1), id));
    }
    rows.push_back(found->second);
  }
  return rows;
}

bool LiveTarget::is_own(const std::string& id) const {
  return std::ranges::find(options_.own_rows, id) != options_.own_rows.end();
}

bool LiveTarget::is_left_out(const std::string& id) {
  if (left_behind_.contains(id) || strays_.contains(id)) return true;
  if (strays_.size() < doubtful_) {
    strays_.insert(id);
    return true;
  }
  if (options_.skip_unknown_ids) unknown_.insert(id);
  return options_.skip_unknown_ids;
}

Error LiveTarget::unknown_id(const Query& query, const std::string& id) const {
  return bad_input(fmt::format(
      "the answer to {} names the id \"{}\", which is not in the table of {}; bring the table up "
      "to date, or leave such rows out with unknown_ids = \"skip\" in the target's file",
      query_to_json(schema_, query).dump(-1), id, counted(table_rows_, "row")));
}

Result<std::uint32_t> LiveTarget::insert(std::span<const ValueId> values) {
  if (!takes_inserts()) {
    return wrong_use("this ranking takes no rows; attack it with queries only");
  }
  if (auto fits = check_new_row(schema_, values); !fits) return fits.error();
  auto added = conversation_->add(values);
  if (!added) return added.error();
  doubtful_ += added->doubtful;
  std::uint32_t row = table_rows_ + static_cast<std::uint32_t>(own_.size());
  if (!row_of_.emplace(added->id, row).second) {
    return bad_input(fmt::format(
        "the new row got the id \"{}\", which another row has; choose others with id_prefix or "
        "first_id in the target's file",
        added->id));
  }
  own_.push_back(std::move(added->id));
  return row;
}

Status LiveTarget::restart() {
  auto gone = conversation_->restart();
  if (!gone) return gone.error();
  for (std::string& id : own_) {
    row_of_.erase(id);
    if (!*gone || is_own(id)) left_behind_.insert(std::move(id));
  }
  own_.clear();
  return {};
}

std::vector<std::string> LiveTarget::notes() const {
  std::vector<std::string> notes;
  if (!unknown_.empty()) {
    notes.push_back(
        fmt::format("{} in answers, such as \"{}\", are not in the table and were left out",
                    counted(unknown_.size(), "id"), *unknown_.begin()));
  }
  if (short_answers_ > 0) {
    notes.push_back(fmt::format("{} had fewer rows than the {} asked for",
                                counted(short_answers_, "answer"), options_.k));
  }
  std::size_t left = left_behind_.size() - written_before_;
  if (left > 0) {
    notes.push_back(fmt::format("{} stay in the target, since it has no way to remove them",
                                counted(left, "inserted row")));
  }
  if (doubtful_ > 0) {
    notes.push_back(fmt::format("{} got no answer, and may have left a row behind",
                                counted(doubtful_, "insert")));
  }
  return notes;
}

}  // namespace rankveil::attack
