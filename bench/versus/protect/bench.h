// Runs cases: checks what a scheme makes, then times it.
#pragma once

#include <functional>

#include "bench/versus/protect/inspect.h"
#include "bench/versus/protect/results.h"
#include "bench/versus/protect/tables.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::versus {

struct Pace {
  std::uint32_t rows = 300'000;
  std::uint32_t rounds = 5;
  double cap_seconds = 8;  // no further round of a case after this long
  std::uint32_t threads = 2;
  std::uint32_t plain_rows = 20'000;  // for the pseudo-code as printed
  std::uint64_t seed = 1;
  std::string only = {};  // cases whose name has this in it
};

struct Case {
  std::string part;
  std::string name;
  std::string table = {};  // in words
  TableShape shape = {};
  std::uint32_t queries = 10;
  Demand demand = {};
  std::vector<std::vector<AttributeId>> ladder = {};
  Form form = Form::Sets;
  std::optional<Goal> goal = {};
};

Demand demand_of(std::string scheme, std::uint32_t l);

double median(std::vector<double> values);

// The data of a case, and the task that points to them.
class Bed {
 public:
  Bed(const Case& what, std::uint64_t seed);
  Bed(const Bed&) = delete;
  Bed& operator=(const Bed&) = delete;

  Task task(std::uint32_t threads) const;
  const Table& table() const { return table_; }

 private:
  const Case& case_;
  Table table_;
  Workload workload_;
  SecretKey key_;
};

class Bench {
 public:
  using Talk = std::function<void(const std::string&)>;
  Bench(const Pace& pace, Talk talk) : pace_(pace), talk_(std::move(talk)) {}

  const Pace& pace() const { return pace_; }
  Results& results() { return results_; }
  void talk(const std::string& text) const { talk_(text); }

  // False, and a sentence among the skipped, when there is no such scheme.
  bool has_scheme(const std::string& scheme);
  // Nothing when the scheme is missing or what it made is wrong; both are noted.
  struct Outcome {
    Timing timing = {};
    ProtectionReport report = {};
  };
  std::optional<Outcome> run(const Case& what);
  void add(Figure figure) { results_.figures.push_back(std::move(figure)); }
  void wrong(const std::string& name, const std::string& why);

 private:
  std::optional<double> check(const Case& what, const Bed& bed, ProtectionReport& report);

  Pace pace_;
  Talk talk_;
  Results results_;
};

}  // namespace rankveil::versus
