// What a scheme is given, and what it gives back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/keys/keyed.h"
#include "rankveil/base/progress.h"
#include "rankveil/protect/demand.h"
#include "rankveil/protect/report.h"
#include "rankveil/ranking/profiles.h"
#include "rankveil/ranking/workload.h"
#include "rankveil/table/table.h"

namespace rankveil {

// What rows showed in earlier builds of their release, and go on showing.
struct ShownEarlier {
  std::vector<std::uint8_t> rows;  // per row of the task's table, 1: it shows something
  std::vector<Column> values;      // per private attribute; missing where a row shows no value
};

struct Task {
  const Table& table;
  const Workload& workload;  // queries to stay good at; may be empty
  const Demand& demand;
  const SecretKey& key;
  // Lists of public columns, each coarser than the one before. All public columns stand before
  // the first, none at all behind the last; neither is in the list.
  std::vector<std::vector<AttributeId>> ladder = {};
  // 1: the row gets a signal and serves others as cover. 0: it does neither, and its profile is the
  // shares of the nearest large enough group. Empty: all rows take part.
  std::vector<std::uint8_t> taking_part = {};
  // How often each row has shown something before. Empty: never. A row that is shown again draws
  // anew: were its coin the same, two answers that differ would both be true.
  std::vector<std::uint32_t> shown_before = {};
  // Per private attribute, 1: the owner declared its domain. Empty: all are declared. Values of
  // other domains are served only if a row that shows something has them.
  std::vector<std::uint8_t> declared = {};
  // [attribute][value]: strengths of rows that keep what they show (fewer_bitmaps.h). Empty: none.
  std::vector<std::vector<StrengthSet>> levels_before = {};
  // Private attributes that share a coin, and travel together. Those in none stand alone.
  std::vector<std::vector<PrivateId>> together = {};
  // The person of every row, numbered in the order of first appearance, and what persons are
  // called. Empty: every row is a person of its own, called as the row is.
  std::vector<std::uint32_t> person_of = {};
  std::vector<std::string> person_names = {};
  // The place of every row among those of its person, from 0, in order of time. Empty as person_of.
  std::vector<std::uint32_t> place_of = {};
  // Null in a first release.
  const ShownEarlier* shown = nullptr;
  // What the scheme asked to keep at the first release (Protection::scheme_state). Null then, and
  // where it keeps nothing.
  const Json* scheme_state = nullptr;
  // The l under which the table's private values are shown already (life/further_output.h). 1: they
  // are the own ones.
  std::uint32_t l_before = 1;
  std::uint32_t threads = 0;  // 0: all cores; the result does not depend on it
  Progress progress = {};

  bool takes_part(RowId row) const { return taking_part.empty() || taking_part[+row] != 0; }
  std::uint32_t times_shown(RowId row) const {
    return shown_before.empty() ? 0 : shown_before[+row];
  }
  std::uint32_t private_count() const { return table.schema().private_count(); }
  const Column& private_column(PrivateId attribute) const {
    return table.column(private_attribute(attribute));
  }
  AttributeId private_attribute(PrivateId attribute) const {
    return AttributeId{table.schema().public_count() + +attribute};
  }
  const Attribute& attribute(PrivateId attribute) const {
    return table.schema()[private_attribute(attribute)];
  }
  std::vector<std::uint32_t> private_domain_sizes() const;
};

struct Protection {
  Profiles profiles;
  ProtectionReport report;
  // What the scheme must know in later builds of this release, for the ledger; null: nothing. It
  // holds nothing that could not be worked out from what is served.
  Json scheme_state = {};
};

}  // namespace rankveil
