#include "rankveil/attack/targets/index_service.h"

#include <fmt/core.h>

#include "rankveil/ranking/index_file.h"

namespace rankveil::attack {

using connect::Done;
using connect::Reply;

namespace {

class IndexService : public Service {
 public:
  IndexService(std::string path, Index index, std::uint32_t k, MakeProfile make_profile)
      : path_(std::move(path)),
        index_(std::move(index)),
        k_(k),
        make_profile_(std::move(make_profile)),
        target_(index_, k_, make_profile_) {}

  std::string name() const override { return path_; }
  bool takes_rows() const override { return target_.takes_inserts(); }
  bool takes_sets() const override { return true; }
  bool forgets() const override { return true; }

  Reply<std::vector<std::string>> rank(const Query& query) override {
    auto rows = target_.query(query);
    if (!rows) return rows.error();
    std::vector<std::string> ids;
    for (std::uint32_t row : *rows) {
      ids.push_back(row < index_.rows() ? index_.name(RowId{row}) : added_[row - index_.rows()]);
    }
    return ids;
  }

  Reply<std::string> add(std::span<const ValueId> values, const std::string& id) override {
    auto row = target_.insert(values);
    if (!row) return row.error();
    added_.push_back(id);
    return id;
  }

  Reply<Done> restart() override {
    target_ = IndexTarget(index_, k_, make_profile_);
    added_.clear();
    return Done{};
  }

 private:
  std::string path_;
  Index index_;
  std::uint32_t k_;
  MakeProfile make_profile_;
  IndexTarget target_;
  std::vector<std::string> added_;
};

bool same_attributes(const Schema& left, const Schema& right) {
  if (left.size() != right.size()) return false;
  for (std::uint32_t i = 0; i < left.size(); ++i) {
    const Attribute& a = left.attributes[i];
    const Attribute& b = right.attributes[i];
    if (a.name != b.name || a.visibility != b.visibility || !(a.domain == b.domain)) return false;
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<Service>> index_service(const std::string& path, const Schema& schema,
                                               std::uint32_t k, MakeProfile make_profile) {
  auto index = open_index(path);
  if (!index) return index.error();
  if (!same_attributes(index->schema(), schema)) {
    return bad_input(
        fmt::format("{} has other attributes or domains than the table; build it from the same "
                    "table and policy",
                    path));
  }
  return std::unique_ptr<Service>(
      std::make_unique<IndexService>(path, std::move(*index), k, std::move(make_profile)));
}

}  // namespace rankveil::attack
