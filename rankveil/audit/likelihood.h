// How likely a private value leads to a profile, for every scheme whose attributes speak for
// themselves: what somebody knows who knows the scheme, its parameters and the workload, not the
// key.
//
// Two schemes are no product over attributes: `swap` and `cluster` treat a vector as a whole. Their
// posteriors have closed forms (whole_vectors.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rankveil/audit/known_groups.h"
#include "rankveil/audit/profile_kinds.h"
#include "rankveil/base/result.h"
#include "rankveil/protect/task.h"

namespace rankveil::audit {

// The profiles of one release as numbers.
struct ReleaseKinds {
  std::vector<std::vector<std::uint32_t>> kinds;  // [attribute][row]
};

// Kinds of all releases of one table, attribute by attribute.
using Dictionaries = std::vector<KindNumbers>;

// A cell of a table that rows' vectors were read from: the observed one, or another population.
enum class Source { Table, Population };

class Likelihood {
 public:
  virtual ~Likelihood() = default;

  // What a profile of the attribute depends on beside the value: the rest of the vector, for
  // schemes that look at it. `row`: one that has the vector, in the table of the source.
  virtual std::uint32_t pattern(Source /*source*/, RowId /*row*/,
                                std::uint32_t /*attribute*/) const {
    return 0;
  }
  // Pr(profile | value, pattern), up to a factor that is the same for all values and patterns.
  // `code`: the value, the domain's size for none.
  virtual double weight(std::uint32_t group, std::uint32_t attribute, std::uint32_t kind,
                        std::uint32_t code, std::uint32_t pattern) const = 0;
};

// All that a law is made of. `task` has no key that matters: its draws are not looked at.
struct Scene {
  const Task& task;
  const KnownGroups& groups;
  Dictionaries& dictionaries;
  const ReleaseKinds& release;
  const Task* population = nullptr;
};

// REQUIRES: has_likelihood(scheme). Simulates what has to be simulated.
Result<std::unique_ptr<const Likelihood>> likelihood_of(const Scene& scene);
bool has_likelihood(std::string_view scheme);
// Whether it is the law of the scheme, and not only something near it.
bool has_exact_likelihood(std::string_view scheme);
// Whether the same value always leads to the same likelihood: groups play no part, so the whole
// table may stand for the prior.
bool depends_on_value_alone(std::string_view scheme);
// Whether a row may show values that exclude its own: then candidates are those that the law does
// not rule out.
bool may_hide_own_value(std::string_view scheme);
// Whether what a row shows in an attribute hangs on its other private values: then whoever knows
// the mechanism simulates it vector by vector, and looks at all attributes at once.
bool looks_at_whole_vectors(std::string_view scheme);

}  // namespace rankveil::audit
