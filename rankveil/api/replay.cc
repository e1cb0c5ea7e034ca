#include "rankveil/api/replay.h"

#include <fmt/core.h>

#include "rankveil/api/audit.h"
#include "rankveil/audit/sort/sort_transcript.h"

namespace rankveil::api {

Result<ReplayResult> replay(const ReplayRequest& request) {
  auto read = read_report(request.report);
  if (!read) return read.error();
  if (!read->report.transcript) {
    return bad_input(fmt::format(
        "{} has no transcript: its audit proved no value that could be given away again",
        request.report));
  }
  TargetInput input = request.target;
  input.k = read->report.settings.k;
  auto opened = open_audit_target(input);
  if (!opened) return opened.error();
  const audit::Transcript& transcript = *read->report.transcript;
  // An order by a column that is refused by now is asked for, too: a refusal is a repair.
  auto replayed = (*opened)->sort
                      ? audit::replay_order(*(*opened)->sort, (*opened)->table, transcript)
                      : audit::replay((*opened)->arena, transcript, (*opened)->truth.names());
  Status cleared = (*opened)->live ? (*opened)->live->restart() : Status{};
  if (!replayed) return replayed.error();
  if (!cleared) {
    (*opened)->warnings.push_back(
        fmt::format("the rows inserted last may still be there: {}", cleared.error().message));
  }
  return ReplayResult{request.report, input.target, transcript, *replayed,
                      std::move((*opened)->warnings)};
}

Json to_json(const ReplayResult& result) {
  return Json()
      .set("report", result.report)
      .set("target", result.target)
      .set("victim", result.transcript.victim)
      .set("attribute", result.transcript.attribute)
      .set("value", result.transcript.value)
      .set("steps", result.transcript.steps.size())
      .set("queries", result.replayed.queries)
      .set("same_answers", result.replayed.same)
      .set("still_leaks", result.replayed.still_leaks)
      .set("warnings", json_texts(result.warnings));
}

}  // namespace rankveil::api
