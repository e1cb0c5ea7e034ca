#include "rankveil/audit/people/share_judge.h"

#include <array>
#include <cmath>
#include <numeric>

#include "rankveil/audit/people/learners.h"

namespace rankveil::audit {

namespace {

class ShareJudge {
 public:
  explicit ShareJudge(const ShareTask& task)
      : task_(task), learners_(task.truth, task.population, task.effort, task.seed, task.threads) {}

  std::optional<ShareJudgement> run() {
    if (!learners_.enough()) return std::nullopt;
    rows_ = drawn(all_rows_of(task_.truth), most_judged, task_.seed ^ 0x5a4e);
    std::size_t width = task_.truth.codes.size() - task_.publics;
    ShareJudgement made{std::vector<GainCounts>(width, GainCounts(task_.bound)),
                        std::vector<Tally>(width), std::vector<Tally>(width)};
    for (std::uint32_t j = 0; j < width; ++j) judge(j, made);
    return made;
  }

 private:
  std::uint32_t codes(std::uint32_t j) const { return task_.truth.domains[task_.publics + j]; }

  // [row][code], by people who were not learnt from.
  ChanceTable believed_before(std::uint32_t j) const {
    LawColumns columns{{}, {task_.publics + j}};
    columns.given.resize(task_.publics);
    std::iota(columns.given.begin(), columns.given.end(), 0U);
    return chances_of_values(learners_.learn(columns), learners_, task_.truth, rows_,
                             task_.publics + j);
  }

  // None at all last.
  std::vector<double> shares_of(std::uint32_t row, std::uint32_t j) const {
    const GroupShares& shares = task_.profiles.shares;
    std::uint32_t group = task_.profiles.group_of[row];
    std::vector<double> made(codes(j), 0);
    double rest = 1, size = shares.size(group);
    for (std::uint32_t code = 0; size > 0 && code + 1 < codes(j); ++code) {
      ValueId value{static_cast<std::uint16_t>(code)};
      made[code] = shares.count(group, PrivateId{j}, value) / size;
      rest -= made[code];
    }
    made.back() = std::max(0.0, rest);
    return made;
  }

  void judge(std::uint32_t j, ShareJudgement& made) const {
    ChanceTable before = believed_before(j);
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      std::span<const double> own(&before.at[std::size_t{i} * codes(j)], codes(j));
      std::vector<double> shares = shares_of(rows_[i], j);
      for (std::uint32_t code = 0; code < codes(j); ++code) {
        if (own[code] < 0.5) made.gains[j].add((shares[code] - own[code]) / (1 - own[code]));
      }
      std::array<Truth, 1> truth = {Truth{task_.truth.codes[task_.publics + j][rows_[i]], 1}};
      made.guesses[j].add(shares, own, truth);
      made.guesses_before[j].add(own, own, truth);
    }
  }

  const ShareTask& task_;
  Learners learners_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace

std::optional<ShareJudgement> judge_shares(const ShareTask& task) { return ShareJudge(task).run(); }

}  // namespace rankveil::audit
