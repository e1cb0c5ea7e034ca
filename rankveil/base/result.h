// A value, or the Error that kept us from making it; shaped like std::expected (C++23).
//
//   Result<Table> read(const std::string& path);
//   auto table = read(path);
//   if (!table) return table.error();
//   use(*table);
#pragma once

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

#include "rankveil/base/error.h"

namespace rankveil {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  T& value() {
    assert(has_value() && "a Result must be checked before its value is used");
    return *std::get_if<0>(&state_);
  }
  const T& value() const {
    assert(has_value() && "a Result must be checked before its value is used");
    return *std::get_if<0>(&state_);
  }
  const Error& error() const {
    assert(!has_value() && "only a failed Result has an error");
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

// The Result of an action that makes nothing: success is `Status{}`.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    assert(!ok() && "only a failed Status has an error");
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace rankveil
