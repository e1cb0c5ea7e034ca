#include "cli/exit_codes.h"

#include "cli/terminal.h"
#include "rankveil/base/json.h"

namespace rankveil::cli {

namespace {

bool as_json = false;

std::string_view error_kind(ErrorCode code) {
  switch (code) {
    case ErrorCode::WrongUse:
      return "wrong-use";
    case ErrorCode::BadInput:
      return "bad-input";
    case ErrorCode::Io:
      return "io";
  }
  return "";
}

}  // namespace

void errors_as_json() { as_json = true; }

int fail(const Error& error) {
  if (as_json) {
    Json told = Json()
                    .set("code", exit_code(error.code))
                    .set("kind", error_kind(error.code))
                    .set("message", error.message);
    print(Json().set("error", std::move(told)).dump(-1) + "\n");
  }
  say_error(error.message);
  return exit_code(error.code);
}

}  // namespace rankveil::cli
