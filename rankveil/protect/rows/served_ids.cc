#include "rankveil/protect/rows/served_ids.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "rankveil/base/format.h"
#include "rankveil/protect/rows/keyed_order.h"
#include "rankveil/table/arranged.h"

namespace rankveil {

namespace {

KeyedStream names_of(const SecretKey& key, const ServedIds& served) {
  return {key, "served id", served.output};
}

std::string name_text(std::uint64_t number) { return fmt::format("{:016x}", number); }

Result<RowNames> keyed_names(const RowNames& ids, const ServedIds& served, const SecretKey& key) {
  KeyedStream stream = names_of(key, served);
  std::vector<std::uint64_t> numbers(ids.size());
  RowNames::Digits digits;
  for (std::uint32_t row = 0; row < numbers.size(); ++row) {
    numbers[row] = stream.number(ids.text(RowId{row}, digits));
  }
  TextNames names;
  names.bytes.reserve(16 * numbers.size());
  names.ends.reserve(numbers.size());
  for (std::uint64_t number : numbers) {
    names.bytes += name_text(number);
    names.ends.push_back(names.bytes.size());
  }
  std::ranges::sort(numbers);
  if (std::ranges::adjacent_find(numbers) != numbers.end()) {
    return bad_input(
        "two rows would have the same keyed name, which happens once in 100,000 large tables; "
        "write "
        "the index under another name, on which keyed names hang");
  }
  return RowNames(std::move(names));
}

PublicTable public_rows_of(const Index& index) {
  PublicTable rows{index.schema(), {}, {}};
  for (std::uint32_t i = 0; i < index.schema().public_count(); ++i) {
    std::vector<ValueId> values;
    for (std::uint32_t row = 0; row < index.rows(); ++row) {
      values.push_back(index.public_value(RowId{row}, AttributeId{i}));
    }
    rows.columns.emplace_back(index.schema().attributes[i].domain.size(), values);
  }
  return rows;
}

Error key_is_needed(const ServedIds& served) {
  return bad_input(fmt::format(
      "the index calls its rows {}, so only the key tells which row of the table each is; pass it "
      "with --key FILE",
      served.form == IdForm::Keyed ? "by keyed names" : "nothing (ids = \"none\")"));
}

// Which place in keyed order each row has.
std::vector<std::int64_t> places_of(const RowNames& ids, const SecretKey& key) {
  std::vector<std::uint32_t> order = keyed_order(ids, key);
  std::vector<std::int64_t> places(order.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) places[order[place]] = place;
  return places;
}

std::unordered_map<std::string, RowId> rows_by_name(const RowNames& ids, const ServedIds& served,
                                                    const SecretKey& key) {
  std::unordered_map<std::string, RowId> rows;
  if (served.form == IdForm::None) {
    std::vector<std::int64_t> places = places_of(ids, key);
    for (std::uint32_t row = 0; row < places.size(); ++row) {
      rows.emplace(std::to_string(places[row]), RowId{row});
    }
    return rows;
  }
  KeyedStream stream = names_of(key, served);
  RowNames::Digits digits;
  for (std::uint32_t row = 0; row < ids.size(); ++row) {
    rows.emplace(name_text(stream.number(ids.text(RowId{row}, digits))), RowId{row});
  }
  return rows;
}

}  // namespace

Json to_json(const ServedIds& ids) {
  Json json = Json().set("form", id_form_name(ids.form));
  if (ids.form == IdForm::Keyed) json.set("output", ids.output);
  return json;
}

ServedIds served_ids_of(const IndexInfo& info) {
  ServedIds ids;
  const Json* note = info.notes.find("ids");
  const Json* form = note == nullptr ? nullptr : note->find("form");
  const Json* output = note == nullptr ? nullptr : note->find("output");
  if (form != nullptr && form->as_text() != nullptr) {
    ids.form = id_form_from_name(*form->as_text()).value_or(IdForm::Plain);
  }
  if (output != nullptr && output->as_text() != nullptr) ids.output = *output->as_text();
  return ids;
}

Result<RowNames> served_names(const RowNames& ids, const ServedIds& served, const SecretKey& key) {
  if (served.form == IdForm::Keyed) return keyed_names(ids, served, key);
  if (served.form == IdForm::None) return RowNames(RowNumbers{ids.size()});
  return ids;
}

Result<Table> called_as_in(const Index& index, const Table& table, const SecretKey* key) {
  ServedIds served = served_ids_of(index.info());
  if (served.form == IdForm::Plain) return table;
  if (key == nullptr) return key_is_needed(served);
  bool by_place = served.form == IdForm::None;
  if (by_place && index.rows() != table.rows()) {
    return bad_input(fmt::format(
        "the index has {} and no names for them, and the table has {}, so which is which cannot be "
        "told; pass the table it was made of",
        counted(index.rows(), "row"), grouped(table.rows())));
  }
  if (by_place) return with_names(table, RowNames(IntegerNames{places_of(table.names(), *key)}));
  auto names = served_names(table.names(), served, *key);
  if (!names) return names.error();
  return with_names(table, std::move(*names));
}

Result<Index> called_by_ids(const Index& index, const RowNames& ids, const SecretKey& key) {
  ServedIds served = served_ids_of(index.info());
  if (served.form == IdForm::Plain) return index;
  if (served.form == IdForm::None && index.rows() != ids.size()) {
    return bad_input(
        fmt::format("the last index has {} without names (ids = \"none\"), and {} are known to "
                    "have been in it, so "
                    "which is which cannot be told; start over with --new-release, and write ids = "
                    "\"keyed\" into "
                    "the policy, which keeps names that only the key tells",
                    counted(index.rows(), "row"), grouped(ids.size())));
  }
  std::unordered_map<std::string, RowId> rows = rows_by_name(ids, served, key);
  TextNames names;
  for (std::uint32_t row = 0; row < index.rows(); ++row) {
    std::string name = index.name(RowId{row});
    auto found = rows.find(name);
    names.bytes += found == rows.end() ? name : ids.text(found->second);
    names.ends.push_back(names.bytes.size());
  }
  PublicTable part = public_rows_of(index);
  part.names = RowNames(std::move(names));
  return Index::build(std::move(part), index.profiles(), index.info());
}

}  // namespace rankveil
