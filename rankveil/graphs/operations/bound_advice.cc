#include "rankveil/graphs/operations/bound_advice.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/base/format.h"

namespace rankveil::api {

namespace {

// Of a sweep, when no point promises anything; else, when some attribute is promised nothing.
bool promises_nothing(const BoundResult& result) {
  auto nothing = [](const BoundRow& row) { return row.bound && row.bound->delta >= 1; };
  return result.sweep ? std::ranges::all_of(result.rows, nothing)
                      : std::ranges::any_of(result.rows, nothing);
}

// So many people like these would be enough, in steps of two. 0: a million times as many are not.
double people_for_a_promise(
    BoundRequest request, const std::function<Result<BoundResult>(const BoundRequest&)>& bound_of) {
  for (int doubling = 0; doubling < 20; ++doubling) {
    *request.setting.n *= 2;
    auto result = bound_of(request);
    if (result && !promises_nothing(*result)) return *request.setting.n;
  }
  return 0;
}

std::string more_people(const BoundRequest& request,
                        const std::function<Result<BoundResult>(const BoundRequest&)>& bound_of) {
  if (!request.graph.path.empty()) {
    return "more users with fewer friends each, who depend on fewer others";
  }
  bool told_by_numbers = request.setting.n && request.setting.p && !request.sweep;
  double enough = told_by_numbers ? people_for_a_promise(request, bound_of) : 0;
  if (enough > 0) {
    return fmt::format("more people ({} like these are enough)",
                       grouped(static_cast<std::uint64_t>(enough)));
  }
  if (request.input.policy_path.empty()) return "more people, or values closer to each other";
  return "more people, or fewer columns that tell them apart (--given)";
}

}  // namespace

std::string advice_for(const BoundRequest& request, const BoundResult& result,
                       const std::function<Result<BoundResult>(const BoundRequest&)>& bound_of) {
  if (!promises_nothing(result)) return "";
  std::string ways = more_people(request, bound_of);
  if (request.setting.lambda2 > 0) ways += ", or a smaller --lambda2";
  return "a bound that promises something takes " + ways +
         "; else protect each row instead (rankveil protect)";
}

}  // namespace rankveil::api
