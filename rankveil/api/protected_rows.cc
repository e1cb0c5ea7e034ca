#include "rankveil/api/protected_rows.h"

#include <filesystem>

#include "rankveil/base/keys/key_file.h"
#include "rankveil/protect/rows/keyed_order.h"
#include "rankveil/table/arranged.h"

namespace rankveil::api {

namespace {

void number_persons(connect::RowPeople& people) {
  constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> number(people.person_names.size(), none);
  std::vector<std::string> names;
  for (std::uint32_t& person : people.person_of) {
    if (number[person] == none) {
      number[person] = static_cast<std::uint32_t>(names.size());
      names.push_back(std::move(people.person_names[person]));
    }
    person = number[person];
  }
  people.person_names = std::move(names);
}

}  // namespace

void arrange_as_served(connect::LoadedTable& loaded, const SecretKey& key) {
  std::vector<std::uint32_t> order = keyed_order(loaded.table.names(), key);
  loaded.table = arranged(loaded.table, order);
  loaded.established = arranged(loaded.established, order);
  loaded.consent = arranged(loaded.consent, order);
  loaded.person_of = arranged(loaded.person_of, order);
  loaded.place_of = arranged(loaded.place_of, order);
  number_persons(loaded);
}

ServedIds served_ids_for(const Policy& policy, const std::string& output) {
  bool keyed = policy.ids == IdForm::Keyed;
  return {policy.ids, keyed ? std::filesystem::path(output).filename().string() : std::string()};
}

Result<PublicTable> rows_to_serve(const Table& table, const ServedIds& ids, const SecretKey& key) {
  PublicTable rows = public_part(table);
  auto names = served_names(rows.names, ids, key);
  if (!names) return names.error();
  rows.names = *std::move(names);
  return rows;
}

Result<Table> called_as_served(const Index& index, const Table& table,
                               const std::string& key_path) {
  bool plain = served_ids_of(index.info()).form == IdForm::Plain;
  if (plain || key_path.empty()) return called_as_in(index, table, nullptr);
  auto key = read_key_file(key_path);
  if (!key) return key.error();
  return called_as_in(index, table, &*key);
}

std::vector<std::vector<PrivateId>> together_of(const Policy& policy, const Schema& schema) {
  std::vector<std::vector<PrivateId>> together;
  for (const auto& columns : policy.together) {
    std::vector<PrivateId> block;
    for (const std::string& column : columns) {
      auto found = schema.find(column);
      if (found && schema[*found].is_private()) {
        block.push_back(PrivateId{+*found - schema.public_count()});
      }
    }
    if (block.size() > 1) together.push_back(std::move(block));
  }
  return together;
}

void add_people(const Policy& policy, const connect::RowPeople& people, Task& task) {
  task.together = together_of(policy, task.table.schema());
  task.person_of = people.person_of;
  task.person_names = people.person_names;
  task.place_of = people.place_of;
}

}  // namespace rankveil::api
