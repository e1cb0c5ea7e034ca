// The data behind people.h: which attributes profiles have, how common each value is, and how one
// attribute leans on another. All in whole numbers, so that every machine draws the same rows.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rankveil {

enum class Shown {
  Hidden,  // drives others, is in no table
  Public,
  Private,
};

// `parts` count against the sum over the attribute's values.
struct Share {
  std::string_view value;
  std::uint32_t parts;
};

// Rows whose parent has one of `given` have each of `values` at `percent` of its usual share.
// "a|b" names two values.
struct Tilt {
  std::string_view given;
  std::string_view values;
  std::uint32_t percent;
};

struct Influence {
  std::string_view parent;  // an attribute further up
  std::vector<Tilt> tilts;
};

struct PeopleAttribute {
  std::string_view name;
  Shown shown;
  std::uint32_t missing_per_mille;
  std::vector<Share> shares;  // in domain order
  std::vector<Influence> influences;
};

// Parents come before what leans on them; public attributes before private ones. The first few of
// either kind make the smaller tables.
const std::vector<PeopleAttribute>& people_attributes();

}  // namespace rankveil
