#include "rankveil/protect/rows/id_patterns.h"

#include <algorithm>
#include <cctype>

namespace rankveil {

namespace {

// What an id is sorted by: numbers first, then its hash.
struct IdKey {
  std::uint64_t first = 0, second = 0;
  std::uint64_t hash = 0;
  std::uint32_t row = 0;

  bool operator<(const IdKey& other) const {
    if (first != other.first) return first < other.first;
    if (second != other.second) return second < other.second;
    return hash < other.hash;
  }
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// FNV-1a, and a last stir: neighbours by it have nothing in common.
std::uint64_t hash_of(std::string_view id) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93U;
  return hash ^ (hash >> 29);
}

// The digits that stand last, 18 of them at most; a number with a minus in front of it and nothing
// else is below all others.
void by_number(std::string_view id, IdKey& key) {
  constexpr std::uint64_t middle = std::uint64_t{1} << 63;
  std::size_t end = id.size();
  while (end > 0 && !is_digit(id[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(id[begin - 1]) && end - begin < 18) --begin;
  std::uint64_t number = 0;
  for (char c : id.substr(begin, end - begin))
    number = number * 10 + static_cast<unsigned>(c - '0');
  bool negative = begin == 1 && id[0] == '-' && end == id.size();
  key.first = negative ? middle - number : middle + number;
}

std::uint64_t eight_bytes(std::string_view text) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    word = (word << 8) | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
  }
  return word;
}

void by_beginning(std::string_view id, IdKey& key) {
  key.first = eight_bytes(id);
  key.second = id.size() > 8 ? eight_bytes(id.substr(8)) : 0;
}

void by_end(std::string_view id, IdKey& key) {
  char turned[16];
  std::size_t size = std::min(id.size(), sizeof turned);
  std::reverse_copy(id.end() - static_cast<std::ptrdiff_t>(size), id.end(), turned);
  by_beginning({turned, size}, key);
}

void by_length(std::string_view id, IdKey& key) { key.first = id.size(); }

struct Sorting {
  std::string_view name;
  void (*fill)(std::string_view id, IdKey& key);
};
constexpr Sorting sortings[] = {
    {"the last number in their ids", by_number},
    {"how their ids begin", by_beginning},
    {"how their ids end", by_end},
    {"how long their ids are", by_length},
};

std::vector<IdKey> sorted_keys(const RowNames& ids, const Sorting& sorting) {
  std::vector<IdKey> keys(ids.size());
  RowNames::Digits digits;
  for (std::uint32_t row = 0; row < keys.size(); ++row) {
    std::string_view id = ids.text(RowId{row}, digits);
    sorting.fill(id, keys[row]);
    keys[row].hash = hash_of(id);
    keys[row].row = row;
  }
  std::ranges::sort(keys, std::less<>());
  return keys;
}

bool tells_apart(const std::vector<IdKey>& sorted) {
  if (sorted.empty()) return false;
  const IdKey &first = sorted.front(), &last = sorted.back();
  return first.first != last.first || first.second != last.second;
}

}  // namespace

std::vector<IdPattern> id_patterns(const RowNames& ids) {
  std::vector<IdPattern> patterns;
  for (const Sorting& sorting : sortings) {
    std::vector<IdKey> keys = sorted_keys(ids, sorting);
    if (!tells_apart(keys)) continue;
    IdPattern& pattern = patterns.emplace_back(IdPattern{sorting.name, {}});
    pattern.order.reserve(keys.size());
    for (const IdKey& key : keys) pattern.order.push_back(key.row);
  }
  return patterns;
}

}  // namespace rankveil
