#include "rankveil/protect/ledger/ledger_head.h"

#include <algorithm>

#include "rankveil/base/text/json_values.h"

namespace rankveil {

namespace {

constexpr std::string_view ledger_kind = "rankveil ledger";
constexpr int ledger_version = 2;

// What its first line is, and how much comes behind it.
struct Frame {
  std::string kind{ledger_kind};
  int version = ledger_version;

  static void fields(auto& self, auto visit) {
    visit("kind", self.kind);
    visit("version", self.version);
  }
};

bool is_sound(const FrozenRung& rung) {
  return std::ranges::all_of(rung.groups, [&](const FrozenGroup& group) {
    return group.values.size() == rung.columns.size() && group.number < LedgerEntry::nobody;
  });
}

bool is_sound(const LedgerHead& head) {
  bool sound = head.release > 0 && head.build > 0 && !head.outputs.empty();
  for (const LedgerOutput& output : head.outputs) sound = sound && output.build > 0;
  for (const LedgerColumn& column : head.columns) {
    sound = sound && column.values.size() < Ledger::no_code;
  }
  return sound && (!head.groups || std::ranges::all_of(*head.groups, [](const FrozenRung& rung) {
           return is_sound(rung);
         }));
}

}  // namespace

Json ledger_head(const Ledger& ledger) {
  Json json = json_of(Frame());
  LedgerHead::fields(ledger, [&](std::string_view name, const auto& field) {
    json.set(std::string(name), json_of(field));
  });
  return json.set("rows", ledger.rows.size())
      .set("renamed", ledger.first_names.size())
      .set("gone", ledger.gone.size());
}

bool read_ledger_head(const Json& json, Ledger& ledger) {
  Frame frame;
  bool is_ledger =
      read_json(json, frame) && frame.kind == ledger_kind && frame.version == ledger_version;
  return is_ledger && read_json(json, static_cast<LedgerHead&>(ledger)) && is_sound(ledger);
}

}  // namespace rankveil
