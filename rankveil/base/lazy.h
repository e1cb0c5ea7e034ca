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
    std::call_once(once_->flag, [&] { once_->value = make(); });
    return once_->value;
  }

 private:
  struct Once {
    std::once_flag flag;
    T value{};
  };
  std::shared_ptr<Once> once_ = std::make_shared<Once>();
};

// The same, but only once it was asked for often enough to be worth making.
template <typename T>
class LazyAfter {
 public:
  // Null the first `times` times.
  template <typename Make>
  const T* get(std::uint32_t times, const Make& make) const {
    if (asked_->load(std::memory_order_relaxed) < times) {
      asked_->fetch_add(1, std::memory_order_relaxed);
      return nullptr;
    }
    return &lazy_.get(make);
  }

 private:
  Lazy<T> lazy_;
  std::shared_ptr<std::atomic<std::uint32_t>> asked_ =
      std::make_shared<std::atomic<std::uint32_t>>(0);
};

}  // namespace rankveil
