#include "rankveil/protect/pvst/cover/shortlist.h"

#include <algorithm>

namespace rankveil::cover {

namespace {

// A list has a plane for each code that somebody has: of wide domains they would take too much
// memory.
constexpr std::uint32_t max_codes = 2048;

// Candidates with the values of one of them, or with none: in planes where there are some.
struct Excluded {
  std::vector<const std::uint64_t*> planes;
  std::vector<std::uint32_t> rare;  // attributes whose value there has no plane

  Excluded(const Group& group, const std::vector<std::uint32_t>& attributes, std::uint32_t first) {
    for (std::uint32_t j : attributes) {
      const std::uint64_t* plane = group.plane(j, group.code(first, j));
      if (plane != nullptr) {
        planes.push_back(plane);
      } else {
        rare.push_back(j);
      }
      if (group.has_missing(j)) planes.push_back(group.plane(j, group.vectors().domain(j)));
    }
    if (planes.empty()) planes.push_back(group.empty_plane());
  }
};

}  // namespace

Shortlist::Shortlist(const Group& group, const std::vector<std::uint32_t>& attributes,
                     std::uint32_t first, std::uint32_t enough) {
  collect(group, attributes, first, enough);
  lay_out_planes(group);
}

void Shortlist::collect(const Group& group, const std::vector<std::uint32_t>& attributes,
                        std::uint32_t first, std::uint32_t enough) {
  const Kernel& kernel = kernel_in_use();
  Excluded excluded(group, attributes, first);
  auto end = static_cast<std::uint32_t>(excluded.planes.size());
  Blocked blocked{excluded.planes.data(), &end, 1};
  auto has_same_rare = [&](std::uint32_t position) {
    return std::any_of(excluded.rare.begin(), excluded.rare.end(), [&](std::uint32_t j) {
      return group.code(position, j) == group.code(first, j);
    });
  };
  while (next_line_ < group.lines() && positions_.size() < enough) {
    std::uint64_t free[words_per_line];
    std::uint32_t line = kernel.first_free(blocked, {}, next_line_, group.lines(), free);
    next_line_ = std::min(line + 1, group.lines());
    if (line == group.lines()) break;
    each_position(line, free, [&](std::uint32_t position) {
      if (position < group.size() && !has_same_rare(position)) positions_.push_back(position);
      return true;
    });
  }
}

// One plane for each code that somebody has, after an empty one.
void Shortlist::lay_out_planes(const Group& group) {
  const Vectors& vectors = group.vectors();
  lines_ =
      static_cast<std::uint32_t>((positions_.size() + positions_per_line - 1) / positions_per_line);
  last_line_ = last_line_of(static_cast<std::uint32_t>(positions_.size()));
  stride_ = std::size_t{lines_ | 1U} * words_per_line;
  first_code_.assign(1, 0);
  for (std::uint32_t j = 0; j < vectors.attributes(); ++j) {
    first_code_.push_back(first_code_.back() + vectors.domain(j) + 1);
  }
  plane_of_.assign(first_code_.back(), 0);
  auto each_code = [&](auto visit) {
    for (std::uint32_t j = 0; j < vectors.attributes(); ++j) {
      for (std::uint32_t i = 0; i < positions_.size(); ++i) {
        visit(plane_of_[first_code_[j] + group.code(positions_[i], j)], i);
      }
    }
  };
  std::uint32_t planes = 1;
  each_code([&](std::uint32_t& plane, std::uint32_t) {
    if (plane == 0) plane = planes++;
  });
  words_ = AlignedWords(planes * stride_);
  each_code([&](std::uint32_t plane, std::uint32_t i) {
    words_.data()[plane * stride_ + i / 64] |= std::uint64_t{1} << (i % 64);
  });
}

Shortlists::Shortlists(const Group& group, std::uint32_t l, ShortlistUse use)
    : group_(group), use_(use), slots_(std::min(group.size(), positions_per_line)) {
  const Vectors& vectors = group.vectors();
  std::uint64_t codes = 0;
  for (std::uint32_t j = 0; j < vectors.attributes(); ++j) {
    codes += vectors.domain(j) + std::uint64_t{1};
    if (std::min(l, group.values(j)) > 2) open_.push_back(j);
  }
  if (codes > max_codes) open_.clear();
}

const Shortlist* Shortlists::find(std::uint32_t first, const std::vector<std::uint32_t>& open) {
  if (first >= slots_.size() || open != open_) return nullptr;
  Slot& slot = slots_[first];
  if (const Shortlist* list = slot.ready.load(std::memory_order_acquire)) return list;
  if (slot.asked.fetch_add(1, std::memory_order_relaxed) < use_.asked) return nullptr;
  std::call_once(slot.made_once, [&] {
    slot.list = std::make_unique<Shortlist>(group_, open_, first, use_.enough);
    slot.ready.store(slot.list.get(), std::memory_order_release);
  });
  return slot.list.get();
}

}  // namespace rankveil::cover
