#include "rankveil/api/profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "rankveil/api/report_outputs.h"
#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/json.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/connect/relation/csv.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/ranking/profile_reader.h"

namespace rankveil::api {

namespace {

constexpr std::size_t piece_size = 1 << 18;

ProfilesFormat format_of(const ProfilesRequest& request) {
  if (request.format) return *request.format;
  return request.output.ends_with(".csv") ? ProfilesFormat::Csv : ProfilesFormat::Ndjson;
}

Status check(const ProfilesRequest& request) {
  if (!request.output.empty() && same_file(request.output, request.index_path)) {
    return wrong_use("the output would replace the index itself; choose another name");
  }
  if (auto allowed = check_may_write(request.output, request.force); !allowed) return allowed;
  if (request.limit == 0U) return wrong_use("a limit of 0 lists nothing; use 1 or more");
  return {};
}

Error unknown_attribute(const Schema& schema, const std::string& name) {
  std::vector<std::string> names;
  for (const Attribute& attribute : schema.attributes) {
    if (attribute.is_private()) names.push_back(attribute.name);
  }
  auto near = closest(name, names);
  return bad_input(fmt::format("there is no private attribute \"{}\"{}", name,
                               near ? "; did you mean " + *near + "?" : ""));
}

Result<std::vector<PrivateId>> wanted_attributes(const ProfilesRequest& request,
                                                 const Schema& schema) {
  std::uint32_t first = schema.public_count();
  std::vector<bool> wanted(schema.private_count(), request.attributes.empty());
  for (const std::string& name : request.attributes) {
    auto attribute = schema.find(name);
    if (!attribute) return unknown_attribute(schema, name);
    if (!schema[*attribute].is_private()) {
      return bad_input(
          fmt::format("attribute {} is public; only private attributes have profiles", name));
    }
    wanted[+*attribute - first] = true;
  }
  std::vector<PrivateId> attributes;
  for (std::uint32_t j = 0; j < wanted.size(); ++j) {
    if (wanted[j]) attributes.push_back(PrivateId{j});
  }
  return attributes;
}

// The first live row of each id that is asked for, in row order.
Result<std::vector<RowId>> named_rows(const Index& index, const std::vector<std::string>& ids) {
  std::unordered_set<std::string> missing(ids.begin(), ids.end());
  std::vector<RowId> rows;
  for (std::uint32_t row = 0; row < index.rows() && !missing.empty(); ++row) {
    if (index.is_live(RowId{row}) && missing.erase(index.name(RowId{row})) > 0) {
      rows.push_back(RowId{row});
    }
  }
  for (const std::string& id : ids) {
    if (missing.contains(id)) return bad_input(fmt::format("the index has no row \"{}\"", id));
  }
  return rows;
}

Result<std::vector<RowId>> wanted_rows(const ProfilesRequest& request, const Index& index) {
  std::size_t most = request.limit.value_or(UINT32_MAX);
  if (!request.rows.empty()) {
    auto rows = named_rows(index, request.rows);
    if (rows) rows->resize(std::min(rows->size(), most));
    return rows;
  }
  std::vector<RowId> rows;
  for (std::uint32_t row = 0; row < index.rows() && rows.size() < most; ++row) {
    if (index.is_live(RowId{row})) rows.push_back(RowId{row});
  }
  return rows;
}

// How one format writes lines. Names of attributes and values are prepared once.
class LineWriter {
 public:
  LineWriter(ProfilesFormat format, const Schema& schema) : format_(format) {
    for (const Attribute& attribute : schema.attributes) {
      if (!attribute.is_private()) continue;
      Texts texts{as_text(attribute.name), {}};
      for (const std::string& value : attribute.domain.values()) {
        texts.values.push_back(as_text(value));
      }
      attributes_.push_back(std::move(texts));
    }
  }

  std::string head() const {
    return format_ == ProfilesFormat::Csv ? "row,attribute,value,strength\n" : "";
  }

  void start_row(const std::string& id) { row_ = as_text(id); }

  // Returns how many lines it took.
  std::size_t add(PrivateId attribute, const std::vector<Match>& profile, std::string& out) const {
    const Texts& texts = attributes_[+attribute];
    if (format_ == ProfilesFormat::Csv) return add_csv(texts, profile, out);
    out.append(R"({"row":)").append(row_).append(R"(,"attribute":)").append(texts.name);
    out.append(R"(,"values":{)");
    for (std::size_t i = 0; i < profile.size(); ++i) {
      if (i > 0) out.push_back(',');
      out.append(texts.values[+profile[i].value]).push_back(':');
      add_number(profile[i].strength, out);
    }
    out.append("}}\n");
    return 1;
  }

 private:
  struct Texts {
    std::string name;
    std::vector<std::string> values;
  };

  std::string as_text(const std::string& text) const {
    return format_ == ProfilesFormat::Csv ? connect::csv_cell(text) : Json(text).dump(-1);
  }

  static void add_number(double number, std::string& out) {
    fmt::format_to(std::back_inserter(out), "{}", number);
  }

  std::size_t add_csv(const Texts& texts, const std::vector<Match>& profile,
                      std::string& out) const {
    for (const auto& [value, strength] : profile) {
      out.append(row_).append(",").append(texts.name).append(",");
      out.append(texts.values[+value]).append(",");
      add_number(strength, out);
      out.push_back('\n');
    }
    return profile.size();
  }

  ProfilesFormat format_;
  std::vector<Texts> attributes_;
  std::string row_;
};

struct Listing {
  const Index& index;
  std::vector<RowId> rows;
  std::vector<PrivateId> attributes;
  LineWriter writer;
};

void list(Listing& listing, const ProfilesRequest& request, const TextSink& sink,
          ProfilesResult& result) {
  ProfileReader reader(listing.index);
  std::vector<Match> profile;
  std::string piece = listing.writer.head();
  piece.reserve(piece_size * 2);
  for (RowId row : listing.rows) {
    listing.writer.start_row(listing.index.name(row));
    for (PrivateId attribute : listing.attributes) {
      reader.read(row, attribute, profile);
      result.lines += listing.writer.add(attribute, profile, piece);
    }
    ++result.rows;
    if (piece.size() < piece_size) continue;
    if (!sink(piece)) return;
    piece.clear();
    report(request.progress, "listing profiles",
           static_cast<double>(result.rows) / static_cast<double>(listing.rows.size()));
  }
  sink(piece);
}

Status list_to_file(Listing& listing, const ProfilesRequest& request, ProfilesResult& result) {
  auto file = AtomicFile::create(request.output);
  if (!file) return file.error();
  Status written;
  list(
      listing, request,
      [&](std::string_view piece) {
        written = file->write(std::as_bytes(std::span(piece)));
        return written.ok();
      },
      result);
  return written ? file->commit() : written;
}

}  // namespace

std::optional<ProfilesFormat> profiles_format_from_name(std::string_view name) {
  if (name == "ndjson") return ProfilesFormat::Ndjson;
  if (name == "csv") return ProfilesFormat::Csv;
  return std::nullopt;
}

Result<ProfilesResult> profiles(const ProfilesRequest& request, const TextSink& sink) {
  if (auto checked = check(request); !checked) return checked.error();
  Stopwatch watch;
  auto index = open_index(request.index_path);
  if (!index) return index.error();
  auto attributes = wanted_attributes(request, index->schema());
  if (!attributes) return attributes.error();
  auto rows = wanted_rows(request, *index);
  if (!rows) return rows.error();
  Listing listing{*index, *std::move(rows), *std::move(attributes),
                  LineWriter(format_of(request), index->schema())};
  ProfilesResult result{.output = request.output, .info = index->info()};
  if (request.output.empty()) {
    list(listing, request, sink, result);
  } else if (auto written = list_to_file(listing, request, result); !written) {
    return written.error();
  }
  result.seconds = watch.seconds();
  return result;
}

}  // namespace rankveil::api
