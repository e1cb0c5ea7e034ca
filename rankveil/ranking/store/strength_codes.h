// Strengths row by row: where the bitmaps have those of many rows side by side, here a row's stand
// together, as a code for each attribute. Rows with the same strengths of all its values have the
// same code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/ranking/store/planes.h"

namespace rankveil {

class StrengthCodes {
 public:
  // None where values are kept as lists of rows, or an attribute takes more than 65,536 codes.
  static std::optional<StrengthCodes> of(std::span<const AttributePlanes> attributes,
                                         std::uint32_t rows);

  std::uint32_t rows() const { return rows_; }
  std::uint32_t attributes() const { return static_cast<std::uint32_t>(books_.size()); }
  std::uint32_t domain_size(std::uint32_t attribute) const { return books_[attribute].values; }

  // How many rows have each code.
  std::span<const std::uint32_t> counts(std::uint32_t attribute) const {
    return books_[attribute].counts;
  }
  std::uint8_t strength(std::uint32_t attribute, std::uint32_t value, std::size_t code) const {
    const Book& book = books_[attribute];
    return reinterpret_cast<const std::uint8_t*>(book.words.data() + code * book.width)[value];
  }

  // One code for each attribute, and one number that its owner may set.
  const std::uint16_t* row(std::uint32_t position) const {
    return reinterpret_cast<const std::uint16_t*>(words_.data()) + position * stride();
  }
  std::uint16_t& note(std::uint32_t position) {
    return codes()[position * stride() + attributes()];
  }

 private:
  // What the codes of an attribute mean.
  struct Book {
    std::uint32_t values = 0;
    std::size_t width = 0;              // words of a code
    std::vector<std::uint64_t> words;   // strengths of all values, a byte each, code by code
    std::vector<std::uint32_t> counts;  // per code
  };
  class Coder;

  std::size_t stride() const { return books_.size() + 1; }  // from row to row
  std::uint16_t* codes() { return reinterpret_cast<std::uint16_t*>(words_.data()); }

  std::uint32_t rows_ = 0;
  std::vector<Book> books_;
  AlignedWords words_;  // the codes, in huge pages: they are read here and there
};

}  // namespace rankveil
