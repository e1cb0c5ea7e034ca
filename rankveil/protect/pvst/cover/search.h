// Which rows of its group cover a row's private values (the loop of pvst).
//
// A row's sets start with its own values. While some set has fewer than l values, and fewer than
// the group has, the candidate is chosen that brings a new value to most of those sets; among them
// the one with the least loss; among them the lowest row. All its values go into all sets.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/pvst/cover/group.h"
#include "rankveil/protect/pvst/cover/shortlist.h"

namespace rankveil::cover {

class Search {
 public:
  Search(const Vectors& vectors, std::uint32_t l);

  // Searches this group from now on, with lists of it if there are any. REQUIRES: it is built, and
  // stays as it is.
  void use(const Group& group, Shortlists* shortlists = nullptr);
  // Appends the chosen rows for the row at `position`, in the order of choice.
  void run(std::uint32_t position, std::vector<RowId>& chosen);
  // How many values the set of attribute `j` had at the end of the last run.
  std::uint32_t set_size(std::uint32_t j) const {
    return static_cast<std::uint32_t>(sets_[j].size());
  }

 private:
  struct Choice {
    Loss loss;
    Loss saved;
    std::uint32_t position;
  };
  static constexpr std::uint32_t nobody = 0xFFFFFFFF;

  // What a candidate saves by having the row's own values: in one attribute whose set is full, or
  // in all open attributes that it misses, taken together.
  struct Saver {
    Loss saving;
    std::uint32_t begin, end;  // in saver_planes_: candidates that have one of them, or others
  };

  void start(std::uint32_t position);
  void add_values(std::uint32_t position);
  void add_rare(std::uint32_t j, std::uint32_t code);
  void clear_rare();
  bool is_open(std::uint32_t j) const;
  void gather_open();
  void gather_planes();
  void gather_planes_of(std::uint32_t j, const Group& group);
  void gather_planes_of(std::uint32_t j, const Shortlist& list);
  const std::uint64_t* own_plane(std::uint32_t j) const;
  std::uint32_t choose();
  Blocked blocked() const;
  bool search_full();
  bool search_lines(std::uint32_t line, std::uint32_t end, const std::uint64_t* last);
  void search_fewest();
  void gather_savers(std::uint32_t misses);
  void make_savings();
  Loss saved(std::uint32_t position) const;
  Loss saved_one_by_one(std::uint32_t position) const;
  Wanted wanted(std::uint32_t line);
  bool is_decided(std::uint32_t position) const;
  std::uint32_t first_of(std::uint32_t line) const;
  bool consider(std::uint32_t line, const std::uint64_t* found);
  void consider(std::uint32_t position);

  const Vectors& vectors_;
  const Group* group_ = nullptr;
  Shortlists* shortlists_ = nullptr;
  const Shortlist* list_ = nullptr;  // what the present search goes through; null: the group
  const Kernel& kernel_;
  std::uint32_t l_;

  std::uint32_t own_ = 0;                         // position
  std::uint32_t first_ = nobody;                  // the first choice for it
  std::vector<std::vector<std::uint32_t>> sets_;  // [attribute]: codes
  std::vector<std::uint32_t> open_;               // attributes whose sets can and must grow
  std::vector<const std::uint64_t*> planes_;      // of the values in the open sets
  std::vector<std::uint32_t> ends_;
  std::vector<AlignedWords> rare_planes_;  // [attribute]: rare values of the set together
  std::vector<std::vector<std::uint32_t>> rare_codes_;

  std::vector<std::uint32_t> own_codes_;  // [attribute]
  std::vector<Loss> savings_;             // [attribute]: for a candidate with the own value
  std::vector<Saver> savers_;             // for the present search, greatest saving first
  std::vector<const std::uint64_t*> saver_planes_;
  std::vector<Loss> open_savings_;
  Loss max_saved_ = 0;  // what a candidate of the present search saves at most
  std::vector<const std::uint64_t*> wanted_planes_;
  std::vector<std::uint32_t> wanted_ends_;
  bool has_savings_ = false;  // the tables below are made
  std::vector<std::uint64_t> own_lanes_;
  std::vector<Loss> saved_by_lanes_;  // [lane word][which of its lanes are equal]
  std::vector<std::uint32_t> wide_;   // attributes whose codes do not fit a lane
  std::vector<std::uint64_t> found_;
  Choice best_ = {};
};

}  // namespace rankveil::cover
