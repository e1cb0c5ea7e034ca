// What went wrong, in one sentence a user can act on.
#pragma once

#include <string>
#include <utility>

namespace rankveil {

// The kinds of failure every front tells apart. The values are the exit codes of the CLI.
enum class ErrorCode {
  WrongUse = 2,  // flags or parameters that make no sense together
  BadInput = 3,  // a file, table, policy or query whose content cannot be used
  Io = 4,        // a file that cannot be opened, read or written
};

// A message names the thing, its value and a way out.
struct Error {
  ErrorCode code;
  std::string message;
};

inline Error wrong_use(std::string message) { return {ErrorCode::WrongUse, std::move(message)}; }
inline Error bad_input(std::string message) { return {ErrorCode::BadInput, std::move(message)}; }
inline Error io_error(std::string message) { return {ErrorCode::Io, std::move(message)}; }

}  // namespace rankveil
