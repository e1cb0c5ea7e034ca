// What somebody outside this process answered: a value, or why not and whether to ask again.
#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "rankveil/base/error.h"

namespace rankveil::connect {

struct Trouble {
  Error error;
  bool passes = false;       // may be gone the next time: a time-out, a busy server
  bool may_be_done = false;  // nobody knows whether the request was carried out all the same
  double wait_seconds = 0;   // how long the other side asks us to wait
  bool is_refusal = false;   // by intent: it does not answer such questions
  bool is_misfit = false;    // what was given is of another type than what was asked about
};

// The reply to a request that asks for nothing.
struct Done {};

template <typename T>
class [[nodiscard]] Reply {
 public:
  // NOLINTBEGIN(google-explicit-constructor): as in Result
  Reply(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Reply(Trouble trouble) : state_(std::in_place_index<1>, std::move(trouble)) {}
  // Trouble that does not pass.
  Reply(Error error) : Reply(Trouble{std::move(error)}) {}
  // NOLINTEND(google-explicit-constructor)

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() {
    assert(*this && "a Reply must be checked before its value is used");
    return *std::get_if<0>(&state_);
  }
  T* operator->() { return &**this; }
  const Trouble& trouble() const {
    assert(!*this && "only a failed Reply has trouble");
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Trouble> state_;
};

}  // namespace rankveil::connect
