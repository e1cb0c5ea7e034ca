#include "bench/figures/lab/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace rankveil::figures {
namespace {

// "PVS 2" of "PVS figure 2: utility loss by k".
std::string short_title(const Figure& figure) {
  std::string text = figure.title.substr(0, figure.title.find(':'));
  constexpr std::string_view word = " figure";
  if (auto at = text.find(word); at != std::string::npos) text.erase(at, word.size());
  return text;
}

std::vector<std::string> beds_of(const std::vector<const Figure*>& figures) {
  std::vector<std::string> beds;
  for (const Figure* figure : figures) {
    for (const Verdict& verdict : figure->verdicts) {
      if (std::find(beds.begin(), beds.end(), verdict.bed) == beds.end()) {
        beds.push_back(verdict.bed);
      }
    }
  }
  return beds;
}

// The row of a claim, made when it is not there.
std::vector<std::string>& row_of(Grid& grid, const std::string& figure, const std::string& claim) {
  for (auto& row : grid.rows) {
    if (row[0] == figure && row[1] == claim) return row;
  }
  std::vector<std::string> row(grid.head.size());
  row[0] = figure;
  row[1] = claim;
  grid.rows.push_back(std::move(row));
  return grid.rows.back();
}

Grid claims_grid(const std::vector<const Figure*>& figures) {
  Grid grid{"Was it reproduced, on which table", {"figure", "claim"}, {}};
  std::vector<std::string> beds = beds_of(figures);
  grid.head.insert(grid.head.end(), beds.begin(), beds.end());
  for (const Figure* figure : figures) {
    for (const Verdict& verdict : figure->verdicts) {
      auto column = std::find(beds.begin(), beds.end(), verdict.bed) - beds.begin() + 2;
      row_of(grid, short_title(*figure), verdict.claim)[static_cast<std::size_t>(column)] =
          verdict.holds ? "yes" : "no";
    }
  }
  return grid;
}

// What a series has for a category; these are numbered from 1.
std::optional<double> value_of(const Series& series, std::size_t category) {
  for (std::size_t i = 0; i < series.xs.size(); ++i) {
    if (series.xs[i] == static_cast<double>(category + 1)) return series.ys[i];
  }
  return std::nullopt;
}

// Ours, beside what was published, if there is such a value.
std::string cell(const Figure& figure, std::size_t category) {
  const auto& series = figure.charts[0].series;
  auto published = value_of(series[0], category), ours = value_of(series[1], category);
  if (!ours) return "";
  std::string text = fmt::format("{:.2f}", *ours);
  if (!published) return text;
  for (const Verdict& verdict : figure.verdicts) {
    if (!verdict.claim.starts_with(figure.categories[category] + ":")) continue;
    return fmt::format("{} ({:.2f}){}", text, *published, verdict.holds ? "" : " no");
  }
  return fmt::format("{} ({:.2f})", text, *published);
}

// Figures about the same categories.
Grid categories_grid(const std::vector<const Figure*>& figures) {
  Grid grid{"Ours, and the study's in brackets; no: further away than our spread", {"scheme"}, {}};
  for (const Figure* figure : figures) grid.head.push_back(figure->x_label);
  for (std::size_t i = 0; i < figures[0]->categories.size(); ++i) {
    grid.rows.push_back({figures[0]->categories[i]});
    for (const Figure* figure : figures) grid.rows.back().push_back(cell(*figure, i));
  }
  return grid;
}

// Whether it sets values of ours beside published ones.
bool compares(const Figure& figure) {
  return figure.look == Look::Dots && !figure.charts.empty() && figure.charts[0].series.size() == 2;
}

void add_to_categories(const Figure& figure, std::vector<std::vector<const Figure*>>& groups) {
  for (auto& group : groups) {
    if (group[0]->categories == figure.categories) return group.push_back(&figure);
  }
  groups.push_back({&figure});
}

}  // namespace

Summary summarise(const std::vector<Report>& reports) {
  Summary summary;
  std::vector<const Figure*> claims;
  std::vector<std::vector<const Figure*>> categories;
  for (const Report& report : reports) {
    for (const Figure& figure : report.figures) {
      if (compares(figure)) {
        add_to_categories(figure, categories);
      } else {
        claims.push_back(&figure);
      }
      for (const Verdict& verdict : figure.verdicts) {
        ++summary.judged;
        if (verdict.holds) ++summary.reproduced;
      }
    }
  }
  if (!claims.empty()) summary.grids.push_back(claims_grid(claims));
  for (const auto& group : categories) summary.grids.push_back(categories_grid(group));
  return summary;
}

std::string to_markdown(const Summary& summary) {
  std::string text = fmt::format("# Summary\n\n{} of {} claims were reproduced.\n\n",
                                 summary.reproduced, summary.judged);
  for (const Grid& grid : summary.grids) {
    text += grid.title + ":\n\n" + table_head(grid.head);
    for (const auto& row : grid.rows) text += table_row(row);
    text += "\n";
  }
  return text;
}

}  // namespace rankveil::figures
