#include "rankveil/table/telling/telling_columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "rankveil/base/format.h"
#include "rankveil/base/parallel.h"
#include "rankveil/table/telling/cells.h"
#include "rankveil/table/telling/held_out.h"

namespace rankveil {

namespace {

constexpr std::uint32_t max_seen_rows = 300'000, first_rows = 20'000;
constexpr std::uint32_t largest_in_pairs = 1'000;
constexpr std::size_t pairs_looked_at_again = 16;
constexpr double nearly_all = 0.95, believed_anyway = 0.9, enough_rows = 0.1, sure = 6;

using SeenColumns = std::vector<AttributeId>;

// ---- The rule ----

double part(std::uint64_t some, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
}

bool tells_most(const HeldOut& found) {
  double right = part(found.right, found.rows), without = part(found.without, found.rows);
  double spread = std::sqrt(without * (1 - without) / static_cast<double>(found.rows));
  return right > nearly_all && without < believed_anyway && right - without > sure * spread;
}

// The most rows of cells so large or larger that gain enough on average: small cells add chance.
std::uint64_t gaining_rows(const HeldOut& found, std::uint32_t l) {
  std::uint64_t rows = 0;
  Gains sum;
  for (std::size_t bits = found.gains.size(); bits-- > 0;) {
    sum.add(found.gains[bits]);
    if (sum.realised() * l > 1 && sum.deviations() > sure) rows = sum.guesses;
  }
  return rows;
}

TellingColumns described(AttributeId told, SeenColumns seen, const HeldOut& found,
                         std::uint32_t l) {
  return {.told = told,
          .seen = std::move(seen),
          .right = part(found.right, found.rows),
          .without = part(found.without, found.rows),
          .gaining = part(gaining_rows(found, l), found.rows),
          .tells_most = tells_most(found)};
}

bool tells(const TellingColumns& one) { return one.tells_most || one.gaining >= enough_rows; }

bool tells_more(const TellingColumns& a, const TellingColumns& b) {
  if (a.tells_most != b.tells_most) return a.tells_most;
  if (a.right != b.right) return a.right > b.right;
  return a.gaining > b.gaining;
}

// Of a pair in few rows: cells that will have company among all rows speak for the others. How much
// the pair might tell there; nothing: too little to look again.
std::optional<double> promise_of(const HeldOut& found, std::uint32_t l) {
  constexpr std::uint64_t enough_company = 50;
  if (found.company < enough_company) return std::nullopt;
  double right = part(found.company_right, found.company);
  double margin = 3 * std::sqrt(right * (1 - right) / static_cast<double>(found.company)) + 0.01;
  bool most = right + margin > nearly_all && part(found.without, found.rows) < believed_anyway;
  Gains sum;
  double gaining = 0;
  for (std::size_t bits = found.gains.size(); bits-- > 0;) {
    sum.add(found.gains[bits]);
    if (sum.realised() * l > 0.9 && sum.deviations() > 3)
      gaining = part(sum.guesses, found.company);
  }
  if (!most && gaining < enough_rows / 2) return std::nullopt;
  return (most ? 1 : 0) + right + gaining;
}

// ---- The search ----

// What is asked of one private column: those known, and what their cells are.
struct Wanted {
  AttributeId told;
  SeenColumns known;
  Cells base;
};

class TellingSearch {
 public:
  TellingSearch(const Table& table, const TellingColumnsAsked& asked)
      : schema_(table.schema()),
        asked_(asked),
        all_(table, max_seen_rows, asked.some_rows),
        few_(table, first_rows, asked.some_rows) {}

  // What tells each private attribute in `told`, which comes with the columns that are known of it.
  std::vector<std::vector<TellingColumns>> find(
      const std::vector<std::pair<AttributeId, SeenColumns>>& told) {
    auto found = singles(told);
    auto pairs = find_pairs(told, found);
    for (std::size_t i = 0; i < told.size(); ++i) {
      found[i].insert(found[i].end(), pairs[i].begin(), pairs[i].end());
      std::ranges::stable_sort(found[i], tells_more);
    }
    return found;
  }

  // Private columns that one public column tells.
  SeenColumns told_by(AttributeId seen) const {
    Cells whole(all_.rows());
    Cells cells = cells_of(all_, whole, {seen});
    SeenColumns told;
    for (std::uint32_t i = schema_.public_count(); i < schema_.size(); ++i) {
      AttributeId attribute{i};
      HeldOutGuesses guesses(all_.codes(attribute), all_.width(attribute), asked_.l);
      if (tells(described(attribute, {seen}, guesses.of(whole, cells), asked_.l))) {
        told.push_back(attribute);
      }
    }
    return told;
  }

  TellingColumns known_of(AttributeId told, const SeenColumns& known) const {
    HeldOutGuesses guesses(all_.codes(told), all_.width(told), asked_.l);
    Cells whole(all_.rows());
    return described(told, known, guesses.of(whole, cells_of(all_, whole, known)), asked_.l);
  }

 private:
  struct Pair {
    AttributeId a, b;
  };
  struct Candidate {
    Pair pair;
    double promise = 0;
  };

  static Cells cells_of(const SampledRows& rows, Cells cells, const SeenColumns& columns) {
    for (AttributeId column : columns) {
      cells = cells.cut_by(rows.codes(column), rows.width(column));
    }
    return cells;
  }

  std::vector<Wanted> wanted_in(
      const SampledRows& rows, const std::vector<std::pair<AttributeId, SeenColumns>>& told) const {
    std::vector<Wanted> wanted;
    for (const auto& [attribute, known] : told) {
      wanted.push_back({attribute, known, cells_of(rows, Cells(rows.rows()), known)});
    }
    return wanted;
  }

  HeldOut judge(const SampledRows& rows, const Wanted& wanted, const SeenColumns& seen) const {
    HeldOutGuesses guesses(rows.codes(wanted.told), rows.width(wanted.told), asked_.l);
    return guesses.of(wanted.base, cells_of(rows, wanted.base, seen));
  }

  static bool has(const SeenColumns& columns, AttributeId one) {
    return std::ranges::find(columns, one) != columns.end();
  }

  std::vector<std::vector<TellingColumns>> singles(
      const std::vector<std::pair<AttributeId, SeenColumns>>& told) const {
    std::vector<Wanted> wanted = wanted_in(all_, told);
    std::uint32_t publics = schema_.public_count();
    std::vector<TellingColumns> each(publics * wanted.size());
    parallel_for(each.size(), asked_.threads, [&](std::size_t i) {
      const Wanted& one = wanted[i / publics];
      AttributeId seen{static_cast<std::uint32_t>(i % publics)};
      if (has(one.known, seen)) return;
      each[i] = described(one.told, {seen}, judge(all_, one, {seen}), asked_.l);
    });
    std::vector<std::vector<TellingColumns>> found(told.size());
    for (std::size_t i = 0; i < each.size(); ++i) {
      if (tells(each[i])) found[i / publics].push_back(std::move(each[i]));
    }
    return found;
  }

  // Columns that stand in pairs about this private one: not those that are known or tell alone.
  std::vector<std::uint8_t> in_pairs(const SeenColumns& known,
                                     const std::vector<TellingColumns>& alone) const {
    std::vector<std::uint8_t> marks(schema_.public_count(), 1);
    for (std::uint32_t i = 0; i < marks.size(); ++i) {
      if (schema_[AttributeId{i}].domain.size() > largest_in_pairs) marks[i] = 0;
    }
    for (AttributeId column : known) marks[+column] = 0;
    for (const TellingColumns& one : alone) marks[+one.seen.front()] = 0;
    return marks;
  }

  // [private one]: pairs that may tell it, by few rows; the most promising first.
  std::vector<std::vector<Candidate>> candidates(
      const std::vector<std::pair<AttributeId, SeenColumns>>& told,
      const std::vector<std::vector<std::uint8_t>>& in) const {
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < schema_.public_count(); ++a) {
      for (std::uint32_t b = a + 1; b < schema_.public_count(); ++b) {
        pairs.push_back({AttributeId{a}, AttributeId{b}});
      }
    }
    std::vector<Wanted> wanted = wanted_in(few_, told);
    std::vector<std::vector<double>> promises(pairs.size());
    parallel_for(pairs.size(), asked_.threads,
                 [&](std::size_t i) { promises[i] = promises_of(pairs[i], wanted, in); });
    std::vector<std::vector<Candidate>> found(told.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (std::size_t j = 0; j < told.size(); ++j) {
        if (promises[i][j] > 0) found[j].push_back({pairs[i], promises[i][j]});
      }
    }
    for (auto& some : found) {
      std::ranges::stable_sort(some, std::greater(), &Candidate::promise);
      if (some.size() > pairs_looked_at_again) some.resize(pairs_looked_at_again);
    }
    return found;
  }

  std::vector<double> promises_of(const Pair& pair, const std::vector<Wanted>& wanted,
                                  const std::vector<std::vector<std::uint8_t>>& in) const {
    std::vector<double> promises(wanted.size(), 0);
    Cells whole(few_.rows());
    std::optional<Cells> plain;  // where nothing is known, cells are the same for all
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      if (in[j][+pair.a] == 0 || in[j][+pair.b] == 0) continue;
      const Wanted& one = wanted[j];
      HeldOutGuesses guesses(few_.codes(one.told), few_.width(one.told), asked_.l);
      HeldOut found;
      if (one.known.empty()) {
        if (!plain) plain = cells_of(few_, whole, {pair.a, pair.b});
        found = guesses.of(whole, *plain);
      } else {
        found = guesses.of(one.base, cells_of(few_, one.base, {pair.a, pair.b}));
      }
      promises[j] = promise_of(found, asked_.l).value_or(0);
    }
    return promises;
  }

  std::vector<std::vector<TellingColumns>> find_pairs(
      const std::vector<std::pair<AttributeId, SeenColumns>>& told,
      const std::vector<std::vector<TellingColumns>>& alone) const {
    std::vector<std::vector<std::uint8_t>> in(told.size());
    for (std::size_t j = 0; j < told.size(); ++j) in[j] = in_pairs(told[j].second, alone[j]);
    auto likely = candidates(told, in);
    std::vector<Wanted> wanted = wanted_in(all_, told);
    std::vector<std::pair<std::size_t, Pair>> asked;
    for (std::size_t j = 0; j < told.size(); ++j) {
      for (const Candidate& one : likely[j]) asked.emplace_back(j, one.pair);
    }
    std::vector<TellingColumns> each(asked.size());
    parallel_for(asked.size(), asked_.threads, [&](std::size_t i) {
      const auto& [j, pair] = asked[i];
      SeenColumns seen = {pair.a, pair.b};
      each[i] = described(wanted[j].told, seen, judge(all_, wanted[j], seen), asked_.l);
    });
    std::vector<std::vector<TellingColumns>> found(told.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (tells(each[i])) found[asked[i].first].push_back(std::move(each[i]));
    }
    return found;
  }

  const Schema& schema_;
  const TellingColumnsAsked& asked_;
  SampledRows all_;
  SampledRows few_;
};

SeenColumns known_of(const TellingColumnsAsked& asked, std::uint32_t place) {
  return place < asked.known.size() ? asked.known[place] : SeenColumns{};
}

}  // namespace

std::vector<TellingColumns> telling_columns(const Table& table, const TellingColumnsAsked& asked) {
  const Schema& schema = table.schema();
  std::vector<std::pair<AttributeId, SeenColumns>> told;
  for (std::uint32_t j = 0; j < schema.private_count(); ++j) {
    told.emplace_back(AttributeId{schema.public_count() + j}, known_of(asked, j));
  }
  if (told.empty() || schema.public_count() == 0) return {};
  std::vector<TellingColumns> all;
  for (const auto& some : TellingSearch(table, asked).find(told)) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<std::vector<AttributeId>> columns_to_know(const Table& table,
                                                      const TellingColumnsAsked& asked,
                                                      const std::vector<TellingColumns>& told) {
  const Schema& schema = table.schema();
  std::vector<std::vector<AttributeId>> known(schema.private_count());
  for (std::uint32_t j = 0; j < known.size(); ++j) known[j] = known_of(asked, j);
  TellingSearch search(table, asked);
  std::vector<TellingColumns> strongest;
  for (const TellingColumns& one : told) {
    bool is_there =
        std::ranges::find(strongest, one.told, &TellingColumns::told) != strongest.end();
    if (!is_there) strongest.push_back(one);
  }
  while (!strongest.empty()) {
    std::vector<std::pair<AttributeId, SeenColumns>> left;
    for (const TellingColumns& one : strongest) {
      SeenColumns& columns = known[+one.told - schema.public_count()];
      columns.insert(columns.end(), one.seen.begin(), one.seen.end());
      left.emplace_back(one.told, columns);
    }
    strongest.clear();
    for (const auto& some : search.find(left)) {
      if (!some.empty()) strongest.push_back(some.front());
    }
  }
  return known;
}

std::vector<TellingColumns> told_by_known(const Table& table, const TellingColumnsAsked& asked) {
  const Schema& schema = table.schema();
  std::vector<TellingColumns> told;
  std::optional<TellingSearch> search;
  for (std::uint32_t j = 0; j < schema.private_count(); ++j) {
    SeenColumns known = known_of(asked, j);
    if (known.empty()) continue;
    if (!search) search.emplace(table, asked);
    told.push_back(search->known_of(AttributeId{schema.public_count() + j}, known));
  }
  return told;
}

namespace {

// Its values and rows, those without a value left out.
PersonColumn repeats_of(const Table& table, AttributeId attribute,
                        const std::vector<std::uint8_t>& marked) {
  const Column& column = table.column(attribute);
  std::vector<std::uint8_t> seen(column.domain_size(), 0);
  PersonColumn repeats{.column = attribute};
  double rows = 0;
  column.for_each([&](std::size_t row, std::uint32_t code) {
    if (!marked.empty() && marked[row] == 0) return;
    rows += 1;
    repeats.values += seen[code] == 0 ? 1 : 0;
    seen[code] = 1;
  });
  repeats.rows = repeats.values == 0 ? 0 : rows / static_cast<double>(repeats.values);
  return repeats;
}

}  // namespace

std::vector<PersonColumn> columns_like_persons(const Table& table,
                                               const TellingColumnsAsked& asked) {
  constexpr std::uint64_t min_values = 50;
  constexpr double least = 1.5, most = 100;
  std::vector<PersonColumn> found;
  for (std::uint32_t i = 0; i < table.schema().public_count(); ++i) {
    PersonColumn one = repeats_of(table, AttributeId{i}, asked.some_rows);
    bool repeats = one.values >= min_values && one.rows >= least && one.rows <= most;
    if (repeats) found.push_back(one);
  }
  if (found.empty()) return found;
  TellingSearch search(table, asked);
  parallel_for(found.size(), asked.threads,
               [&](std::size_t i) { found[i].told = search.told_by(found[i].column); });
  std::erase_if(found, [](const PersonColumn& one) { return one.told.empty(); });
  return found;
}

std::string to_text(const Schema& schema, const PersonColumn& found) {
  std::vector<std::string> names;
  for (AttributeId attribute : found.told) names.push_back(schema[attribute].name);
  return fmt::format("{} has {}, each in {:.1f} rows on average, and {} {} the same in them",
                     schema[found.column].name, counted(found.values, "value"), found.rows,
                     listed(names, 4), names.size() == 1 ? "stays" : "stay");
}

std::string to_text(const Schema& schema, const TellingColumns& told, std::uint32_t l) {
  std::vector<std::string> names;
  for (AttributeId column : told.seen) names.push_back(schema[column].name);
  std::string seen = names.size() == 1 ? names.front() : listed(names);
  const char* verb = names.size() == 1 ? "tells" : "tell";
  const std::string& hidden = schema[told.told].name;
  const char* them = names.size() == 1 ? "it" : "them";
  if (told.tells_most) {
    return fmt::format("{} {} {:.1f}% of {}, {:.1f}% without {}", seen, verb, 100 * told.right,
                       hidden, 100 * told.without, them);
  }
  return fmt::format("{} {} a value of {} by a gain above 1/{} of {:.1f}% of rows", seen, verb,
                     hidden, l, 100 * told.gaining);
}

}  // namespace rankveil
