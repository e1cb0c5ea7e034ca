// A request that is sent again while its trouble may pass.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rankveil/base/clock.h"
#include "rankveil/connect/reply.h"

namespace rankveil::probe {

// Up to four times, with waits of half a second, one and two, or as long as the other side asks for
// (at most half a minute). Trouble after which it may be done already is the caller's: `safe` says
// that doing it twice is no different from doing it once.
template <typename Send>
auto send_again(Clock& clock, bool safe, Send send) {
  double pause = 0.5;
  for (std::uint32_t tries = 1;; ++tries) {
    auto reply = send();
    if (reply || tries == 4) return reply;
    const connect::Trouble& trouble = reply.trouble();
    if (!trouble.passes || (trouble.may_be_done && !safe)) return reply;
    clock.sleep(std::clamp(trouble.wait_seconds, pause, 30.0));
    pause *= 2;
  }
}

}  // namespace rankveil::probe
