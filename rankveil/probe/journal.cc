#include "rankveil/probe/journal.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "rankveil/base/file.h"
#include "rankveil/base/json.h"

namespace rankveil::probe {

// What is appended: an object.
class JournalLine {
 public:
  explicit JournalLine(std::string_view did) { json_.set("did", did); }
  JournalLine& with(std::string name, Json value) {
    json_.set(std::move(name), std::move(value));
    return *this;
  }
  std::string text() const { return json_.dump(-1) + "\n"; }

 private:
  Json json_;
};

namespace {

constexpr std::string_view journal_kind = "probe journal";

Error cannot_journal(std::string_view what, const std::string& path) {
  return io_error(fmt::format("cannot {} the journal {}: {}; name another with --journal", what,
                              path, std::strerror(errno)));
}

Json value_json(const std::optional<Value>& value) {
  if (!value) return nullptr;
  Json json;
  json.set("text", value->text).set("is_text", value->is_text);
  return json;
}

std::optional<Value> value_of(const Json& json) {
  const Json* was = json.find("was");
  if (was == nullptr || was->is_null()) return std::nullopt;
  const Json* is_text = was->find("is_text");
  return Value{was->text_at("text"),
               is_text == nullptr || is_text->as_bool() == nullptr || *is_text->as_bool()};
}

void note_changing(Pending& pending, const Json& line) {
  ChangedRow changed{line.text_at("row"), {}, value_of(line)};
  changed.field.name = line.text_at("field");
  const Json* type = line.find("type");
  if (type != nullptr && type->as_integer() != nullptr) {
    changed.field.type = static_cast<FieldType>(*type->as_integer());
  }
  pending.changed.push_back(std::move(changed));
}

// One step, done to what was pending before it.
void note_step(Pending& pending, const Json& line) {
  const std::string did = line.text_at("did");
  const std::string mark = line.text_at("mark");
  if (did == "making") pending.made.push_back({mark});
  if (did == "made") {
    auto row = std::ranges::find(pending.made, mark, &MadeRow::mark);
    if (row != pending.made.end()) row->row = line.text_at("row");
  }
  if (did == "removed") {
    std::erase_if(pending.made, [&](const MadeRow& row) { return row.mark == mark; });
  }
  if (did == "changing") note_changing(pending, line);
  if (did == "restored") {
    std::erase_if(pending.changed, [&](const ChangedRow& changed) {
      return changed.row == line.text_at("row") && changed.field.name == line.text_at("field");
    });
  }
}

bool is_first_line(const Json& line) { return line.text_at("rankveil") == journal_kind; }

}  // namespace

Result<Journal> Journal::create(const std::string& path, const std::string& target) {
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor < 0 && errno == EEXIST) {
    return io_error(fmt::format(
        "{} is there already; if it is the journal of a probe, take back what it wrote first, with "
        "--clean {}",
        path, path));
  }
  if (descriptor < 0) return cannot_journal("write", path);
  Journal journal(path, descriptor);
  JournalLine first("began");
  first.with("rankveil", journal_kind).with("version", 1).with("target", target);
  if (auto written = journal.append(first); !written) return written.error();
  return journal;
}

Result<Journal> Journal::resume(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) return cannot_journal("open", path);
  Journal journal(path, descriptor);
  // What a crash cut off stays a line of its own.
  if (::write(descriptor, "\n", 1) != 1) return cannot_journal("write", path);
  return journal;
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

Status Journal::append(const JournalLine& line) {
  const std::string text = line.text();
  const auto written = ::write(descriptor_, text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size()) || ::fsync(descriptor_) != 0) {
    return cannot_journal("write", path_);
  }
  return {};
}

Status Journal::making(const std::string& mark) {
  return append(JournalLine("making").with("mark", mark));
}

Status Journal::made(const std::string& mark, const std::string& row) {
  return append(JournalLine("made").with("mark", mark).with("row", row));
}

Status Journal::removed(const std::string& mark) {
  return append(JournalLine("removed").with("mark", mark));
}

Status Journal::changing(const std::string& row, const Field& field,
                         const std::optional<Value>& was) {
  return append(JournalLine("changing")
                    .with("row", row)
                    .with("field", field.name)
                    .with("type", static_cast<int>(field.type))
                    .with("was", value_json(was)));
}

Status Journal::restored(const std::string& row, const Field& field) {
  return append(JournalLine("restored").with("row", row).with("field", field.name));
}

Result<Pending> read_journal(const std::string& path) {
  auto text = read_text(path);
  if (!text) return text.error();
  Pending pending;
  bool is_journal = false;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    auto line = parse_json(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line) continue;
    if (is_first_line(*line)) {
      is_journal = true;
      pending.target = line->text_at("target");
    } else {
      note_step(pending, *line);
    }
  }
  if (!is_journal) {
    return bad_input(fmt::format("{} is not the journal of a probe; check its name", path));
  }
  return pending;
}

}  // namespace rankveil::probe
