#include "rankveil/audit/campaign_log.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "rankveil/audit/json_fields.h"
#include "rankveil/base/file.h"

namespace rankveil::audit {

namespace {

Error log_failed(std::string_view what, const std::string& path) {
  return io_error(fmt::format("cannot {} the log {}: {}", what, path, std::strerror(errno)));
}

// Strengths are [low, high]; those of which nothing is known, [0, 1], are null.
Json strengths_json(const std::vector<attack::Strength>& strengths) {
  Json::Array list;
  for (const attack::Strength& strength : strengths) {
    bool is_open = strength.low == 0 && strength.high == 1;
    list.push_back(is_open ? Json() : Json(Json::Array{strength.low, strength.high}));
  }
  return list;
}

Json recovered_json(const Recovered& recovered) {
  Json::Array candidates, weights;
  for (ValueId value : recovered.candidates) candidates.emplace_back(+value);
  for (double weight : recovered.weights) weights.emplace_back(weight);
  return Json()
      .set("candidates", std::move(candidates))
      .set("weights", std::move(weights))
      .set("strengths", strengths_json(recovered.strengths))
      .set("proven", recovered.proven)
      .set("queries", recovered.queries);
}

const Json::Array& list_in(const Json& json) {
  static const Json::Array nothing;
  return json.as_array() == nullptr ? nothing : *json.as_array();
}

Recovered read_recovered(JsonFields fields) {
  Recovered made;
  for (const Json& code : list_in(fields.raw("candidates"))) {
    made.candidates.push_back(
        ValueId{static_cast<std::uint16_t>(code.as_integer() != nullptr ? *code.as_integer() : 0)});
  }
  for (const Json& weight : list_in(fields.raw("weights"))) {
    made.weights.push_back(weight.as_number().value_or(0));
  }
  for (const Json& strength : list_in(fields.raw("strengths"))) {
    const auto& bounds = list_in(strength);
    made.strengths.push_back(
        bounds.size() == 2
            ? attack::Strength{bounds[0].as_number().value_or(0), bounds[1].as_number().value_or(1)}
            : attack::Strength{0, 1});
  }
  made.proven = fields.truth("proven");
  made.queries = fields.whole("queries");
  bool whole = !made.candidates.empty() && made.candidates.size() == made.weights.size();
  if (!whole) fields.object_to("each candidate has a weight");
  return made;
}

}  // namespace

Result<std::unique_ptr<CampaignLog>> CampaignLog::open(const std::string& path, const Json& about) {
  int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor < 0) return log_failed("open", path);
  std::unique_ptr<CampaignLog> log(new CampaignLog(path, descriptor));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return io_error(fmt::format("the log {} is in use by another audit; choose another", path));
  }
  if (auto loaded = log->load(about); !loaded) return loaded.error();
  return log;
}

CampaignLog::~CampaignLog() { ::close(descriptor_); }

// Nothing is changed before the first line tells that the file is a log, or the beginning of one.
Status CampaignLog::load(const Json& about) {
  auto text = read_text(path_);
  if (!text) return text.error();
  std::size_t whole = text->rfind('\n') + 1;  // 0 when there is no line at all
  bool is_begun = whole == 0 && about.dump(-1).starts_with(*text);
  if (!is_begun) {
    auto fits = check_head(std::string_view(*text).substr(0, text->find('\n')), about);
    if (!fits) return fits;
  }
  if (whole < text->size() && ::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) {
    return log_failed("mend", path_);
  }
  if (whole == 0) return write(about);
  std::size_t number = 2;
  for (std::size_t at = text->find('\n') + 1; at < whole; ++number) {
    std::size_t end = text->find('\n', at);
    auto read = read_line(std::string_view(*text).substr(at, end - at), number);
    if (!read) return read;
    at = end + 1;
  }
  return {};
}

Status CampaignLog::check_head(std::string_view line, const Json& about) const {
  auto head = parse_json(line);
  const Json* kind = head ? head->find("log") : nullptr;
  if (kind == nullptr || kind->dump() != about.find("log")->dump()) {
    return bad_input(fmt::format("{} is no log of an audit; choose another file", path_));
  }
  for (const auto& [name, value] : *about.as_object()) {
    const Json* found = head->find(name);
    if (found != nullptr && found->dump() == value.dump()) continue;
    return bad_input(fmt::format(
        "the log {} is that of another audit: its {} is {}, now it is {}; choose another file, or "
        "delete it to start anew",
        path_, name, found == nullptr ? "not told" : found->dump(-1), value.dump(-1)));
  }
  return {};
}

Status CampaignLog::read_line(std::string_view line, std::size_t number) {
  auto json = parse_json(line);
  std::string problem = json ? "" : json.error().message;
  if (json) {
    JsonFields fields(*json, "the entry", problem);
    Attacked attacked;
    attacked.victim = static_cast<std::uint32_t>(fields.whole("victim"));
    attacked.seen = fields.truth("seen");
    attacked.contradicted = fields.truth("contradicted");
    attacked.queries = fields.whole("queries");
    attacked.inserts = fields.whole("inserts");
    fields.each("attributes", [&](JsonFields item) {
      attacked.attributes.push_back(read_recovered(std::move(item)));
    });
    auto key = std::tuple(fields.text("campaign"), fields.text("method"), attacked.victim);
    if (problem.empty()) known_.insert_or_assign(std::move(key), std::move(attacked));
  }
  if (problem.empty()) return {};
  return bad_input(fmt::format("{}, line {}: {}; delete it to start anew", path_, number, problem));
}

std::optional<Attacked> CampaignLog::find(std::string_view campaign, std::string_view method,
                                          std::uint32_t victim) const {
  auto found = known_.find(std::tuple(std::string(campaign), std::string(method), victim));
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

Status CampaignLog::add(std::string_view campaign, std::string_view method,
                        const Attacked& attacked) {
  Json::Array attributes;
  for (const Recovered& recovered : attacked.attributes) {
    attributes.push_back(recovered_json(recovered));
  }
  return write(Json()
                   .set("campaign", campaign)
                   .set("method", method)
                   .set("victim", attacked.victim)
                   .set("seen", attacked.seen)
                   .set("contradicted", attacked.contradicted)
                   .set("queries", attacked.queries)
                   .set("inserts", attacked.inserts)
                   .set("attributes", std::move(attributes)));
}

Status CampaignLog::write(const Json& entry) {
  std::string line = entry.dump(-1) + "\n";
  std::lock_guard lock(mutex_);
  for (std::size_t at = 0; at < line.size();) {
    ssize_t written = ::write(descriptor_, line.data() + at, line.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return log_failed("write", path_);
    at += static_cast<std::size_t>(written);
  }
  return {};
}

std::optional<Json> head_of_log(const std::string& path) {
  auto text = read_text(path);
  if (!text || text->find('\n') == std::string::npos) return std::nullopt;
  auto head = parse_json(std::string_view(*text).substr(0, text->find('\n')));
  if (!head || head->as_object() == nullptr) return std::nullopt;
  return *std::move(head);
}

}  // namespace rankveil::audit
