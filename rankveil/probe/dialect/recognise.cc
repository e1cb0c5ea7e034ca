#include "rankveil/probe/dialect/recognise.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace rankveil::probe {
namespace {

bool has_all(const Json& object, std::initializer_list<const char*> names) {
  return std::ranges::all_of(names, [&](const char* name) { return object.find(name) != nullptr; });
}

const Json* first_row(const Json& listing, const char* name) {
  const Json* rows = listing.find(name);
  const bool has_rows =
      rows != nullptr && rows->as_array() != nullptr && !rows->as_array()->empty();
  return has_rows ? &rows->as_array()->front() : nullptr;
}

}  // namespace

std::string recognise(const Json& listing, std::string_view path) {
  if (has_all(listing, {"docs", "totalDocs"})) return "payload";
  if (has_all(listing, {"@odata.context"})) return "odata";
  if (has_all(listing, {"count", "next", "previous", "results"})) return "drf";
  if (has_all(listing, {"total", "limit", "skip", "data"})) return "feathers";
  const Json* row = first_row(listing, "results");
  if (row != nullptr && row->find("objectId") != nullptr) return "parse";
  const Json* meta = listing.find("meta");
  if (meta != nullptr && meta->find("pagination") != nullptr) return "strapi";
  row = first_row(listing, "data");
  if (row != nullptr && has_all(*row, {"type", "id", "attributes"})) return "json-api";
  if (listing.find("data") != nullptr && path.starts_with("/items/")) return "directus";
  return "rest";
}

}  // namespace rankveil::probe
