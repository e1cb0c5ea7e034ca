// Whether swap and cluster keep their promise on every real table: the largest gain at all levels
// they promise to hold against.
#include <fmt/format.h>

#include <algorithm>

#include "bench/figures/beds.h"
#include "bench/figures/lab.h"
#include "bench/figures/study_tables.h"
#include "rankveil/audit/levels.h"

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

Result<Worst> run(const Table& table, const Demand& demand, std::uint64_t seed) {
  SecretKey key = SecretKey::from_seed(seed);
  Workload none;
  auto made = protect(Task{table, none, demand, key});
  if (!made) return made.error();
  auto judgement = audit::judge_profiles({table, made->profiles, audit::Mechanism{demand}}, {});
  if (!judgement) return judgement.error();
  Worst worst;
  for (const audit::Finding& finding : judgement->findings) {
    if (finding.promise.kind == PromiseKind::None || finding.level.starts_with("prior")) continue;
    worst.gain = std::max(worst.gain, finding.gain);
    worst.promised = finding.promise.bound;
    worst.broken += finding.verdict == audit::Verdict::Broken ? 1 : 0;
    ++worst.judged;
  }
  return worst;
}

class Kept {
 public:
  Kept(Lab& lab, Report& report) : lab_(lab), report_(report) {}

  void run_all() {
    for (const char* scheme : {"swap", "cluster"}) {
      for (std::uint32_t l : {2U, 3U}) add_figure(scheme, l);
    }
    report_.setting = fmt::format(
        "Every real table with rows of people or things, all rows, {} keys each; the largest gain "
        "over all rows, values and levels that the scheme promises to hold against.",
        seeds());
  }

 private:
  std::uint32_t seeds() const {
    if (lab_.options().seeds != 0) return lab_.options().seeds;
    return lab_.options().quick ? 1 : 5;
  }

  const Table* read(const StudyTable& table) {
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
    return &tables_.emplace(table.name, std::move(pooled)).first->second;
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
        fmt::format("The promise is a gain of at most 1/{}, at every level but informed.", l),
        "",
        "largest gain",
        Look::Dots};
    Series ours{"largest gain", {}, {}, {}};
    for (const StudyTable& table : all_tables()) {
      const Table* rows = read(table);
      if (rows != nullptr) add_table(table.name, *rows, {.scheme = scheme, .l = l}, figure, ours);
    }
    figure.charts = {{"all tables", {std::move(ours)}}};
    if (!figure.categories.empty()) report_.figures.push_back(std::move(figure));
  }

  void add_table(const std::string& name, const Table& table, const Demand& demand, Figure& figure,
                 Series& ours) {
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
  std::map<std::string, Table> tables_;
  std::vector<std::string> noted_;
};

void draw(Lab& lab, Report& report) { Kept(lab, report).run_all(); }

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(
      count, words, "Whether swap and cluster keep their promise on every real table.",
      rankveil::figures::Asking::Rows, rankveil::figures::draw);
}
