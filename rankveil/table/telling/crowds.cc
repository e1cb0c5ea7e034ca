#include "rankveil/table/telling/crowds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "rankveil/base/parallel.h"
#include "rankveil/table/number_text.h"
#include "rankveil/table/row_groups.h"

namespace rankveil {

namespace {

constexpr std::uint32_t no_group = 0xFFFFFFFF;

// A way to show a column: which of its codes are shown as one.
struct Grain {
  Binning bins = {};
  std::vector<std::uint16_t> shown_as = {};  // by code; the last one is that of a missing value
  std::uint32_t values = 0;
  double kept = 0;  // share of the column's entropy
};

struct Candidate {
  AttributeId attribute;
  std::vector<Grain> grains = {};         // from coarse to fine
  std::optional<std::size_t> shown = {};  // the grain in use
  std::size_t next = 0;                   // finer ones from here may still be taken
};

double entropy(const std::vector<std::uint64_t>& counts) {
  double all = 0, sum = 0;
  for (auto count : counts) all += static_cast<double>(count);
  for (auto count : counts) {
    if (count > 0)
      sum -= static_cast<double>(count) / all * std::log2(static_cast<double>(count) / all);
  }
  return sum;
}

std::vector<std::uint64_t> rows_by_code(const Column& column) {
  std::vector<std::uint64_t> counts(column.domain_size() + 1);
  std::uint64_t present = 0;
  column.for_each([&](std::size_t, std::uint32_t code) {
    ++counts[code];
    ++present;
  });
  counts.back() = column.size() - present;
  return counts;
}

Grain whole_grain(std::uint32_t domain) {
  Grain grain;
  for (std::uint32_t code = 0; code <= domain; ++code)
    grain.shown_as.push_back(static_cast<std::uint16_t>(code));
  grain.values = domain;
  grain.kept = 1;
  return grain;
}

// Where one code ends and the next begins, as numbers: edges of bins, or the numbers themselves.
std::vector<double> boundaries(const Attribute& attribute, const ColumnPolicy* column) {
  if (column != nullptr) {
    if (const auto* edges = std::get_if<BinEdges>(&column->bins)) return edges->edges;
    if (!std::holds_alternative<std::monostate>(column->bins) || !column->domain.empty()) return {};
  }
  std::vector<double> numbers;
  for (const std::string& value : attribute.domain.values()) {
    auto number = number_from_text(value);
    if (!number) return {};
    numbers.push_back(*number);
  }
  if (!numbers.empty()) numbers.erase(numbers.begin());
  return numbers;
}

// Neighbours joined into about `parts` bins of as many rows each.
std::optional<Grain> joined(const std::vector<double>& boundaries,
                            const std::vector<std::uint64_t>& counts, std::size_t parts) {
  std::uint64_t all = 0, below = 0;
  for (std::size_t code = 0; code + 1 < counts.size(); ++code) all += counts[code];
  BinEdges edges;
  Grain grain;
  std::uint16_t bin = 0;
  std::uint64_t full = all / parts;
  for (std::size_t code = 0; code + 1 < counts.size(); ++code) {
    if (code > 0 && bin + 1u < parts && below > 0 && below >= full) {
      edges.edges.push_back(boundaries[code - 1]);
      ++bin;
      full = below + (all - below) / (parts - bin);
    }
    grain.shown_as.push_back(bin);
    below += counts[code];
  }
  if (edges.edges.empty()) return std::nullopt;
  grain.values = bin + 1u;
  grain.shown_as.push_back(static_cast<std::uint16_t>(bin + 1));
  grain.bins = std::move(edges);
  return grain;
}

double kept_by(const Grain& grain, const std::vector<std::uint64_t>& counts) {
  std::vector<std::uint64_t> shown(grain.values + 1);
  for (std::size_t code = 0; code < counts.size(); ++code)
    shown[grain.shown_as[code]] += counts[code];
  double whole = entropy(counts);
  return whole == 0 ? 1 : entropy(shown) / whole;
}

Candidate candidate(const Table& table, const Policy& policy, AttributeId attribute) {
  const Attribute& about = table.schema()[attribute];
  Candidate made{.attribute = attribute};
  auto counts = rows_by_code(table.column(attribute));
  auto between = boundaries(about, policy.find(about.name));
  if (between.size() + 1 == about.domain.size()) {
    for (std::size_t parts : {2, 3, 4, 6}) {
      if (about.domain.size() <= parts) continue;
      auto grain = joined(between, counts, parts);
      if (!grain || (!made.grains.empty() && grain->values <= made.grains.back().values)) continue;
      grain->kept = kept_by(*grain, counts);
      made.grains.push_back(std::move(*grain));
    }
  }
  made.grains.push_back(whole_grain(about.domain.size()));
  return made;
}

// A step that could be taken next, and what it does.
struct Way {
  std::size_t candidate = 0, grain = 0;
  std::uint64_t covered = 0;
};

class Search {
 public:
  Search(const Table& table, const Policy& policy, const CrowdsAsked& asked)
      : table_(table), asked_(asked) {
    for (AttributeId attribute : public_attributes(table.schema())) {
      candidates_.push_back(candidate(table, policy, attribute));
    }
    covered_ = table.rows();
  }

  CrowdsProposal run();

 private:
  // Groups of the rows by all columns that are shown but one; rows without a crowd have none.
  struct Groups {
    std::vector<std::uint32_t> of;
    std::uint32_t count = 0;
  };

  Groups all_in_one() const { return {std::vector<std::uint32_t>(table_.rows(), 0), 1}; }
  Groups split(const Groups& groups, const Candidate& by, const Grain& grain) const;
  std::uint64_t covered_after(const Groups& groups, const Candidate& by, const Grain& grain) const;
  Groups groups_without(std::size_t left_out) const;
  std::vector<Way> ways() const;
  double kept() const;
  double kept_with(const Way& way) const;
  const Way* best(const std::vector<Way>& ways, std::uint64_t least) const;
  CrowdStep take(const Way& way);
  void drop_hopeless(const std::vector<Way>& ways, std::uint64_t least);

  const Table& table_;
  CrowdsAsked asked_;
  std::vector<Candidate> candidates_;
  Groups shown_;  // by all columns that are shown
  std::uint64_t covered_ = 0;
};

// Rows by group and value, counted in a table: few groups are large enough to be left.
template <typename Visit>
void for_each_pair(const Table& table, const Candidate& by, const Grain& grain, Visit visit) {
  const Column& column = table.column(by.attribute);
  auto over = [&](const auto& codes) {
    for (std::size_t row = 0; row < codes.size(); ++row) visit(row, grain.shown_as[codes[row]]);
  };
  column.is_narrow() ? over(column.narrow()) : over(column.wide());
}

std::uint64_t Search::covered_after(const Groups& groups, const Candidate& by,
                                    const Grain& grain) const {
  std::size_t width = grain.values + 1;
  std::vector<std::uint32_t> sizes(groups.count * width);
  for_each_pair(table_, by, grain, [&](std::size_t row, std::uint16_t value) {
    if (groups.of[row] != no_group) ++sizes[groups.of[row] * width + value];
  });
  std::uint64_t covered = 0;
  for (std::uint32_t size : sizes) covered += size >= asked_.crowd ? size : 0;
  return covered;
}

Search::Groups Search::split(const Groups& groups, const Candidate& by, const Grain& grain) const {
  std::size_t width = grain.values + 1;
  std::vector<std::uint32_t> sizes(groups.count * width);
  for_each_pair(table_, by, grain, [&](std::size_t row, std::uint16_t value) {
    if (groups.of[row] != no_group) ++sizes[groups.of[row] * width + value];
  });
  Groups made{std::vector<std::uint32_t>(groups.of.size(), no_group)};
  std::vector<std::uint32_t> number(sizes.size(), no_group);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] >= asked_.crowd) number[i] = made.count++;
  }
  for_each_pair(table_, by, grain, [&](std::size_t row, std::uint16_t value) {
    if (groups.of[row] != no_group) made.of[row] = number[groups.of[row] * width + value];
  });
  return made;
}

Search::Groups Search::groups_without(std::size_t left_out) const {
  Groups groups = all_in_one();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (i == left_out || !candidates_[i].shown) continue;
    groups = split(groups, candidates_[i], candidates_[i].grains[*candidates_[i].shown]);
  }
  return groups;
}

// A grain in use is replaced, so its groups are made without it. Finer bins need not fall into
// coarser ones.
std::vector<Way> Search::ways() const {
  std::vector<std::vector<Way>> by_candidate(candidates_.size());
  parallel_for(candidates_.size(), asked_.threads, [&](std::size_t i) {
    const Candidate& one = candidates_[i];
    if (one.next >= one.grains.size()) return;
    std::optional<Groups> others;
    if (one.shown) others = groups_without(i);
    for (std::size_t grain = one.next; grain < one.grains.size(); ++grain) {
      by_candidate[i].push_back(
          {i, grain, covered_after(others ? *others : shown_, one, one.grains[grain])});
    }
  });
  std::vector<Way> all;
  for (const auto& some : by_candidate) all.insert(all.end(), some.begin(), some.end());
  return all;
}

double Search::kept() const {
  double sum = 0;
  for (const Candidate& one : candidates_) sum += one.shown ? one.grains[*one.shown].kept : 0;
  return candidates_.empty() ? 0 : sum / static_cast<double>(candidates_.size());
}

double Search::kept_with(const Way& way) const {
  const Candidate& one = candidates_[way.candidate];
  double before = one.shown ? one.grains[*one.shown].kept : 0;
  return one.grains[way.grain].kept - before;
}

const Way* Search::best(const std::vector<Way>& ways, std::uint64_t least) const {
  const Way* best = nullptr;
  double most = 0;
  for (const Way& way : ways) {
    double gain = kept_with(way);
    if (way.covered < least || gain <= 0) continue;
    double lost = static_cast<double>(covered_ > way.covered ? covered_ - way.covered : 0);
    double worth = gain / (lost / static_cast<double>(table_.rows()) + 0.001);
    if (worth > most) {
      most = worth;
      best = &way;
    }
  }
  return best;
}

CrowdStep Search::take(const Way& way) {
  Candidate& one = candidates_[way.candidate];
  Groups others = one.shown ? groups_without(way.candidate) : std::move(shown_);
  one.shown = way.grain;
  one.next = way.grain + 1;
  shown_ = split(others, one, one.grains[way.grain]);
  covered_ = way.covered;
  const Grain& grain = one.grains[way.grain];
  return {.column = table_.schema()[one.attribute].name,
          .bins = grain.bins,
          .is_whole = way.grain + 1 == one.grains.size(),
          .values = grain.values,
          .kept = kept(),
          .covered = static_cast<double>(covered_) / table_.rows()};
}

// Once a column costs too many rows, it does so ever after: showing more only splits further.
void Search::drop_hopeless(const std::vector<Way>& ways, std::uint64_t least) {
  for (Candidate& one : candidates_) {
    bool some = std::any_of(ways.begin(), ways.end(), [&](const Way& way) {
      return &candidates_[way.candidate] == &one && way.covered >= least;
    });
    if (!some) one.next = one.grains.size();
  }
}

CrowdsProposal Search::run() {
  constexpr std::size_t max_beyond = 8;
  CrowdsProposal made{.asked = asked_, .columns = static_cast<std::uint32_t>(candidates_.size())};
  if (table_.rows() == 0) return made;
  Groups all = all_in_one();
  std::uint64_t covered = table_.rows();
  for (const Candidate& one : candidates_) {
    covered = covered_after(all, one, one.grains.back());
    all = split(all, one, one.grains.back());
  }
  made.covered_by_all = static_cast<double>(covered) / table_.rows();
  auto least = static_cast<std::uint64_t>(std::ceil(asked_.share * table_.rows()));
  shown_ = all_in_one();
  for (auto next = ways(); const Way* way = best(next, least); next = ways()) {
    made.steps.push_back(take(*way));
    drop_hopeless(next, least);
  }
  for (Candidate& one : candidates_) one.next = one.shown ? *one.shown + 1 : 0;
  while (made.beyond.size() < max_beyond) {
    auto next = ways();
    const Way* way = best(next, 0);
    if (way == nullptr) break;
    made.beyond.push_back(take(*way));
  }
  return made;
}

}  // namespace

CrowdsProposal propose_crowds(const Table& table, const Policy& policy, const CrowdsAsked& asked) {
  return Search(table, policy, asked).run();
}

Policy with_crowds(Policy policy, const CrowdsProposal& proposed) {
  std::map<std::string, const CrowdStep*> last;
  for (const CrowdStep& step : proposed.steps) last[step.column] = &step;
  for (ColumnPolicy& column : policy.columns) {
    if (column.role != Role::Public) continue;
    auto step = last.find(column.name);
    if (step == last.end()) {
      column.role = Role::Ignored;
      column.bins = {};
      column.domain.clear();
    } else if (!step->second->is_whole) {
      column.bins = step->second->bins;
    }
  }
  policy.ladder.clear();
  return policy;
}

}  // namespace rankveil
