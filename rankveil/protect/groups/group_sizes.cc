#include "rankveil/protect/groups/group_sizes.h"

namespace rankveil {

namespace {

GroupSizes sizes_of_groups;

}  // namespace

const GroupSizes& GroupSizes::in_use() { return sizes_of_groups; }

GroupSizes GroupSizes::all_one() { return {1, 1, 1, UINT32_MAX, 1, 1, 1, 1, 1}; }

GroupSizes::Hook::Hook(const GroupSizes& sizes) : before_(sizes_of_groups) {
  sizes_of_groups = sizes;
}

GroupSizes::Hook::~Hook() { sizes_of_groups = before_; }

}  // namespace rankveil
