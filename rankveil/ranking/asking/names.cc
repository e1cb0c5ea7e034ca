#include "rankveil/ranking/asking/names.h"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "rankveil/base/format.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/base/text/unicode.h"
#include "rankveil/table/building/binning.h"
#include "rankveil/table/number_text.h"

namespace rankveil {

namespace {

// "did you mean Paris?" when something is near, else all there is.
std::string way_out(std::string_view typed, std::string_view there_is,
                    const std::vector<std::string>& names) {
  constexpr std::size_t max_listed = 8;
  if (auto near = closest(typed, names)) return fmt::format("did you mean {}?", *near);
  return fmt::format("{} {}", there_is, listed(names, max_listed));
}

}  // namespace

Result<AttributeId> named_attribute(const Schema& schema, std::string_view name) {
  if (auto attribute = schema.find(name)) return *attribute;
  std::vector<std::string> names;
  for (const Attribute& attribute : schema.attributes) names.push_back(attribute.name);
  return bad_input(fmt::format(
      "there is no attribute \"{}\" to rank by (a column that the policy ignores is none); {}",
      name, way_out(name, "there are", names)));
}

std::optional<ValueId> find_value(const Domain& domain, std::string_view text) {
  if (auto value = domain.find(text)) return value;
  std::string form = composed(text);
  for (std::uint32_t i = 0; i < domain.size(); ++i) {
    if (composed(domain.values()[i]) == form) return ValueId{static_cast<std::uint16_t>(i)};
  }
  auto number = number_from_text(text);
  auto bin = number ? labelled_bin(domain.values(), *number) : std::nullopt;
  if (!bin) return std::nullopt;
  return ValueId{static_cast<std::uint16_t>(*bin)};
}

Result<ValueId> named_value(const Attribute& attribute, std::string_view text) {
  if (auto value = find_value(attribute.domain, text)) return *value;
  if (attribute.domain.size() == 0) {
    return bad_input(fmt::format(
        "{} has no value \"{}\": the index has no values of it, because no row shows one; build it "
        "again when more rows take part",
        attribute.name, text));
  }
  return bad_input(fmt::format("{} has no value \"{}\"; {}", attribute.name, text,
                               way_out(text, "it has", attribute.domain.values())));
}

}  // namespace rankveil
