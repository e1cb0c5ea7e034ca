// The tables that the papers' figures are drawn from. eHarmony's, which the papers used, is not
// public: two made-up tables and three real ones stand in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/table/table.h"

namespace rankveil::figures {

// Distinct rows in random order. A figure takes the first rows and the first attributes of each
// kind, so that its points differ in one thing only.
struct Bed {
  std::string name;
  std::string origin;  // a sentence
  Table table;
  std::vector<std::uint32_t> public_steps;   // numbers of public attributes to compare
  std::vector<std::uint32_t> private_steps;  // and of private ones

  // The papers take 10 of each kind; a table that has fewer gives what it has.
  std::uint32_t usual_publics() const;
  std::uint32_t usual_privates() const;
};

// What a point of a figure takes of a bed.
struct Part {
  std::uint32_t rows = 0;
  std::uint32_t publics = 0;
  std::uint32_t privates = 0;
  std::uint32_t public_weight = 1;  // that of private attributes stays 1
  // 0: the first attributes. Else which of the usual ones are taken, where not all are.
  std::uint64_t pick = 0;
};

Part usual_part(const Bed& bed);
// REQUIRES: the bed has as much.
Table cut(const Bed& bed, const Part& part);

// 15 + 15 attributes of 2 to 15 values, each drawn from Zipf(0.8) on its own; the first 10 of each
// kind have the domains of the benchmarks.
Bed independent_bed(std::uint32_t rows, std::uint64_t seed);
// 15 + 15 attributes, most of them with two values, as in eHarmony's table. A row is like one of
// 200 prototypes: it takes each value from there with probability 0.8, else from Zipf(0.8).
Bed correlated_bed(std::uint32_t rows, std::uint64_t seed);

// 5 + 5 attributes of 5, 2, 2, 5 and 6 values, each drawn on its own with shares 1 / rank^exponent:
// the shape of the papers' attack test.
Bed attack_bed(std::string name, std::uint32_t rows, double exponent, std::uint64_t seed);

// A real table in a folder of them: NAME/NAME.csv.gz.
struct RealTable {
  std::string name;
  std::vector<std::string> publics;
  std::vector<std::string> privates;
  std::vector<std::uint32_t> public_steps;
  std::vector<std::uint32_t> private_steps;
};
// okcupid, census_income and heart2020, columns of at most 15 values.
const std::vector<RealTable>& real_tables();
std::string path_in(const std::string& data, const std::string& name);
Result<Table> read_columns(const std::string& data, const std::string& name,
                           const std::vector<std::string>& publics,
                           const std::vector<std::string>& privates);
Result<Bed> real_bed(const RealTable& real, const std::string& data, std::uint64_t seed);

// These rows of a table, in this order, called 0, 1, 2, ...
Table take_rows(const Table& table, const std::vector<std::uint32_t>& rows);
// The numbers below `count` in an order that depends on the seed.
std::vector<std::uint32_t> shuffled(std::uint32_t count, std::uint64_t seed);

}  // namespace rankveil::figures
