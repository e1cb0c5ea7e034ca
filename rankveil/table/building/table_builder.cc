#include "rankveil/table/building/table_builder.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>

#include "rankveil/base/format.h"

namespace rankveil {

namespace {

constexpr std::size_t max_listed = 20;

Status check_names(const Policy& policy, std::span<const std::string> columns) {
  for (const ColumnPolicy& column : policy.columns) {
    if (column.role == Role::Ignored || column.role == Role::Undecided) continue;
    if (std::find(columns.begin(), columns.end(), column.name) == columns.end()) {
      return bad_input(
          fmt::format("the policy names a column \"{}\", which is not there; there are {}",
                      column.name, listed(columns, max_listed)));
    }
  }
  return {};
}

const ColumnPolicy* find_column(const Policy& policy, const std::string& name) {
  auto found = std::find_if(policy.columns.begin(), policy.columns.end(),
                            [&](const ColumnPolicy& column) { return column.name == name; });
  return found == policy.columns.end() ? nullptr : &*found;
}

Status check_rows(std::size_t rows) {
  if (rows <= max_rows) return {};
  return bad_input(fmt::format("a table holds at most {} rows", max_rows));
}

// Columns without a section that other keys of the policy name.
bool says_whose_rows(const Policy& policy, const std::string& name) {
  bool rule = policy.established && policy.established->column == name;
  return rule || name == policy.person || name == policy.time || name == policy.consent;
}

}  // namespace

Result<TableBuilder> TableBuilder::create(const Policy& policy,
                                          std::span<const std::string> columns) {
  if (auto checked = check_names(policy, columns); !checked) return checked.error();
  TableBuilder builder;
  std::vector<std::string> left_out, undecided;
  for (const std::string& name : columns) {
    const ColumnPolicy* column = find_column(policy, name);
    if (column == nullptr) {
      if (!says_whose_rows(policy, name)) left_out.push_back(name);
    } else if (column->role == Role::Undecided) {
      undecided.push_back(name);
    } else if (column->role != Role::Ignored) {
      ColumnPolicy read = *column;
      if (!read.missing) read.missing = policy.missing;
      if (auto added = builder.add_input(read); !added) return added.error();
    }
  }
  if (builder.attributes_.empty()) {
    return bad_input(
        "the policy gives no column the role \"public\" or \"private\", so there is nothing to "
        "rank "
        "by");
  }
  if (!left_out.empty()) {
    builder.warnings_.push_back(fmt::format("left out, because the policy does not name them: {}",
                                            listed(left_out, max_listed)));
  }
  if (!undecided.empty()) {
    builder.warnings_.push_back(fmt::format("left out, because their role is still \"?\": {}",
                                            listed(undecided, max_listed)));
  }
  return builder;
}

Status TableBuilder::add_input(const ColumnPolicy& column) {
  if (column.role == Role::Id) {
    if (names_) {
      return bad_input(fmt::format("{} and {} both have the role \"id\"; one column can name rows",
                                   inputs_[*id_input_].name, column.name));
    }
    id_input_ = inputs_.size();
    names_.emplace(column.name);
    inputs_.push_back({column.name, false});
    attribute_of_input_.push_back(0);
    return {};
  }
  auto attribute = AttributeBuilder::create(column);
  if (!attribute) return attribute.error();
  inputs_.push_back({column.name, attribute->takes_numbers()});
  attribute_of_input_.push_back(attributes_.size());
  attributes_.push_back(std::move(*attribute));
  return {};
}

Status TableBuilder::add(std::size_t input, std::span<const PackedText> texts, Presence present) {
  if (input == id_input_) return names_->add(texts, present);
  AttributeBuilder& attribute = attributes_[attribute_of_input_[input]];
  if (auto checked = check_rows(attribute.rows() + texts.size()); !checked) return checked;
  return attribute.add(texts, present);
}

Status TableBuilder::add(std::size_t input, std::span<const double> numbers, Presence present) {
  assert(inputs_[input].takes_numbers && "numbers for a column of text");
  AttributeBuilder& attribute = attributes_[attribute_of_input_[input]];
  if (auto checked = check_rows(attribute.rows() + numbers.size()); !checked) return checked;
  return attribute.add(numbers, present);
}

Result<RowNames> TableBuilder::finish_names(std::size_t rows) {
  if (names_) return std::move(*names_).finish();
  return RowNames(RowNumbers{static_cast<std::uint32_t>(rows)});
}

Result<BuiltTable> TableBuilder::finish() && {
  std::size_t rows = attributes_.front().rows();
  auto names = finish_names(rows);
  if (!names) return names.error();

  std::vector<BuiltAttribute> built;
  for (AttributeBuilder& attribute : attributes_) {
    assert(attribute.rows() == rows && "every input must be fed as many rows");
    auto finished = std::move(attribute).finish();
    if (!finished) return finished.error();
    warnings_.insert(warnings_.end(), finished->warnings.begin(), finished->warnings.end());
    built.push_back(std::move(*finished));
  }
  std::stable_partition(built.begin(), built.end(), [](const BuiltAttribute& attribute) {
    return !attribute.attribute.is_private();
  });

  Schema schema;
  std::vector<Column> columns;
  if (id_input_) schema.id_name = inputs_[*id_input_].name;
  for (BuiltAttribute& attribute : built) {
    schema.attributes.push_back(std::move(attribute.attribute));
    columns.push_back(std::move(attribute.column));
  }
  return BuiltTable{Table(std::move(schema), std::move(columns), std::move(*names)),
                    std::move(warnings_)};
}

}  // namespace rankveil
