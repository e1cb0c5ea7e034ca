#include "rankveil/graphs/bounds/crowd.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace rankveil::bound {

namespace {

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double variance(const Moments& m) { return m.variance; }
double variance_3_2(const Moments& m) { return m.variance * std::sqrt(m.variance); }
double third(const Moments& m) { return m.third; }
double absolute_third(const Moments& m) { return m.absolute_third; }
double fourth(const Moments& m) { return m.fourth; }
double raw_third(const Moments& m) { return m.raw_third; }
double raw_fourth(const Moments& m) { return m.raw_fourth; }

double largest_variance(const Crowd& crowd) {
  double largest = 0;
  for (const Kind& kind : crowd) {
    if (kind.people > 0) largest = std::max(largest, kind.moments.variance);
  }
  return largest;
}

}  // namespace

Moments moments_of(std::span<const double> values) {
  Moments moments;
  if (values.empty()) return moments;
  double mean = mean_of(values);
  for (double value : values) {
    double off = value - mean;
    moments.variance += off * off;
    moments.third += off * off * off;
    moments.absolute_third += std::abs(off * off * off);
    moments.fourth += off * off * off * off;
    moments.raw_third += value * value * value;
    moments.raw_fourth += value * value * value * value;
  }
  double count = static_cast<double>(values.size());
  for (double* sum : {&moments.variance, &moments.third, &moments.absolute_third, &moments.fourth,
                      &moments.raw_third, &moments.raw_fourth}) {
    *sum /= count;
  }
  return moments;
}

Moments moments_of_share(double p) {
  double q = 1 - p;
  Moments moments;
  moments.variance = p * q;
  moments.third = p * q * (q - p);
  moments.absolute_third = p * q * (p * p + q * q);
  moments.fourth = p * q * (p * p * p + q * q * q);
  moments.raw_third = p;
  moments.raw_fourth = p;
  return moments;
}

std::uint64_t people_in(const Crowd& crowd) {
  std::uint64_t people = 0;
  for (const Kind& kind : crowd) people += kind.people;
  return people;
}

CrowdSums::Ordered::Ordered(const Crowd& crowd, Field field, First first) {
  std::vector<std::pair<double, std::uint64_t>> all;
  all.reserve(crowd.size());
  for (const Kind& kind : crowd) all.emplace_back(field(kind.moments), kind.people);
  std::ranges::sort(all, [&](const auto& left, const auto& right) {
    return first == First::Least ? left.first < right.first : left.first > right.first;
  });
  people_ = {0};
  sums_ = {0};
  for (const auto& [amount, people] : all) {
    amounts_.push_back(amount);
    people_.push_back(people_.back() + people);
    sums_.push_back(sums_.back() + amount * static_cast<double>(people));
  }
}

double CrowdSums::Ordered::sum_of(std::uint64_t people) const {
  assert(people <= people_.back() && "there are not so many people");
  auto whole = static_cast<std::size_t>(std::ranges::upper_bound(people_, people) -
                                        people_.begin() - 1);  // kinds that are in it altogether
  if (people_[whole] == people) return sums_[whole];
  return sums_[whole] + amounts_[whole] * static_cast<double>(people - people_[whole]);
}

CrowdSums::CrowdSums(const Crowd& crowd)
    : people_(people_in(crowd)),
      largest_variance_(largest_variance(crowd)),
      variance_(crowd, variance, Ordered::First::Least),
      variance_3_2_(crowd, variance_3_2, Ordered::First::Largest),
      third_(crowd, third, Ordered::First::Largest),
      absolute_third_(crowd, absolute_third, Ordered::First::Largest),
      fourth_(crowd, fourth, Ordered::First::Largest),
      raw_third_(crowd, raw_third, Ordered::First::Largest),
      raw_fourth_(crowd, raw_fourth, Ordered::First::Largest) {}

Sums CrowdSums::expected(double known_share) const {
  double unknown = 1 - known_share;
  Sums sums;
  sums.people = unknown * static_cast<double>(people_);
  sums.variance = unknown * variance_.total();
  sums.variance_of_others = std::max(0.0, sums.variance - largest_variance_);
  sums.variance_3_2 = unknown * variance_3_2_.total();
  sums.third = unknown * third_.total();
  sums.absolute_third = unknown * absolute_third_.total();
  sums.fourth = unknown * fourth_.total();
  sums.raw_third = unknown * raw_third_.total();
  sums.raw_fourth = unknown * raw_fourth_.total();
  return sums;
}

Sums CrowdSums::worst(double known_share) const {
  auto known = static_cast<std::uint64_t>(std::min(
      static_cast<double>(people_), std::ceil(known_share * static_cast<double>(people_) - 1e-9)));
  std::uint64_t unknown = people_ - known;
  Sums sums;
  sums.people = static_cast<double>(unknown);
  sums.variance = variance_.sum_of(unknown);
  sums.variance_of_others = unknown == 0 ? 0 : variance_.sum_of(unknown - 1);
  sums.variance_3_2 = variance_3_2_.sum_of(unknown);
  sums.third = third_.sum_of(unknown);
  sums.absolute_third = absolute_third_.sum_of(unknown);
  sums.fourth = fourth_.sum_of(unknown);
  sums.raw_third = raw_third_.sum_of(unknown);
  sums.raw_fourth = raw_fourth_.sum_of(unknown);
  return sums;
}

Sums expected_sums(const Crowd& crowd, double known_share) {
  return CrowdSums(crowd).expected(known_share);
}

Sums worst_sums(const Crowd& crowd, double known_share) {
  return CrowdSums(crowd).worst(known_share);
}

}  // namespace rankveil::bound
