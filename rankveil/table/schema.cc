#include "rankveil/table/schema.h"

#include <algorithm>

namespace rankveil {

std::uint32_t Schema::public_count() const {
  return static_cast<std::uint32_t>(
      std::count_if(attributes.begin(), attributes.end(),
                    [](const Attribute& attribute) { return !attribute.is_private(); }));
}

std::vector<std::uint32_t> Schema::private_domain_sizes() const {
  std::vector<std::uint32_t> sizes;
  for (const Attribute& attribute : attributes) {
    if (attribute.is_private()) sizes.push_back(attribute.domain.size());
  }
  return sizes;
}

std::optional<AttributeId> Schema::find(std::string_view name) const {
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (attributes[i].name == name) return AttributeId{i};
  }
  return std::nullopt;
}

}  // namespace rankveil
