#include "rankveil/connect/relation/telling.h"

#include <fmt/core.h>

namespace rankveil::connect {

Error in_source(const Source& source, const Error& error) {
  std::string name = source.name();
  if (error.message.find(name) != std::string::npos) return error;
  return {error.code, fmt::format("{}: {}", name, error.message)};
}

Error no_rows() {
  return bad_input("there are no rows below the names of the columns; a table needs at least one");
}

void Teller::operator()(double done) {
  if (done < told_ + 0.005) return;
  told_ = done;
  report(progress_, what_, done);
}

}  // namespace rankveil::connect
