#include "rankveil/attack/targets/open_target.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/attack/targets/http_service.h"
#include "rankveil/attack/targets/index_service.h"
#include "rankveil/attack/targets/program_service.h"
#include "rankveil/attack/targets/recorded_conversation.h"
#include "rankveil/attack/targets/sql_service.h"
#include "rankveil/base/checksum.h"
#include "rankveil/base/text/closest.h"

namespace rankveil::attack {
namespace {

using Opened = Result<std::unique_ptr<Service>>;

struct Opening {
  const TargetConfig& config;
  const Schema& schema;
  const TargetOptions& options;

  Opened operator()(const IndexConfig& index) const {
    return index_service(index.path, schema, options.k, options.make_profile);
  }
  Opened operator()(const PostgresConfig& postgres) const {
    return postgres_service(postgres, config, schema, options.k, options.allow_remote);
  }
  Opened operator()(const DuckdbConfig& duckdb) const {
    return duckdb_service(duckdb, config, schema, options.k);
  }
  Opened operator()(const HttpConfig& http) const {
    return http_service(http, config, schema, options.k, options.allow_remote);
  }
  Opened operator()(const ProgramConfig& program) const {
    return program_service(program, config, schema, options.k);
  }
};

std::uint64_t checksum_of(const Schema& schema, const RowNames& names) {
  Json all;
  for (const Attribute& attribute : schema.attributes) {
    all.set(attribute.name, json_texts(attribute.domain.values()));
  }
  std::string text = all.dump(-1);
  for (std::uint32_t row = 0; row < names.size(); ++row) text += "\n" + names.text(RowId{row});
  return checksum(std::as_bytes(std::span(text)));
}

// What makes a campaign another one, as far as a target knows.
Json head_of_log(const Service& service, const Schema& schema, const RowNames& names,
                 std::uint32_t k) {
  Json head;
  head.set("log", "rankveil campaign").set("version", 1).set("target", service.name());
  head.set("k", k).set("rows", names.size());
  head.set("table", fmt::format("{:016x}", checksum_of(schema, names)));
  return head;
}

// Rows whose values change are no truth to hold guesses against.
Status check_own_rows(const std::vector<std::string>& own, const RowNames& names,
                      std::string_view source) {
  for (std::uint32_t row = 0; row < names.size() && !own.empty(); ++row) {
    std::string name = names.text(RowId{row});
    if (std::ranges::find(own, name) == own.end()) continue;
    return bad_input(fmt::format(
        "the row \"{}\" of [update] in {} is in the table; an attack would change its values, so "
        "leave it out of one of the two",
        name, source));
  }
  return {};
}

// A name in [sort] fields that is no column would be passed over, and the column asked for as the
// table calls it.
Status check_order_fields(const TargetConfig& config, const Schema& schema) {
  if (!config.order) return {};
  std::vector<std::string> columns;
  for (const Attribute& attribute : schema.attributes) {
    if (attribute.name != order_attribute) columns.push_back(attribute.name);
  }
  for (const auto& [column, field] : config.order->fields) {
    if (std::ranges::find(columns, column) != columns.end()) continue;
    return bad_input(fmt::format(
        "[sort] fields in {} names the column \"{}\", which is none of the table's public and "
        "private ones; {}",
        config.source, column, near_and_all(column, columns, 12)));
  }
  return {};
}

std::vector<std::string> named_fields(const TargetConfig& config) {
  std::vector<std::string> names;
  if (!config.order) return names;
  for (const auto& [column, field] : config.order->fields) names.push_back(column);
  return names;
}

}  // namespace

Result<std::unique_ptr<LiveTarget>> open_target(const TargetConfig& config, const Schema& schema,
                                                const RowNames& names,
                                                const TargetOptions& options) {
  if (options.k == 0) return wrong_use("k is 0; an attack needs answers of at least one row");
  if (auto known = check_order_fields(config, schema); !known) return known.error();
  auto service = std::visit(Opening{config, schema, options}, config.kind);
  if (!service) return service.error();
  Clock& clock = options.clock != nullptr ? *options.clock : real_clock();
  auto patient = std::make_unique<PatientConversation>(std::move(*service), schema, config.manners,
                                                       config.new_ids, clock);
  std::unique_ptr<Conversation> conversation;
  if (options.log.empty()) {
    conversation = std::move(patient);
  } else {
    Json head = head_of_log(patient->service(), schema, names, options.k);
    auto recorded = RecordedConversation::open(options.log, head, schema, std::move(patient));
    if (!recorded) return recorded.error();
    conversation = std::move(*recorded);
  }
  LiveTarget::Options how{
      .k = options.k, .skip_unknown_ids = config.skip_unknown_ids, .id_format = config.id_format};
  how.named_fields = named_fields(config);
  if (const auto* http = std::get_if<HttpConfig>(&config.kind)) how.own_rows = http->own_rows;
  if (auto fits = check_own_rows(how.own_rows, names, config.source); !fits) return fits.error();
  return std::make_unique<LiveTarget>(std::move(conversation), schema, names, how);
}

}  // namespace rankveil::attack
