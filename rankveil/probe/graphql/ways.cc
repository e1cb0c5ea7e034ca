#include "rankveil/probe/graphql/ways.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <set>

#include "rankveil/probe/graphql/filters.h"
#include "rankveil/probe/graphql/orders.h"

namespace rankveil::probe {
namespace {

// `where: {${field}: {eq: ${value}}}` is called "where: {field: {eq: value}}".
std::string name_in_words(const std::string& text) {
  std::string name;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t place = std::min(text.find("${", at), text.size());
    name += text.substr(at, place - at);
    if (place == text.size()) break;
    const std::size_t end = text.find('}', place);
    const std::string inside = text.substr(place + 2, end - place - 2);
    name += inside.substr(0, inside.find('|'));
    at = end + 1;
  }
  return name;
}

bool is_limit(std::string_view name) {
  return is_called(name, {"limit", "first", "take", "pagesize", "perpage", "size", "itemsperpage"});
}

GraphqlRowId row_id(const GraphqlListing& listing) {
  return {listing.id, listing.has_number_ids ? "${id|bare}" : "${id}"};
}

std::vector<GraphqlPart> joined(std::vector<GraphqlPart> parts,
                                const std::vector<GraphqlPart>& more) {
  parts.insert(parts.end(), more.begin(), more.end());
  return parts;
}

// An object whose members are the text; of arguments themselves the text alone.
GraphqlPart condition_at(const GraphqlFilter& filter, const std::string& text) {
  std::vector<std::string> path = filter.path;
  path.emplace_back();
  return {std::move(path), text};
}

class WayMaker {
 public:
  WayMaker(const GraphqlSchema& schema, const GraphqlListing& listing,
           const std::vector<std::string>& fields)
      : schema_(schema),
        listing_(listing),
        filters_(filters_of(schema, listing.root.arguments, fields, row_id(listing))),
        orders_(orders_of(schema, listing.root.arguments, fields)),
        rows_(page_of(schema, listing, "${limit}", "")),
        fields_(fields) {}

  std::vector<WayTemplate> make() {
    add_orders();
    add_filters();
    add_searches();
    add_columns();
    for (const GraphqlMember& root : schema_.queries()->members) add_beside(root);
    return std::move(ways_);
  }

 private:
  // `rows: people(...) {...}`
  std::string asked(const std::vector<GraphqlPart>& parts, const std::string& selection) const {
    return fmt::format("{{ rows: {}{} {} }}", listing_.root.name, in_brackets(parts), selection);
  }

  WayTemplate* add(const std::string& name, Kind kind, const std::string& text) {
    if (!names_.insert(name).second) return nullptr;
    WayTemplate way;
    way.way = {.name = name, .kind = kind, .dialect = "graphql"};
    way.request = graphql_request(text);
    way.answer = listing_.places();
    ways_.push_back(std::move(way));
    return &ways_.back();
  }

  void add_orders() {
    const std::string ids = listing_.selection(listing_.id);
    for (const GraphqlOrder& order : orders_) {
      const std::string name = name_in_words(written(order.parts));
      const auto directed = [&](WayTemplate* way) {
        if (way != nullptr) way->directions = order.directions;
      };
      // Those that differ in the words for directions alone have one name.
      const std::string spelt = order.directions[1].empty() || order.directions[1] == "-"
                                    ? name
                                    : name + " (" + order.directions[1] + ")";
      directed(add(spelt, Kind::Sort, asked(joined(order.parts, rows_), ids)));
      if (!listing_.has_cursor) continue;
      WayTemplate* cursor = add("cursor of " + spelt, Kind::Cursor,
                                asked(joined(order.parts, page_of(schema_, listing_, "1", "")),
                                      listing_.selection(listing_.id, "pageInfo { endCursor }")));
      directed(cursor);
      if (cursor != nullptr) cursor->answer.cursor = pointer_to("/data/rows/pageInfo/endCursor");
    }
  }

  void add_filters() {
    const std::string ids = listing_.selection(listing_.id);
    for (const GraphqlFilter& filter : filters_) {
      for (const GraphqlCondition& condition : filter.conditions) {
        if (condition.negates && filter.own_row.empty()) continue;
        std::vector<GraphqlPart> parts;
        if (condition.negates) parts.push_back(condition_at(filter, filter.own_row));
        parts.push_back(condition_at(filter, condition.text));
        add(name_in_words(written({condition_at(filter, condition.text)})), Kind::Filter,
            asked(joined(parts, rows_), ids));
      }
      if (listing_.count.empty() || filter.conditions.empty()) continue;
      add_count(filter, listing_.root.name, listing_.count, {listing_.count});
    }
  }

  // How many rows fit, by whatever says so.
  void add_count(const GraphqlFilter& filter, const std::string& root, const std::string& name,
                 const std::vector<std::string>& steps, bool is_list = false) {
    const std::string text = filter.equal.empty() ? filter.conditions.front().text : filter.equal;
    const std::vector<GraphqlPart> parts = {condition_at(filter, text)};
    std::string selection;
    std::string pointer = is_list ? "/data/rows/0" : "/data/rows";
    for (const std::string& step : steps) {
      selection += " { " + step;
      pointer += "/" + step;
    }
    for (std::size_t i = 0; i < steps.size(); ++i) selection += " }";
    WayTemplate* way =
        add(fmt::format("{} of {}", name, name_in_words(written(parts))), Kind::Count,
            fmt::format("{{ rows: {}{}{} }}", root, in_brackets(parts), selection));
    if (way == nullptr) return;
    way->answer = {};
    way->answer.count = pointer_to(pointer);
  }

  void add_searches() {
    const std::string ids = listing_.selection(listing_.id);
    for (const GraphqlSlot& slot : slots_of(schema_, listing_.root.arguments)) {
      const bool is_search =
          is_called(slot.argument.name, {"search", "q", "query", "term", "text", "keyword",
                                         "searchterm", "searchtext", "fulltext", "filter"});
      if (!is_search || slot.argument.type.name != "String") continue;
      const auto with = [&](const std::string& text) {
        const std::vector<GraphqlPart> parts = {{slot.path, text}};
        add(name_in_words(written(parts)), Kind::Search, asked(joined(parts, rows_), ids));
      };
      with(R"("${value}")");
      with(R"("${field}:${value}")");
      if (listing_.count.empty()) continue;
      WayTemplate* way =
          add(fmt::format("{} of {}", listing_.count, slot.argument.name), Kind::Count,
              asked({{slot.path, R"("${value}")"}}, "{ " + listing_.count + " }"));
      if (way == nullptr) continue;
      way->answer = {};
      way->answer.count = pointer_to("/data/rows/" + listing_.count);
    }
  }

  void add_columns() {
    std::vector<GraphqlPart> own = rows_;
    for (const GraphqlFilter& filter : filters_) {
      if (!filter.own_row.empty()) own = {condition_at(filter, filter.own_row)};
    }
    add("column", Kind::Column, asked(own, listing_.selection(listing_.id + " ${field}")));
    add("column under another name", Kind::Column,
        asked(own, listing_.selection(listing_.id + " shown: ${field}")));
  }

  // ---- Queries beside the listing: counts, aggregates, groups ----

  bool is_about_rows(const GraphqlMember& root) const {
    const std::string name = letters_of_name(root.name);
    return root.name != listing_.root.name &&
           (name.find(letters_of_name(listing_.root.name)) != std::string::npos ||
            name.find(letters_of_name(listing_.row.name)) != std::string::npos);
  }

  void add_beside(const GraphqlMember& root) {
    if (!is_about_rows(root)) return;
    const auto filters = filters_of(schema_, root.arguments, fields_, row_id(listing_));
    if (root.type.name == "Int" && !root.type.is_list) {
      for (const GraphqlFilter& filter : filters) add_count(filter, root.name, root.name, {});
    }
    const GraphqlType* type = schema_.find(root.type.name);
    if (type == nullptr || !type->is_object() || type->name == listing_.row.name) return;
    add_numbers(root, *type, filters, {});
    add_groups(root, *type);
  }

  // { count aggregate { count max { income } } pageInfo { total } }
  void add_numbers(const GraphqlMember& root, const GraphqlType& type,
                   const std::vector<GraphqlFilter>& filters,
                   const std::vector<std::string>& steps) {
    for (const GraphqlMember& member : type.members) {
      const GraphqlType* inside = schema_.find(member.type.name);
      if (inside == nullptr || member.type.is_list) continue;
      std::vector<std::string> below = steps;
      below.push_back(member.name);
      const bool counts = is_called(member.name, {"count", "countall", "totalcount", "total"});
      if (counts && schema_.is_plain(member.type)) {
        for (const GraphqlFilter& filter : filters) {
          add_count(filter, root.name, root.name + "." + member.name, below, root.type.is_list);
        }
      } else if (inside->is_object() && is_function(member.name)) {
        add_function(root, below);
      } else if (inside->is_object() && steps.empty() &&
                 is_called(member.name, {"aggregate", "pageinfo", "meta", "pagination"})) {
        add_numbers(root, *inside, filters, below);
      }
    }
  }

  static bool is_function(std::string_view name) {
    return is_called(name, {"max", "min", "sum", "avg", "average", "mean", "median", "stddev",
                            "variance", "countdistinct", "sumdistinct", "avgdistinct"});
  }

  void add_function(const GraphqlMember& root, const std::vector<std::string>& steps) {
    std::string selection;
    std::string name = root.name;
    for (const std::string& step : steps) {
      selection += " { " + step;
      name += "." + step;
    }
    selection += " { ${field} }";
    for (std::size_t i = 0; i < steps.size(); ++i) selection += " }";
    WayTemplate* way =
        add(name, Kind::Aggregate, fmt::format("{{ rows: {}{} }}", root.name, selection));
    if (way != nullptr) way->answer = {};
  }

  void add_groups(const GraphqlMember& root, const GraphqlType& type) {
    for (const GraphqlSlot& slot : slots_of(schema_, root.arguments)) {
      if (!is_called(slot.argument.name, {"groupby", "by", "group", "facet", "facets"})) continue;
      const GraphqlType* taken = schema_.find(slot.argument.type.name);
      if (taken == nullptr || taken->is_input()) continue;
      std::string selection;
      for (const GraphqlMember* member : schema_.plain_members(type)) {
        const bool is_field = std::ranges::find(fields_, member->name) != fields_.end();
        if (!is_field) selection += " " + member->name;
        if (is_field && selection.find("${field}") == std::string::npos) selection += " ${field}";
      }
      if (selection.empty()) continue;
      const std::vector<GraphqlPart> parts = {
          {slot.path, taken->is_enum() ? "[${field}]" : R"(["${field}"])"}};
      WayTemplate* way =
          add(fmt::format("{} {}", root.name, name_in_words(written(parts))), Kind::GroupBy,
              fmt::format("{{ rows: {}{} {{{} }} }}", root.name, in_brackets(parts), selection));
      if (way != nullptr) way->answer = {};
    }
  }

  const GraphqlSchema& schema_;
  const GraphqlListing& listing_;
  std::vector<GraphqlFilter> filters_;
  std::vector<GraphqlOrder> orders_;
  std::vector<GraphqlPart> rows_;
  const std::vector<std::string>& fields_;
  std::set<std::string> names_;
  std::vector<WayTemplate> ways_;
};

}  // namespace

std::vector<WayTemplate> graphql_ways(const GraphqlSchema& schema, const GraphqlListing& listing,
                                      const std::vector<std::string>& fields) {
  return WayMaker(schema, listing, fields).make();
}

std::vector<GraphqlPart> equal_to(const GraphqlSchema& schema, const GraphqlListing& listing,
                                  const std::vector<std::string>& fields, const std::string& name,
                                  const std::string& value) {
  const GraphqlRowId id{listing.id, value};
  for (const GraphqlFilter& filter : filters_of(schema, listing.root.arguments, fields, id)) {
    std::string text = name == listing.id ? filter.own_row : filter.equal;
    if (text.empty()) continue;
    const auto put = [&](std::string_view place, const std::string& with) {
      for (std::size_t at = text.find(place); at != std::string::npos;
           at = text.find(place, at + with.size())) {
        text.replace(at, place.size(), with);
      }
    };
    if (name != listing.id) {
      put("${field}", name);
      put("${value}", value);
    }
    return {condition_at(filter, text)};
  }
  return {};
}

std::vector<GraphqlPart> page_of(const GraphqlSchema& schema, const GraphqlListing& listing,
                                 const std::string& limit, const std::string& page) {
  std::vector<GraphqlPart> parts;
  bool has_limit = false;
  bool has_page = page.empty();
  for (const GraphqlSlot& slot : slots_of(schema, listing.root.arguments)) {
    const bool is_number = slot.argument.type.name == "Int" && !slot.argument.type.is_list;
    if (is_number && !has_limit && is_limit(slot.argument.name)) {
      parts.push_back({slot.path, limit});
      has_limit = true;
    } else if (is_number && !has_page &&
               is_called(slot.argument.name, {"page", "pagenumber", "currentpage"})) {
      parts.push_back({slot.path, page});
      has_page = true;
    }
  }
  return parts;
}

RequestTemplate graphql_request(const std::string& text) {
  RequestTemplate request;
  request.method = "POST";
  request.is_graphql = true;
  request.path = *RequestText::parse("${url}", RequestText::Spelling::Path, "");
  auto body = RequestText::parse(text, RequestText::Spelling::Graphql, "it");
  assert(body && "names of GraphQL have no places in them");
  request.body = std::move(*body);
  return request;
}

}  // namespace rankveil::probe
