#include "rankveil/report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string_view>

namespace rankveil::reports {
namespace {

constexpr const char* schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

const char* level(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      break;
  }
  return "note";
}

bool is_plain_in_uri(char c) {
  constexpr std::string_view others = "-._~/";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         others.find(c) != std::string_view::npos;
}

// A path as a relative reference: what is not plain is escaped byte by byte, so that no part of a
// name is taken for a scheme, a query or a fragment.
std::string path_uri(std::string_view path) {
  std::string out;
  for (char c : path) {
    if (is_plain_in_uri(c)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return path.starts_with('/') ? "file://" + out : out;
}

Json text_json(const std::string& text) { return Json().set("text", text); }

Json bag(const std::vector<std::pair<std::string, Json>>& properties) {
  Json::Object members(properties.begin(), properties.end());
  return members;
}

Json rule_json(const SarifRule& rule) {
  Json json = Json()
                  .set("id", rule.id)
                  .set("name", rule.name)
                  .set("shortDescription", text_json(rule.summary))
                  .set("defaultConfiguration", Json().set("level", "error"));
  if (!rule.help.empty()) json.set("help", text_json(rule.help));
  if (!rule.help_uri.empty()) json.set("helpUri", rule.help_uri);
  return json;
}

Json location_json(const SarifResult& result) {
  Json place = Json().set("artifactLocation", Json().set("uri", path_uri(result.file)));
  place.set("region", Json().set("startLine", result.line));
  Json location = Json().set("physicalLocation", std::move(place));
  if (!result.part.empty()) {
    location.set("logicalLocations",
                 Json::Array{Json().set("name", result.part).set("kind", "member")});
  }
  return location;
}

std::size_t rule_index(const SarifRun& run, const std::string& id) {
  const auto found = std::ranges::find(run.rules, id, &SarifRule::id);
  assert(found != run.rules.end() && "a result must name one of the rules of its run");
  return static_cast<std::size_t>(found - run.rules.begin());
}

std::string identity(const SarifResult& result) {
  if (!result.identity.empty()) return result.identity;
  return fmt::format("{}|{}|{}", result.rule, result.file, result.part);
}

Json result_json(const SarifRun& run, const SarifResult& result) {
  Json json = Json()
                  .set("ruleId", result.rule)
                  .set("ruleIndex", std::uint64_t{rule_index(run, result.rule)})
                  .set("level", level(result.severity))
                  .set("message", text_json(result.message))
                  .set("locations", Json::Array{location_json(result)})
                  .set("partialFingerprints", Json().set("rankveil/v1", identity(result)));
  if (!result.accepted.empty()) {
    Json accepted = Json().set("kind", "external").set("justification", result.accepted);
    json.set("suppressions", Json::Array{std::move(accepted)});
  }
  if (!result.properties.empty()) json.set("properties", bag(result.properties));
  return json;
}

Json driver_json(const SarifRun& run) {
  Json::Array rules;
  for (const SarifRule& rule : run.rules) rules.push_back(rule_json(rule));
  Json driver = Json().set("name", run.tool).set("version", run.version);
  if (!run.information_uri.empty()) driver.set("informationUri", run.information_uri);
  driver.set("rules", std::move(rules));
  return driver;
}

}  // namespace

Json to_sarif(const SarifRun& run) {
  Json::Array results;
  for (const SarifResult& result : run.results) results.push_back(result_json(run, result));
  Json json = Json()
                  .set("tool", Json().set("driver", driver_json(run)))
                  .set("columnKind", "unicodeCodePoints")
                  .set("results", std::move(results));
  if (!run.properties.empty()) json.set("properties", bag(run.properties));
  return Json()
      .set("$schema", schema)
      .set("version", "2.1.0")
      .set("runs", Json::Array{std::move(json)});
}

}  // namespace rankveil::reports
