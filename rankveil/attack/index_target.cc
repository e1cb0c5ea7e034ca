#include "rankveil/attack/index_target.h"

#include <fmt/core.h>

namespace rankveil::attack {

namespace {

PublicTable one_row(const Schema& schema, std::span<const ValueId> values) {
  PublicTable row{schema, {}, RowNames(RowNumbers{1})};
  for (std::uint32_t i = 0; i < schema.public_count(); ++i) {
    row.columns.emplace_back(schema.attributes[i].domain.size(), values.subspan(i, 1));
  }
  return row;
}

}  // namespace

Status check_new_row(const Schema& schema, std::span<const ValueId> values) {
  if (values.size() != schema.size()) {
    return bad_input(fmt::format("a new row has {} values; the ranking has {} attributes",
                                 values.size(), schema.size()));
  }
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    const Attribute& attribute = schema.attributes[i];
    if (values[i] == missing_value || +values[i] < attribute.domain.size()) continue;
    return bad_input(fmt::format("a new row has value number {} of {}, which has {} values",
                                 +values[i], attribute.name, attribute.domain.size()));
  }
  return {};
}

MakeProfile unprotected_row(const Schema& schema) {
  return [domains = schema.private_domain_sizes(),
          first = schema.public_count()](std::span<const ValueId> values) -> Result<Profiles> {
    LevelProfiles profiles(1, domains, 1);
    for (std::uint32_t j = 0; j < domains.size(); ++j) {
      ValueId value = values[first + j];
      if (value != missing_value) profiles.set(RowId{0}, PrivateId{j}, value);
    }
    return Profiles(std::move(profiles));
  };
}

IndexTarget::IndexTarget(Index index, std::uint32_t k, MakeProfile make_profile)
    : index_(std::move(index)), k_(k), make_profile_(std::move(make_profile)) {}

Result<std::vector<std::uint32_t>> IndexTarget::query(const Query& query) {
  Answer answer = index_.rank(query, {.k = k_});
  std::vector<std::uint32_t> rows;
  rows.reserve(answer.hits.size());
  for (const Hit& hit : answer.hits) rows.push_back(+hit.row);
  return rows;
}

Result<std::uint32_t> IndexTarget::insert(std::span<const ValueId> values) {
  if (!make_profile_) return wrong_use("this ranking takes no rows; attack it with queries only");
  if (auto fits = check_new_row(index_.schema(), values); !fits) return fits.error();
  auto profile = make_profile_(values);
  if (!profile) return profile.error();
  std::uint32_t row = index_.rows();
  auto grown = index_.append(one_row(index_.schema(), values), *profile);
  if (!grown) return grown.error();
  index_ = std::move(*grown);
  return row;
}

}  // namespace rankveil::attack
