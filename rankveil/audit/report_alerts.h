// What is wrong, said once for each private attribute, however many adversaries found it.
#pragma once

#include <string>
#include <vector>

#include "rankveil/audit/audit_report.h"

namespace rankveil::audit {

struct Alert {
  std::string attribute;
  const Finding* first = nullptr;           // the weakest adversary that breaks the promise
  std::vector<const Finding*> others = {};  // who break it, too
  bool is_known = false;                    // all of it is in the baseline
};

// Attribute by attribute. What is broken about all of them together has an alert of its own only
// where no attribute has one. Of what is partly known, `first` is the weakest that is not.
std::vector<Alert> alerts_of(const AuditReport& report);

// Whether an objection of the gate (AuditReport::failures) is about this attribute.
bool is_about(const std::string& failure, const std::string& attribute);

// "; so do 3 others: joint (profiles), ..."; empty: there is no other.
std::string others_text(const Alert& alert);

// What the audit says, to somebody who reads nothing else: two sentences, about one attribute or
// (empty) about all.
std::string plain_words(const AuditReport& report, const std::string& attribute = {});

}  // namespace rankveil::audit
