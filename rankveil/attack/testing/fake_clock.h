// A clock for tests: sleeping takes no time, but the clock moves on.
#pragma once

#include "rankveil/base/clock.h"

namespace rankveil::attack::testing_support {

class FakeClock : public Clock {
 public:
  double now() override { return now_; }
  void sleep(double seconds) override { now_ += seconds; }
  double slept() const { return now_; }

 private:
  double now_ = 0;
};

}  // namespace rankveil::attack::testing_support
