// All that the levels of one audit share: groups, profiles as numbers, laws.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/audit/levels.h"
#include "rankveil/audit/likelihood.h"
#include "rankveil/base/result.h"

namespace rankveil::audit {

// How a scheme's posterior is had.
enum class Form {
  Unknown,  // no mechanism is known
  Product,  // prior x likelihoods of attributes
  Swap,     // in closed form, from the vector that a row shows
  Fitted,   // by models of people (people/coin_level.h)
  Cluster,  // the profile is the posterior
};

class Knowledge {
 public:
  // Refuses profiles, populations and releases that do not belong to the table, and mechanisms that
  // cannot be.
  static Result<std::unique_ptr<const Knowledge>> make(const Observed& observed,
                                                       std::uint32_t threads);

  const Table& table() const { return observed_.table; }
  const Observed& observed() const { return observed_; }
  Form form() const { return form_; }
  std::string_view scheme() const;
  std::uint32_t width() const { return observed_.table.schema().private_count(); }
  std::uint32_t domain(std::uint32_t attribute) const { return domains_[attribute]; }
  std::uint32_t threads() const { return threads_; }
  const KnownGroups& groups() const { return groups_; }
  std::uint64_t rows_up_the_ladder() const;
  // Whether the groups are those that rows were protected in.
  bool knows_batches() const;
  // Whether all rows are still in the groups that they were released in.
  bool groups_are_whole() const;
  // Whether the row is an attempt.
  bool counts(RowId row) const {
    return observed_.sight == nullptr || observed_.sight->attacked[+row] != 0;
  }
  // Attempts whose known profiles the law does not make of their true values.
  std::uint64_t rows_against_the_law() const;
  // Whether any profile of an attempt is known; whether all are, of all rows of a group of several.
  bool knows_any() const;
  bool knows_a_group() const;

  const Strengths& strengths(std::uint32_t attribute, std::uint32_t kind) const {
    return dictionaries_[attribute].of(kind);
  }
  // ReleaseKinds 0 is the observed one. Of `swap`, the signals of releases.
  const ReleaseKinds& release(std::size_t number) const { return releases_[number]; }
  std::size_t releases() const { return releases_.size(); }
  const ReleaseKinds& signals(std::size_t number) const { return signals_[number]; }
  const Strengths& signal(std::uint32_t attribute, std::uint32_t kind) const {
    return signal_dictionaries_[attribute].of(kind);
  }
  // Null unless the form is Product.
  const Likelihood* law(std::size_t number) const { return laws_[number].get(); }
  // By code of the attribute, 1: no finding is about it. Empty: none is spared.
  const std::vector<std::uint8_t>& spared(std::uint32_t attribute) const {
    return spared_[attribute];
  }
  // Shares of the whole table, by code.
  const std::vector<double>& table_shares(std::uint32_t attribute) const {
    return table_shares_[attribute];
  }
  // Rows of another population that are like the group's, as finely as there are any. Empty when
  // there is no population.
  std::vector<RowId> population_like(const KnownGroup& group) const;

  const KindNumbers& dictionary(std::uint32_t attribute) const { return dictionaries_[attribute]; }
  const Task* task() const { return task_ ? &*task_ : nullptr; }

 private:
  Knowledge(const Observed& observed, std::uint32_t threads);
  Status check() const;
  Status prepare();
  Status read_releases();
  void hide_absent();
  void hide_unknown();
  Status find_groups();
  void find_repeats();
  Status find_laws();
  void count_shares();
  void find_spared();

  Observed observed_;
  std::uint32_t threads_;
  Workload no_workload_;
  Demand no_demand_;
  SecretKey key_;
  std::vector<std::uint32_t> domains_;
  std::optional<Task> task_;  // always there once prepared; without a mechanism, an empty one
  std::optional<Task> population_task_;
  Form form_ = Form::Unknown;
  KnownGroups groups_;
  Dictionaries dictionaries_, signal_dictionaries_;
  std::vector<ReleaseKinds> releases_, signals_;
  std::vector<std::unique_ptr<const Likelihood>> laws_;
  std::vector<std::vector<double>> table_shares_;
  std::vector<std::vector<std::uint8_t>> spared_;
  struct Rung;
  std::vector<std::shared_ptr<const Rung>> rungs_;  // of the population
};

// A profile that tells nothing: in a further release, what the row showed before; in one that
// attacks recovered, what they did not.
inline constexpr std::uint32_t untold = KindNumbers::none;

}  // namespace rankveil::audit
