#include "cli/exit_codes.h"

#include "cli/terminal.h"

namespace rankveil::cli {

int fail(const Error& error) {
  say_error(error.message);
  return exit_code(error.code);
}

}  // namespace rankveil::cli
