// How many requests a probe may still send, and whether it was told to stop.
#pragma once

#include <fmt/core.h>

#include <atomic>
#include <cstdint>
#include <string>

namespace rankveil::probe {

class Meter {
 public:
  // `stop` may be null; it is set by whoever handles Ctrl-C.
  Meter(std::uint64_t budget, const std::atomic<bool>* stop) : budget_(budget), stop_(stop) {}

  bool may_go_on() const { return spent_ + reserved_ < budget_ && !stopped(); }
  void spend(std::uint64_t requests = 1) { spent_ += requests; }
  // One request is kept for taking something back.
  void reserve() { ++reserved_; }
  // What a request brought, which is spent.
  template <typename Reply>
  Reply counted(Reply reply) {
    spend();
    return reply;
  }
  std::uint64_t spent() const { return spent_; }
  bool stopped() const { return stop_ != nullptr && stop_->load(); }
  // One sentence. REQUIRES: !may_go_on().
  std::string reason() const {
    return stopped() ? "the probe was told to stop"
                     : fmt::format("the budget of {} requests is used up; allow more", budget_);
  }

 private:
  std::uint64_t budget_;
  const std::atomic<bool>* stop_;
  std::uint64_t spent_ = 0;
  std::uint64_t reserved_ = 0;
};

}  // namespace rankveil::probe
