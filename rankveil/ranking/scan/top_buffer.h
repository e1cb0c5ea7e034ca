// The best k of many scored rows, whatever order they come in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rankveil/ranking/scan/best_first.h"

namespace rankveil {

class TopBuffer {
 public:
  // Rows that score less than `floor` are not wanted. The buffer sorts out the best k when it holds
  // 4 k + 512 rows, an eager one when it holds 1.5 k + 32: that pays where unwanted rows cost much.
  TopBuffer(std::uint32_t k, std::int64_t floor, bool eager = false)
      : k_(k),
        floor_(floor),
        room_(eager ? std::size_t{k} * 3 / 2 + 32 : std::size_t{k} * 4 + 512) {
    hits_.reserve(std::min<std::size_t>(room_, 1024));
  }

  // No row below this can be among the best k any more.
  std::int64_t floor() const { return floor_; }

  void add(Hit hit) {
    if (hit.score < floor_) return;
    hits_.push_back(hit);
    if (hits_.size() >= room_) prune();
  }

  std::vector<Hit> take() {
    keep_best(hits_, k_);
    return std::move(hits_);
  }

 private:
  void prune() {
    if (hits_.size() <= k_ || k_ == 0) return;
    std::nth_element(hits_.begin(), hits_.begin() + (k_ - 1), hits_.end(), ranks_before);
    hits_.resize(k_);
    floor_ = hits_.back().score;
  }

  std::uint32_t k_;
  std::int64_t floor_;
  std::size_t room_;
  std::vector<Hit> hits_;
};

}  // namespace rankveil
