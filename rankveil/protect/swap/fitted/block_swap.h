// One block of one part: coins are tossed, and what moves is rearranged.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/protect/report.h"
#include "rankveil/protect/swap/fitted/alike.h"
#include "rankveil/protect/swap/fitted/block_model.h"
#include "rankveil/protect/swap/fitted/blocks.h"
#include "rankveil/protect/swap/fitted/units.h"

namespace rankveil::fitted {

// Exchanges tried for each unit that moves.
inline constexpr std::uint32_t usual_sweeps = 60;
// When half as many left more, or fewer, with their own than all of them.
inline constexpr std::uint32_t max_sweeps = 240;

struct BlockTask {
  const Task& task;
  const Persons& units;
  const Block& block;
  const BlockModel& model;
  const Sight& sight;
};

// The unit whose values each member shows. `counts` is added to.
std::vector<std::uint32_t> swap_block(const BlockTask& block,
                                      std::span<const std::uint32_t> members, const Alike& alike,
                                      BlockReport& counts);

}  // namespace rankveil::fitted
