// Workloads for tables that have none: queries of the kind their rows would ask, to tune for or to
// measure on.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "rankveil/ranking/workload.h"
#include "rankveil/table/table.h"

namespace rankveil {

struct SampleWorkloadOptions {
  std::uint32_t queries = 20;
  std::uint64_t seed = 1;
  std::uint32_t fewest_wishes = 2;  // at least 1; attributes a query names
  std::uint32_t max_wishes = 6;
};

// Each query takes a random row's values in a few random attributes, so frequent values are asked
// for more often; one wish in four also takes a second value. Half of the wishes, rounded up, are
// private where there are that many private attributes. Counts are skewed: most queries 1, few
// many. Same table, same options, same workload. A table without rows gives no queries.
Workload sample_workload(const Table& table, const SampleWorkloadOptions& options = {});

// Kinds of queries to measure on, from near to far from what rows are like.
enum class TestQueries {
  Same,     // a random row's values in all attributes
  Uniform,  // a random value of every attribute, each as likely as any other of its domain
  Sparse,   // a random row's values, each attribute asked for with probability 1/2, at least one
};
inline constexpr std::array all_test_queries = {TestQueries::Same, TestQueries::Uniform,
                                                TestQueries::Sparse};
std::string_view test_queries_name(TestQueries kind);  // "same", "uniform", "sparse"

struct TestWorkloadOptions {
  std::uint32_t queries = 50;
  std::uint64_t seed = 1;
};

// Rows are drawn with repeats; a value a row lacks is not asked for. Every count is 1. Same table,
// same options, same workload. A table without rows gives no queries.
Workload test_workload(const Table& table, TestQueries kind,
                       const TestWorkloadOptions& options = {});

}  // namespace rankveil
