#include "rankveil/api/check_publication.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "rankveil/api/audit_gate.h"
#include "rankveil/api/ranking_input.h"
#include "rankveil/api/report_outputs.h"
#include "rankveil/api/version.h"
#include "rankveil/audit/report_junit.h"
#include "rankveil/audit/report_sarif.h"
#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/publish/release/describe.h"
#include "rankveil/publish/release/diversity.h"
#include "rankveil/publish/release/sheet_texts.h"

namespace rankveil::api {

namespace {

using publish::Publication;

Result<Publication> parse_publication(const std::string& path) {
  auto text = read_text(path);
  if (!text) return text.error();
  auto json = parse_json(*text);
  if (!json) return bad_input(fmt::format("{}: {}", path, json.error().message));
  auto publication = publish::publication_from_json(*json);
  if (!publication) return bad_input(fmt::format("{}: {}", path, publication.error().message));
  return publication;
}

// A publication and, where it comes from a sheet, the cells that cannot be read without the table.
struct Draft {
  Publication publication;
  connect::Sheet sheet = {};
  std::vector<std::string> quasi = {}, sensitive = {};
  std::vector<std::string> notes = {};
};

std::optional<std::size_t> place_of(const connect::Sheet& sheet, const std::string& name) {
  for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
    if (sheet.columns[i].name == name) return i;
  }
  return std::nullopt;
}

template <typename Looks>
bool any_cell(const connect::Sheet& sheet, std::size_t column, const Looks& looks) {
  return std::ranges::any_of(sheet.rows, [&](const auto& row) { return looks(row[column]); });
}

// A range may be of both kinds. Whoever names quasi-identifiers alone has named them all.
bool is_sensitive(const CheckRequest& request, const connect::Sheet& sheet, std::size_t column) {
  if (any_cell(sheet, column, publish::looks_sensitive)) return true;
  bool rest_is_sensitive = !request.quasi.empty() && request.sensitive.empty();
  return rest_is_sensitive && any_cell(sheet, column, publish::looks_like_range);
}

// Ranges, counts and the like: what every sheet of a publication has.
std::vector<std::string> own_columns(const Publication& publication) {
  std::vector<std::string> names = {"group",   "score_low",      "score_high", "score_at_least",
                                    "members", "true_positives", "precision"};
  for (const std::string& column : publication.columns) {
    names.push_back(column + "_low");
    names.push_back(column + "_high");
  }
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

void note_guesses(const char* what, const std::vector<std::string>& names, Draft& draft) {
  if (names.empty()) return;
  draft.notes.push_back(fmt::format("taken for {}: {}; say otherwise with --quasi and --sensitive",
                                    what, listed(names)));
}

// Nobody said what the other columns are.
Status guess_columns(const CheckRequest& request, Draft& draft) {
  auto table = connect::column_names(request.input.source);
  if (!table) return table.error();
  std::vector<std::string> settled = own_columns(draft.publication), quasi, sensitive;
  settled.insert(settled.end(), draft.quasi.begin(), draft.quasi.end());
  settled.insert(settled.end(), draft.sensitive.begin(), draft.sensitive.end());
  for (std::size_t i = 0; i < draft.sheet.columns.size(); ++i) {
    const std::string& name = draft.sheet.columns[i].name;
    if (has(settled, name)) continue;
    if (has(*table, name)) {
      (is_sensitive(request, draft.sheet, i) ? sensitive : quasi).push_back(name);
    } else {
      draft.notes.push_back(fmt::format("{} was not checked: the table has no such column", name));
    }
  }
  note_guesses("quasi-identifiers", quasi, draft);
  note_guesses("sensitive", sensitive, draft);
  draft.quasi.insert(draft.quasi.end(), quasi.begin(), quasi.end());
  draft.sensitive.insert(draft.sensitive.end(), sensitive.begin(), sensitive.end());
  return {};
}

Status check_named(const CheckRequest& request, const connect::Sheet& sheet) {
  for (const auto* names : {&request.quasi, &request.sensitive}) {
    for (const std::string& name : *names) {
      if (place_of(sheet, name)) continue;
      return bad_input(fmt::format("{} has no column \"{}\"", request.publication, name));
    }
  }
  for (const std::string& name : request.quasi) {
    if (!has(request.sensitive, name)) continue;
    return wrong_use(
        fmt::format("{} stands in both --quasi and --sensitive; name it in one of the two", name));
  }
  return {};
}

Status take_columns(const CheckRequest& request, Draft& draft) {
  if (auto fine = check_named(request, draft.sheet); !fine) return fine;
  draft.quasi = request.quasi;
  draft.sensitive = request.sensitive;
  if (auto guessed = guess_columns(request, draft); !guessed) return guessed;
  if (!draft.sensitive.empty() && !request.diversity.is_asked()) {
    draft.notes.push_back(
        fmt::format("how diverse {} must be was not checked: pass --l-diversity, "
                    "--entropy-l-diversity or --t-closeness",
                    listed(draft.sensitive)));
  }
  return {};
}

// Now that the table's values are known, cells can be taken apart.
void fill_cells(const Draft& draft, const publish::Truth& truth, Publication& publication) {
  auto column_of = [&](const std::string& name) {
    return *std::ranges::find(truth.texts, name, &connect::TextColumn::name);
  };
  for (const std::string& name : draft.quasi) {
    const auto column = column_of(name);
    const std::size_t at = *place_of(draft.sheet, name);
    for (std::size_t i = 0; i < publication.groups.size(); ++i) {
      publication.groups[i].quasi.push_back(publish::generalised_from_text(
          column, draft.sheet.rows[i][at], truth.hierarchies.contains(name)));
    }
  }
  for (const std::string& name : draft.sensitive) {
    const auto column = column_of(name);
    const std::size_t at = *place_of(draft.sheet, name);
    for (std::size_t i = 0; i < publication.groups.size(); ++i) {
      publication.groups[i].sensitive.push_back(
          publish::disclosure_from_text(column, draft.sheet.rows[i][at]));
    }
  }
}

// A sheet knows neither the score nor the demand.
Result<Draft> read_flat(const CheckRequest& request) {
  auto score = score_of(request.input);
  if (!score) return score.error();
  if (!request.top || !request.k || !request.precision) {
    return wrong_use(fmt::format(
        "{} does not say what was promised; pass --top, --k and --precision", request.publication));
  }
  auto sheet = connect::read_sheet(request.publication);
  if (!sheet) return sheet.error();
  auto publication = publish::publication_from_sheet(*sheet, score->columns());
  if (!publication) {
    return bad_input(fmt::format("{}: {}", request.publication, publication.error().message));
  }
  publication->score = score->text();
  Draft draft{*std::move(publication), *std::move(sheet)};
  if (auto taken = take_columns(request, draft); !taken) return taken.error();
  return draft;
}

Result<Draft> read_json(const CheckRequest& request) {
  if (!request.quasi.empty() || !request.sensitive.empty()) {
    return wrong_use(
        fmt::format("{} says itself which columns it has; leave out --quasi and "
                    "--sensitive",
                    request.publication));
  }
  auto publication = parse_publication(request.publication);
  if (!publication) return publication.error();
  return Draft{*std::move(publication)};
}

void replace(const CheckRequest& request, Publication& publication) {
  const publish::Diversity& asked = request.diversity;
  if (asked.distinct) publication.diversity.distinct = asked.distinct;
  if (asked.entropy) publication.diversity.entropy = asked.entropy;
  if (asked.closeness) publication.diversity.closeness = asked.closeness;
  if (request.top) publication.top = *request.top;
  if (request.k) publication.k = *request.k;
  if (request.precision) publication.least_precision = *request.precision;
  if (request.ties) publication.ties = publish::ties_name(*request.ties);
}

// Every column that some group says something about.
std::vector<std::string> columns_beside(const Draft& draft) {
  std::vector<std::string> names = draft.quasi;
  names.insert(names.end(), draft.sensitive.begin(), draft.sensitive.end());
  auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const publish::PublishedGroup& group : draft.publication.groups) {
    for (const publish::Generalised& one : group.quasi) add(one.column);
    for (const publish::Disclosure& one : group.sensitive) add(one.column);
  }
  return names;
}

Result<publish::Score> stated_score(const CheckRequest& request, const Publication& publication) {
  bool given = !request.input.rank_by.empty() || !request.input.score.empty();
  auto score = given ? score_of(request.input) : publish::Score::parse(publication.score);
  if (!score) return score;
  if (score->columns() == publication.columns) return score;
  return bad_input(fmt::format(
      "{} has ranges of other columns than those the score \"{}\" names, or in another order",
      request.publication, score->text()));
}

Status check_files(const CheckRequest& request) {
  std::vector<std::string> inputs = request.input.source.files();
  inputs.push_back(request.publication);
  for (const auto& hierarchy : request.hierarchies) inputs.push_back(hierarchy.second);
  if (auto fine = check_report_outputs({request.write_baseline}, inputs); !fine) return fine;
  inputs.insert(inputs.end(), {request.baseline, request.write_baseline});
  const ReportFiles& files = request.files;
  return check_report_outputs({files.output, files.html, files.junit, files.sarif}, inputs);
}

Status write_files(const ReportFiles& files, const audit::PublicationReport& report) {
  return write_outputs(
      {{files.output, [&] { return to_json(report).dump() + "\n"; }},
       {files.html, [&] { return to_html(report); }},
       {files.junit, [&] { return audit::to_junit(report.audit); }},
       {files.sarif, [&] { return audit::to_sarif(report.audit).dump() + "\n"; }}});
}

// A publication, the table that it was made of, and how a sheet was read.
struct ReadPublication {
  publish::Publication publication;
  publish::Truth truth;
  std::vector<std::string> notes = {};
};

Result<ReadPublication> read_publication(const CheckRequest& request) {
  bool is_json = std::filesystem::path(request.publication).extension() == ".json";
  auto draft = is_json ? read_json(request) : read_flat(request);
  if (!draft) return draft.error();
  if (auto fine = check_diversity(request.diversity); !fine) return fine.error();
  replace(request, draft->publication);
  auto score = stated_score(request, draft->publication);
  if (!score) return score.error();
  RankingInput input = request.input;
  input.missing_last = input.missing_last || draft->publication.missing == "last";
  auto table = read_ranked(input, *score, columns_beside(*draft));
  if (!table) return table.error();
  ReadPublication read{std::move(draft->publication), {}, std::move(draft->notes)};
  read.truth.ranking = std::move(table->points.columns);
  read.truth.scores = std::move(table->points.scores);
  read.truth.texts = std::move(table->texts);
  for (const auto& [column, path] : request.hierarchies) {
    auto text = read_text(path);
    if (!text) return text.error();
    auto hierarchy = publish::Hierarchy::parse(*text, path);
    if (!hierarchy) return hierarchy.error();
    read.truth.hierarchies.insert_or_assign(column, *std::move(hierarchy));
  }
  fill_cells(*draft, read.truth, read.publication);
  return read;
}

}  // namespace

bool CheckRequest::asks_adversaries() const {
  const std::string all = files.output + files.html + files.junit + files.sarif;
  return adversaries || !fail_on.empty() || !baseline.empty() || !all.empty();
}

Result<CheckResult> check_publication(const CheckRequest& request) {
  Stopwatch watch;
  if (auto checked = check_gate(request.fail_on, request.write_baseline); !checked) {
    return checked.error();
  }
  if (auto checked = check_files(request); !checked) return checked.error();
  auto baseline = read_baseline(request.baseline);
  if (!baseline) return baseline.error();
  auto read = read_publication(request);
  if (!read) return read.error();
  auto report = audit::audit_publication(std::move(read->publication), read->truth,
                                         request.asks_adversaries());
  auto& notes = report.audit.notes;
  notes.insert(notes.begin(), read->notes.begin(), read->notes.end());
  report.audit.subject.target = request.publication;
  report.audit.subject.table = request.input.source.name();
  report.audit.settings.version = version().version;
  report.audit.seconds = watch.seconds();
  auto fits = check_baseline(request.baseline, *baseline, report.audit.subject);
  if (!fits) return fits.error();
  auto passed = pass_gate(request.fail_on, *baseline, request.write_baseline, report.audit);
  auto written = both(passed, write_files(request.files, report));
  return CheckResult{std::move(report), std::move(written)};
}

}  // namespace rankveil::api
