// Whether key, policy, ledger, index and table belong together, and what the next build would do.
//
//   auto report = doctor(request);   // as for protect(); nothing is written
//   for (const Diagnosis& one : report->diagnoses) ...
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rankveil/api/protect.h"

namespace rankveil::api {

enum class Health {
  Fine,
  Open,   // not there yet; the next build makes it
  Wrong,  // the next build would refuse, or people would be told something untrue
};
std::string_view health_name(Health health);

struct Diagnosis {
  std::string about;  // "key", "policy", "ledger", "index", "next build"
  Health health = Health::Fine;
  std::string sentence;
};

struct DoctorResult {
  std::vector<Diagnosis> diagnoses;
  std::optional<ProtectResult> next;  // what the next build would do; none: it would refuse
  double seconds = 0;

  bool sound() const;  // nothing is wrong
};

// The output of the request is the index that is looked at. Refuses a request without a key, a
// policy or a table; everything else is a diagnosis.
Result<DoctorResult> doctor(ProtectRequest request);

Json to_json(const DoctorResult& result);

}  // namespace rankveil::api
