// What `rankveil protect` prints: the promise, for whom it ends, and what happened to the rows.
#pragma once

#include <string>

#include "rankveil/api/protect.h"

namespace rankveil::cli {

std::string protect_summary(const api::ProtectResult& result);

}  // namespace rankveil::cli
