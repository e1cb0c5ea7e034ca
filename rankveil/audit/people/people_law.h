// How likely private values are for people with given public ones, learnt from other people: a
// chain of multinomial regressions, each attribute given what is known and the attributes before
// it.
//
//   PeopleLaw law = PeopleLaw::learn(coded(others), {.given = {0, 1, 2}, .block = {3, 4}}, {});
//   ChanceTable chances(rows.size(), vectors.size());
//   law.fill_log_chances(rows_shown, rows, vectors, chances);
//
// It shares no code with the models that schemes fit: an adversary brings his own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/audit/people/coded_rows.h"
#include "rankveil/audit/people/scaling.h"
#include "rankveil/base/fit/multinomial.h"

namespace rankveil::audit {

// Columns that are known of everybody, and columns that are guessed, in the order of the chain.
struct LawColumns {
  std::vector<std::uint32_t> given;
  std::vector<std::uint32_t> block;
};

struct LawOptions {
  std::uint32_t support = 21;  // values of fewer people teach nothing about others
  std::uint32_t lump = 10;     // guessed values of fewer people are one class, "rare"
  double ridge = 2;
  std::uint32_t threads = 0;
};

// A value for each column of a block.
using BlockVector = std::vector<std::uint32_t>;

class PeopleLaw {
 public:
  // REQUIRES: at least one row.
  static PeopleLaw learn(const CodedRows& people, const LawColumns& columns,
                         const LawOptions& options);

  // table(i, t): the logarithm of how likely `vectors[t]` is for row `which[i]` of `rows`, whose
  // given columns are looked at. Only entries of rows with wanted[i] == 1 are filled.
  void fill_log_chances(const CodedRows& rows, std::span<const std::uint32_t> which,
                        std::span<const std::uint8_t> wanted,
                        const std::vector<BlockVector>& vectors, ChanceTable& table) const;

 private:
  // Which class a code is in, and its part of it.
  struct Classes {
    std::vector<std::uint16_t> of_code;
    std::vector<double> log_part;
    std::uint32_t count = 0;
  };
  struct Link {
    Multinomial model;
    Classes classes;
  };
  struct Said;

  static Classes classes_of(const std::vector<std::uint32_t>& codes, std::uint32_t domain,
                            std::uint32_t lump);
  void learn_link(const CodedRows& people, std::size_t place, const LawOptions& options);
  std::vector<double> scores_of_row(const Link& link, const CodedRows& rows,
                                    std::uint32_t row) const;
  std::vector<double> scores_of_vector(const Link& link, std::size_t place,
                                       const BlockVector& vector) const;
  Said said_by(const std::vector<BlockVector>& vectors, const Link& link, std::size_t place) const;

  LawColumns columns_;
  // [column, given ones first][code]: its number as a feature, or no_feature.
  std::vector<std::vector<std::uint16_t>> feature_of_;
  std::vector<std::uint32_t> features_;
  std::vector<Link> links_;  // [place in the block]
};

}  // namespace rankveil::audit
