// A second output of the same people under a larger l.
//
// What they show under the release's l is exchanged once more. Anyone who keeps a further coin, of
// probability l before / l now, shows the same in both outputs; what all others show is rearranged
// among them, by a model that is fitted to what is shown (fitted/). So it is made of public values,
// of what the first output shows and of the key, and of nothing else: anyone who holds both outputs
// learns what the first one tells, and no more. Anyone who holds the second alone meets own values
// in 1/l now. Nothing marks who was exchanged.
//
// Who has something to show in such an output keeps it in the next build of it. Those who began to
// show something since wait until they are enough to hide each other. Who is shown anew in the
// release shows base shares here: two answers would speak of one value.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/ledger/ledger.h"
#include "rankveil/protect/report.h"
#include "rankveil/protect/task.h"
#include "rankveil/ranking/index.h"

namespace rankveil {

// What is asked for beside the build of a release. l = 0: nothing.
struct FurtherOutput {
  std::uint32_t l = 0;
  const Index* last = nullptr;  // the last output under this l, rows called by ids; null: none
};

struct FurtherExchange {
  GroupedProfiles profiles;
  std::vector<BlockReport> blocks;
  std::uint64_t kept = 0;      // rows that show what they showed in the last such output
  std::uint64_t released = 0;  // that show something in one for the first time
};

// `task`: of the release, its table as it is served. `shown`: what rows show in it. `ledger`: as it
// is after the build. REQUIRES: values shown one by one, at full strength; further.l above the l of
// the task's demand, at most max_steps.
FurtherExchange exchange_further(const Task& task, const GroupedProfiles& shown,
                                 const Ledger& ledger, const FurtherOutput& further);

}  // namespace rankveil
