// Reading a JSON object field by field: the first thing that does not fit is remembered, and what
// comes after reads as empty. For the files of audit/ only.
//
//   std::string problem;
//   JsonFields fields(json, "the report", problem);
//   report.rows = fields.whole("rows");
//   if (!problem.empty()) return bad_input(problem);
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/promise/promise.h"

namespace rankveil::audit {

class JsonFields {
 public:
  // `what` names the object in the problem. All three must outlive this but `what`.
  JsonFields(const Json& json, std::string what, std::string& problem);

  std::string text(const std::string& name);
  double number(const std::string& name);
  std::uint64_t whole(const std::string& name);
  bool truth(const std::string& name);
  std::vector<std::string> texts(const std::string& name);
  // A member that is an object, or null where `may_be_null`.
  JsonFields object(const std::string& name);
  bool is_null(const std::string& name) const;
  const Json& raw(const std::string& name);
  // Calls `take` for each item of a list of objects.
  void each(const std::string& name, const std::function<void(JsonFields)>& take);

  const Json& json() const { return json_; }
  void object_to(const std::string& problem);
  bool ok() const { return problem_.empty(); }

 private:
  const Json& member(const std::string& name);
  void wrong(const std::string& name, const std::string& kind);

  const Json& json_;
  std::string what_;
  std::string& problem_;
};

// {"kind": "gain", "bound": 0.333, "spares_declared": false, "text": "a gain of at most 0.333"}
Json promise_json(const Promise& promise);
Promise read_promise(JsonFields fields);

}  // namespace rankveil::audit
