// What an attack may touch: a ranking that answers queries and may take rows, and what everybody
// knows about it. Nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/ranking/query.h"
#include "rankveil/ranking/weights.h"
#include "rankveil/table/column.h"
#include "rankveil/table/schema.h"

namespace rankveil::attack {

// A black box. Rows are numbered as in the adversary's public table; rows it inserts get the
// numbers behind, in the order of the inserts.
class Target {
 public:
  virtual ~Target() = default;

  // Numbers of rows, best first: at most k, and fewer only when there are fewer rows.
  virtual Result<std::vector<std::uint32_t>> query(const Query& query) = 0;
  // One value per attribute of the schema, `missing_value` for none. Returns the new row's number.
  virtual Result<std::uint32_t> insert(std::span<const ValueId> values) = 0;
  virtual bool takes_inserts() const = 0;
  // Whether a query may ask for several values of one attribute.
  virtual bool takes_sets() const { return true; }
};

// How rows may match values of a private attribute.
enum class ProfileKind {
  OneValue,  // each row matches its own value and no other: not protected
  Sets,      // each row matches a set of values fully, or nothing (suppressed)
  Graded,    // each row matches values by strengths that add up to at most 1
};

// What the adversary holds for certain about the defense. Every proof of an attack rests on it: the
// defaults of the later fields assume least.
struct Belief {
  ProfileKind kind = ProfileKind::OneValue;
  // Graded: strengths are multiples of 1/levels; 0: they may be anything.
  std::uint32_t levels = 0;
  // Graded with levels: a single value's strength is 0 or 1/levels, for all rows.
  bool one_strength = false;
  // An inserted row matches its own values. Always so with OneValue; else a scheme may suppress it.
  bool own_rows_match = false;
  // Every row has a value in every private attribute (OneValue), or matches one (Sets).
  bool none_missing = false;
  // Inserting a row changes no other row's profile.
  bool sticky = true;
};

struct Knowledge {
  Schema schema;
  std::vector<Column> public_columns;  // one per public attribute, all rows
  Weights weights;                     // one per attribute
  std::uint32_t k = 10;
  Belief belief = {};

  std::uint32_t rows() const {
    return public_columns.empty() ? 0 : static_cast<std::uint32_t>(public_columns[0].size());
  }
};

}  // namespace rankveil::attack
