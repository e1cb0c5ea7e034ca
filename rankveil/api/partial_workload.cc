#include "rankveil/api/partial_workload.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "rankveil/base/format.h"
#include "rankveil/connect/source.h"

namespace rankveil::api {

namespace {

using Wishes = std::span<const std::vector<ValueId>>;

bool asks_for_something(Wishes wishes) {
  return std::ranges::any_of(wishes, [](const auto& values) { return !values.empty(); });
}

// Drops wishes for attributes behind the first `kept`, and counts.
class WishDropper {
 public:
  WishDropper(std::uint32_t kept, std::size_t others) : kept_(kept), asked_(others) {}

  // Whether anything is left of a query that asked for something.
  bool cut(Query& query) {
    Wishes dropped = Wishes(query.wanted).subspan(kept_);
    bool changed = asks_for_something(dropped);
    for (std::size_t i = 0; i < dropped.size(); ++i) {
      if (!dropped[i].empty()) asked_[i] = true;
    }
    query.wanted.resize(kept_);
    bool emptied = changed && !asks_for_something(query.wanted);
    touched_ += changed ? 1 : 0;
    emptied_ += emptied ? 1 : 0;
    return !emptied;
  }

  std::vector<std::string> warnings(const std::string& path,
                                    const std::vector<Attribute>& others) const {
    if (touched_ == 0) return {};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      if (asked_[i]) names.push_back(others[i].name);
    }
    std::string text = fmt::format(
        "{} is left out of the score: wishes for it do not count in {} of {}", listed(names, 5),
        touched_ == 1 ? "1 query" : grouped(touched_) + " queries", path);
    if (emptied_ > 0) text += fmt::format(", {} of them for nothing else", grouped(emptied_));
    return {text};
  }

 private:
  std::uint32_t kept_;
  std::vector<bool> asked_;  // per attribute that is left out
  std::uint64_t touched_ = 0;
  std::uint64_t emptied_ = 0;
};

}  // namespace

Result<PartialWorkload> read_partial_workload(const std::string& path, const Schema& schema,
                                              const std::vector<Attribute>& left_out,
                                              const std::vector<std::string>& ignored) {
  Schema full = schema;  // private attributes come last, and so do these
  full.attributes.insert(full.attributes.end(), left_out.begin(), left_out.end());
  auto read = connect::read_workload(path, full, ignored);
  if (!read) return read.error();
  PartialWorkload made;
  WishDropper dropper(schema.size(), left_out.size());
  for (WorkloadEntry& entry : read->entries) {
    if (dropper.cut(entry.query)) made.workload.entries.push_back(std::move(entry));
  }
  made.warnings = dropper.warnings(path, left_out);
  return made;
}

std::vector<Attribute> private_attributes_missing(const Schema& all, const Schema& some) {
  std::vector<Attribute> missing;
  for (const Attribute& attribute : all.attributes) {
    if (attribute.is_private() && !some.find(attribute.name)) missing.push_back(attribute);
  }
  return missing;
}

}  // namespace rankveil::api
