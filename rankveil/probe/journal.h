// What a probe has written into somebody's service and not yet taken back, on disk before it is
// written, so that `--clean` can take it back when nobody else could.
//
// A line of JSON for each step. Lines are appended and synced; a last line that was cut off counts
// for nothing. Only the owner may read the file: it holds what rows that the operator named held
// before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/probe/asking.h"

namespace rankveil::probe {

class JournalLine;

class Journal {
 public:
  // Refuses a path where something is already. `target` says where the rows are ("http://...").
  static Result<Journal> create(const std::string& path, const std::string& target);
  // Goes on with one, to clean up after it.
  static Result<Journal> resume(const std::string& path);
  ~Journal();
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;

  Status making(const std::string& mark);
  Status made(const std::string& mark, const std::string& row);
  Status removed(const std::string& mark);
  Status changing(const std::string& row, const Field& field, const std::optional<Value>& was);
  Status restored(const std::string& row, const Field& field);

  const std::string& path() const { return path_; }

 private:
  Journal(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  Status append(const JournalLine& line);
  std::string path_;
  int descriptor_;
};

struct MadeRow {
  std::string mark;
  std::string row = {};  // empty: it is not known whether it was made
};
struct ChangedRow {
  std::string row;
  Field field;
  std::optional<Value> was = std::nullopt;
};
struct Pending {
  std::string target;
  std::vector<MadeRow> made;
  std::vector<ChangedRow> changed;
};
// What is left to take back.
Result<Pending> read_journal(const std::string& path);

}  // namespace rankveil::probe
