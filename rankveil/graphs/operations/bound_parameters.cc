#include "rankveil/graphs/operations/bound_parameters.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/base/format.h"

namespace rankveil::api {

namespace {

using bound::Mode;

bool has_epsilon(const BoundRequest& request) {
  return request.setting.terms.epsilon || is_swept(request, "epsilon");
}

// Theorem 1 counts coins; the others sum up, and add the parameters of that.
bool sums_read(const BoundRequest& request, std::string_view parameter) {
  bool paper = request.mode == Mode::Paper;
  bool dependent = request.theorem == 3 || request.theorem == 5;
  bool finds_epsilon = !has_epsilon(request);
  if (parameter == "k" || parameter == "eps1") return paper && finds_epsilon;
  if (parameter == "s") return !paper || !dependent || finds_epsilon;
  if (parameter == "delta1") return paper || finds_epsilon;
  if (parameter == "den") return paper && !dependent;
  if (parameter == "half-lines") return !paper;
  if (parameter == "tail") return !paper && finds_epsilon;
  if (parameter == "lambda1") return paper && dependent;
  if (parameter == "neighbourhood") return !paper && dependent;
  if (parameter == "sigma") return dependent;
  return parameter != "delta";
}

bool count_reads(std::string_view parameter) {
  constexpr std::string_view others[] = {"s",    "delta1",  "eps1",          "den",   "half-lines",
                                         "tail", "lambda1", "neighbourhood", "sigma", "scale"};
  return std::find(std::begin(others), std::end(others), parameter) == std::end(others);
}

}  // namespace

bool is_swept(const BoundRequest& request, std::string_view parameter) {
  return request.sweep && request.sweep->parameter == parameter;
}

bool reads(const BoundRequest& request, std::string_view parameter) {
  return request.theorem == 1 ? count_reads(parameter) : sums_read(request, parameter);
}

std::string unread_note(const BoundRequest& request) {
  std::vector<std::string> unread;
  for (const std::string& name : request.named) {
    if (!reads(request, name)) unread.push_back("--" + name);
  }
  if (unread.empty()) return "";
  bool one = unread.size() == 1;
  return fmt::format("{} {} no effect: theorem {} in {} mode{} does not read {}", listed(unread),
                     one ? "has" : "have", request.theorem, bound::mode_name(request.mode),
                     has_epsilon(request) && request.theorem != 1 ? " with a given epsilon" : "",
                     one ? "it" : "them");
}

}  // namespace rankveil::api
