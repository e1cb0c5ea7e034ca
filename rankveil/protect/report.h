// What happened to the rows: the counts behind the summary a person reads. A scheme fills what it
// has; the rest stays empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankveil {

// Rows protected among rows that are alike in `columns`.
struct RungReport {
  std::vector<std::string> columns;  // empty: the whole table
  std::uint64_t groups = 0;
  std::uint64_t rows = 0;

  static void fields(auto& self, auto visit) {
    visit("columns", self.columns);
    visit("groups", self.groups);
    visit("rows", self.rows);
  }
};

// A heuristic's value beside a bound that nothing can beat.
struct BoundedValue {
  std::uint64_t value = 0;
  std::uint64_t bound = 0;  // value == bound: proven

  static void items(auto& self, auto visit) {
    visit(self.value);
    visit(self.bound);
  }
};

// How the values of some private columns, which share a coin, were exchanged (fitted/).
struct BlockReport {
  std::vector<std::string> columns;
  std::uint64_t persons = 0;     // that took part; without persons, rows
  std::uint64_t in_classes = 0;  // of those, among 100 or more who are alike: no model is assumed
  std::uint64_t moved = 0;       // did not keep their own
  std::uint32_t sweeps = 0;      // exchanges tried for each who moved, outside classes
  std::uint64_t tried = 0;
  std::uint64_t accepted = 0;
  std::uint64_t own_half_way = 0;  // moved, outside classes, and held their own after half of them
  std::uint64_t own = 0;  // and after all: equal to the former once exchanges ran long enough

  static void fields(auto& self, auto visit) {
    visit("columns", self.columns);
    visit("persons", self.persons);
    visit("in_classes", self.in_classes);
    visit("moved", self.moved);
    visit("sweeps", self.sweeps);
    visit("tried", self.tried);
    visit("accepted", self.accepted);
    visit("own_half_way", self.own_half_way);
    visit("own", self.own);
  }
};

// What is served of groups (telling_shares.h).
struct BaseReport {
  std::uint64_t groups = 0;
  std::uint64_t pure = 0;     // all their rows show one value of some column
  std::uint64_t telling = 0;  // a value's share there exceeds the table's by a gain above 1/l
  std::uint64_t telling_rows = 0;
  std::vector<std::string> told;  // of those, "column=value" and how many; most first, at most ten
  std::uint64_t telling_values = 0;      // pairs of a public and a private value, likewise
  std::vector<std::string> told_values;  // of those, phrases; most rows first, at most ten

  static void fields(auto& self, auto visit) {
    visit("groups", self.groups);
    visit("pure", self.pure);
    visit("telling", self.telling);
    visit("telling_rows", self.telling_rows);
    visit("told", self.told);
    visit("telling_values", self.telling_values);
    visit("told_values", self.told_values);
  }
};

struct ProtectionReport {
  // [size] is how many sets have that many values or members. A set belongs to a row and an
  // attribute, to a row in schemes that treat its attributes together (esvt), and to all its
  // members where rows share one (estt, cluster). Sets that a fallback stands for are not in here.
  std::vector<std::uint64_t> set_sizes;
  std::vector<RungReport> rungs;

  std::vector<BlockReport> blocks;
  std::uint64_t rows_in_classes = 0;  // in every block: what they promise assumes no model
  std::uint32_t parts = 0;            // that exchanges stayed in; 0: there were none
  BaseReport base;

  std::uint64_t rows_without_signal = 0;  // of the table, served by shares alone, all attributes
  std::vector<std::uint64_t> short_sets;  // per attribute: rows whose set could not be filled
  std::uint64_t rows_with_short_sets = 0;
  std::uint64_t rows_in_small_batches = 0;  // released all the same (BuildRules::batch_after): they
                                            // may have nobody to hide among, and no promise
  std::uint64_t obfuscated_values = 0;      // true values that made room for others
  std::uint64_t rows_with_obfuscation = 0;
  std::uint64_t unique_rows = 0;  // nobody shares their public values: no promise helps them
                                  // against who knows the table; in releases, of rows that show
                                  // something

  std::uint64_t solved = 0;  // problems a solver was given
  std::uint64_t proven = 0;  // those it proved optimal
  std::optional<BoundedValue> obfuscation_bound;
  double largest_rounding = 0;     // of a served strength
  std::vector<std::string> notes;  // full sentences
};

// Rows protected among rows that are alike in fewer columns than all public ones.
std::uint64_t coarser_rows(const ProtectionReport& report);

// What one build did with the rows; withdrawals and who left are people.
struct ReleaseCounts {
  std::uint64_t kept = 0;             // show what they showed
  std::uint64_t released = 0;         // show something for the first time, or again
  std::uint64_t waiting = 0;          // new, or not established: too few to hide each other
  std::uint64_t not_established = 0;  // of those, rows that take no part
  std::uint64_t changed = 0;          // of the kept ones, those who will be withdrawn
  std::uint64_t withdrawn = 0;        // show nothing any more: they changed, or are company
  std::uint64_t gone = 0;             // there in the last build, not in the table
  std::uint32_t waiting_since = 0;    // the day the first of them came (ledger/days.h)
  std::uint32_t changed_since = 0;    // likewise
  std::uint64_t withdrawn_now = 0;    // in this build, because of changes
  std::uint64_t company_now = 0;      // in this build, without any
  double withdrawal_gain = 0;         // that one of these changed (life/withdrawals.h)
  // Of the kept ones, those whose public values are others than when they were released, and the
  // most that is believed of a coin of theirs (life/moved_rows.h); and who is withdrawn for that.
  std::uint64_t moved = 0;
  double moved_belief = 0;
  std::uint64_t moved_out_now = 0;
};

// What the builds of a release said of the rows they released, added up. Rows that have left or
// changed since are in it.
struct ReportSoFar {
  std::uint64_t released = 0;  // rows
  ProtectionReport report;     // without what is said of the whole table, and without notes

  void add(std::uint64_t rows, const ProtectionReport& more);

  static void fields(auto& self, auto visit) {
    visit("released", self.released);
    visit("set_sizes", self.report.set_sizes);
    visit("rungs", self.report.rungs);
    visit("short_sets", self.report.short_sets);
    visit("rows_with_short_sets", self.report.rows_with_short_sets);
    visit("obfuscated_values", self.report.obfuscated_values);
    visit("rows_with_obfuscation", self.report.rows_with_obfuscation);
    visit("rows_in_classes", self.report.rows_in_classes);
    visit("rows_in_small_batches", self.report.rows_in_small_batches);
    visit("solved", self.report.solved);
    visit("proven", self.report.proven);
    visit("obfuscation_bound", self.report.obfuscation_bound);
    visit("largest_rounding", self.report.largest_rounding);
  }
};

}  // namespace rankveil
