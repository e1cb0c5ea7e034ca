#include "rankveil/base/files/temporary_files.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>

namespace rankveil {

namespace {

// A signal handler may read a slot at any moment: a path is complete before `Full` says so.
enum class SlotState { Free, Changing, Full };

struct Slot {
  std::atomic<SlotState> state = SlotState::Free;
  std::array<char, PATH_MAX> path;
};

std::array<Slot, 32> slots;

bool take(Slot& slot, SlotState from) {
  return slot.state.compare_exchange_strong(from, SlotState::Changing);
}

}  // namespace

void remember_temporary(const std::string& path) {
  if (path.size() + 1 > PATH_MAX) return;
  for (Slot& slot : slots) {
    if (!take(slot, SlotState::Free)) continue;
    std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
    slot.state = SlotState::Full;
    return;
  }
}

void forget_temporary(const std::string& path) {
  for (Slot& slot : slots) {
    if (!take(slot, SlotState::Full)) continue;
    bool same = path == slot.path.data();
    slot.state = same ? SlotState::Free : SlotState::Full;
    if (same) return;
  }
}

void remove_temporaries() noexcept {
  for (Slot& slot : slots) {
    if (slot.state == SlotState::Full) ::unlink(slot.path.data());
  }
}

}  // namespace rankveil
