// A value that is made when first asked for, by whichever thread that is. Copies share it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace rankveil {

template <typename T>
class Lazy {
 public:
  // `make` returns a T. REQUIRES: the same one whoever asks.
  template <typename Make>
  const T& get(const Make& make) const {
    // Most who ask find it made: they need not stand in line.
    if (!shared_->made.load(std::memory_order_acquire)) make_once(make);
    return shared_->value;
  }

 private:
  struct Shared {
    std::mutex mutex;
    std::atomic<bool> made = false;
    T value{};
  };

  // Not std::call_once, which asks the kernel to wake the others even where there are none.
  template <typename Make>
  void make_once(const Make& make) const {
    std::lock_guard lock(shared_->mutex);
    if (shared_->made.load(std::memory_order_relaxed)) return;
    shared_->value = make();
    shared_->made.store(true, std::memory_order_release);
  }

  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace rankveil
