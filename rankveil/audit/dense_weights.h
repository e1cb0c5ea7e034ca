// Weighs the private vectors of a group where no profile rules any out.
//
// A vector weighs its count times one factor for each attribute. To learn what that comes to in one
// attribute, all others are summed out. Attributes are halved, and each half again, down to single
// ones: what is left of all vectors when the other half is summed out serves all classes that have
// the same profiles there, and is far smaller than they are.
//
// Cost   for n vectors and c classes, n times the different profiles of a half, and c times the
//        different vectors of a half; eight classes share one pass.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rankveil/audit/vector_weights.h"

namespace rankveil::audit {

class DenseWeights {
 public:
  // REQUIRES: at least one column.
  DenseWeights(const Prior& prior, std::span<const LawColumn> columns, const ClassList& classes);

  // Calls visit(class, attribute, weights by place) for every attribute of a half and the classes
  // that stand at [begin, end) of the half's own order. Weights are not normalised: they sum to
  // the weight of all vectors. Several threads may run different ranges.
  static constexpr std::uint32_t halves = 2;
  using Visit =
      std::function<void(std::uint32_t one, std::uint32_t attribute, std::span<double> weights)>;
  void run(std::uint32_t half, std::uint32_t begin, std::uint32_t end, const Visit& visit) const;
  // One that the half has; the first half is never empty.
  std::uint32_t first_attribute(std::uint32_t half) const;
  // Count x likelihood.
  double weight(std::uint32_t one, std::uint32_t vector) const;

 private:
  // A part's leaves in the order of those of one side, which are what they become when the other
  // side is summed out.
  struct Side {
    std::uint32_t part = 0;
    std::vector<std::uint32_t> begin;  // per leaf of the side, and one more
    std::vector<std::uint32_t> own;    // leaf of the part
    std::vector<std::uint32_t> other;  // leaf of the other side
  };
  // Some of the attributes, and the different vectors that they have: its leaves.
  struct Part {
    std::vector<std::uint32_t> attributes;
    std::vector<std::uint32_t> columns;   // of these attributes
    std::vector<std::uint32_t> example;   // per leaf: a vector
    std::vector<std::uint32_t> kinds_of;  // per class: number of its combination of profiles
    std::vector<Side> sides;              // two; none for a single attribute
    std::array<std::vector<std::uint32_t>, 2> side_leaf;  // per leaf: where it goes on each side
  };
  struct Room;

  std::uint32_t make_part(std::vector<std::uint32_t> attributes,
                          std::vector<std::uint32_t> example);
  void add_side(Part& part, std::vector<std::uint32_t> attributes);
  void arrange(Part& part, std::uint32_t number);
  void number_kinds(Part& part) const;
  template <std::uint32_t width>
  void likelihoods(std::uint32_t part, std::span<const std::uint32_t> ones, Room& room) const;
  template <std::uint32_t width>
  void sum_out(const Side& side, const Side& other, const std::vector<double>& weights,
               std::span<const std::uint32_t> ones, Room& room) const;
  void descend(std::uint32_t part, const std::vector<double>& weights,
               std::span<const std::uint32_t> classes, Room& room) const;
  void descend_to(const Part& part, std::uint32_t side, const std::vector<double>& weights,
                  std::span<const std::uint32_t> sorted, Room& room) const;
  void tell(const Part& part, const std::vector<double>& weights,
            std::span<const std::uint32_t> classes, Room& room) const;

  const Prior& prior_;
  std::span<const LawColumn> columns_;
  const ClassList& classes_;
  std::vector<double> counts_;  // per vector
  std::vector<Part> parts_;
  std::uint32_t top_ = 0;
  std::array<std::vector<std::uint32_t>, halves> order_;  // classes, by profiles of the other half
};

}  // namespace rankveil::audit
