// Files that an operation writes at its end, looked at before it begins: minutes of work should not
// end in a folder that is not there.
#pragma once

#include <string>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil::api {

// Refuses an output that is one of the inputs or that stands for two things at once, and a place
// where no file can be made. Empty names are passed over. A report of an earlier run is replaced.
Status check_report_outputs(const std::vector<std::string>& outputs,
                            const std::vector<std::string>& inputs);

}  // namespace rankveil::api
