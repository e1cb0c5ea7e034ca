// What a fuzzer does when a promise is broken, in every kind of build.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace rankveil {

inline void check(bool kept, std::string_view promise) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(promise.size()), promise.data());
  std::abort();
}

}  // namespace rankveil
