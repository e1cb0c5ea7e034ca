#include "rankveil/protect/sets/drop.h"

namespace rankveil {

Result<Protection> protect_drop(const Task& task) {
  Protection made{LevelProfiles(task.table.rows(), task.private_domain_sizes(), 1), {}};
  made.report.rows_without_signal = task.table.rows();
  return made;
}

}  // namespace rankveil
