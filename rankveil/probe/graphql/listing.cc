#include "rankveil/probe/graphql/listing.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "rankveil/base/format.h"

namespace rankveil::probe {
namespace {

constexpr std::array<std::string_view, 11> list_names = {"nodes",   "items",   "docs",    "data",
                                                         "results", "rows",    "records", "list",
                                                         "edges",   "entries", "content"};
constexpr std::array<std::string_view, 7> row_id_names = {"documentId", "objectId", "id",   "_id",
                                                          "uuid",       "nodeId",   "rowId"};
constexpr std::array<std::string_view, 7> total_names = {
    "totalCount", "totalDocs", "total", "count", "totalItems", "total_count", "countAll"};

const GraphqlMember* member_called(const GraphqlType& type, std::string_view name) {
  const auto found = std::ranges::find(type.members, name, &GraphqlMember::name);
  return found == type.members.end() ? nullptr : &*found;
}

// The member that names a row.
const GraphqlMember* id_member(const GraphqlSchema& schema, const GraphqlType& row) {
  const auto plain = schema.plain_members(row);
  for (std::string_view name : row_id_names) {
    for (const GraphqlMember* member : plain) {
      if (member->name == name) return member;
    }
  }
  for (const GraphqlMember* member : plain) {
    if (member->type.name == "ID") return member;
  }
  return nullptr;
}

// The row type below `items`: itself, or what an edge leads to.
const GraphqlType* row_of(const GraphqlSchema& schema, const GraphqlMember& items) {
  const GraphqlType* type = schema.find(items.type.name);
  if (type == nullptr || !type->is_object() || !items.type.is_list) return nullptr;
  if (items.name != "edges") return type;
  const GraphqlMember* node = member_called(*type, "node");
  return node == nullptr ? nullptr : schema.find(node->type.name);
}

bool has_end_cursor(const GraphqlSchema& schema, const GraphqlType& page) {
  const GraphqlMember* info = member_called(page, "pageInfo");
  const GraphqlType* type = info == nullptr ? nullptr : schema.find(info->type.name);
  return type != nullptr && member_called(*type, "endCursor") != nullptr;
}

// Takes no argument that nobody but its author can fill in.
bool may_be_asked(const GraphqlMember& root) {
  return std::ranges::none_of(root.arguments, [](const GraphqlArgument& argument) {
    return argument.type.is_needed && !argument.has_default;
  });
}

std::optional<GraphqlListing> listing_of(const GraphqlSchema& schema, const GraphqlMember& root) {
  const GraphqlType* type = schema.find(root.type.name);
  if (type == nullptr || !type->is_object() || !may_be_asked(root)) return std::nullopt;
  GraphqlListing listing{.root = root, .row = {}, .id = {}, .list = {}, .count = {}};
  const GraphqlType* row = root.type.is_list ? type : nullptr;
  for (std::string_view name : list_names) {
    const GraphqlMember* items = row == nullptr ? member_called(*type, name) : nullptr;
    if (items == nullptr) continue;
    row = row_of(schema, *items);
    if (row != nullptr) listing.list = name;
  }
  const GraphqlMember* id = row == nullptr ? nullptr : id_member(schema, *row);
  if (id == nullptr) return std::nullopt;
  listing.row = *row;
  listing.id = id->name;
  listing.has_number_ids = schema.field_of(*id).type == FieldType::Number;
  if (root.type.is_list) return listing;
  for (std::string_view name : total_names) {
    const GraphqlMember* count = member_called(*type, name);
    const bool fits = listing.count.empty() && count != nullptr && schema.is_plain(count->type);
    if (fits) listing.count = name;
  }
  listing.has_cursor = has_end_cursor(schema, *type);
  return listing;
}

std::vector<GraphqlListing> all_listings(const GraphqlSchema& schema) {
  std::vector<GraphqlListing> all;
  for (const GraphqlMember& root : schema.queries()->members) {
    if (auto listing = listing_of(schema, root)) all.push_back(std::move(*listing));
  }
  return all;
}

}  // namespace

Pointer pointer_to(const std::string& text) {
  auto pointer = Pointer::parse(text);
  return pointer ? std::move(*pointer) : Pointer{};
}

std::string GraphqlListing::selection(const std::string& members, const std::string& beside) const {
  if (list.empty()) return "{ " + members + " }";
  const std::string rows =
      list == "edges" ? "edges { node { " + members + " } }" : list + " { " + members + " }";
  return "{ " + rows + (beside.empty() ? "" : " " + beside) + " }";
}

AnswerPlaces GraphqlListing::places() const {
  AnswerPlaces places;
  places.rows = pointer_to(list.empty() ? "/data/rows" : "/data/rows/" + list);
  if (list == "edges") places.row = pointer_to("/node");
  places.id = pointer_to((list == "edges" ? "/node/" : "/") + id);
  if (!count.empty()) places.count = pointer_to("/data/rows/" + count);
  return places;
}

std::vector<std::string> listings_in(const GraphqlSchema& schema) {
  std::vector<std::string> names;
  for (const GraphqlListing& listing : all_listings(schema)) names.push_back(listing.root.name);
  return names;
}

Result<GraphqlListing> find_listing(const GraphqlSchema& schema, std::string_view collection) {
  std::vector<GraphqlListing> all = all_listings(schema);
  if (all.empty()) return bad_input("the service lists no rows with ids");
  if (collection.empty() && all.size() == 1) return std::move(all.front());
  const std::string wanted = letters_of_name(collection);
  for (GraphqlListing& listing : all) {
    if (listing.root.name == collection) return std::move(listing);
  }
  for (GraphqlListing& listing : all) {
    const bool fits =
        letters_of_name(listing.root.name) == wanted || letters_of_name(listing.row.name) == wanted;
    if (fits) return std::move(listing);
  }
  return wrong_use(fmt::format("{}; say which, --collection: there are {}",
                               collection.empty()
                                   ? std::string("the service lists several kinds of rows")
                                   : fmt::format("the service lists no \"{}\"", collection),
                               listed(listings_in(schema), 12)));
}

}  // namespace rankveil::probe
