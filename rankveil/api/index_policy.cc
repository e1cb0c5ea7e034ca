#include "rankveil/api/index_policy.h"

namespace rankveil::api {

Policy policy_of_index(const Index& index) {
  const Schema& schema = index.schema();
  Policy policy;
  policy.scheme = index.info().scheme;
  policy.l = index.info().l;
  policy.k = index.info().default_k;
  if (!schema.id_name.empty()) policy.columns.push_back({.name = schema.id_name, .role = Role::Id});
  for (const Attribute& attribute : schema.attributes) {
    policy.columns.push_back({.name = attribute.name,
                              .role = attribute.is_private() ? Role::Private : Role::Public,
                              .weight = attribute.weight,
                              .domain = attribute.domain.values()});
  }
  return policy;
}

}  // namespace rankveil::api
