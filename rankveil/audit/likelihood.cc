#include "rankveil/audit/likelihood.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "rankveil/audit/answer_laws.h"
#include "rankveil/audit/simulated_laws.h"
#include "rankveil/protect/sets/generalise.h"
#include "rankveil/protect/sets/pvsv.h"

namespace rankveil::audit {

namespace {

class DropLaw : public Likelihood {
 public:
  double weight(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                std::uint32_t) const override {
    return 1;
  }
};

// Sets that are a function of the value.
class ValueSetLaw : public Likelihood {
 public:
  ValueSetLaw(const std::vector<ValueSets>& sets, const Dictionaries& dictionaries) {
    for (std::size_t j = 0; j < sets.size(); ++j) {
      auto& kinds = kinds_.emplace_back();
      for (const auto& set : sets[j]) kinds.push_back(dictionaries[j].find(strengths(set)));
    }
  }

  double weight(std::uint32_t, std::uint32_t attribute, std::uint32_t kind, std::uint32_t code,
                std::uint32_t) const override {
    return kinds_[attribute][code] == kind ? 1 : 0;
  }

 private:
  static Strengths strengths(const std::vector<ValueId>& set) {
    Strengths made;
    for (ValueId value : set) made.emplace_back(+value, 1.0);
    std::sort(made.begin(), made.end());
    return made;
  }

  std::vector<std::vector<std::uint32_t>> kinds_;  // [attribute][code]
};

// All sets of l values that hold the own one are alike: 1 in C(d - 1, l - 1). A row without a value
// draws l of d.
class RandomSetLaw : public Likelihood {
 public:
  RandomSetLaw(const Task& task, const Dictionaries& dictionaries)
      : l_(task.demand.l), domains_(task.private_domain_sizes()), dictionaries_(dictionaries) {}

  double weight(std::uint32_t, std::uint32_t attribute, std::uint32_t kind, std::uint32_t code,
                std::uint32_t) const override {
    std::uint32_t domain = domains_[attribute];
    if (code == domain) return std::min(1.0, static_cast<double>(l_) / domain);
    return strength_of(dictionaries_[attribute].of(kind), code) > 0 ? 1 : 0;
  }

 private:
  std::uint32_t l_;
  std::vector<std::uint32_t> domains_;
  const Dictionaries& dictionaries_;
};

// A member of a set is any of them: values weigh as much as the set has of them. Which sets are
// made is not known in closed form; obfuscated values count as members, too.
class MemberLaw : public Likelihood {
 public:
  MemberLaw(const Task& task, const Dictionaries& dictionaries)
      : domains_(task.private_domain_sizes()), dictionaries_(dictionaries) {}

  double weight(std::uint32_t, std::uint32_t attribute, std::uint32_t kind, std::uint32_t code,
                std::uint32_t) const override {
    const Strengths& strengths = dictionaries_[attribute].of(kind);
    if (code < domains_[attribute]) return strength_of(strengths, code);
    return rest_of(strengths);
  }

 private:
  std::vector<std::uint32_t> domains_;
  const Dictionaries& dictionaries_;
};

template <typename Law, typename... Parts>
std::unique_ptr<const Likelihood> made(Parts&&... parts) {
  return std::make_unique<const Law>(std::forward<Parts>(parts)...);
}

std::vector<ValueSets> block_sets(const Task& task) {
  std::vector<ValueSets> sets;
  for (std::uint32_t domain : task.private_domain_sizes()) {
    sets.push_back(blocks_of(domain, task.demand.l));
  }
  return sets;
}

using Maker = Result<std::unique_ptr<const Likelihood>> (*)(const Scene& scene);

struct Entry {
  std::string_view scheme;
  Maker make;
  bool value_alone;
  bool hides_own;
  bool whole_vectors = false;
};

constexpr std::array entries = {
    Entry{"drop",
          [](const Scene&) -> Result<std::unique_ptr<const Likelihood>> { return made<DropLaw>(); },
          true, false},
    Entry{"pvsv",
          [](const Scene& scene) -> Result<std::unique_ptr<const Likelihood>> {
            const Task& task = scene.task;
            return made<ValueSetLaw>(pvsv_sets(task.table.schema(), task.workload, task.demand.l),
                                     scene.dictionaries);
          },
          true, false},
    Entry{"generalise",
          [](const Scene& scene) -> Result<std::unique_ptr<const Likelihood>> {
            return made<ValueSetLaw>(block_sets(scene.task), scene.dictionaries);
          },
          true, false},
    Entry{"random",
          [](const Scene& scene) -> Result<std::unique_ptr<const Likelihood>> {
            return made<RandomSetLaw>(scene.task, scene.dictionaries);
          },
          true, false},
    Entry{"estt",
          [](const Scene& scene) -> Result<std::unique_ptr<const Likelihood>> {
            return made<MemberLaw>(scene.task, scene.dictionaries);
          },
          false, false},
    Entry{"rr", rr_law, true, true},
    Entry{"rr-mean", rr_mean_law, true, true},
    Entry{"ldp", ldp_law, true, true},
    Entry{"capped", capped_law, false, true},
    Entry{"pvst", pvst_law, false, false, true},
    Entry{"esvt", esvt_law, false, false, true},
};

const Entry* find_entry(std::string_view scheme) {
  for (const Entry& entry : entries) {
    if (entry.scheme == scheme) return &entry;
  }
  return nullptr;
}

}  // namespace

bool has_likelihood(std::string_view scheme) { return find_entry(scheme) != nullptr; }

bool has_exact_likelihood(std::string_view scheme) {
  return has_likelihood(scheme) && scheme != "estt";
}

bool depends_on_value_alone(std::string_view scheme) {
  const Entry* entry = find_entry(scheme);
  return entry != nullptr && entry->value_alone;
}

bool may_hide_own_value(std::string_view scheme) {
  const Entry* entry = find_entry(scheme);
  return entry != nullptr && entry->hides_own;
}

bool looks_at_whole_vectors(std::string_view scheme) {
  const Entry* entry = find_entry(scheme);
  return entry != nullptr && entry->whole_vectors;
}

Result<std::unique_ptr<const Likelihood>> likelihood_of(const Scene& scene) {
  const Entry* entry = find_entry(scene.task.demand.scheme);
  assert(entry != nullptr && "only schemes with a likelihood are asked for one");
  return entry->make(scene);
}

}  // namespace rankveil::audit
