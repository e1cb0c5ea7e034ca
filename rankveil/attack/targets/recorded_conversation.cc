#include "rankveil/attack/targets/recorded_conversation.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "rankveil/attack/targets/answer.h"
#include "rankveil/attack/targets/template.h"
#include "rankveil/base/file.h"

namespace rankveil::attack {
namespace {

Error failed(std::string_view what, const std::string& path) {
  return io_error(fmt::format("cannot {} the log {}: {}", what, path, std::strerror(errno)));
}

// Null when the entry has none, or of another kind.
const std::string* text_at(const Json& entry, std::string_view name) {
  const Json* found = entry.find(name);
  return found == nullptr ? nullptr : found->as_text();
}

std::uint32_t count_at(const Json& entry, std::string_view name) {
  const Json* found = entry.find(name);
  const std::int64_t* count = found == nullptr ? nullptr : found->as_integer();
  return count != nullptr && *count > 0 && *count < 1000000 ? static_cast<std::uint32_t>(*count)
                                                            : 0;
}

std::optional<std::vector<std::string>> texts_at(const Json& entry, std::string_view name) {
  const Json* found = entry.find(name);
  if (found == nullptr || found->as_array() == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  for (const Json& item : *found->as_array()) {
    if (item.as_text() == nullptr) return std::nullopt;
    texts.push_back(*item.as_text());
  }
  return texts;
}

}  // namespace

RecordedConversation::RecordedConversation(std::string path, int descriptor, Schema schema,
                                           std::unique_ptr<PatientConversation> live)
    : path_(std::move(path)),
      descriptor_(descriptor),
      schema_(std::move(schema)),
      live_(std::move(live)) {}

RecordedConversation::~RecordedConversation() { ::close(descriptor_); }

Result<std::unique_ptr<RecordedConversation>> RecordedConversation::open(
    const std::string& path, const Json& about, const Schema& schema,
    std::unique_ptr<PatientConversation> live) {
  int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor < 0) return failed("open", path);
  std::unique_ptr<RecordedConversation> recorded(
      new RecordedConversation(path, descriptor, schema, std::move(live)));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return io_error(fmt::format("the log {} is in use by another campaign; choose another", path));
  }
  if (auto loaded = recorded->load(about); !loaded) return loaded.error();
  return recorded;
}

// Nothing is changed before the first line tells that the file is a log, or the beginning of one.
Status RecordedConversation::load(const Json& about) {
  auto text = read_text(path_);
  if (!text) return text.error();
  log_ = std::move(*text);
  std::size_t whole = log_.rfind('\n') + 1;  // 0 when there is no line at all
  bool is_begun = whole == 0 && about.dump(-1).starts_with(log_);
  if (!is_begun) {
    std::string_view first = std::string_view(log_).substr(0, log_.find('\n'));
    if (auto fits = check_head(first, about); !fits) return fits;
  }
  if (whole < log_.size() && ::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) {
    return failed("mend", path_);
  }
  log_.resize(whole);
  if (log_.empty()) return write(about);
  at_ = log_.find('\n') + 1;
  line_ = 2;
  return {};
}

Status RecordedConversation::check_head(std::string_view line, const Json& about) const {
  auto head = parse_json(line);
  const Json* kind = head ? head->find("log") : nullptr;
  if (kind == nullptr || kind->dump() != about.find("log")->dump()) {
    return bad_input(fmt::format("{} is no log of a campaign; choose another file", path_));
  }
  for (const auto& [name, value] : *about.as_object()) {
    const Json* found = head->find(name);
    if (found != nullptr && found->dump() == value.dump()) continue;
    return bad_input(fmt::format(
        "the log {} is that of another campaign: its {} is {}, now it is {}; choose another file, "
        "or delete it to start anew",
        path_, name, found == nullptr ? "not told" : found->dump(-1), value.dump(-1)));
  }
  return {};
}

Result<const Json*> RecordedConversation::peek() {
  if (!entry_ && at_ < log_.size()) {
    std::string_view line = std::string_view(log_).substr(at_, log_.find('\n', at_) - at_);
    auto entry = parse_json(line);
    if (!entry) {
      return bad_input(fmt::format("{}, line {}: {}; delete it to start anew", path_, line_,
                                   entry.error().message));
    }
    length_ = line.size() + 1;
    entry_ = std::move(*entry);
  }
  return entry_ ? &*entry_ : static_cast<const Json*>(nullptr);
}

void RecordedConversation::move_on() {
  at_ += length_;
  ++line_;
  entry_.reset();
}

Error RecordedConversation::differs(const std::string& asked) const {
  return bad_input(fmt::format(
      "{}, line {}: this campaign asks {} where the log has {}; continue it with the same table, "
      "options and seed, or choose another log",
      path_, line_, asked, excerpt(entry_->dump(-1))));
}

// One piece, so that a process that is ended leaves whole lines or the beginning of one.
Status RecordedConversation::write(const Json& entry) {
  std::string text = entry.dump(-1) + "\n";
  for (std::string_view rest = text; !rest.empty();) {
    ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("write", path_);
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Status RecordedConversation::go_live() {
  if (is_live_) return {};
  is_live_ = true;
  log_.clear();
  log_.shrink_to_fit();
  at_ = 0;
  if (line_ == 1) return {};
  return live_->resume(std::move(rows_), ids_used_);
}

Result<std::vector<std::string>> RecordedConversation::rank(const Query& query) {
  Json asked = query_to_json(schema_, query);
  was_refused_ = false;
  for (;;) {
    auto entry = peek();
    if (!entry) return entry.error();
    if (*entry == nullptr) break;
    const Json* recorded = (*entry)->find("query");
    if (recorded == nullptr || recorded->dump() != asked.dump()) {
      return differs("the query " + asked.dump(-1));
    }
    auto ids = texts_at(**entry, "ids");
    if (const std::string* refusal = text_at(**entry, "refused")) {
      was_refused_ = true;
      Error error = bad_input(*refusal);
      move_on();
      return error;
    }
    move_on();
    if (ids) return std::move(*ids);
  }
  if (auto done = go_live(); !done) return done.error();
  auto ids = live_->rank(query);
  Json line;
  line.set("query", std::move(asked));
  if (ids) {
    line.set("ids", json_texts(*ids));
  } else {
    was_refused_ = live_->was_refused();
    line.set(was_refused_ ? "refused" : "failed", ids.error().message);
  }
  if (auto written = write(line); !written) return written.error();
  return ids;
}

Result<std::optional<Conversation::Added>> RecordedConversation::recorded_insert(
    const std::string& row) {
  using Found = Result<std::optional<Added>>;
  for (;;) {
    auto entry = peek();
    if (!entry) return entry.error();
    if (*entry == nullptr) return Found(std::nullopt);
    const Json* begun = (*entry)->find("insert");
    if (begun == nullptr || begun->dump(-1) != row) return differs("to insert " + row);
    move_on();
    auto answer = peek();
    if (!answer) return answer.error();
    if (*answer != nullptr) {
      std::uint32_t doubtful = count_at(**answer, "doubtful");
      if (const std::string* id = text_at(**answer, "inserted")) {
        Added added{*id, doubtful};
        move_on();
        return Found(std::move(added));
      }
      if (text_at(**answer, "failed") != nullptr) {
        unanswered_ += doubtful;
        move_on();
        continue;
      }
    }
    ++unanswered_;  // the run ended here
  }
}

Result<Conversation::Added> RecordedConversation::add(std::span<const ValueId> values) {
  auto wanted = wanted_of_row(values);
  Json row = row_object({.schema = schema_, .values = wanted});
  unanswered_ = 0;
  auto recorded = recorded_insert(row.dump(-1));
  if (!recorded) return recorded.error();
  std::uint32_t before = unanswered_;
  ids_used_ += before;
  if (live_->service().forgets()) before = 0;
  if (*recorded) {
    Added added = std::move(**recorded);
    ids_used_ += 1 + added.doubtful;
    rows_.push_back({{values.begin(), values.end()}, added.id});
    added.doubtful += before;
    return added;
  }
  if (auto done = go_live(); !done) return done.error();
  if (auto written = write(Json().set("insert", std::move(row))); !written) return written.error();
  auto added = live_->add(values);
  Json line;
  if (added) {
    line.set("inserted", added->id).set("doubtful", added->doubtful);
  } else {
    line.set("failed", added.error().message).set("doubtful", live_->last_doubtful());
  }
  if (auto written = write(line); !written) return written.error();
  if (added) added->doubtful += before;
  return added;
}

Result<bool> RecordedConversation::restart() {
  auto entry = peek();
  if (!entry) return entry.error();
  if (*entry != nullptr) {
    const Json* gone = (*entry)->find("restart");
    if (gone == nullptr || gone->as_bool() == nullptr) return differs("to start anew");
    bool is_gone = *gone->as_bool();
    move_on();
    rows_.clear();
    return is_gone;
  }
  if (auto done = go_live(); !done) return done.error();
  auto gone = live_->restart();
  if (!gone) return gone;
  if (auto written = write(Json().set("restart", *gone)); !written) return written.error();
  return gone;
}

}  // namespace rankveil::attack
