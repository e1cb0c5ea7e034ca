// SARIF 2.1.0, which code hosts show as alerts beside the source.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/base/json.h"

namespace rankveil::reports {

enum class Severity { Error, Warning, Note };

struct SarifRule {
  std::string id;       // stable: "joint"
  std::string name;     // PascalCase or a phrase
  std::string summary;  // one sentence
  std::string help = {};
  std::string help_uri = {};  // where to read more: a whole address
};

struct SarifResult {
  std::string rule;  // the id of one of the rules
  Severity severity = Severity::Error;
  std::string message;
  std::string file;           // what the alert is pinned to: a path, relative where possible
  std::uint32_t line = 1;     // of it
  std::string part = {};      // of the file, by name: an attribute
  std::string identity = {};  // same text, same alert in the next run; empty: rule, file and part
  std::string accepted = {};  // why nobody needs to be alarmed: the alert is suppressed
  std::vector<std::pair<std::string, Json>> properties = {};
};

struct SarifRun {
  std::string tool;
  std::string version;  // as in 1.2.3
  std::string information_uri = {};
  std::vector<SarifRule> rules = {};
  std::vector<SarifResult> results = {};
  std::vector<std::pair<std::string, Json>> properties = {};  // seed, fingerprint of the data
};

Json to_sarif(const SarifRun& run);

}  // namespace rankveil::reports
