#include "rankveil/api/ids.h"

#include <fmt/core.h>

#include <unordered_map>

#include "rankveil/api/report_outputs.h"
#include "rankveil/base/file.h"
#include "rankveil/base/keys/key_file.h"
#include "rankveil/connect/columns.h"
#include "rankveil/connect/relation/csv.h"
#include "rankveil/protect/rows/keyed_order.h"
#include "rankveil/protect/rows/served_ids.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/table/building/row_names_builder.h"

namespace rankveil::api {

namespace {

Status check_request(const IdsRequest& request) {
  if (request.key_path.empty()) {
    return wrong_use("only the key tells which row is whose; pass --key FILE");
  }
  std::vector<std::string> inputs = request.source.files();
  inputs.insert(inputs.end(), {request.index_path, request.key_path});
  return check_report_outputs({request.output}, inputs);
}

Status check_index(const IdsRequest& request, const Index& index, const SecretKey& key) {
  if (served_ids_of(index.info()).form == IdForm::Plain) {
    return bad_input(fmt::format("{} calls its rows by their ids, so there is nothing to translate",
                                 request.index_path));
  }
  const Json* parameters = index.info().notes.find("parameters");
  const Json* made_with = parameters == nullptr ? nullptr : parameters->find("key");
  bool known = made_with != nullptr && made_with->as_text() != nullptr;
  if (!known || *made_with->as_text() == key.fingerprint()) return {};
  return bad_input(fmt::format("{} was made with another key than {}; pass that one",
                               request.index_path, request.key_path));
}

// By its number where rows have no id.
Result<RowNames> read_ids(const IdsRequest& request, const Schema& schema) {
  connect::ReadOptions options{.threads = request.threads, .progress = {}};
  std::vector<std::string> columns = {schema.id_name};
  if (schema.id_name.empty()) {
    auto names = connect::column_names(request.source);
    if (!names) return names.error();
    columns = {names->front()};
  }
  auto read = connect::read_columns(request.source, {}, columns, options);
  if (!read) return read.error();
  if (schema.id_name.empty()) return RowNames(RowNumbers{read->rows});
  const connect::TextColumn& ids = read->texts.front();
  RowNamesBuilder builder(schema.id_name);
  for (std::uint32_t code : ids.codes) {
    std::string_view id =
        code == connect::TextColumn::missing ? std::string_view() : ids.values[code];
    PackedText text(id);
    if (auto added = builder.add({&text, 1}, Presence()); !added) return added.error();
  }
  return std::move(builder).finish();
}

using IdOfName = std::unordered_map<std::string, std::string>;

Result<IdOfName> ids_by_name(const Index& index, const RowNames& ids, const SecretKey& key) {
  ServedIds served = served_ids_of(index.info());
  IdOfName by_name;
  if (served.form == IdForm::None) {
    if (index.rows() != ids.size() || index.live_rows() != ids.size()) {
      return bad_input(fmt::format(
          "the index has {} rows without names, and the table has {}, so which is which cannot be "
          "told; pass the table that the index was made of",
          index.live_rows(), ids.size()));
    }
    std::vector<std::uint32_t> order = keyed_order(ids, key);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      by_name.emplace(std::to_string(i), ids.text(RowId{order[i]}));
    }
    return by_name;
  }
  auto names = served_names(ids, served, key);
  if (!names) return names.error();
  for (std::uint32_t row = 0; row < ids.size(); ++row) {
    by_name.emplace(names->text(RowId{row}), ids.text(RowId{row}));
  }
  return by_name;
}

std::string translation(const Index& index, const IdOfName& by_name, IdsResult& result) {
  std::string text = "name,id\n";
  for (std::uint32_t row = 0; row < index.rows(); ++row) {
    if (!index.is_live(RowId{row})) continue;
    std::string name = index.name(RowId{row});
    auto found = by_name.find(name);
    if (found == by_name.end()) {
      ++result.unknown;
      continue;
    }
    ++result.rows;
    text += fmt::format("{},{}\n", name, connect::csv_cell(found->second));
  }
  return text;
}

Status write_secret_text(const std::string& path, std::string_view text) {
  auto file = AtomicFile::create(path, 0600);
  if (!file) return file.error();
  if (auto written = file->write(std::as_bytes(std::span(text))); !written) return written;
  return file->commit();
}

}  // namespace

Result<IdsResult> translate_ids(const IdsRequest& request) {
  if (auto fine = check_request(request); !fine) return fine.error();
  auto key = read_key_file(request.key_path);
  if (!key) return key.error();
  auto index = open_index(request.index_path);
  if (!index) return index.error();
  if (auto fine = check_index(request, *index, *key); !fine) return fine.error();
  auto ids = read_ids(request, index->schema());
  if (!ids) return ids.error();
  auto by_name = ids_by_name(*index, *ids, *key);
  if (!by_name) return by_name.error();
  IdsResult result{.index_path = request.index_path,
                   .output = request.output,
                   .form = served_ids_of(index->info()).form};
  std::string text = translation(*index, *by_name, result);
  if (auto written = write_secret_text(request.output, text); !written) return written.error();
  return result;
}

Json to_json(const IdsResult& result) {
  return Json()
      .set("index", result.index_path)
      .set("output", result.output)
      .set("ids", id_form_name(result.form))
      .set("rows", result.rows)
      .set("unknown_rows", result.unknown);
}

}  // namespace rankveil::api
