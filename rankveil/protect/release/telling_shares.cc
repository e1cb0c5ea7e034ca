#include "rankveil/protect/release/telling_shares.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "rankveil/base/format.h"
#include "rankveil/base/parallel.h"
#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/table/telling/telling_values.h"

namespace rankveil {

namespace {

constexpr std::size_t max_named = 10;

// A group as everybody sees it: groups with the same shares are one.
struct SeenGroup {
  std::uint32_t group = 0;  // one that looks like it
  std::uint64_t rows = 0;
  bool pure = false;
  bool telling = false;
};

struct NamedValue {
  std::uint64_t rows = 0;
  std::uint64_t groups = 0;
  std::string text;
};

class ShareReader {
 public:
  ShareReader(const GroupedProfiles& served, const Schema& schema, const SharesServed& how)
      : shares_(served.shares), schema_(schema), how_(how) {
    find_groups(served.group_of);
  }

  BaseReport read() {
    std::vector<NamedValue> named;
    for (std::uint32_t j = 0; j < shares_.domain_sizes().size(); ++j) {
      for (std::uint32_t v = 0; v < shares_.domain_sizes()[j]; ++v) {
        ValueId value{static_cast<std::uint16_t>(v)};
        NamedValue found = read_value(PrivateId{j}, value);
        if (found.groups == 0) continue;
        const Attribute& attribute = schema_[AttributeId{schema_.public_count() + j}];
        found.text = fmt::format("{}={}", attribute.name, attribute.domain.text(value));
        named.push_back(std::move(found));
      }
    }
    return report(std::move(named));
  }

 private:
  std::string look_of(std::uint32_t group) const {
    std::string look = std::to_string(shares_.size(group));
    for (std::uint32_t j = 0; j < shares_.domain_sizes().size(); ++j) {
      for (std::uint32_t v = 0; v < shares_.domain_sizes()[j]; ++v) {
        std::uint32_t count =
            shares_.count(group, PrivateId{j}, ValueId{static_cast<std::uint16_t>(v)});
        look.append(reinterpret_cast<const char*>(&count), sizeof count);
      }
    }
    return look;
  }

  void find_groups(const std::vector<std::uint32_t>& group_of) {
    std::vector<std::uint64_t> rows(shares_.groups(), 0);
    for (std::uint32_t group : group_of) ++rows[group];
    std::unordered_map<std::string, std::size_t> known;
    for (std::uint32_t group = 0; group < rows.size(); ++group) {
      bool is_open = how_.with_open_rows && shares_.size(group) == 1;
      if (rows[group] == 0 || is_open) continue;
      auto [place, is_new] = known.try_emplace(look_of(group), groups_.size());
      if (is_new) groups_.push_back({group});
      groups_[place->second].rows += rows[group];
      rows_ += rows[group];
    }
  }

  double share(const SeenGroup& group, PrivateId attribute, ValueId value) const {
    return static_cast<double>(shares_.count(group.group, attribute, value)) /
           shares_.size(group.group);
  }

  double share_of_table(PrivateId attribute, ValueId value) const {
    double sum = 0;
    for (const SeenGroup& group : groups_) {
      sum += static_cast<double>(group.rows) * share(group, attribute, value);
    }
    return rows_ == 0 ? 0 : sum / static_cast<double>(rows_);
  }

  NamedValue read_value(PrivateId attribute, ValueId value) {
    NamedValue found;
    double of_table = share_of_table(attribute, value);
    if (of_table >= 1 - 1e-9) return found;  // all of the table show it
    for (SeenGroup& group : groups_) {
      double size = shares_.size(group.group);
      double own = size - how_.mixed_in;
      if (own <= 0) continue;
      double has = share(group, attribute, value) * size - how_.mixed_in * of_table;
      // Whole rows were mixed in: so many more or fewer than the table's share of them.
      bool pure = has > own - (how_.mixed_in > 0 ? 1.0 : 0.5);
      bool tells = (has / own - of_table) * how_.l > (1 - of_table) * (1 + 1e-9);
      group.pure = group.pure || pure;
      group.telling = group.telling || tells;
      found.groups += tells ? 1 : 0;
      found.rows += tells ? group.rows : 0;
    }
    return found;
  }

  BaseReport report(std::vector<NamedValue> named) const {
    BaseReport report;
    report.groups = groups_.size();
    for (const SeenGroup& group : groups_) {
      report.pure += group.pure ? 1 : 0;
      report.telling += group.telling ? 1 : 0;
      report.telling_rows += group.telling ? group.rows : 0;
    }
    std::ranges::stable_sort(named, std::greater(), &NamedValue::rows);
    for (std::size_t i = 0; i < std::min(max_named, named.size()); ++i) {
      report.told.push_back(fmt::format("{} in {} ({})", named[i].text,
                                        counted(named[i].groups, "group"),
                                        counted(named[i].rows, "row")));
    }
    return report;
  }

  const GroupShares& shares_;
  const Schema& schema_;
  const SharesServed& how_;
  std::vector<SeenGroup> groups_;
  std::uint64_t rows_ = 0;
};

// The value that each row shows. Nothing: rows show more than one, or none does.
std::optional<std::vector<Column>> shown_columns(const GroupedProfiles& served,
                                                 std::uint32_t threads) {
  const LevelProfiles& signals = served.signals;
  if (served.keep.numerator == 0 || signals.levels() > 1) return std::nullopt;
  std::vector<Column> columns(signals.domain_sizes().size());
  std::vector<std::uint8_t> several(columns.size(), 0);
  parallel_for(columns.size(), threads, [&](std::size_t j) {
    auto missing = static_cast<std::uint16_t>(signals.domain_sizes()[j]);
    std::vector<std::uint16_t> codes(signals.rows(), missing);
    signals.for_each_bit(PrivateId{static_cast<std::uint32_t>(j)},
                         [&](RowId row, ValueId value, std::uint32_t) {
                           if (codes[+row] != missing) several[j] = 1;
                           codes[+row] = static_cast<std::uint16_t>(+value);
                         });
    columns[j] = Column(missing, std::move(codes));
  });
  if (std::ranges::find(several, 1) != several.end()) return std::nullopt;
  return columns;
}

void read_public_values(const Schema& schema, std::vector<Column> columns,
                        const GroupedProfiles& served, const SharesServed& how,
                        BaseReport& report) {
  auto shown = shown_columns(served, how.threads);
  if (!shown) return;
  RowNumbers rows{static_cast<std::uint32_t>(served.group_of.size())};
  columns.insert(columns.end(), shown->begin(), shown->end());
  Table table(schema, std::move(columns), RowNames(rows));
  auto told = telling_values(table, {.l = how.l, .threads = how.threads});
  report.telling_values = told.size();
  for (std::size_t i = 0; i < std::min(max_named, told.size()); ++i) {
    report.told_values.push_back(to_text(schema, told[i], "show"));
  }
}

BaseReport read_served(const Schema& schema, std::vector<Column> publics, const Profiles& served,
                       const SharesServed& how) {
  const auto* grouped = std::get_if<GroupedProfiles>(&served.kinds());
  if (grouped == nullptr) return {};
  BaseReport report = ShareReader(*grouped, schema, how).read();
  read_public_values(schema, std::move(publics), *grouped, how, report);
  return report;
}

bool has_open_rows(const IndexInfo& info) {
  const Json* consent = info.notes.find("consent");
  const Json* open = consent == nullptr ? nullptr : consent->find("open");
  return open != nullptr && open->as_integer() != nullptr && *open->as_integer() > 0;
}

std::vector<Column> columns_of_index(const Index& index, std::uint32_t threads) {
  std::vector<Column> columns(index.schema().public_count());
  parallel_for(columns.size(), threads, [&](std::size_t i) {
    AttributeId attribute{static_cast<std::uint32_t>(i)};
    std::vector<ValueId> values;
    for (std::uint32_t row = 0; row < index.rows(); ++row) {
      values.push_back(index.public_value(RowId{row}, attribute));
    }
    columns[i] = Column(index.schema()[attribute].domain.size(), values);
  });
  return columns;
}

}  // namespace

BaseReport telling_shares(const Table& table, const Profiles& served, const SharesServed& how) {
  std::vector<Column> publics;
  for (std::uint32_t i = 0; i < table.schema().public_count(); ++i) {
    publics.push_back(table.column(AttributeId{i}));
  }
  return read_served(table.schema(), std::move(publics), served, how);
}

SharesServed shares_served_by(const Scheme& scheme, std::uint32_t l) {
  bool mixes = scheme.base_shares != nullptr;
  return {.l = l, .mixed_in = mixes ? GroupSizes::in_use().base_mix : 0};
}

BaseReport telling_shares(const Index& index, std::uint32_t threads) {
  const Scheme* scheme = find_scheme(index.info().scheme);
  bool has_promise = scheme != nullptr && index.info().l > 1;
  if (!has_promise) return {};
  SharesServed how = shares_served_by(*scheme, index.info().l);
  how.with_open_rows = has_open_rows(index.info());
  how.threads = threads;
  return read_served(index.schema(), columns_of_index(index, threads), index.profiles(), how);
}

namespace {

std::string first_texts(const std::vector<std::string>& texts, std::uint64_t all,
                        const char* between) {
  constexpr std::size_t max_told = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(max_told, texts.size()); ++i) {
    text += (i == 0 ? "" : between) + texts[i];
  }
  if (all > max_told) text += fmt::format("{}and {} more", between, grouped(all - max_told));
  return text;
}

}  // namespace

std::vector<std::string> telling_shares_warnings(const BaseReport& base, std::uint32_t l) {
  std::vector<std::string> warnings;
  if (base.telling > 0) {
    warnings.push_back(fmt::format(
        "In {} of {} ({}) the shares alone tell a private value, by a gain above 1/{} over the "
        "whole table's: {}. Leave out public columns that cut out such groups, or make them "
        "coarser.",
        grouped(base.telling), counted(base.groups, "group"), counted(base.telling_rows, "row"), l,
        first_texts(base.told, base.told.size(), ", ")));
  }
  if (base.telling_values > 0) {
    warnings.push_back(fmt::format(
        "Public values tell private ones, by a gain above 1/{}, whatever coins hide: {}. Leave "
        "such columns out, or make them coarser.",
        l, first_texts(base.told_values, base.telling_values, "; ")));
  }
  return warnings;
}

}  // namespace rankveil
