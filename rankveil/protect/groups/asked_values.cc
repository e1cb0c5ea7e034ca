#include "rankveil/protect/groups/asked_values.h"

namespace rankveil {

std::vector<std::vector<std::uint64_t>> asked_values(const Schema& schema,
                                                     const Workload& workload) {
  std::vector<std::vector<std::uint64_t>> asked;
  for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
    auto& counts = asked.emplace_back(schema.attributes[i].domain.size(), 0);
    for (const WorkloadEntry& entry : workload.entries) {
      for (ValueId value : entry.query.wanted[i]) counts[+value] += entry.count;
    }
  }
  return asked;
}

}  // namespace rankveil
