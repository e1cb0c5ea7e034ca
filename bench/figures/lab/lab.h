// What the programs of this folder share: options, tables, sweeps, and printing.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/figures/lab/checks.h"
#include "bench/figures/lab/figure.h"
#include "bench/figures/lab/trial.h"

namespace rankveil::figures {

struct LabOptions {
  bool quick = false;       // made-up tables only, and smaller
  std::string data = {};    // folder of real tables; empty: none was found
  std::string json = {};    // where to write the report
  std::uint32_t rows = 0;   // of made-up tables; 0: 300,000, quick 30,000
  std::uint32_t seeds = 0;  // 0: 3
  Asking asking = Asking::Rows;
  std::uint32_t threads = 0;
  std::vector<std::string> beds = {};  // empty: all
};

// One x of a figure.
struct Point {
  double x = 0;
  Part part;
  std::uint32_t queries = 10;
  bool picks = false;  // which attributes are taken depends on the seed
};

class Lab {
 public:
  Lab(LabOptions options, Report& report);

  const LabOptions& options() const { return options_; }
  // Made when they are first asked for.
  const std::vector<Bed>& beds();
  // Those of the papers' attack tests: 20,000 rows (or as many as were asked for), of which 5
  // public and 5 private attributes are taken (attack_part).
  const std::vector<Bed>& attack_beds();
  std::uint32_t seeds() const;
  std::uint32_t rows() const;

  // A series per contender that is known, in their order: U_aul at k by x. What goes wrong becomes
  // a note of the report.
  std::vector<Series> sweep(const Bed& bed, const std::vector<Contender>& contenders,
                            const std::vector<Point>& points, std::uint32_t k);
  // A series per contender by k, at the usual part of the bed.
  std::vector<Series> by_k(const Bed& bed, const std::vector<Contender>& contenders,
                           const std::vector<std::uint32_t>& ks);
  // What the contender said about its last trial on the bed; null: there was none.
  const ProtectionReport* last_report(const Bed& bed, const std::string& label) const;

  void note(const std::string& sentence);
  static void say(const std::string& text);

 private:
  void make_beds();
  void add_real_beds();
  bool wants(const std::string& bed) const;
  std::vector<Contender> known(const std::vector<Contender>& contenders);
  std::optional<Outcome> try_one(Scenes& scenes, const Contender& contender,
                                 const std::vector<std::uint32_t>& ks, std::uint32_t queries);

  LabOptions options_;
  Report& report_;
  std::vector<Bed> beds_;
  std::map<std::string, ProtectionReport> reports_;
};

// Null when there is none.
const Series* find_series(const std::vector<Series>& all, const std::string& name);

// Adds what the paper says about a bed, unless a series is missing.
void add_verdict(Figure& figure, const std::string& claim, const std::string& bed,
                 const Finding& finding);

// Says for how many rows pvst could not fill a set, which explains most of what its figures show.
std::string short_sets_note(const Bed& bed, const Part& part, const ProtectionReport& report);

// Reads the options (`asking` is a default), draws, prints Markdown to stdout and writes JSON. The
// result of main().
int run_program(int count, char** words, const std::string& what, Asking asking,
                const std::function<void(Lab&, Report&)>& draw);

}  // namespace rankveil::figures
