#include "rankveil/probe/graphql/introspect.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "rankveil/probe/graphql/ways.h"
#include "rankveil/probe/graphql/writing.h"
#include "rankveil/probe/http/read_answer.h"

namespace rankveil::probe {
namespace {

Result<Json> ask(Talk& talk, const Identity& identity, const std::string& question) {
  Places places;
  places.url = talk.path();
  auto answer = talk.send(fill(graphql_request(question), places), identity);
  if (!answer) return answer.trouble().error;
  auto json = parse_json(answer->body);
  if (json) return json;
  return bad_input(fmt::format("the answer to a question in GraphQL is no JSON: {}",
                               talk.hide(answer_excerpt(*answer))));
}

Result<GraphqlSchema> schema_for(Talk& talk, const Identity& identity) {
  auto json = ask(talk, identity, GraphqlSchema::introspection());
  if (!json) return json.error();
  auto schema = GraphqlSchema::parse(*json);
  if (schema) return schema;
  return bad_input(fmt::format("{}, as {} sees it: {}", talk.path(), identity.name,
                               talk.hide(schema.error().message)));
}

std::vector<std::string> names_of(const std::vector<const GraphqlMember*>& members) {
  std::vector<std::string> names;
  for (const GraphqlMember* member : members) names.push_back(member->name);
  return names;
}

bool has_errors(const Json& answer) {
  const Json* errors = answer.find("errors");
  return errors != nullptr && !errors->is_null() &&
         (errors->as_array() == nullptr || !errors->as_array()->empty());
}

// Which members of a row a stranger may ask to see: all together, or else one by one.
std::vector<std::string> members_shown(Talk& talk, const Identity& stranger,
                                       const GraphqlSchema& schema, const GraphqlListing& listing) {
  const auto may_see = [&](const std::vector<std::string>& members) {
    std::string text = listing.id;
    for (const std::string& member : members) text += member == listing.id ? "" : " " + member;
    auto answer =
        ask(talk, stranger,
            fmt::format("{{ rows: {}{} {} }}", listing.root.name,
                        in_brackets(page_of(schema, listing, "5", "")), listing.selection(text)));
    return answer && answer->find("data") != nullptr && !has_errors(*answer);
  };
  std::vector<std::string> all = names_of(schema.plain_members(listing.row));
  if (may_see(all)) return all;
  std::erase_if(all, [&](const std::string& member) { return !may_see({member}); });
  return all;
}

struct Seen {
  const Identity* identity;
  GraphqlSchema schema;
  GraphqlListing listing;
};

// The schemas of all who are told one that lists the rows; the stranger's first.
Result<std::vector<Seen>> schemas_of_all(Talk& talk, const Identities& identities,
                                         const std::string& collection) {
  std::vector<const Identity*> asked = {&identities.stranger};
  if (identities.owner_is_told && identities.owner.name != identities.stranger.name) {
    asked.push_back(&identities.owner);
  }
  if (identities.admin && identities.admin->name != identities.owner.name) {
    asked.push_back(&*identities.admin);
  }
  std::vector<Seen> seen;
  std::optional<Error> why;
  for (const Identity* identity : asked) {
    auto schema = schema_for(talk, *identity);
    if (!schema) {
      if (!why) why = schema.error();
      continue;
    }
    auto listing = find_listing(*schema, collection);
    if (listing) {
      seen.push_back({identity, std::move(*schema), std::move(*listing)});
    } else {
      why = listing.error();
    }
  }
  if (seen.empty()) return *why;
  return seen;
}

std::vector<GraphqlPart> with_page(const GraphqlSchema& schema, const GraphqlListing& listing) {
  return page_of(schema, listing, "${limit}", "${page}");
}

}  // namespace

Dialect graphql_dialect(const GraphqlSchema& asked, const GraphqlSchema& owners,
                        const GraphqlListing& listing, const std::vector<std::string>& shown) {
  const std::vector<std::string> fields = names_of(asked.plain_members(listing.row));
  Dialect dialect;
  dialect.name = "graphql";
  dialect.summary = "GraphQL, by what the service says about itself";
  dialect.answer = listing.places();
  dialect.refused.body = pointer_to("/errors");
  std::string members = listing.id;
  for (const std::string& member : shown) members += member == listing.id ? "" : " " + member;
  dialect.list = graphql_request(fmt::format("{{ rows: {}{} {} }}", listing.root.name,
                                             in_brackets(with_page(asked, listing)),
                                             listing.selection(members, listing.count)));
  add_writing(owners, listing, fields, dialect);
  dialect.ways = graphql_ways(asked, listing, fields);
  return dialect;
}

Result<GraphqlService> introspect(Talk& talk, const Identities& identities,
                                  const std::string& collection) {
  auto seen = schemas_of_all(talk, identities, collection);
  if (!seen) return seen.error();
  // Whoever is told most knows how to ask; what is asked is asked by a stranger all the same.
  const auto size = [](const Seen& one) {
    return one.schema.plain_members(one.listing.row).size();
  };
  const Seen& richest = *std::ranges::max_element(*seen, {}, size);
  const auto owner = std::ranges::find_if(
      *seen, [&](const Seen& one) { return one.identity->name == identities.owner.name; });
  const Seen& writer = owner == seen->end() ? richest : *owner;
  const Seen& first = seen->front();
  const auto shown = members_shown(talk, identities.stranger, first.schema, first.listing);
  GraphqlService service;
  service.dialect = graphql_dialect(richest.schema, writer.schema, richest.listing, shown);
  service.collection = richest.listing.root.name;
  for (const Seen& one : *seen) {
    for (const GraphqlMember* member : one.schema.plain_members(one.listing.row)) {
      add_field(service.fields, one.schema.field_of(*member));
    }
  }
  return service;
}

}  // namespace rankveil::probe
