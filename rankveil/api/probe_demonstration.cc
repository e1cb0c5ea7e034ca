#include "rankveil/api/probe_demonstration.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "rankveil/base/format.h"
#include "rankveil/probe/demonstrate.h"
#include "rankveil/probe/journal.h"

namespace rankveil::api {
namespace {

using probe::ProbeResult;

constexpr std::size_t demonstrated_rows = 5;
constexpr probe::NumberRange any_number{-(std::int64_t{1} << 31), (std::int64_t{1} << 31) - 1};

// Own rows of a demonstration are in a journal, too.
class JournaledWriter : public probe::Writer {
 public:
  JournaledWriter(probe::Writer& writer, probe::Journal& journal)
      : writer_(writer), journal_(journal) {}

  bool makes_rows() const override { return writer_.makes_rows(); }
  connect::Reply<std::string> create(const std::string& mark) override {
    if (auto noted = journal_.making(mark); !noted) return noted.error();
    mark_ = mark;
    auto row = writer_.create(mark);
    if (!row) return row;
    if (auto noted = journal_.made(mark, *row); !noted) return noted.error();
    return row;
  }
  connect::Reply<std::vector<std::string>> find(const std::string& mark) override {
    return writer_.find(mark);
  }
  connect::Reply<connect::Done> remove(const std::string& row) override {
    auto removed = writer_.remove(row);
    if (!removed) return removed;
    if (auto noted = journal_.removed(mark_); !noted) return noted.error();
    return removed;
  }
  connect::Reply<connect::Done> write(const std::string& row, const probe::Field& field,
                                      const std::optional<probe::Value>& value) override {
    return writer_.write(row, field, value);
  }
  connect::Reply<std::optional<probe::Value>> read(const std::string& row,
                                                   const probe::Field& field) override {
    return writer_.read(row, field);
  }

 private:
  probe::Writer& writer_;
  probe::Journal& journal_;
  std::string mark_;
};

void note_recovered(const probe::Recovered& recovered, const probe::Field& field,
                    const std::string& way, ProbeResult& result) {
  for (const auto& [row, value] : recovered.values) {
    if (result.demonstrated.size() < demonstrated_rows) {
      result.demonstrated.push_back({field.name, way, row, value});
    }
  }
  result.notes.push_back(fmt::format("{} of {} recovered by {} in {}",
                                     counted(recovered.values.size(), "value"), field.name, way,
                                     counted(recovered.requests, "request")));
}

const probe::Finding* leak_by(const ProbeResult& result, const probe::Field& field,
                              const std::function<bool(const probe::Way&)>& fits) {
  const auto found = std::ranges::find_if(result.findings, [&](const probe::Finding& finding) {
    return finding.field == field.name && finding.verdict == probe::Verdict::Leak &&
           fits(finding.way);
  });
  return found == result.findings.end() ? nullptr : &*found;
}

bool recover_by_range(probe::Asker& asker, const probe::Field& field, ProbeResult& result) {
  const auto* leak = leak_by(result, field, [](const probe::Way& way) { return way.compares; });
  if (leak == nullptr) return false;
  const auto recovered =
      probe::recover_all_by_condition(asker, leak->way.name, field, any_number, demonstrated_rows);
  if (recovered) note_recovered(*recovered, field, leak->way.name, result);
  return recovered.has_value();
}

// What could not be removed is in the journal, and the report says so.
void close_journal(const std::string& path, ProbeResult& result) {
  auto pending = probe::read_journal(path);
  if (pending && pending->made.empty()) {
    std::filesystem::remove(path);
    return;
  }
  result.left_behind = "the row of the demonstration may be left";
  result.journal = path;
}

// The first row in the order of the field, beside one of ours.
Status recover_beside(probe::Asker& asker, ProbeService& service, const probe::Field& field,
                      const std::string& way, ProbeResult& result) {
  const std::string path =
      fmt::format("rankveil-probe-{:012x}-{}.journal", result.seed >> 16, field.name);
  const auto listing =
      asker.ask({.way = way, .field = field.name, .direction = probe::Direction::Descending});
  if (listing.rows.empty()) return bad_input("the listing by " + field.name + " is empty");
  auto journal = probe::Journal::create(path, service.name);
  if (!journal) return journal.error();
  JournaledWriter writer(*service.writer(), *journal);
  const std::string mark = fmt::format("rvshown{:012x}", result.seed >> 16);
  const auto recovered =
      probe::recover_by_order(asker, writer, way, field, listing.rows.front(), any_number, mark);
  close_journal(path, result);
  if (!recovered) return bad_input("no value of " + field.name + " was recovered by its order");
  note_recovered(*recovered, field, way, result);
  return {};
}

Status demonstrate_field(probe::Asker& asker, ProbeService& service, bool may_write,
                         const probe::Field& field, ProbeResult& result) {
  if (recover_by_range(asker, field, result)) return {};
  const auto* order =
      leak_by(result, field, [](const probe::Way& way) { return way.kind == probe::Kind::Sort; });
  const bool can_write = may_write && service.no_row.empty();
  if (order != nullptr && can_write) {
    return recover_beside(asker, service, field, order->way.name, result);
  }
  return bad_input(
      fmt::format("no value of {} was recovered: that takes a condition with two "
                  "ends, or a sort and --write",
                  field.name));
}

}  // namespace

void demonstrate_leaks(probe::Asker& asker, ProbeService& service, bool may_write,
                       ProbeResult& result) {
  for (const probe::Field& field : service.hidden) {
    if (field.type != probe::FieldType::Number || !field.choices.empty()) continue;
    if (shortest_leak(result, field.name) == nullptr) continue;
    const Status shown = demonstrate_field(asker, service, may_write, field, result);
    if (!shown) result.notes.push_back(shown.error().message);
  }
}

}  // namespace rankveil::api
