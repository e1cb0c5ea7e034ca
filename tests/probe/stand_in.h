// A service in this process that hides three fields of its people and gives them away in the ways
// that it is told, and in no other. With noise, if wished.
//
// Everybody sees name, city and age. religion (text), income (number) and note (text) are hidden;
// who owns a row sees them in it. The answer to a way of asking that does not leak is 400.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace rankveil::tests {

struct StandInSettings {
  // "sort", "eq", "ne", "gt", "gte", "lt", "lte", "like", "in", "regex", "or", "and", "nor",
  // "dotted", "search", "count", "aggregate", "group_by", "cursor", "relation", "column".
  std::set<std::string> leaks = {};
  // Parameters that nobody knows are passed over instead of refused.
  bool ignores = false;
  // "ties" (equals come in another order each time), "updated" (a time that each write moves),
  // "random" (listings without a sort are shuffled), "rate" (429 now and then), "cache" (answers
  // are a fifth of a second old).
  std::set<std::string> noise = {};
  std::size_t people = 300;
  int busy_posts = 0;  // so many new posts are answered with 503
};

class StandIn {
 public:
  explicit StandIn(StandInSettings settings);
  ~StandIn();
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  static constexpr const char* owner_token = "owner-secret-7f31";
  static constexpr const char* admin_token = "admin-secret-90ac";

  std::string origin() const;  // http://127.0.0.1:PORT
  std::string url() const { return origin() + "/api/people"; }
  static const char* dialect();  // as TOML, with a way for every leak
  std::size_t people() const;
  std::size_t posts() const;
  std::size_t requests() const;
  std::size_t writes() const;  // POST, PATCH and DELETE
  // Questions that had a secret of the owner or the admin in them.
  std::size_t questions_with_secrets() const;
  void change(std::function<void(StandInSettings&)> change);
  // Called before each request is answered, with its method and path.
  void before_each(std::function<void(const std::string&, const std::string&)> act);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rankveil::tests
