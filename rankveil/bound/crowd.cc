#include "rankveil/bound/crowd.h"

#include <algorithm>
#include <cmath>

namespace rankveil::bound {

namespace {

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

struct Contribution {
  double amount;
  std::uint64_t people;
};

using Field = double (*)(const Moments&);

std::vector<Contribution> contributions(const Crowd& crowd, Field field) {
  std::vector<Contribution> all;
  all.reserve(crowd.size());
  for (const Kind& kind : crowd) all.push_back({field(kind.moments), kind.people});
  return all;
}

// The sum of the `people` smallest contributions.
double least_sum(std::vector<Contribution> all, std::uint64_t people) {
  std::sort(all.begin(), all.end(), [](const Contribution& left, const Contribution& right) {
    return left.amount < right.amount;
  });
  double sum = 0;
  for (const Contribution& one : all) {
    std::uint64_t taken = std::min(people, one.people);
    sum += one.amount * static_cast<double>(taken);
    people -= taken;
  }
  return sum;
}

double largest_sum(std::vector<Contribution> all, std::uint64_t people) {
  for (Contribution& one : all) one.amount = -one.amount;
  return -least_sum(std::move(all), people);
}

double total(const Crowd& crowd, Field field) {
  double sum = 0;
  for (const Kind& kind : crowd) sum += field(kind.moments) * static_cast<double>(kind.people);
  return sum;
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

Sums expected_sums(const Crowd& crowd, double known_share) {
  double unknown = 1 - known_share;
  Sums sums;
  sums.people = unknown * static_cast<double>(people_in(crowd));
  sums.variance = unknown * total(crowd, variance);
  sums.variance_of_others = std::max(0.0, sums.variance - largest_variance(crowd));
  sums.variance_3_2 = unknown * total(crowd, variance_3_2);
  sums.third = unknown * total(crowd, third);
  sums.absolute_third = unknown * total(crowd, absolute_third);
  sums.fourth = unknown * total(crowd, fourth);
  sums.raw_third = unknown * total(crowd, raw_third);
  sums.raw_fourth = unknown * total(crowd, raw_fourth);
  return sums;
}

Sums worst_sums(const Crowd& crowd, double known_share) {
  std::uint64_t people = people_in(crowd);
  auto known = static_cast<std::uint64_t>(std::min(
      static_cast<double>(people), std::ceil(known_share * static_cast<double>(people) - 1e-9)));
  std::uint64_t unknown = people - known;
  Sums sums;
  sums.people = static_cast<double>(unknown);
  sums.variance = least_sum(contributions(crowd, variance), unknown);
  sums.variance_of_others =
      unknown == 0 ? 0 : least_sum(contributions(crowd, variance), unknown - 1);
  sums.variance_3_2 = largest_sum(contributions(crowd, variance_3_2), unknown);
  sums.third = largest_sum(contributions(crowd, third), unknown);
  sums.absolute_third = largest_sum(contributions(crowd, absolute_third), unknown);
  sums.fourth = largest_sum(contributions(crowd, fourth), unknown);
  sums.raw_third = largest_sum(contributions(crowd, raw_third), unknown);
  sums.raw_fourth = largest_sum(contributions(crowd, raw_fourth), unknown);
  return sums;
}

}  // namespace rankveil::bound
