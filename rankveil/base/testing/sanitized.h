// For tests: how much to try where a sanitizer watches every step.
#pragma once

namespace rankveil {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

// Of many random cases all, or one in eight under a sanitizer: each takes many times as long there,
// and a bug of memory does not wait for the last.
template <typename Number>
constexpr Number some_of(Number cases) {
  return sanitized ? (cases + 7) / 8 : cases;
}

}  // namespace rankveil
