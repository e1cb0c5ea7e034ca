#include "bench/versus/protect/inspect.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numeric>

namespace rankveil::versus {
namespace {

using Strengths = std::vector<double>;

Strengths strengths_of(const Profiles& profiles, RowId row, PrivateId attribute,
                       std::uint32_t domain) {
  Strengths strengths(domain);
  for (std::uint32_t v = 0; v < domain; ++v) {
    strengths[v] = profiles.match(row, attribute, ValueId{static_cast<std::uint16_t>(v)});
  }
  return strengths;
}

std::size_t count_if(const Strengths& strengths, bool (*holds)(double)) {
  std::size_t count = 0;
  for (double strength : strengths) count += holds(strength) ? 1 : 0;
  return count;
}

std::size_t full(const Strengths& strengths) {
  return count_if(strengths, [](double s) { return s == 1; });
}
std::size_t some(const Strengths& strengths) {
  return count_if(strengths, [](double s) { return s > 0; });
}
double sum(const Strengths& strengths) {
  return std::accumulate(strengths.begin(), strengths.end(), 0.0);
}

// One attribute of all rows.
class ColumnInspector {
 public:
  ColumnInspector(const Task& task, const Protection& made, Form form, PrivateId attribute)
      : task_(task), made_(made), form_(form), attribute_(attribute) {}

  std::string wrong() {
    std::uint32_t domain = task_.private_column(attribute_).domain_size();
    totals_.assign(domain, 0);
    for (std::uint32_t row = 0; row < task_.table.rows(); ++row) {
      Strengths strengths = strengths_of(made_.profiles, RowId{row}, attribute_, domain);
      for (std::uint32_t v = 0; v < domain; ++v) totals_[v] += strengths[v];
      own_ = +task_.private_column(attribute_).value(RowId{row});
      if (!is_right(strengths)) {
        return fmt::format("row {}, private attribute {}: not what is owed", row, +attribute_);
      }
    }
    return wrong_totals();
  }

 private:
  bool is_right(const Strengths& strengths) {
    switch (form_) {
      case Form::Sets:
        return is_set(strengths) || is_short(strengths);
      case Form::EqualSets:
        return is_set(strengths) && full(strengths) == task_.demand.l;
      case Form::Equivalent:
        return adds_up(strengths, 1e-9) && some(strengths) >= task_.demand.l;
      case Form::Conserved:
        return adds_up(strengths, 1e-9) || (nobody_shows() && some(strengths) == 0);
      case Form::Posterior:
        return adds_up(strengths, 1e-9 + static_cast<double>(strengths.size()) *
                                             made_.report.largest_rounding);
      case Form::AtMostOne:
        return full(strengths) == some(strengths) && some(strengths) <= 1;
      case Form::Nothing:
        return some(strengths) == 0;
    }
    return false;
  }

  bool is_set(const Strengths& strengths) const {
    std::size_t size = full(strengths);
    return size == some(strengths) && size >= task_.demand.l && strengths[own_] == 1;
  }
  bool is_short(const Strengths& strengths) {
    ++short_;
    return adds_up(strengths, 1e-9);
  }
  // No group was large enough, so there are no shares either.
  bool nobody_shows() const { return made_.report.rows_without_signal == task_.table.rows(); }
  static bool adds_up(const Strengths& strengths, double off) {
    return std::abs(sum(strengths) - 1) <= off;
  }

  std::string wrong_totals() const {
    if (form_ == Form::Sets) return wrong_short();
    return form_ == Form::Conserved ? wrong_counts() : std::string();
  }

  std::string wrong_short() const {
    const auto& reported = made_.report.short_sets;
    std::uint64_t expected = reported.empty() ? 0 : reported[+attribute_];
    if (short_ == expected) return {};
    return fmt::format("private attribute {}: {} rows have shares, {} were reported", +attribute_,
                       short_, expected);
  }

  std::string wrong_counts() const {
    Strengths counts(totals_.size(), 0);
    task_.private_column(attribute_).for_each([&](std::size_t, std::uint32_t v) { ++counts[v]; });
    // Rows without a signal have shares of groups that other rows belong to.
    double others = static_cast<double>(made_.report.rows_without_signal);
    for (std::size_t v = 0; v < counts.size(); ++v) {
      if (std::abs(counts[v] - totals_[v]) <= others + 1e-6 * (1 + counts[v])) continue;
      return fmt::format("private attribute {}, value {}: strengths add up to {}, {} rows have it",
                         +attribute_, v, totals_[v], counts[v]);
    }
    return {};
  }

  const Task& task_;
  const Protection& made_;
  Form form_;
  PrivateId attribute_;
  Strengths totals_;
  std::uint32_t own_ = 0;
  std::uint64_t short_ = 0;
};

}  // namespace

std::uint64_t digest(const Task& task, const Profiles& profiles) {
  std::uint64_t state = 1;
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    std::uint32_t domain = task.private_column(PrivateId{j}).domain_size();
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      for (std::uint32_t v = 0; v < domain; ++v) {
        double strength =
            profiles.match(RowId{row}, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)});
        state = (state ^ std::bit_cast<std::uint64_t>(strength)) * 0x9e3779b97f4a7c15U;
        state ^= state >> 29;
      }
    }
  }
  return state;
}

std::string wrong_in(const Task& task, const Protection& made, Form form) {
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    std::string wrong = ColumnInspector(task, made, form, PrivateId{j}).wrong();
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace rankveil::versus
