// Time that can be waited for, and replaced in tests.
#pragma once

namespace rankveil {

class Clock {
 public:
  virtual ~Clock() = default;
  // Seconds since some moment; never goes back.
  virtual double now() = 0;
  virtual void sleep(double seconds) = 0;
};

// The machine's own.
Clock& real_clock();

}  // namespace rankveil
