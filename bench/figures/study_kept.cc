// Whether swap, cluster and ldp keep their promises on every real table: the largest gain at all
// levels that the first two promise to hold against, `intersecting` with a second release from the
// ledger, and the likelihood ratio that the answers of the third are counted to have.
#include <fmt/format.h>

#include <algorithm>

#include "bench/figures/lab/beds.h"
#include "bench/figures/lab/lab.h"
#include "bench/figures/lab/second_release.h"
#include "bench/figures/lab/study_tables.h"
#include "rankveil/audit/answer_counts.h"
#include "rankveil/audit/levels.h"
#include "rankveil/protect/chance/ldp.h"

namespace rankveil::figures {
namespace {

std::vector<StudyTable> all_tables() {
  std::vector<StudyTable> tables = study_tables();
  tables.push_back({"diamonds", {"cut"}, {"color", "clarity", "table", "carat", "depth"}});
  tables.push_back(
      {"kc_house", {"condition", "floors"}, {"bedrooms", "bathrooms", "grade", "view", "zipcode"}});
  tables.push_back({"nba_seasons", {"position"}, {"age", "season", "all_nba", "games"}});
  tables.push_back({"nonvoters",
                    {"gender", "race"},
                    {"education", "income", "voter_category", "age", "q5", "q6"}});
  tables.push_back({"speed_dating", {"gender"}, {"race", "field", "goal", "dates_freq", "career"}});
  return tables;
}

// What the levels found in one run.
struct Worst {
  double gain = 0;
  double promised = 0;
  std::uint32_t broken = 0;
  std::uint32_t judged = 0;
};

// What is protected, and rows of the same table that are not, for `population`.
struct Cut {
  Table table;
  Table others;
};

Cut cut_off_others(const Table& all) {
  constexpr std::uint32_t one_in = 20, max_others = 20'000;
  std::vector<std::uint32_t> drawn = shuffled(all.rows(), 1);
  auto others = static_cast<std::ptrdiff_t>(std::min(all.rows() / one_in, max_others));
  return {take_rows(all, {drawn.begin() + others, drawn.end()}),
          take_rows(all, {drawn.begin(), drawn.begin() + others})};
}

Result<Profiles> protected_by(const Table& table, const Demand& demand, std::uint64_t seed) {
  SecretKey key = SecretKey::from_seed(seed);
  Workload none;
  auto made = protect({.table = table, .workload = none, .demand = demand, .key = key});
  if (!made) return made.error();
  return std::move(made->profiles);
}

Worst worst_of(const audit::Judgement& judgement) {
  Worst worst;
  for (const audit::Finding& finding : judgement.findings) {
    if (finding.promise.kind == PromiseKind::None || finding.level.starts_with("prior")) continue;
    worst.gain = std::max(worst.gain, finding.gain);
    worst.promised = finding.promise.bound;
    worst.broken += finding.verdict == audit::Verdict::Broken ? 1 : 0;
    ++worst.judged;
  }
  return worst;
}

using Run = Result<Worst> (*)(const Cut& cut, const Demand& demand, std::uint64_t seed);

// Every level that looks at one release.
Result<Worst> run_once(const Cut& cut, const Demand& demand, std::uint64_t seed) {
  auto profiles = protected_by(cut.table, demand, seed);
  if (!profiles) return profiles.error();
  auto judgement =
      audit::judge_profiles({cut.table, *profiles, audit::Mechanism{demand}, &cut.others}, {});
  if (!judgement) return judgement.error();
  return worst_of(*judgement);
}

// Two releases, the second one continued from the ledger.
Result<Worst> run_twice(const Cut& cut, const Demand& demand, std::uint64_t seed) {
  auto two = release_twice(cut.table, demand, seed);
  if (!two) return two.error();
  auto judgement = audit::judge_profiles(
      {two->table, two->first, audit::Mechanism{demand}, nullptr, {&two->second}},
      {.levels = {"intersecting"}});
  if (!judgement) return judgement.error();
  return worst_of(*judgement);
}

// The largest ratio of all attributes, as rows are counted.
Result<audit::RatioCount> counted_ratio(const Table& table, const Demand& demand,
                                        std::uint64_t seed) {
  auto profiles = protected_by(table, demand, seed);
  if (!profiles) return profiles.error();
  audit::Observed observed{table, *profiles, audit::Mechanism{demand}};
  auto known = audit::Knowledge::make(observed, 0);
  if (!known) return known.error();
  audit::RatioCount largest;
  for (const audit::RatioCount& one : audit::count_answers(**known)) {
    if (one.surely() > largest.surely()) largest = one;
  }
  return largest;
}

class Kept {
 public:
  Kept(Lab& lab, Report& report) : lab_(lab), report_(report) {}

  void run_all() {
    for (const char* scheme : {"swap", "cluster"}) {
      for (std::uint32_t l : {2U, 3U}) add_second(scheme, l);
    }
    for (const char* scheme : {"swap", "cluster"}) {
      for (std::uint32_t l : {2U, 3U}) add_figure(scheme, l);
    }
    add_ratios();
    report_.setting = fmt::format(
        "Every real table with rows of people or things, {} keys each; one row in 20, 20,000 at "
        "most, "
        "is left out and serves the level that knows other rows. The largest gain over all rows, "
        "values and levels that the scheme promises to hold against. The level that holds two "
        "releases has figures of its own: ten rows of eleven are released; the others come, one in "
        "100 changes, one in 100 leaves, and the second release continues from the ledger.",
        seeds());
  }

 private:
  std::uint32_t seeds() const {
    if (lab_.options().seeds != 0) return lab_.options().seeds;
    return lab_.options().quick ? 1 : 5;
  }

  const Cut* read(const StudyTable& table) {
    auto known = tables_.find(table.name);
    if (known != tables_.end()) return &known->second;
    if (lab_.options().data.empty()) {
      note_once(table.name +
                " was left out: no folder of real tables was given or found (--data).");
      return nullptr;
    }
    auto all = read_study_table(table, lab_.options().data);
    if (!all) {
      note_once(fmt::format("{} was left out: {}.", table.name, all.error().message));
      return nullptr;
    }
    Table pooled = pool_values(*all, ValueOrder::Natural);
    report_.beds.push_back(fmt::format("{}: {} rows, public {}, private {}", table.name,
                                       pooled.rows(), fmt::join(table.publics, ", "),
                                       fmt::join(table.privates, ", ")));
    return &tables_.emplace(table.name, cut_off_others(pooled)).first->second;
  }

  void note_once(const std::string& sentence) {
    if (std::find(noted_.begin(), noted_.end(), sentence) != noted_.end()) return;
    noted_.push_back(sentence);
    lab_.note(sentence);
  }

  void add_figure(const std::string& scheme, std::uint32_t l) {
    Figure figure{
        fmt::format("kept-{}-{}", scheme, l),
        fmt::format("{} at l = {}: the largest gain", scheme, l),
        fmt::format("The promise is a gain of at most 1/{}, at every level but informed; here at "
                    "those that look at one release.",
                    l),
        "",
        "largest gain",
        Look::Dots};
    add_tables({.scheme = scheme, .l = l}, run_once, std::move(figure));
  }

  void add_second(const std::string& scheme, std::uint32_t l) {
    Figure figure{
        fmt::format("kept-twice-{}-{}", scheme, l),
        fmt::format("{} at l = {}: the largest gain of who holds two releases", scheme, l),
        fmt::format("The promise is a gain of at most 1/{}. The second release continues from the "
                    "ledger after rows came, changed and left; rows of the first are judged.",
                    l),
        "",
        "largest gain",
        Look::Dots};
    add_tables({.scheme = scheme, .l = l}, run_twice, std::move(figure));
  }

  void add_tables(const Demand& demand, Run run, Figure figure) {
    Series ours{"largest gain", {}, {}, {}};
    for (const StudyTable& table : all_tables()) {
      const Cut* rows = read(table);
      if (rows != nullptr) add_table(table.name, *rows, demand, run, figure, ours);
    }
    figure.charts = {{"all tables", {std::move(ours)}}};
    if (!figure.categories.empty()) report_.figures.push_back(std::move(figure));
  }

  // ldp says how much more likely an answer is for whom it is true.
  void add_ratios() {
    Figure figure{
        "kept-ldp",
        "ldp: the largest likelihood ratio counted",
        "The promise is a ratio of at most e^epsilon for each attribute; answers are counted "
        "by what rows really have.",
        "",
        "log of the ratio",
        Look::Dots};
    Series ours{"largest, counted", {}, {}, {}};
    for (const StudyTable& table : all_tables()) {
      const Cut* rows = read(table);
      if (rows != nullptr) add_ratio(table.name, rows->table, figure, ours);
    }
    figure.charts = {{"all tables", {std::move(ours)}}};
    if (!figure.categories.empty()) report_.figures.push_back(std::move(figure));
  }

  void add_ratio(const std::string& name, const Table& table, Figure& figure, Series& ours) {
    Demand demand{.scheme = "ldp"};
    double epsilon = LdpBudgets(table.schema(), demand).of(PrivateId{0});  // all have the same
    Lab::say(fmt::format("{}, ldp", name));
    audit::RatioCount largest;
    for (std::uint32_t seed = 1; seed <= seeds(); ++seed) {
      auto one = counted_ratio(table, demand, seed);
      if (!one) return note_once(fmt::format("{}: {}.", name, one.error().message));
      if (one->surely() > largest.surely()) largest = *one;
    }
    figure.categories.push_back(name);
    ours.xs.push_back(static_cast<double>(figure.categories.size()));
    ours.ys.push_back(largest.log_ratio);
    figure.verdicts.push_back(
        {fmt::format("at most {:.4f}, within five standard errors", epsilon), name,
         fmt::format("{:.4f}, standard error {:.4f}", largest.log_ratio, largest.error),
         largest.surely() <= epsilon});
  }

  void add_table(const std::string& name, const Cut& table, const Demand& demand, Run run,
                 Figure& figure, Series& ours) {
    Lab::say(fmt::format("{}, {}, l = {}", name, demand.scheme, demand.l));
    Worst worst;
    for (std::uint32_t seed = 1; seed <= seeds(); ++seed) {
      auto one = run(table, demand, seed);
      if (!one) return note_once(fmt::format("{}: {}.", name, one.error().message));
      worst.gain = std::max(worst.gain, one->gain);
      worst.promised = one->promised;
      worst.broken += one->broken;
      worst.judged += one->judged;
    }
    figure.categories.push_back(name);
    ours.xs.push_back(static_cast<double>(figure.categories.size()));
    ours.ys.push_back(worst.gain);
    figure.verdicts.push_back(
        {fmt::format("at most {:.4f}", worst.promised), name,
         fmt::format("{:.6f}; {} of {} findings broken", worst.gain, worst.broken, worst.judged),
         worst.broken == 0 && worst.gain <= worst.promised + 1e-6});
  }

  Lab& lab_;
  Report& report_;
  std::map<std::string, Cut> tables_;
  std::vector<std::string> noted_;
};

void draw(Lab& lab, Report& report) { Kept(lab, report).run_all(); }

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(
      count, words, "Whether swap, cluster and ldp keep their promises on every real table.",
      rankveil::figures::Asking::Rows, rankveil::figures::draw);
}
