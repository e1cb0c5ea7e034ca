// What a scheme is given, and what it gives back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/base/keyed.h"
#include "rankveil/base/progress.h"
#include "rankveil/protect/demand.h"
#include "rankveil/protect/report.h"
#include "rankveil/ranking/profiles.h"
#include "rankveil/ranking/workload.h"
#include "rankveil/table/table.h"

namespace rankveil {

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
};

}  // namespace rankveil
