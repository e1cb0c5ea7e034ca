#include "rankveil/attack/targets/sql_service.h"

#include <fmt/core.h>

#include <array>

#include "rankveil/attack/targets/template.h"

namespace rankveil::attack {

using connect::Database;
using connect::Done;
using connect::Reply;

namespace {

using Open = std::function<Reply<std::unique_ptr<Database>>()>;

struct SqlTemplates {
  Template query;
  std::optional<Template> insert;
};

Result<Template> sql_template(const std::string& text, const Schema& schema, Template::Use use,
                              const std::string& what) {
  auto parsed = Template::parse(text, schema, use, what);
  if (!parsed) return parsed;
  if (auto fine = parsed->check_sql(what); !fine) return fine.error();
  const std::array<const Template*, 1> only = {&*parsed};
  if (auto fine = check_all_named(only, schema, what); !fine) return fine.error();
  return parsed;
}

Result<SqlTemplates> sql_templates(const std::string& query, const std::string& insert,
                                   const std::string& source, const Schema& schema) {
  SqlTemplates templates;
  auto parsed = sql_template(query, schema, Template::Use::Query, "the query in " + source);
  if (!parsed) return parsed.error();
  templates.query = std::move(*parsed);
  if (insert.empty()) return templates;
  parsed = sql_template(insert, schema, Template::Use::Insert, "the insert in " + source);
  if (!parsed) return parsed.error();
  templates.insert = std::move(*parsed);
  return templates;
}

class SqlService : public Service {
 public:
  SqlService(std::string name, SqlTemplates templates, Schema schema, std::uint32_t k, Open open,
             std::string begin, OrderWords words)
      : name_(std::move(name)),
        templates_(std::move(templates)),
        schema_(std::move(schema)),
        k_(k),
        open_(std::move(open)),
        begin_(std::move(begin)),
        words_(std::move(words)) {}

  std::string name() const override { return name_; }
  bool takes_rows() const override { return templates_.insert.has_value(); }
  bool takes_sets() const override {
    for (std::uint32_t i = 0; i < schema_.size(); ++i) {
      if (!templates_.query.takes_sets(i)) return false;
    }
    return true;
  }
  bool forgets() const override { return true; }

  Reply<std::vector<std::string>> rank(const Query& query) override {
    Filling filling{.schema = schema_, .values = query.wanted, .k = k_};
    fill_order(words_, query, filling);
    return database_->run(templates_.query.as_sql(filling));
  }

  Reply<std::string> add(std::span<const ValueId> values, const std::string& id) override {
    auto wanted = wanted_of_row(values);
    auto returned =
        database_->run(templates_.insert->as_sql({.schema = schema_, .values = wanted, .id = id}));
    if (!returned) return returned.trouble();
    if (!database_->in_transaction()) {
      return bad_input("the insert ended the transaction; nothing of it can be rolled back");
    }
    if (templates_.insert->has_id()) return id;
    if (returned->size() == 1) return std::move(returned->front());
    return bad_input(fmt::format(
        "the insert returned {} rows instead of the new row's id; end it with RETURNING id, or "
        "choose the id by ${{id}}",
        returned->size()));
  }

  Reply<Done> restart() override {
    if (database_ != nullptr && database_->run({"ROLLBACK"}) && database_->run({begin_})) {
      return Done{};
    }
    database_.reset();
    auto opened = open_();
    if (!opened) return opened.trouble();
    auto begun = (*opened)->run({begin_});
    if (!begun) return begun.trouble();
    database_ = std::move(*opened);
    return Done{};
  }

 private:
  std::string name_;
  SqlTemplates templates_;
  Schema schema_;
  std::uint32_t k_;
  Open open_;
  std::string begin_;
  OrderWords words_;
  std::unique_ptr<Database> database_;
};

Result<std::unique_ptr<Service>> started(std::unique_ptr<SqlService> service) {
  if (auto done = service->restart(); !done) {
    const Error& error = done.trouble().error;
    return Error{error.code, fmt::format("{}: {}", service->name(), error.message)};
  }
  return std::unique_ptr<Service>(std::move(service));
}

}  // namespace

Result<std::unique_ptr<Service>> postgres_service(const PostgresConfig& config,
                                                  const TargetConfig& common, const Schema& schema,
                                                  std::uint32_t k, bool allow_remote) {
  auto templates = sql_templates(config.query, config.insert, common.source, schema);
  if (!templates) return templates.error();
  connect::PostgresOptions options{.timeout = common.timeout, .allow_remote = allow_remote};
  Open open = [connection = config.connection, options] {
    return connect::open_postgres(connection, options);
  };
  std::string begin = "BEGIN ISOLATION LEVEL REPEATABLE READ";
  if (config.insert.empty()) begin += " READ ONLY";
  return started(std::make_unique<SqlService>(
      fmt::format("PostgreSQL ({})", common.source), std::move(*templates), schema, k,
      std::move(open), std::move(begin), common.order.value_or(OrderWords{})));
}

Result<std::unique_ptr<Service>> duckdb_service(const DuckdbConfig& config,
                                                const TargetConfig& common, const Schema& schema,
                                                std::uint32_t k) {
  auto templates = sql_templates(config.query, config.insert, common.source, schema);
  if (!templates) return templates.error();
  connect::DuckdbOptions options{.path = config.path,
                                 .read_only = config.insert.empty(),
                                 .setup = config.setup,
                                 .timeout = common.timeout};
  Open open = [options] { return connect::open_duckdb(options); };
  return started(std::make_unique<SqlService>(
      fmt::format("DuckDB ({})", common.source), std::move(*templates), schema, k, std::move(open),
      "BEGIN TRANSACTION", common.order.value_or(OrderWords{})));
}

}  // namespace rankveil::attack
