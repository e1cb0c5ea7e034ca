#include "rankveil/probe/own_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "rankveil/probe/again.h"

namespace rankveil::probe {
namespace {

// An owner's view may lag behind a write for a moment.
constexpr std::uint32_t looks = 4;

std::string shown_value(const std::optional<Value>& value) {
  return value ? fmt::format("\"{}\"", value->text) : "nothing";
}

Error not_put_back(const std::string& row, const Error& why, const Journal& journal) {
  return io_error(fmt::format("row {} could not be put back: {}; run probe --clean {} later", row,
                              why.message, journal.path()));
}

Status give_back(Writer& writer, Clock& clock, const std::string& row, const Field& field,
                 const std::optional<Value>& was) {
  auto written = send_again(clock, true, [&] { return writer.write(row, field, was); });
  if (!written) return written.trouble().error;
  return {};
}

Status remove_row(Writer& writer, Clock& clock, const std::string& row) {
  auto removed = send_again(clock, true, [&] { return writer.remove(row); });
  if (!removed) return removed.trouble().error;
  return {};
}

}  // namespace

Status OwnRows::make(const std::string& mark) {
  if (auto noted = journal_.making(mark); !noted) return noted.error();
  mark_ = mark;
  meter_.reserve();
  ++writes_;
  auto row = send_again(clock_, false, [&] { return meter_.counted(writer_.create(mark)); });
  if (!row && row.trouble().may_be_done) {
    auto found = send_again(clock_, true, [&] { return meter_.counted(writer_.find(mark)); });
    if (found && found->size() == 1) row = found->front();
  }
  if (!row) {
    is_unheard_of_ = row.trouble().may_be_done;
    return row.trouble().error;
  }
  rows_ = {*row};
  return journal_.made(mark, *row);
}

std::vector<Value> OwnRows::values(State state, const TestValues& values) const {
  std::vector<Value> held(rows_.size(), state == State::A ? values.b : values.other_b);
  if (!held.empty()) held.front() = state == State::A ? values.a : values.b;
  return held;
}

Status OwnRows::put(const Field& field, State state, const TestValues& values) {
  const std::vector<Value> held = this->values(state, values);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (auto done = write_and_check(rows_[i], field, held[i]); !done) return done;
  }
  return {};
}

Status OwnRows::put_first(const Field& field, const Value& value) {
  return write_and_check(rows_.front(), field, value);
}

// What a row of somebody held is known before it is changed. A row of ours goes altogether.
Status OwnRows::remember(const std::string& row, const Field& field) {
  if (!mark_.empty()) return {};
  const bool known = std::ranges::any_of(originals_, [&](const Original& original) {
    return original.row == row && original.field.name == field.name;
  });
  if (known) return {};
  auto was = send_again(clock_, true, [&] { return meter_.counted(writer_.read(row, field)); });
  if (!was) return was.trouble().error;
  if (auto noted = journal_.changing(row, field, *was); !noted) return noted.error();
  originals_.push_back({row, field, *was});
  meter_.reserve();
  return {};
}

Status OwnRows::write(const std::string& row, const Field& field, const Value& value) {
  if (!meter_.may_go_on()) return wrong_use(meter_.reason());
  if (auto known = remember(row, field); !known) return known.error();
  ++writes_;
  auto written =
      send_again(clock_, true, [&] { return meter_.counted(writer_.write(row, field, value)); });
  if (!written) {
    return bad_input(fmt::format("the service does not take {} in {}: {}", shown_value(value),
                                 field.name, written.trouble().error.message));
  }
  return {};
}

Status OwnRows::write_and_check(const std::string& row, const Field& field, const Value& value) {
  if (auto written = write(row, field, value); !written) return written;
  std::optional<Value> there;
  double pause = 0.25;
  for (std::uint32_t look = 0; look < looks; ++look) {
    if (!meter_.may_go_on()) return wrong_use(meter_.reason());
    auto read = send_again(clock_, true, [&] { return meter_.counted(writer_.read(row, field)); });
    if (!read) return read.trouble().error;
    there = *read;
    if (there && same_value(field, *there, value)) return {};
    clock_.sleep(pause);
    pause *= 2;
  }
  return bad_input(
      fmt::format("{} was written into {} of the own row, and its owner reads {} there",
                  shown_value(value), field.name, shown_value(there)));
}

Status OwnRows::restore() {
  Status all;
  for (const Original& original : originals_) {
    auto done = give_back(writer_, clock_, original.row, original.field, original.was);
    if (done) done = journal_.restored(original.row, original.field);
    if (!done && all) all = not_put_back(original.row, done.error(), journal_);
  }
  originals_.clear();
  return all;
}

Status OwnRows::put_back() {
  if (mark_.empty()) return restore();
  const std::string mark = std::exchange(mark_, "");
  std::vector<std::string> rows = rows_;
  if (rows.empty()) {  // made, perhaps, and never heard of
    auto found = send_again(clock_, true, [&] { return writer_.find(mark); });
    if (!found) return not_put_back(mark, found.trouble().error, journal_);
    if (found->empty() && is_unheard_of_) {
      return not_put_back(mark, io_error("it may have been made, and nobody sees it"), journal_);
    }
    rows = *found;
  }
  for (const std::string& row : rows) {
    if (auto gone = remove_row(writer_, clock_, row); !gone) {
      return not_put_back(row, gone.error(), journal_);
    }
  }
  return journal_.removed(mark);
}

namespace {

// "rvprobe3f9a01b2c4d5": a text that nobody else's row has. A journal that says otherwise was not
// written by a probe, and going by it could remove everybody's rows.
bool is_mark(std::string_view mark) {
  constexpr std::string_view digits = "0123456789abcdef";
  const bool begins = mark.starts_with("rvprobe") || mark.starts_with("rvshown");
  return begins && mark.size() == 19 && mark.find_first_not_of(digits, 7) == std::string_view::npos;
}

Error not_ours(const MadeRow& made) {
  return bad_input(fmt::format(
      "it does not bear the mark {} any more, so it may be somebody else's by now, and stays; look "
      "for it yourself",
      made.mark));
}

Error unread(const MadeRow& made, const Error& why) {
  return bad_input(
      fmt::format("nobody knows whether it is gone: its mark {} is not found, and {}; look for it "
                  "yourself",
                  made.mark, why.message));
}

Result<std::vector<std::string>> rows_marked(Writer& writer, Clock& clock, const MadeRow& made) {
  auto found = send_again(clock, true, [&] { return writer.find(made.mark); });
  if (!found) return found.trouble().error;
  return std::move(*found);
}

// A service may have given the id to somebody else's row meanwhile. Where public values were
// written into the field of the mark, they are there. Whoever bears the mark is ours. A row whose
// mark is not found is gone where the service says so, and else it stays.
Result<std::vector<std::string>> row_made(Writer& writer, Clock& clock, const MadeRow& made) {
  auto held = send_again(clock, true, [&] { return writer.read_mark(made.row); });
  if (held && held->value) {
    const std::string& text = held->value->text;
    const bool is_ours = text.find(made.mark) != std::string::npos || is_made_up_text(text);
    if (is_ours) return std::vector<std::string>{made.row};
    return not_ours(made);
  }
  auto found = rows_marked(writer, clock, made);
  const bool is_settled = !found || !found->empty() || (held && held->is_gone);
  if (is_settled) return found;
  if (held) return not_ours(made);
  return unread(made, held.trouble().error);
}

Result<std::vector<std::string>> rows_made(Writer& writer, Clock& clock, const MadeRow& made) {
  if (!is_mark(made.mark)) {
    return bad_input("that is no mark of a probe, so no row is told by it; look for it yourself");
  }
  return made.row.empty() ? rows_marked(writer, clock, made) : row_made(writer, clock, made);
}

Status clean_made(Writer& writer, Clock& clock, Journal& journal, const MadeRow& made,
                  Cleaned& cleaned) {
  auto rows = rows_made(writer, clock, made);
  if (!rows) return rows.error();
  for (const std::string& row : *rows) {
    if (auto gone = remove_row(writer, clock, row); !gone) return gone;
    ++cleaned.removed;
  }
  return journal.removed(made.mark);
}

Status clean_changed(Writer& writer, Clock& clock, Journal& journal, const ChangedRow& changed,
                     Cleaned& cleaned) {
  auto done = give_back(writer, clock, changed.row, changed.field, changed.was);
  if (!done) return done;
  ++cleaned.restored;
  return journal.restored(changed.row, changed.field);
}

}  // namespace

Result<Cleaned> clean(const std::string& path, Writer& writer, Clock& clock) {
  auto pending = read_journal(path);
  if (!pending) return pending.error();
  auto journal = Journal::resume(path);
  if (!journal) return journal.error();
  Cleaned cleaned;
  for (const MadeRow& made : pending->made) {
    auto done = clean_made(writer, clock, *journal, made, cleaned);
    if (!done) {
      cleaned.left.push_back(
          fmt::format("{}: {}", made.row.empty() ? made.mark : made.row, done.error().message));
    }
  }
  for (const ChangedRow& changed : pending->changed) {
    auto done = clean_changed(writer, clock, *journal, changed, cleaned);
    if (!done) cleaned.left.push_back(fmt::format("{}: {}", changed.row, done.error().message));
  }
  return cleaned;
}

}  // namespace rankveil::probe
