#include "rankveil/audit/prior.h"

#include <algorithm>
#include <numeric>

namespace rankveil::audit {

std::uint32_t code_of(const Table& table, RowId row, std::uint32_t private_attribute) {
  AttributeId attribute{table.schema().public_count() + private_attribute};
  ValueId value = table.value(row, attribute);
  return value == missing_value ? table.column(attribute).domain_size() : +value;
}

std::uint32_t Prior::find(std::uint32_t attribute, std::uint32_t code) const {
  const auto& list = codes[attribute];
  auto place = std::lower_bound(list.begin(), list.end(), code);
  bool found = place != list.end() && *place == code;
  return found ? static_cast<std::uint32_t>(place - list.begin()) : nowhere;
}

// Vectors ascend.
std::uint32_t Prior::find_vector(std::span<const std::uint32_t> places_of_it) const {
  std::uint32_t begin = 0, end = vectors();
  auto vector = [&](std::uint32_t v) {
    return std::span(places).subspan(std::size_t{v} * width, width);
  };
  while (begin < end) {
    std::uint32_t middle = begin + (end - begin) / 2;
    auto own = vector(middle);
    bool less = std::lexicographical_compare(own.begin(), own.end(), places_of_it.begin(),
                                             places_of_it.end());
    if (less) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  bool found = begin < vectors() &&
               std::equal(places_of_it.begin(), places_of_it.end(), vector(begin).begin());
  return found ? begin : nowhere;
}

namespace {

// Places of all rows, [row][attribute].
std::vector<std::uint32_t> read_places(const Table& table, std::span<const RowId> rows,
                                       Prior& prior) {
  std::vector<std::uint32_t> places(rows.size() * prior.width);
  for (std::uint32_t j = 0; j < prior.width; ++j) {
    std::vector<std::uint32_t> codes;
    codes.reserve(rows.size());
    for (RowId row : rows) codes.push_back(code_of(table, row, j));
    auto& list = prior.codes.emplace_back(codes);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    auto& shares = prior.shares.emplace_back(list.size(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::uint32_t place = prior.find(j, codes[i]);
      places[i * prior.width + j] = place;
      shares[place] += 1.0 / static_cast<double>(rows.size());
    }
  }
  return places;
}

// Different vectors, in the order of their places.
void find_vectors(std::span<const RowId> rows, const std::vector<std::uint32_t>& places,
                  Prior& prior) {
  std::size_t width = prior.width;
  auto vector = [&](std::uint32_t i) { return std::span(places).subspan(i * width, width); };
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    auto left = vector(a), right = vector(b);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  });
  prior.vector_of.resize(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto own = vector(order[i]);
    bool is_new = i == 0 || !std::equal(own.begin(), own.end(), vector(order[i - 1]).begin());
    if (is_new) {
      prior.places.insert(prior.places.end(), own.begin(), own.end());
      prior.counts.push_back(0);
      prior.example.push_back(rows[order[i]]);
    }
    ++prior.counts.back();
    prior.vector_of[order[i]] = prior.vectors() - 1;
  }
}

}  // namespace

Prior prior_of(const Table& table, std::span<const RowId> rows) {
  Prior prior;
  prior.width = table.schema().private_count();
  prior.rows = static_cast<std::uint32_t>(rows.size());
  std::vector<std::uint32_t> places = read_places(table, rows, prior);
  find_vectors(rows, places, prior);
  return prior;
}

}  // namespace rankveil::audit
