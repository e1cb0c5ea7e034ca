// Read-only items that are either owned here or lie in a mapped file.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace rankveil {

template <typename T>
class Block {
 public:
  Block() = default;
  explicit Block(std::vector<T> items) {
    auto kept = std::make_shared<const std::vector<T>>(std::move(items));
    items_ = *kept;
    owner_ = std::move(kept);
  }
  Block(std::span<const T> items, std::shared_ptr<const void> owner)
      : items_(items), owner_(std::move(owner)) {}

  std::span<const T> items() const { return items_; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  std::size_t size() const { return items_.size(); }
  std::size_t bytes() const { return items_.size_bytes(); }

 private:
  std::span<const T> items_;
  std::shared_ptr<const void> owner_;
};

}  // namespace rankveil
