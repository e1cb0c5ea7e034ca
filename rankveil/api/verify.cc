#include "rankveil/api/verify.h"

#include "rankveil/api/audit.h"

namespace rankveil::api {

Result<VerifyResult> verify(const VerifyRequest& request) {
  auto read = read_report(request.report);
  if (!read) return read.error();
  VerifyResult result{.report = request.report, .table = {}, .verification = {}};
  const auto& source = request.input.source;
  if (source.path.empty() && source.sql.empty()) {
    result.verification = audit::verify(read->report, read->json, nullptr);
    return result;
  }
  if (auto checked = check_has_policy(request.input, "verify"); !checked) return checked.error();
  auto policy = load_policy(request.input);
  if (!policy) return policy.error();
  auto loaded = connect::read_table(source, *policy, read_options(request.input));
  if (!loaded) return loaded.error();
  result.table = source.name();
  result.verification = audit::verify(read->report, read->json, &loaded->table);
  return result;
}

Json to_json(const VerifyResult& result) {
  return Json()
      .set("report", result.report)
      .set("table", result.table.empty() ? Json() : Json(result.table))
      .set("checks", result.verification.checks)
      .set("fits", result.verification.misfits.empty())
      .set("misfits", json_texts(result.verification.misfits));
}

}  // namespace rankveil::api
