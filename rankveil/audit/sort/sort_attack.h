// The attack on an order: one list, and rows in it whose values are known.
//
//   marks   rows of one's own, one or two of every value
//   known   rows of people whose values somebody knows already
//
// A victim's value is what fits all lists, both directions, each asked for three times. It counts
// as proven where no row of the table contradicts that the list is ordered by the values of the
// table, which its owner can tell: a protected ranking orders by others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/audit/campaign.h"
#include "rankveil/audit/sort/marked_list.h"
#include "rankveil/audit/sort/sort_arena.h"
#include "rankveil/audit/sort/sort_effect.h"
#include "rankveil/base/stop.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

inline constexpr const char* marks_method = "marks";
inline constexpr const char* known_method = "known";

// Lists of one attribute, and the marks in them.
struct MarkedLists {
  std::uint32_t attribute = 0;  // of the table's schema
  SortLists lists = {};
  Marks marks = {};
  bool in_order = false;    // lists go by the order of the domain where their marks do
  bool holds_true = false;  // every row's own value fits
};

// Fills the last two. Where marks stand in the order of the domain by chance only, rows tell:
// then nothing is concluded from that order.
void hold_against(const Table& truth, MarkedLists& marked);
// The share of rows whose value some mark in the lists has.
double share_marked(const MarkedLists& marked, const Table& truth);
// The share of rows that stand between two marks in some list: of others marks say little.
double share_among(const MarkedLists& marked, const Table& truth);
std::size_t values_marked(const MarkedLists& marked, const Table& truth);

struct SortCampaign {
  std::string method;
  std::vector<std::vector<ValueId>> inserted = {};  // own rows, as the target takes them
  std::vector<MarkedLists> attributes = {};         // private ones
  std::uint64_t questions = 0;
};

// Three lists in each direction, of what stands in the target now; none where it refuses one.
Result<SortLists> ask_lists(const SortArena& arena, const Table& truth, std::string_view attribute);

// Rows of one's own, at most so many; they stay until the target is restarted.
Result<SortCampaign> attack_by_marks(const SortArena& arena, const Table& truth,
                                     std::uint64_t most_rows, std::uint64_t seed);
// `lists`: by private attribute.
SortCampaign attack_by_known(const Table& truth, const std::vector<SortLists>& lists,
                             const std::vector<std::uint32_t>& known);

// Codes of values that rows may have: those of the domain, and none where some rows have none.
std::vector<bool> open_codes(const Table& truth, AttributeId attribute);
// The number of a value, `missing_value` being the last.
std::uint32_t sort_code(const Column& column, ValueId value);

// What the lists say about rows, each left out of the marks if it is one.
Campaign recovered_from(const SortCampaign& campaign, const Table& truth,
                        std::span<const std::uint32_t> victims);

}  // namespace rankveil::audit
