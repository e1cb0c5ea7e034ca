#include "cli/probe_options.h"

#include <fmt/core.h>

namespace rankveil::cli {

namespace {

using Text = const std::string&;

Status take_header(Text text, bool secret, probe::Headers& headers) {
  auto header = probe::header_from_text(text, secret);
  if (!header) return header.error();
  headers.push_back(std::move(*header));
  return {};
}

Status take_row(Text text, Json& row) {
  auto json = parse_json(text);
  if (!json || json->as_object() == nullptr) {
    return wrong_use(fmt::format("it takes a row as a JSON object, not \"{}\"", text));
  }
  row = std::move(*json);
  return {};
}

// "/api/posts:author"
Status take_linked(Text text, std::optional<probe::LinkedRows>& linked) {
  const std::size_t colon = text.rfind(':');
  if (!text.starts_with('/') || colon == std::string::npos || colon + 1 == text.size()) {
    return wrong_use(
        fmt::format("it takes a path and a field, /api/posts:author, not \"{}\"", text));
  }
  linked.emplace();
  linked->path = text.substr(0, colon);
  linked->by = text.substr(colon + 1);
  return {};
}

Status take_rows(Text text, std::vector<std::string>& rows) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (end > at) rows.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return rows.empty() ? wrong_use("it takes ids with commas between") : Status{};
}

void add_rows(Options& options, probe::HttpTarget& told) {
  options.section("Own rows");
  options.once("--row", "JSON",
               "a row of one's own, in which ${mark} stands for a text to find it by",
               [&](Text text) { return take_row(text, told.row); });
  options.text("--mark", "FIELD", "the public text that the own row is found by", told.mark_field);
  options.text("--public", "FIELD", "a public field, to see whether a way of asking acts",
               told.public_field);
  options.once("--rows", "IDS", "rows that may be changed, one or two, instead of a new one",
               [&](Text text) { return take_rows(text, told.rows); });
  options.once("--linked", "PATH:FIELD", "a listing of rows that refer to these: /api/posts:author",
               [&](Text text) { return take_linked(text, told.linked); });
}

}  // namespace

void add_probe_target_options(Options& options, api::ProbeRequest& request) {
  probe::HttpTarget& told = request.told;
  options.section("Service");
  options.text(
      "--kind", "DIALECT",
      "payload, parse, strapi, loopback, feathers, directus, drf, json-api, odata, graphql, "
      "rest, a file of one's own, or auto (default)",
      told.dialect);
  options.text("--collection", "NAME",
               "what the rows are called, or the table (default: from the address; the only table "
               "that hides something)",
               told.collection);
  options.each("--field", "NAME", "a hidden field; with its type, income:number", [&](Text text) {
    auto field = probe::field_from_text(text);
    if (!field) return Status(field.error());
    told.fields.push_back(text);
    return Status{};
  });
  options.each("--schema", "FILE",
               "a file that names fields: payload-types.ts, schema.json, OpenAPI", [&](Text text) {
                 told.schemas.push_back(text);
                 return Status{};
               });
  options.section("Who");
  options.each("--header", "HEADER", "on every request: 'X-Parse-Application-Id: shop'",
               [&](Text text) { return take_header(text, false, told.headers); });
  options.each("--as-user", "HEADER",
               "of who owns the own row: 'Authorization: Bearer ${USER_TOKEN}'; the value comes "
               "from the environment",
               [&](Text text) { return take_header(text, true, told.user); });
  options.each("--as-admin", "HEADER", "of who sees all fields, to learn their names",
               [&](Text text) { return take_header(text, true, told.admin); });
  options.text("--as-owner", "CONNECTION",
               "of a PostgreSQL target: who owns the table and may write, postgres://owner@host/db",
               told.owner);
  options.flag("--ask-as-user", "ask as the user, too, and not as a stranger", told.asks_as_user);
  options.flag("--allow-remote", "the service is not on this machine, and its owner agrees",
               told.allow_remote);
  add_rows(options, told);
}

}  // namespace rankveil::cli
