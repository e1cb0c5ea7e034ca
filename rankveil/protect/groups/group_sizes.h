// How many rows it takes for what: each number stands here and nowhere else.
//
//   if (newcomers < GroupSizes::in_use().batch) wait();
//
// They are fixed, so that a promise does not depend on a flag. Tests of tiny tables, whose laws can
// be enumerated, set them to 1:
//
//   GroupSizes::Hook tiny(GroupSizes::all_one());
#pragma once

#include <cstdint>

namespace rankveil {

struct GroupSizes {
  std::uint32_t base_group = 50;           // rows whose shown values make base shares
  std::uint32_t base_mix = 20;             // rows of the table's that are mixed into them
  std::uint32_t base_rows_a_group = 256;   // of the table, for every base group it may have
  std::uint32_t max_base_groups = 4096;    // that it may have in any case
  std::uint32_t own_base_groups = 12'800;  // newcomers, before they get base groups of their own
  std::uint32_t batch = 100;               // established newcomers that hide each other
  std::uint32_t exact_class = 100;         // rows alike in all public columns: no model is assumed
  std::uint32_t history_class = 100;       // persons with as many rows, who trade histories
  std::uint32_t published_fallback = 21;   // of the published schemes, as in their papers

  static const GroupSizes& in_use();
  static GroupSizes all_one();

  // Puts other numbers in use while it lives. For tests, one at a time.
  class Hook;
};

class GroupSizes::Hook {
 public:
  explicit Hook(const GroupSizes& sizes);
  ~Hook();
  Hook(const Hook&) = delete;
  Hook& operator=(const Hook&) = delete;

 private:
  GroupSizes before_;
};

}  // namespace rankveil
