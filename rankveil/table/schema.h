// Which attributes a table has, and what each may be used for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/table/domain.h"
#include "rankveil/table/ids.h"

namespace rankveil {

enum class Visibility {
  Public,   // ranked by and shown in results
  Private,  // ranked by through match profiles, never shown
};

struct Attribute {
  std::string name;
  Visibility visibility = Visibility::Public;
  double weight = 1;  // positive; keeps six decimals (see ranking/weights.h)
  Domain domain;

  bool is_private() const { return visibility == Visibility::Private; }
};

// Public attributes come first, then private ones, each in the order of the source.
struct Schema {
  std::vector<Attribute> attributes;
  std::string id_name;  // the column that names rows; empty: rows are named by their number

  std::uint32_t size() const { return static_cast<std::uint32_t>(attributes.size()); }
  const Attribute& operator[](AttributeId id) const { return attributes[+id]; }
  std::uint32_t public_count() const;
  std::uint32_t private_count() const { return size() - public_count(); }
  std::vector<std::uint32_t> private_domain_sizes() const;
  std::optional<AttributeId> find(std::string_view name) const;
};

}  // namespace rankveil
