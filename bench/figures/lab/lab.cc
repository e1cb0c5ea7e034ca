#include "bench/figures/lab/lab.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "rankveil/base/file.h"
#include "rankveil/base/stopwatch.h"

namespace rankveil::figures {
namespace {

constexpr std::uint64_t bed_seed = 1;
constexpr const char* asking_texts[] = {
    "a query asks for a row's values in all attributes",
    "a query asks in each attribute for the value of another random row",
    "a query asks in each attribute for any value of the domain"};
const std::map<std::string, Asking> asking_names = {
    {"rows", Asking::Rows}, {"marginals", Asking::Marginals}, {"uniform", Asking::Uniform}};

std::string default_data() {
  if (const char* folder = std::getenv("RANKVEIL_DATA")) return folder;
  std::error_code ignored;
  return std::filesystem::is_directory(RANKVEIL_DEFAULT_DATA, ignored) ? RANKVEIL_DEFAULT_DATA : "";
}

std::string setting_text(const Lab& lab) {
  return fmt::format(
      "Weights 1, l = 2, {} seeds. A seed draws a key and {} queries; {}. Every scheme is measured "
      "on the workload it was tuned for. ± is 95% over seeds.",
      lab.seeds(), queries_per_seed, asking_texts[static_cast<int>(lab.options().asking)]);
}

void add_point(Series& series, double x, const utility::Estimate& estimate) {
  series.xs.push_back(x);
  series.ys.push_back(estimate.mean);
  series.margins.push_back(estimate.margin.value_or(0));
}

}  // namespace

Lab::Lab(LabOptions options, Report& report) : options_(std::move(options)), report_(report) {}

const std::vector<Bed>& Lab::beds() {
  if (!beds_.empty()) return beds_;
  make_beds();
  report_.setting = setting_text(*this);
  for (const Bed& bed : beds_) report_.beds.push_back(bed.name + ": " + bed.origin);
  return beds_;
}

std::uint32_t Lab::seeds() const { return options_.seeds != 0 ? options_.seeds : 3; }

std::uint32_t Lab::rows() const {
  if (options_.rows != 0) return options_.rows;
  return options_.quick ? 30'000 : 300'000;
}

bool Lab::wants(const std::string& bed) const {
  return options_.beds.empty() ||
         std::find(options_.beds.begin(), options_.beds.end(), bed) != options_.beds.end();
}

void Lab::make_beds() {
  if (wants("independent")) beds_.push_back(independent_bed(rows(), bed_seed));
  if (wants("correlated")) beds_.push_back(correlated_bed(rows(), bed_seed));
  add_real_beds();
}

const std::vector<Bed>& Lab::attack_beds() {
  if (!beds_.empty()) return beds_;
  std::uint32_t count = options_.rows != 0 ? options_.rows : 20'000;
  if (wants("uniform")) beds_.push_back(attack_bed("uniform", count, 0, bed_seed));
  if (wants("zipf")) beds_.push_back(attack_bed("zipf", count, 1, bed_seed));
  if (wants("correlated")) beds_.push_back(correlated_bed(count, bed_seed));
  add_real_beds();
  for (const Bed& bed : beds_) report_.beds.push_back(bed.name + ": " + bed.origin);
  return beds_;
}

void Lab::add_real_beds() {
  if (options_.quick) return note("This was a quick run: smaller tables, and no real ones.");
  for (const RealTable& real : real_tables()) {
    if (!wants(real.name)) continue;
    if (options_.data.empty()) {
      note(fmt::format("{} was left out: no folder of real tables was given or found (--data).",
                       real.name));
      continue;
    }
    auto bed = real_bed(real, options_.data, bed_seed);
    if (bed) {
      beds_.push_back(*std::move(bed));
    } else {
      note(fmt::format("{} was left out: {}.", real.name, bed.error().message));
    }
  }
}

std::vector<Contender> Lab::known(const std::vector<Contender>& contenders) {
  std::vector<Contender> found;
  for (const Contender& contender : contenders) {
    if (is_known(contender)) {
      found.push_back(contender);
    } else {
      note(fmt::format("{} was left out: this build has no scheme of that name.",
                       contender.demand.scheme));
    }
  }
  return found;
}

std::optional<Outcome> Lab::try_one(Scenes& scenes, const Contender& contender,
                                    const std::vector<std::uint32_t>& ks, std::uint32_t queries) {
  auto outcome = try_out(scenes, contender,
                         {.ks = ks,
                          .queries = queries,
                          .seeds = seeds(),
                          .threads = options_.threads,
                          .asking = options_.asking});
  const std::string& bed = scenes.bed().name;
  if (!outcome) {
    note(fmt::format("{} on {}: {}.", contender.label, bed, outcome.error().message));
    return {};
  }
  reports_[bed + "/" + contender.label] = outcome->report;
  return *std::move(outcome);
}

std::vector<Series> Lab::sweep(const Bed& bed, const std::vector<Contender>& contenders,
                               const std::vector<Point>& points, std::uint32_t k) {
  std::vector<Contender> taking_part = known(contenders);
  std::vector<Series> all(taking_part.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].name = taking_part[i].label;
  for (const Point& point : points) {
    Scenes scenes(bed, point.part, point.picks);
    for (std::size_t i = 0; i < taking_part.size(); ++i) {
      say(fmt::format("{}: {} at {}", bed.name, taking_part[i].label, number_text(point.x)));
      auto outcome = try_one(scenes, taking_part[i], {k}, point.queries);
      if (outcome) add_point(all[i], point.x, outcome->aul[0]);
    }
  }
  return all;
}

std::vector<Series> Lab::by_k(const Bed& bed, const std::vector<Contender>& contenders,
                              const std::vector<std::uint32_t>& ks) {
  std::vector<Series> all;
  Scenes scenes(bed, usual_part(bed), false);
  for (const Contender& contender : known(contenders)) {
    say(fmt::format("{}: {}", bed.name, contender.label));
    auto outcome = try_one(scenes, contender, ks, 10);
    if (!outcome) continue;
    all.push_back({contender.label, {}, {}, {}});
    for (std::size_t i = 0; i < ks.size(); ++i) add_point(all.back(), ks[i], outcome->aul[i]);
  }
  return all;
}

const ProtectionReport* Lab::last_report(const Bed& bed, const std::string& label) const {
  auto found = reports_.find(bed.name + "/" + label);
  return found != reports_.end() ? &found->second : nullptr;
}

void Lab::note(const std::string& sentence) {
  if (std::find(report_.notes.begin(), report_.notes.end(), sentence) != report_.notes.end())
    return;
  report_.notes.push_back(sentence);
}

void Lab::say(const std::string& text) {
  fmt::print(stderr, "{}{}", text, isatty(STDERR_FILENO) != 0 ? "\033[K\r" : "\n");
}

const Series* find_series(const std::vector<Series>& all, const std::string& name) {
  for (const Series& series : all) {
    if (series.name == name) return &series;
  }
  return nullptr;
}

void add_verdict(Figure& figure, const std::string& claim, const std::string& bed,
                 const Finding& finding) {
  figure.verdicts.push_back({claim, bed, finding.value, finding.holds});
}

std::string short_sets_note(const Bed& bed, const Part& part, const ProtectionReport& report) {
  double share = static_cast<double>(report.rows_with_short_sets) / std::max(1U, part.rows);
  return fmt::format(
      "On {} with {} public attributes, {:.1f}% of the rows have a set that their public group "
      "cannot fill; pvst serves the shares of the whole table there.",
      bed.name, part.publics, 100 * share);
}

int run_program(int count, char** words, const std::string& what, Asking asking,
                const std::function<void(Lab&, Report&)>& draw) {
  LabOptions options;
  options.data = default_data();
  options.asking = asking;
  CLI::App app(what);
  app.add_flag("--quick", options.quick, "made-up tables only, and smaller");
  app.add_option("--data", options.data, "folder of real tables (RANKVEIL_DATA)");
  app.add_option("--json", options.json, "write the figures to this file");
  app.add_option("--rows", options.rows, "of made-up tables (300000, quick 30000)");
  app.add_option("--seeds", options.seeds, "workloads and keys to average over (3)");
  app.add_option("--threads", options.threads, "0: all cores")->capture_default_str();
  app.add_option("--queries", options.asking, "rows, marginals or uniform")
      ->transform(CLI::CheckedTransformer(asking_names));
  app.add_option("--tables", options.beds, "by comma (all)")->delimiter(',');
  CLI11_PARSE(app, count, words);
  Stopwatch watch;
  Report report;
  report.program = std::filesystem::path(words[0]).filename().string();
  Lab lab(options, report);
  draw(lab, report);
  report.seconds = watch.seconds();
  fmt::print("{}", to_markdown(report));
  if (options.json.empty()) return 0;
  auto written = write_text(options.json, to_json(report).dump() + "\n");
  if (!written) fmt::print(stderr, "{}\n", written.error().message);
  return written ? 0 : 4;
}

}  // namespace rankveil::figures
