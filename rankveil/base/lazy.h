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

// The same, but only once it was asked for often enough to be worth making. Nobody waits for it but
// the one who makes it. Where making it throws, it is not tried again.
template <typename T>
class LazyAfter {
 public:
  // Null the first `times` times, and until it is made.
  template <typename Make>
  const T* get(std::uint32_t times, const Make& make) const {
    if (shared_->asked.load(std::memory_order_relaxed) < times) {
      shared_->asked.fetch_add(1, std::memory_order_relaxed);
      return nullptr;
    }
    if (!shared_->begun.load(std::memory_order_relaxed) && !shared_->begun.exchange(true)) {
      shared_->value = make();
      shared_->made.store(true, std::memory_order_release);
    }
    return shared_->made.load(std::memory_order_acquire) ? &shared_->value : nullptr;
  }

 private:
  struct Shared {
    std::atomic<std::uint32_t> asked = 0;
    std::atomic<bool> begun = false;
    std::atomic<bool> made = false;
    T value{};
  };
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace rankveil
