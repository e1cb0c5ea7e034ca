// Files that an operation writes at its end, looked at before it begins: minutes of work should not
// end in a folder that is not there.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil::api {

// Refuses an output that is one of the inputs or that stands for two things at once, and a place
// where no file can be made. Empty names are passed over. A report of an earlier run is replaced.
Status check_report_outputs(const std::vector<std::string>& outputs,
                            const std::vector<std::string>& inputs);

struct Output {
  std::string path;  // empty: not wanted
  std::function<std::string()> text;
};

// Writes all of them: one that cannot be written costs none of the others. Says what could not be.
Status write_outputs(std::initializer_list<Output> outputs);

// Two of those together.
Status both(const Status& one, const Status& other);

// Refuses a file that is there unless `force`. An empty name is passed over.
Status check_may_write(const std::string& path, bool force);

}  // namespace rankveil::api
