// What an index serves, for inspection: how strongly each value matches each row.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/ranking/index.h"

namespace rankveil::api {

// Only values with a strength above 0 are listed, in the order of the domain. Strengths are the
// shortest decimals that read back as the same double.
enum class ProfilesFormat {
  Ndjson,  // a line for each row and attribute, also where no value matches:
           // {"row":"17","attribute":"religion","values":{"none":0.75,"other":0.25}}
  Csv,     // a line for each row, attribute and value: row,attribute,value,strength
};
std::optional<ProfilesFormat> profiles_format_from_name(std::string_view name);  // "ndjson", "csv"

struct ProfilesRequest {
  std::string index_path;
  std::optional<ProfilesFormat> format;  // none: by the output's ending, else Ndjson
  std::vector<std::string> rows;         // ids; empty: all. In row order, whatever the order here
  std::vector<std::string> attributes;   // private ones; empty: all. In the index's order
  std::optional<std::uint32_t> limit;    // rows at most
  std::string output;                    // a file; empty: the text goes to the sink
  bool force = false;                    // replace a file that is there
  Progress progress;
};

struct ProfilesResult {
  std::string output;
  IndexInfo info;
  std::uint64_t rows = 0;   // listed
  std::uint64_t lines = 0;  // without the head of a CSV
  double seconds = 0;
};

// Takes a piece of the text, a few hundred kilobytes of whole lines; false: no more is wanted, and
// the listing ends quietly.
using TextSink = std::function<bool(std::string_view piece)>;

// Deleted rows are left out. Refuses ids and attributes that are not there, public attributes, and
// an output that is the index itself. A file appears complete or not at all.
Result<ProfilesResult> profiles(const ProfilesRequest& request, const TextSink& sink);

}  // namespace rankveil::api
