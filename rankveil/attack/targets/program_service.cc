#include "rankveil/attack/targets/program_service.h"

#include <fmt/core.h>

#include <optional>

#include "rankveil/attack/targets/answer.h"
#include "rankveil/attack/targets/template.h"
#include "rankveil/connect/program/process.h"

namespace rankveil::attack {

using connect::Done;
using connect::Process;
using connect::Reply;
using connect::Trouble;

namespace {

class ProgramService : public Service {
 public:
  ProgramService(ProgramConfig config, double timeout, Schema schema, std::uint32_t k)
      : config_(std::move(config)),
        timeout_(timeout),
        schema_(std::move(schema)),
        k_(k),
        ids_(*IdPointer::parse("/ids")),
        id_(*IdPointer::parse("/id")) {}

  std::string name() const override { return config_.command.front(); }
  bool takes_rows() const override { return config_.inserts; }
  bool takes_sets() const override { return config_.sets; }
  bool forgets() const override { return true; }

  Reply<std::vector<std::string>> rank(const Query& query) override {
    Json question;
    question.set("query", query_object({.schema = schema_, .values = query.wanted})).set("k", k_);
    return ask(question, ids_);
  }

  Reply<std::string> add(std::span<const ValueId> values, const std::string& id) override {
    Json question;
    auto wanted = wanted_of_row(values);
    question.set("insert", row_object({.schema = schema_, .values = wanted})).set("id", id);
    auto ids = ask(question, id_);
    if (!ids) return ids.trouble();
    if (ids->size() == 1) return std::move(ids->front());
    return bad_input(fmt::format("the answer names {} ids for one new row", ids->size()));
  }

  Reply<Done> restart() override {
    process_.reset();
    auto started = Process::start(config_.command);
    if (!started) return started.error();
    process_.emplace(std::move(*started));
    return Done{};
  }

 private:
  Reply<std::vector<std::string>> ask(const Json& question, const IdPointer& where) {
    auto line = process_->exchange(question.dump(-1), timeout_);
    if (!line) return line.trouble();
    auto answer = parse_json(*line);
    if (!answer) {
      return bad_input(fmt::format("the answer is {}: {}", answer.error().message, excerpt(*line)));
    }
    if (const Json* error = answer->find("error")) return told(*error, answer->find("retry"));
    auto ids = where.ids_in(*answer);
    if (!ids) return ids.error();
    return std::move(*ids);
  }

  static Trouble told(const Json& error, const Json* retry) {
    const std::string* text = error.as_text();
    bool passes = retry != nullptr && retry->as_bool() != nullptr && *retry->as_bool();
    return {bad_input("it says " + excerpt(text != nullptr ? *text : error.dump(-1))), passes};
  }

  ProgramConfig config_;
  double timeout_;
  Schema schema_;
  std::uint32_t k_;
  IdPointer ids_;
  IdPointer id_;
  std::optional<Process> process_;
};

}  // namespace

Result<std::unique_ptr<Service>> program_service(const ProgramConfig& config,
                                                 const TargetConfig& common, const Schema& schema,
                                                 std::uint32_t k) {
  auto service = std::make_unique<ProgramService>(config, common.timeout, schema, k);
  if (auto started = service->restart(); !started) return started.trouble().error;
  return std::unique_ptr<Service>(std::move(service));
}

}  // namespace rankveil::attack
