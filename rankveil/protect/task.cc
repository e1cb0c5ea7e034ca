#include "rankveil/protect/task.h"

namespace rankveil {

std::vector<std::uint32_t> Task::private_domain_sizes() const {
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t j = 0; j < private_count(); ++j) {
    sizes.push_back(attribute(PrivateId{j}).domain.size());
  }
  return sizes;
}

}  // namespace rankveil
