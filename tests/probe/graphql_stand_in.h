// A GraphQL service in this process. Strangers see id, name and city of people; religion (text),
// income (number) and plan (an enum) are hidden, and given away in the ways that it is told.
#pragma once

#include <memory>
#include <set>
#include <string>

namespace rankveil::tests {

struct GraphqlSettings {
  // "orderBy", "where", "OR", "search", "count", "max", "column": what acts on hidden fields for
  // strangers, too. All else is an error.
  std::set<std::string> leaks = {};
  bool tells_strangers = true;  // what it consists of
  bool throttles = false;       // strangers who ask for hidden fields, as GraphQL says it
  bool keeps_rows = false;      // deletions are errors
};

class GraphqlStandIn {
 public:
  explicit GraphqlStandIn(GraphqlSettings settings);
  ~GraphqlStandIn();
  GraphqlStandIn(const GraphqlStandIn&) = delete;
  GraphqlStandIn& operator=(const GraphqlStandIn&) = delete;

  static constexpr const char* owner_token = "owner-secret-7f31";

  std::string url() const;
  std::size_t people() const;
  std::size_t requests() const;
  std::size_t questions_with_secrets() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rankveil::tests
