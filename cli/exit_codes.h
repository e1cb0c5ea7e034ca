// How a command ended, for scripts. Documented in docs/reference/exit-codes.md.
#pragma once

#include "rankveil/base/error.h"

namespace rankveil::cli {

inline constexpr int exit_ok = 0;
inline constexpr int exit_finding = 1;     // the command worked and found what it was to watch for
inline constexpr int exit_not_tested = 3;  // the answers were such that nothing can be said of them
inline constexpr int exit_out_of_memory = 5;

constexpr int exit_code(ErrorCode code) { return static_cast<int>(code); }

// What went wrong is also printed on stdout as JSON, from here on. For those who asked for --json:
// they read that.
void errors_as_json();

// Says the error on stderr and returns its exit code.
int fail(const Error& error);

}  // namespace rankveil::cli
