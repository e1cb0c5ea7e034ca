#include "rankveil/audit/people/people_law.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rankveil::audit {

namespace {

std::vector<std::uint32_t> counts_of(const std::vector<std::uint32_t>& codes,
                                     std::uint32_t domain) {
  std::vector<std::uint32_t> counts(domain, 0);
  for (std::uint32_t code : codes) ++counts[code];
  return counts;
}

// Codes that enough people have, numbered.
std::vector<std::uint16_t> features_of(const std::vector<std::uint32_t>& counts,
                                       std::uint32_t support, std::uint32_t& features) {
  std::vector<std::uint16_t> number(counts.size(), no_feature);
  features = 0;
  for (std::size_t code = 0; code < counts.size(); ++code) {
    if (counts[code] >= support) number[code] = static_cast<std::uint16_t>(features++);
  }
  return number;
}

FeatureColumn column_of_features(const std::vector<std::uint16_t>& feature_of,
                                 std::uint32_t features, const std::vector<std::uint32_t>& codes) {
  FeatureColumn column;
  column.features = features;
  column.of_row.reserve(codes.size());
  for (std::uint32_t code : codes) column.of_row.push_back(feature_of[code]);
  return column;
}

void add_weights(const Multinomial& model, std::uint32_t column, std::uint16_t feature,
                 std::vector<double>& scores) {
  if (feature == no_feature) return;
  auto weights = model.weights(column, feature);
  for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += weights[k];
}

// exp(score - largest); returns the largest.
double take_exponentials(std::vector<double>& scores) {
  double largest = *std::max_element(scores.begin(), scores.end());
  for (double& score : scores) score = std::exp(score - largest);
  return largest;
}

}  // namespace

PeopleLaw::Classes PeopleLaw::classes_of(const std::vector<std::uint32_t>& codes,
                                         std::uint32_t domain, std::uint32_t lump) {
  std::vector<std::uint32_t> counts = counts_of(codes, domain);
  Classes classes{std::vector<std::uint16_t>(domain), std::vector<double>(domain, 0)};
  double rare = 0;
  std::uint64_t rare_rows = 0;
  for (std::uint32_t code = 0; code < domain; ++code) {
    bool common = counts[code] >= lump;
    if (common) classes.of_code[code] = static_cast<std::uint16_t>(classes.count++);
    rare += common ? 0 : counts[code] + 1.0;
    rare_rows += common ? 0 : counts[code];
  }
  // Where nobody at all has a rare value, the last common class stands for it, with hardly a part.
  bool own_class = rare_rows > 0 || classes.count == 0;
  std::uint32_t rare_class = own_class ? classes.count++ : classes.count - 1;
  double part = own_class ? 1 : 1 / static_cast<double>(codes.size());
  for (std::uint32_t code = 0; code < domain; ++code) {
    if (counts[code] >= lump) continue;
    classes.of_code[code] = static_cast<std::uint16_t>(rare_class);
    classes.log_part[code] = std::log(part * (counts[code] + 1.0) / rare);
  }
  return classes;
}

void PeopleLaw::learn_link(const CodedRows& people, std::size_t place, const LawOptions& options) {
  const auto& own = people.codes[columns_.block[place]];
  Link& link = links_.emplace_back();
  link.classes = classes_of(own, people.domains[columns_.block[place]], options.lump);
  std::vector<FeatureColumn> columns;
  for (std::size_t i = 0; i < columns_.given.size() + place; ++i) {
    std::uint32_t column =
        i < columns_.given.size() ? columns_.given[i] : columns_.block[i - columns_.given.size()];
    columns.push_back(column_of_features(feature_of_[i], features_[i], people.codes[column]));
  }
  std::vector<std::uint16_t> labels;
  labels.reserve(own.size());
  for (std::uint32_t code : own) labels.push_back(link.classes.of_code[code]);
  link.model = fit_multinomial(columns, labels, link.classes.count,
                               {.ridge = options.ridge, .threads = options.threads});
}

PeopleLaw PeopleLaw::learn(const CodedRows& people, const LawColumns& columns,
                           const LawOptions& options) {
  assert(people.rows > 0 && "somebody must be there to learn from");
  PeopleLaw law;
  law.columns_ = columns;
  for (const auto* list : {&columns.given, &columns.block}) {
    for (std::uint32_t column : *list) {
      auto counts = counts_of(people.codes[column], people.domains[column]);
      law.feature_of_.push_back(features_of(counts, options.support, law.features_.emplace_back()));
    }
  }
  for (std::size_t place = 0; place < columns.block.size(); ++place) {
    law.learn_link(people, place, options);
  }
  return law;
}

std::vector<double> PeopleLaw::scores_of_row(const Link& link, const CodedRows& rows,
                                             std::uint32_t row) const {
  std::vector<double> scores(link.classes.count);
  for (std::uint32_t k = 0; k < scores.size(); ++k) scores[k] = link.model.intercept(k);
  for (std::uint32_t i = 0; i < columns_.given.size(); ++i) {
    std::uint32_t code = rows.codes[columns_.given[i]][row];
    add_weights(link.model, i, feature_of_[i][code], scores);
  }
  return scores;
}

std::vector<double> PeopleLaw::scores_of_vector(const Link& link, std::size_t place,
                                                const BlockVector& vector) const {
  std::vector<double> scores(link.classes.count, 0);
  for (std::size_t before = 0; before < place; ++before) {
    auto column = static_cast<std::uint32_t>(columns_.given.size() + before);
    add_weights(link.model, column, feature_of_[column][vector[before]], scores);
  }
  return scores;
}

// What the columns of a block before this one say about its classes, for each vector.
struct PeopleLaw::Said {
  std::vector<std::vector<double>> logs;     // their largest is 0
  std::vector<std::vector<double>> factors;  // exponentials of the same
};

// Nothing comes before the first column of a block: then all vectors say the same.
PeopleLaw::Said PeopleLaw::said_by(const std::vector<BlockVector>& vectors, const Link& link,
                                   std::size_t place) const {
  Said said;
  for (std::size_t t = 0; t < (place == 0 ? 1 : vectors.size()); ++t) {
    auto& logs = said.logs.emplace_back(scores_of_vector(link, place, vectors[t]));
    auto& factors = said.factors.emplace_back(logs);
    double largest = take_exponentials(factors);
    for (double& score : logs) score -= largest;
  }
  return said;
}

// The sum over classes of what row and vector say, in products: no exponential for each pair.
void PeopleLaw::fill_log_chances(const CodedRows& rows, std::span<const std::uint32_t> which,
                                 std::span<const std::uint8_t> wanted,
                                 const std::vector<BlockVector>& vectors,
                                 ChanceTable& table) const {
  if (vectors.empty()) return;
  for (std::size_t place = 0; place < links_.size(); ++place) {
    const Link& link = links_[place];
    const Said said = said_by(vectors, link, place);
    std::vector<double> log_sums(said.factors.size());
    for (std::uint32_t i = 0; i < which.size(); ++i) {
      if (wanted[i] == 0) continue;
      std::vector<double> scores = scores_of_row(link, rows, which[i]);
      std::vector<double> own = scores;
      double largest = take_exponentials(own);
      for (std::size_t s = 0; s < log_sums.size(); ++s) {
        double sum = 0;
        for (std::size_t k = 0; k < own.size(); ++k) sum += own[k] * said.factors[s][k];
        log_sums[s] = std::log(std::max(sum, 1e-300));
      }
      for (std::uint32_t t = 0; t < vectors.size(); ++t) {
        std::size_t s = place == 0 ? 0 : t;
        std::uint32_t code = vectors[t][place];
        std::uint16_t label = link.classes.of_code[code];
        double log_chance = scores[label] - largest + said.logs[s][label] - log_sums[s] +
                            link.classes.log_part[code];
        table(i, t) = (place == 0 ? 0 : table(i, t)) + log_chance;
      }
    }
  }
}

}  // namespace rankveil::audit
