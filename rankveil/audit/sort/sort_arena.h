// A live ranking that orders its rows by one column, as it is asked.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rankveil/attack/targets/live_target.h"
#include "rankveil/attack/targets/order.h"
#include "rankveil/audit/effect/effect.h"
#include "rankveil/base/result.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

// Rows as the target takes them: the attributes of the table, where a column with bins has numbers
// at their edges instead, and then what it is ordered by (attack::with_orders).
struct AskedRows {
  Schema schema;
  std::vector<std::vector<ValueId>> meaning = {};  // [attribute][value]: of the table
  std::vector<std::uint8_t> is_number = {};        // [attribute]: its values are numbers in bins
};

// `binned`: names of attributes that have bins. Refuses a table with a column called as an order
// is.
Result<AskedRows> asked_rows(const Schema& schema, const std::vector<std::string>& binned);

struct SortArena {
  std::shared_ptr<attack::LiveTarget> target;
  AskedRows asked;
  std::uint32_t k = 0;  // rows of a list that are read
};

using OrderedRows = std::vector<std::uint32_t>;

Result<OrderedRows> ask_order(const SortArena& arena, std::string_view attribute, bool descending);

// Why nothing follows from a refusal to order by this column; empty: it is the best answer there
// is. A name that is misspelt is refused, too: where a name that no service has is refused alike,
// only the file's `[sort] fields` tells the two apart.
std::string doubt_of_refusal(const SortArena& arena, const Table& truth,
                             std::string_view attribute);

// The private attributes by which the target refuses to order, both ways, beyond such doubt. Fails
// where it refuses to order by anything at all: such refusals say nothing.
Result<std::vector<Effect>> refused_orders(const SortArena& arena, const Table& truth);

}  // namespace rankveil::audit
