#include "rankveil/api/policy_ladder.h"

#include <fmt/core.h>

namespace rankveil::api {

Result<std::vector<std::vector<AttributeId>>> ladder_of(const Policy& policy,
                                                        const Schema& schema) {
  std::vector<std::vector<AttributeId>> ladder;
  for (const auto& names : policy.ladder) {
    auto& rung = ladder.emplace_back();
    for (const std::string& name : names) {
      auto column = schema.find(name);
      if (!column || schema[*column].is_private()) {
        return bad_input(
            fmt::format("the ladder names {}, which is not public; a rung lists public "
                        "columns",
                        name));
      }
      rung.push_back(*column);
    }
  }
  return ladder;
}

}  // namespace rankveil::api
