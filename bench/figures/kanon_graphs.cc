// Table III and figures 6 and 7 of the paper on k-anonymity and background knowledge: the share of
// users that attacks identify in a friendship graph.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/figures/lab/lab.h"
#include "rankveil/base/format.h"
#include "rankveil/graphs/attack/promised.h"
#include "rankveil/graphs/files/edge_list.h"
#include "rankveil/graphs/generate.h"

namespace rankveil::figures {
namespace {

using attack::Contestant;
using attack::Evaluation;
using attack::EvaluationPlan;
using attack::EvaluationRow;
using attack::LinkageLevel;
using attack::LinkagePoint;
using graph::Technique;

const std::vector<double> shares = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
const std::vector<std::uint32_t> ks = {3, 6, 9, 12, 15};
constexpr double usual = 0.2;
constexpr std::uint32_t usual_k = 6;
const std::vector<std::string> names = {"ia", "ca", "be"};  // in the paper's order

struct GraphBed {
  std::string name;
  std::shared_ptr<const graph::Graph> graph;
  bool full = false;  // figure 6, too
};

using Rows = std::vector<EvaluationRow>;

std::vector<Contestant> contestants() {
  return {{"ia", {.technique = Technique::Ia}},
          {"ca", {.technique = Technique::Ca}},
          {"be", {.technique = Technique::Be}}};
}

// Every variant that was run, the three above included.
std::vector<Contestant> variants() {
  using graph::BaselineForm;
  auto all = contestants();
  all.push_back(
      {"ia, greedy groups", {.technique = Technique::Ia, .grouping = graph::Grouping::Greedy}});
  all.push_back(
      {"ia, only adds", {.technique = Technique::Ia, .editing = graph::Editing::Supergraph}});
  all.push_back({"be, balanced", {.technique = Technique::Be, .form = BaselineForm::Balanced}});
  for (std::uint32_t window : {64U, 1024U, 8192U}) {
    all.push_back({fmt::format("be, similar {}", window),
                   {.technique = Technique::Be, .form = BaselineForm::Similar, .window = window}});
  }
  all.push_back({"random", {.technique = Technique::Random}});
  return all;
}

// What figures 6 and 7 and the table share: one release for each technique and k.
std::vector<LinkagePoint> usual_points() {
  return {{LinkageLevel::I},
          {LinkageLevel::II, usual, 0},
          {LinkageLevel::III, 0, usual},
          {LinkageLevel::IV, usual, usual}};
}

std::vector<LinkagePoint> swept_points() {
  std::vector<LinkagePoint> points = {{LinkageLevel::I}};
  for (double share : shares) {
    points.push_back({LinkageLevel::II, share, 0});
    points.push_back({LinkageLevel::III, 0, share});
    points.push_back({LinkageLevel::IV, share, usual});
    if (share != usual) points.push_back({LinkageLevel::IV, usual, share});
  }
  return points;
}

class Study {
 public:
  Study(Lab& lab, Report& report) : lab_(lab), report_(report) {}

  void run() {
    make_beds();
    for (const GraphBed& bed : beds_) measure(bed);
    report_.setting = fmt::format(
        "k = 6 unless said; {} of Lambda and Gamma, everybody joins by a coin of his own; every "
        "share is over all users, the right list among equally good ones counting as 1 / (how "
        "many). Intervals are 95%.",
        counted(draws(), "draw"));
    report_.figures.push_back(std::move(table_));
    for (Figure* figure : {&six_a_, &six_b_, &six_c_, &six_d_}) {
      report_.figures.push_back(std::move(*figure));
    }
    for (Figure& figure : sevens_) report_.figures.push_back(std::move(figure));
    for (Figure& figure : bounds_) report_.figures.push_back(std::move(figure));
    report_.figures.push_back(std::move(all_variants_));
  }

 private:
  std::uint32_t draws() const {
    if (lab_.options().seeds > 0) return lab_.options().seeds;
    return lab_.options().quick ? 3 : 10;
  }
  bool wants(const std::string& bed) const {
    const auto& chosen = lab_.options().beds;
    return chosen.empty() || std::ranges::find(chosen, bed) != chosen.end();
  }

  void add_bed(const std::string& name, const std::string& origin, graph::Graph graph, bool full) {
    report_.beds.push_back(fmt::format("{}: {}, {}, {}", name, origin,
                                       counted(graph.nodes(), "user"),
                                       counted(graph.edges(), "friendship")));
    beds_.push_back({name, std::make_shared<const graph::Graph>(std::move(graph)), full});
  }

  void make_beds() {
    if (!lab_.options().quick) {
      for (const char* name :
           {"gowalla", "brightkite", "deezer_hu", "douban", "enron", "facebook_ego"}) {
        add_real(name);
      }
    }
    if (!wants("chung-lu")) return;
    std::uint32_t nodes = lab_.options().quick ? 3'000 : 30'000;
    auto made = graph::generate({.nodes = nodes, .edges = 5ULL * nodes});
    if (made) add_bed("chung-lu", "made up, exponent 2.5, seed 1", std::move(*made), true);
  }

  void add_real(const std::string& name) {
    if (!wants(name)) return;
    std::string path = fmt::format("{}/{}/edges.csv.gz", lab_.options().data, name);
    if (!std::filesystem::exists(path)) {
      lab_.note(fmt::format("{} was not run: its edges were not found", name));
      return;
    }
    auto read = connect::read_graph({.path = path});
    if (!read) return lab_.note(read.error().message);
    bool full = name == "gowalla" || name == "brightkite";
    add_bed(name, "real", std::move(read->graph), full);
  }

  Evaluation evaluate(const GraphBed& bed, std::vector<Contestant> who,
                      const std::vector<std::uint32_t>& which_ks,
                      std::vector<LinkagePoint> points) {
    EvaluationPlan plan{.contestants = std::move(who),
                        .ks = which_ks,
                        .points = std::move(points),
                        .any_label = true,
                        .draws = draws(),
                        .threads = lab_.options().threads};
    auto made = attack::evaluate(bed.graph, plan);
    if (made) return std::move(*made);
    lab_.note(fmt::format("{}: {}", bed.name, made.error().message));
    return {};
  }

  void measure(const GraphBed& bed) {
    Lab::say(fmt::format("{}: k = 6", bed.name));
    const Evaluation at_six =
        evaluate(bed, contestants(), {usual_k}, bed.full ? swept_points() : usual_points());
    const Rows& six = at_six.rows;
    if (six.empty()) return;
    draw_table(bed, six);
    if (bed.full) draw_six(bed, six);
    if (bed.full) draw_bounds(bed, at_six);
    Lab::say(fmt::format("{}: k = 3, 9, 12, 15", bed.name));
    Rows all = evaluate(bed, contestants(), {3, 9, 12, 15}, usual_points()).rows;
    all.insert(all.end(), six.begin(), six.end());
    draw_seven(bed, all);
    Lab::say(fmt::format("{}: variants", bed.name));
    draw_variants(bed);
  }

  static const EvaluationRow* find(const Rows& rows, const std::string& technique,
                                   const std::string& attack_name, LinkagePoint point,
                                   std::uint32_t k) {
    for (const EvaluationRow& row : rows) {
      bool same = row.technique == technique && row.attack == attack_name &&
                  row.level == point.level && row.k == k && row.lambda1 == point.lambda1 &&
                  row.lambda2 == point.lambda2;
      if (same) return &row;
    }
    return nullptr;
  }

  static void add(Series& series, double x, const EvaluationRow& row) {
    series.xs.push_back(x);
    series.ys.push_back(row.fu);
    series.lows.push_back(row.low);
    series.highs.push_back(row.high);
  }

  static std::string share_text(double share) { return fmt::format("{:.2f}%", 100 * share); }

  // Table III: six numbers, the paper's first.
  void draw_table(const GraphBed& bed, const Rows& rows) {
    static const std::vector<double> published = {0.18, 0.178, 0.17, 0.179, 0.174, 0.169};
    Series paper{"paper, Gowalla", {}, published, {}}, ours{"ours", {}, {}, {}};
    Series any{"ours, without the own-label rule", {}, {}, {}};
    for (std::size_t i = 0; i < published.size(); ++i) {
      std::string attack_name = i < 3 ? "mle" : "bas";
      double x = static_cast<double>(i + 1);
      paper.xs.push_back(x);
      add(ours, x, *find(rows, names[i % 3], attack_name, {LinkageLevel::I}, usual_k));
      add(any, x,
          *find(rows, names[i % 3], i < 3 ? "mle-any-label" : "bas", {LinkageLevel::I}, usual_k));
    }
    judge_table(bed, published, ours.ys);
    table_.charts.push_back({bed.name, {paper, ours, any}});
  }

  void judge_table(const GraphBed& bed, const std::vector<double>& published,
                   const std::vector<double>& ours) {
    auto verdict = [&](const std::string& claim, bool holds, const std::string& value) {
      table_.verdicts.push_back({claim, bed.name, value, holds});
    };
    for (std::size_t i = 0; i < 6 && bed.name == "gowalla"; ++i) {
      verdict(fmt::format("{} under {} is {}, within half a point", names[i % 3],
                          i < 3 ? "mle" : "bas", share_text(published[i])),
              std::abs(ours[i] - published[i]) <= 0.005, share_text(ours[i]));
    }
    for (std::size_t at : {0U, 3U}) {
      const char* attack_name = at == 0 ? "mle" : "bas";
      auto value = fmt::format("{}, {}, {}", share_text(ours[at]), share_text(ours[at + 1]),
                               share_text(ours[at + 2]));
      verdict(fmt::format("ia is above ca under {}", attack_name), ours[at] > ours[at + 1], value);
      verdict(fmt::format("be is lowest under {}", attack_name),
              ours[at + 2] < std::min(ours[at], ours[at + 1]), value);
    }
    verdict("mle identifies more than bas with every technique",
            ours[0] > ours[3] && ours[1] > ours[4] && ours[2] > ours[5],
            fmt::format(
                "{} more at least",
                share_text(std::min({ours[0] - ours[3], ours[1] - ours[4], ours[2] - ours[5]}))));
  }

  // One line for each technique and attack.
  template <typename PointAt>
  static std::vector<Series> lines(const Rows& rows, const std::vector<double>& xs,
                                   PointAt point_at) {
    std::vector<Series> all;
    for (const char* attack_name : {"mle", "bas"}) {
      for (const std::string& name : names) {
        Series series{name + ", " + attack_name, {}, {}, {}};
        for (double x : xs) {
          auto [point, k] = point_at(x);
          if (const auto* row = find(rows, name, attack_name, point, k)) add(series, x, *row);
        }
        all.push_back(std::move(series));
      }
    }
    return all;
  }

  static void judge_lines(const GraphBed& bed, const std::vector<Series>& all, bool rising,
                          const std::string& over, Figure& figure) {
    for (std::size_t i = 0; i < 3; ++i) {
      add_verdict(figure,
                  fmt::format("{} {} with {}", all[i].name, rising ? "rises" : "falls", over),
                  bed.name, rising ? rises(all[i]) : falls(all[i]));
    }
    for (std::size_t at : {0U, 3U}) {
      bool lowest = true;
      double closest = 1;
      for (std::size_t x = 0; x < all[at].ys.size(); ++x) {
        double other = std::min(all[at].ys[x], all[at + 1].ys[x]);
        closest = std::min(closest, other - all[at + 2].ys[x]);
        lowest = lowest && all[at + 2].ys[x] < other;
      }
      add_verdict(
          figure, fmt::format("be is lowest under {}", at == 0 ? "mle" : "bas"), bed.name,
          {lowest,
           fmt::format("be is {} {} at the worst point", share_text(std::abs(closest)),
                       closest < 0 ? "above the lower of the others" : "below the others")});
    }
    bool more = true;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t x = 0; x < all[i].ys.size(); ++x) {
        more = more && all[i].ys[x] >= all[i + 3].ys[x];
      }
    }
    add_verdict(figure, "mle identifies at least as many as bas", bed.name,
                {more, more ? "everywhere" : "not everywhere"});
  }

  void draw_six(const GraphBed& bed, const Rows& rows) {
    using Point = std::pair<LinkagePoint, std::uint32_t>;
    auto draw = [&](Figure& figure, const std::string& over, auto point_at) {
      auto all = lines(rows, shares, point_at);
      judge_lines(bed, all, true, over, figure);
      figure.charts.push_back({bed.name, std::move(all)});
    };
    draw(six_a_, "lambda1", [](double x) { return Point{{LinkageLevel::II, x, 0}, usual_k}; });
    draw(six_b_, "lambda2", [](double x) { return Point{{LinkageLevel::III, 0, x}, usual_k}; });
    draw(six_c_, "lambda2", [](double x) { return Point{{LinkageLevel::IV, usual, x}, usual_k}; });
    draw(six_d_, "lambda1", [](double x) { return Point{{LinkageLevel::IV, x, usual}, usual_k}; });
    judge_levels(bed, rows);
  }

  void judge_levels(const GraphBed& bed, const Rows& rows) {
    for (const std::string& name : names) {
      double at[3] = {find(rows, name, "mle", {LinkageLevel::II, usual, 0}, usual_k)->fu,
                      find(rows, name, "mle", {LinkageLevel::III, 0, usual}, usual_k)->fu,
                      find(rows, name, "mle", {LinkageLevel::IV, usual, usual}, usual_k)->fu};
      add_verdict(
          six_d_, fmt::format("{}: level IV is above III, and III above II, at .2", name), bed.name,
          {at[2] > at[1] && at[1] > at[0],
           fmt::format("{}, {}, {}", share_text(at[0]), share_text(at[1]), share_text(at[2]))});
    }
  }

  void draw_seven(const GraphBed& bed, const Rows& rows) {
    std::vector<double> xs(ks.begin(), ks.end());
    std::vector<std::vector<Series>> by_level;
    for (std::size_t i = 0; i < 4; ++i) {
      LinkagePoint point = usual_points()[i];
      auto all = lines(rows, xs,
                       [&](double x) { return std::pair(point, static_cast<std::uint32_t>(x)); });
      judge_lines(bed, all, false, "k", sevens_[i]);
      by_level.push_back(all);
      sevens_[i].charts.push_back({bed.name, std::move(all)});
    }
    for (std::size_t i = 0; i < 3; ++i) {  // how much of the share at k = 3 is left at k = 15
      double left[4];
      for (std::size_t level = 0; level < 4; ++level) {
        const auto& ys = by_level[level][i].ys;
        left[level] = ys.empty() ? 0 : ys.back() / ys.front();
      }
      add_verdict(sevens_[3], fmt::format("{}: k matters less with more background", names[i]),
                  bed.name,
                  {std::is_sorted(left, left + 4),
                   fmt::format("left at k = 15: {:.0f}%, {:.0f}%, {:.0f}%, {:.0f}%", 100 * left[0],
                               100 * left[1], 100 * left[2], 100 * left[3])});
    }
  }

  // The weakest promise of all releases: the smallest set, and the most that sizes differ.
  static attack::Promiser weakest(const Evaluation& evaluation) {
    attack::Promiser all = promiser_of(evaluation.releases.front());
    std::uint32_t spread = 0;
    for (const auto& release : evaluation.releases) {
      all.smallest_set = std::min(all.smallest_set, release.smallest_set);
      spread = std::max(spread, release.largest_set - release.smallest_set);
    }
    all.largest_set = all.smallest_set + spread;
    return all;
  }

  static Series bound_series(const attack::Promises& promises, const attack::Promiser& release,
                             LinkageLevel level, bound::Mode mode) {
    Series series;
    series.name = mode == bound::Mode::Paper ? "bound as printed" : "sound bound, of a sum";
    for (double x : shares) {
      const LinkagePoint point =
          level == LinkageLevel::II ? LinkagePoint{level, x, 0}
                                    : LinkagePoint{level, level == LinkageLevel::IV ? usual : 0, x};
      auto promised = promises.at(point, usual_k, release, mode);
      if (!promised) continue;
      series.xs.push_back(x);
      series.ys.push_back(promised->rate);
    }
    return series;
  }

  // The bound and the attack on one plot, and whether they cross.
  void draw_bounds(const GraphBed& bed, const Evaluation& evaluation) {
    const attack::Promises promises(*bed.graph);
    const auto held = hold_against(evaluation, promises);
    for (std::size_t i = 0; i < 3; ++i) {
      const LinkageLevel level = curved_levels[i];
      auto measured = lines(evaluation.rows, shares, [&](double x) {
        return std::pair(level == LinkageLevel::II
                             ? LinkagePoint{level, x, 0}
                             : LinkagePoint{level, level == LinkageLevel::IV ? usual : 0, x},
                         usual_k);
      });
      measured.resize(3);  // under mle
      for (auto mode : {bound::Mode::Paper, bound::Mode::Sound}) {
        auto series = bound_series(promises, weakest(evaluation), level, mode);
        if (!series.xs.empty()) measured.push_back(std::move(series));
        judge_bound(bed, evaluation, held, level, mode, bounds_[i]);
      }
      bounds_[i].charts.push_back({bed.name, std::move(measured)});
    }
  }

  // Each rate against the bound of its own release.
  static void judge_bound(const GraphBed& bed, const Evaluation& evaluation,
                          const std::vector<attack::HeldAgainst>& held, LinkageLevel level,
                          bound::Mode mode, Figure& figure) {
    std::size_t judged = 0, crossed = 0;
    std::string first;
    for (std::size_t i = 0; i < held.size(); ++i) {
      const EvaluationRow& row = evaluation.rows[i];
      const bool paper = mode == bound::Mode::Paper;
      const auto& promised = paper ? held[i].paper : held[i].sound;
      if (row.level != level || !promised || row.attack == "mle-any-label") continue;
      ++judged;
      if (!(paper ? held[i].crosses_paper : held[i].crosses_sound)) continue;
      if (crossed++ == 0) {
        first = fmt::format("; first {}, {} at lambda1 = {:g}, lambda2 = {:g}: {} against {}",
                            row.technique, row.attack, row.lambda1, row.lambda2, share_text(row.fu),
                            share_text(promised->rate));
      }
    }
    const std::string found = fmt::format("{} of {} rates above{}", crossed, judged, first);
    if (mode == bound::Mode::Paper) {
      add_verdict(figure, "no rate lies above the bound as printed", bed.name,
                  {crossed == 0, found});
    } else {
      figure.notes.push_back(fmt::format("{}, sound bound of a sum: {}.", bed.name, found));
    }
  }

  // Points and attacks as categories, variants as series.
  void draw_variants(const GraphBed& bed) {
    std::vector<Series> all;
    auto points = usual_points();
    points.push_back({LinkageLevel::Self});
    for (const Contestant& variant : variants()) {
      if (bed.graph->nodes() > 50'000 && variant.options.window > 64) {
        lab_.note(fmt::format("{}: {} was left out for its time", bed.name, variant.name));
        continue;
      }
      Rows rows = evaluate(bed, {variant}, {usual_k}, points).rows;
      Series series{variant.name, {}, {}, {}};
      for (std::size_t i = 0; i < rows.size(); ++i)
        add(series, static_cast<double>(i + 1), rows[i]);
      if (!rows.empty()) all.push_back(std::move(series));
    }
    all_variants_.charts.push_back({bed.name, std::move(all)});
  }

  Lab& lab_;
  Report& report_;
  std::vector<GraphBed> beds_;
  Figure table_{"kanon-table-3",
                "Table III: users identified without background, k = 6",
                "On Gowalla, IA 18% (BAS 17.9%), CA 17.8% (17.4%), BE 17% (16.9%).",
                "technique and attack",
                "identified users",
                Look::Dots,
                {"ia, mle", "ca, mle", "be, mle", "ia, bas", "ca, bas", "be, bas"},
                {},
                {},
                {"The paper does not say when a user counts as identified, nor how a release "
                 "looks. The own-label rule (nobody befriends himself) was added after seeing that "
                 "the table exceeds one in six; it decides the result of CA, whose sets hold "
                 "friends. Without it every technique gives (number of sets) / users."}};
  static Figure figure6(const char* id, const char* title, const char* x) {
    return {id, title,
            "Shares grow with background; level IV is above III, and III above II; MLE is above "
            "BAS; CA and IA are above BE.",
            x, "identified users"};
  }
  Figure six_a_ = figure6("kanon-6a", "Figure 6(a): level II by lambda1, k = 6", "lambda1");
  Figure six_b_ = figure6("kanon-6b", "Figure 6(b): level III by lambda2, k = 6", "lambda2");
  Figure six_c_ =
      figure6("kanon-6c", "Figure 6(c): level IV by lambda2, lambda1 = .2, k = 6", "lambda2");
  Figure six_d_ =
      figure6("kanon-6d", "Figure 6(d): level IV by lambda1, lambda2 = .2, k = 6", "lambda1");
  static Figure figure7(const char* id, const char* level) {
    return {id, fmt::format("Figure 7: level {} by k, shares .2", level),
            "Shares fall with k, less so with more background; BE is lowest.", "k",
            "identified users"};
  }
  Figure sevens_[4] = {figure7("kanon-7a", "I"), figure7("kanon-7b", "II"),
                       figure7("kanon-7c", "III"), figure7("kanon-7d", "IV")};
  static constexpr LinkageLevel curved_levels[3] = {LinkageLevel::II, LinkageLevel::III,
                                                    LinkageLevel::IV};
  static Figure figure_of_bound(const char* id, const char* title, const char* x) {
    return {id,
            title,
            "The theorem is meant to bound what the attacks of its level achieve.",
            x,
            "identified users",
            Look::Lines,
            {},
            {},
            {},
            {"A guarantee (epsilon, delta) lets somebody who looks for a list among the m of its "
             "set be right with probability (e^epsilon + (m - 1) delta) / (e^epsilon + m - 1) at "
             "most; users all of whose friends are known count as identified, in the bound as in "
             "the rates. As printed, the theorem is claimed of every k-anonymous release: a rate "
             "above it shows that it does not hold. The sound bound is proved of a sum over all "
             "users; levels I and III: if lists were independent. A release shows lists, which is "
             "more, so that a rate above it contradicts "
             "nothing and shows that lists are not protected like sums. Bounds are drawn for the "
             "weakest of the three releases; verdicts take each release with its own. Where no "
             "bound is drawn, none exists."}};
  }
  Figure bounds_[3] = {
      figure_of_bound("kanon-bound-2", "Theorem 3 and level II, k = 6", "lambda1"),
      figure_of_bound("kanon-bound-3", "Theorem 4 and level III, k = 6", "lambda2"),
      figure_of_bound("kanon-bound-4", "Theorem 5 and level IV, lambda1 = .2, k = 6", "lambda2")};
  Figure all_variants_{
      "kanon-variants",
      "Every variant that was run, k = 6, shares .2",
      "",
      "level and attack",
      "identified users",
      Look::Rates,
      {"I, mle", "I, mle any label", "I, bas", "II, mle", "II, mle any label", "II, bas",
       "III, mle", "III, mle any label", "III, bas", "IV, mle", "IV, mle any label", "IV, bas",
       "self, mle", "self, mle any label", "self, bas"},
      {},
      {},
      {"ia: optimal groups, edges are added and deleted; ca: SaNGreeA; be: greedy, window 64. ia, "
       "greedy groups: the same editing. ia, only adds: a supergraph. be, similar: windows of 64 "
       "and more; ours, and not what the paper means by BE. random: random sets.",
       "Level self has no background at all: labels mean the same in every list, "
       "so that the release is read against itself. The paper does not consider "
       "it."}};
};

void draw(Lab& lab, Report& report) { Study(lab, report).run(); }

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) {
  return rankveil::figures::run_program(
      count, words, "Table III and figures 6 and 7: identified users of a friendship graph.",
      rankveil::figures::Asking::Rows, rankveil::figures::draw);
}
