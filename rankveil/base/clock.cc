#include "rankveil/base/clock.h"

#include <chrono>
#include <thread>

namespace rankveil {
namespace {

class RealClock : public Clock {
 public:
  double now() override {
    auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(since_start).count();
  }
  void sleep(double seconds) override {
    if (seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
};

}  // namespace

Clock& real_clock() {
  static RealClock clock;
  return clock;
}

}  // namespace rankveil
