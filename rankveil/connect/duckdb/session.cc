#include "rankveil/connect/duckdb/session.h"

#include <duckdb.h>
#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <thread>
#include <utility>

#include "rankveil/base/stopwatch.h"
#include "rankveil/connect/duckdb/message.h"

namespace rankveil::connect {

// PackedText has the layout of DuckDB's own strings, so chunks are read where they lie.
static_assert(sizeof(PackedText) == sizeof(duckdb_string_t));

namespace {

Error error_of(const char* message) {
  return error_from_duckdb(message == nullptr ? "DuckDB failed without a message" : message);
}

// Each frees what its C handle holds.
struct Query {
  duckdb_result result{};
  ~Query() { duckdb_destroy_result(&result); }
};
struct Prepared {
  duckdb_prepared_statement statement = nullptr;
  ~Prepared() { duckdb_destroy_prepare(&statement); }
};
struct Pending {
  duckdb_pending_result result = nullptr;
  ~Pending() { duckdb_destroy_pending(&result); }
};
struct Extracted {
  duckdb_extracted_statements statements = nullptr;
  ~Extracted() { duckdb_destroy_extracted(&statements); }
};
struct OwnedChunk {
  duckdb_data_chunk chunk = nullptr;
  ~OwnedChunk() { duckdb_destroy_data_chunk(&chunk); }
};
struct Appender {
  duckdb_appender appender = nullptr;
  ~Appender() { duckdb_appender_destroy(&appender); }
};
struct Config {
  duckdb_config config = nullptr;
  Config() { duckdb_create_config(&config); }
  ~Config() { duckdb_destroy_config(&config); }
};

duckdb_vector column_of(void* chunk, std::size_t column) {
  return duckdb_data_chunk_get_vector(static_cast<duckdb_data_chunk>(chunk), column);
}

constexpr std::pair<const char*, const char*> settings[] = {
    {"autoinstall_known_extensions", "false"},
    {"autoload_known_extensions", "false"},
    {"allow_community_extensions", "false"},
    {"temp_directory", ""},  // private values stay in memory
    {"preserve_insertion_order", "true"},
};

constexpr auto one_moment = std::chrono::microseconds(1000);

double done_share(duckdb_connection connection) {
  return std::clamp(duckdb_query_progress(connection).percentage / 100, 0.0, 1.0);
}

std::string text_at(const Chunk& chunk, std::size_t column, std::size_t row) {
  return chunk.present(column)[row] ? std::string(chunk.texts(column)[row].view()) : std::string();
}

// A chunk with the columns of the appender's table.
OwnedChunk chunk_for(duckdb_appender appender) {
  std::vector<duckdb_logical_type> types;
  for (idx_t i = 0; i < duckdb_appender_column_count(appender); ++i) {
    types.push_back(duckdb_appender_column_type(appender, i));
  }
  OwnedChunk chunk{duckdb_create_data_chunk(types.data(), types.size())};
  for (duckdb_logical_type& type : types) duckdb_destroy_logical_type(&type);
  return chunk;
}

duckdb_type code_type(duckdb_vector vector) {
  duckdb_logical_type type = duckdb_vector_get_column_type(vector);
  duckdb_type code = duckdb_enum_internal_type(type);
  duckdb_destroy_logical_type(&type);
  return code;
}

// The codes of some rows into an ENUM's vector, whose codes may be wider or narrower than ours.
template <typename To>
void copy_codes(duckdb_vector vector, const Column& codes, std::size_t first, std::size_t rows) {
  duckdb_vector_ensure_validity_writable(vector);
  uint64_t* validity = duckdb_vector_get_validity(vector);
  auto* to = static_cast<To*>(duckdb_vector_get_data(vector));
  for (std::size_t i = 0; i < rows; ++i) {
    ValueId value = codes.value(RowId{static_cast<std::uint32_t>(first + i)});
    bool missing = value == missing_value;
    duckdb_validity_set_row_validity(validity, i, !missing);
    to[i] = static_cast<To>(missing ? 0 : +value);
  }
}

}  // namespace

std::size_t Chunk::rows() const {
  return duckdb_data_chunk_get_size(static_cast<duckdb_data_chunk>(chunk_));
}

std::span<const PackedText> Chunk::texts(std::size_t column) const {
  return {static_cast<const PackedText*>(duckdb_vector_get_data(column_of(chunk_, column))),
          rows()};
}

std::span<const double> Chunk::numbers(std::size_t column) const {
  return {static_cast<const double*>(duckdb_vector_get_data(column_of(chunk_, column))), rows()};
}

Presence Chunk::present(std::size_t column) const {
  return Presence(duckdb_vector_get_validity(column_of(chunk_, column)));
}

void ChunkWriter::set(std::size_t column, std::span<const std::int64_t> integers) {
  void* to = duckdb_vector_get_data(column_of(chunk_, column));
  std::copy(integers.begin(), integers.end(), static_cast<std::int64_t*>(to));
}

void ChunkWriter::set(std::size_t column, std::size_t row, std::string_view text) {
  duckdb_vector_assign_string_element_len(column_of(chunk_, column), row, text.data(), text.size());
}

void ChunkWriter::set(std::size_t column, const Column& codes, std::size_t first_row,
                      std::size_t rows) {
  duckdb_vector vector = column_of(chunk_, column);
  if (code_type(vector) == DUCKDB_TYPE_UTINYINT) {
    copy_codes<std::uint8_t>(vector, codes, first_row, rows);
  } else {
    assert(code_type(vector) == DUCKDB_TYPE_USMALLINT && "domains need at most two bytes");
    copy_codes<std::uint16_t>(vector, codes, first_row, rows);
  }
}

void ChunkWriter::set_missing(std::size_t column, std::size_t rows) {
  duckdb_vector vector = column_of(chunk_, column);
  duckdb_vector_ensure_validity_writable(vector);
  uint64_t* validity = duckdb_vector_get_validity(vector);
  for (std::size_t row = 0; row < rows; ++row) duckdb_validity_set_row_invalid(validity, row);
}

namespace {

// Frees what the C API makes.
struct Value {
  duckdb_value value = nullptr;
  explicit Value(const std::string& text)
      : value(duckdb_create_varchar_length(text.data(), text.size())) {}
  explicit Value(const std::vector<std::string>& texts) {
    std::vector<Value> items;
    items.reserve(texts.size());
    std::vector<duckdb_value> handles;
    handles.reserve(texts.size());
    for (const std::string& text : texts) handles.push_back(items.emplace_back(text).value);
    duckdb_logical_type type = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
    value = duckdb_create_list_value(type, handles.data(), handles.size());
    duckdb_destroy_logical_type(&type);
  }
  Value(Value&& other) noexcept : value(std::exchange(other.value, nullptr)) {}
  Value& operator=(Value&&) = delete;
  ~Value() {
    if (value != nullptr) duckdb_destroy_value(&value);
  }
};

// Binds one parameter.
struct Binder {
  duckdb_prepared_statement statement;
  idx_t number;  // from 1

  duckdb_state operator()(std::monostate) const { return duckdb_bind_null(statement, number); }
  duckdb_state operator()(std::int64_t value) const {
    return duckdb_bind_int64(statement, number, value);
  }
  template <typename Texts>
  duckdb_state operator()(const Texts& texts) const {
    return duckdb_bind_value(statement, number, Value(texts).value);
  }
};

Reply<Done> bind_all(duckdb_prepared_statement prepared, std::span<const SqlValue> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::visit(Binder{prepared, i + 1}, values[i]) == DuckDBSuccess) continue;
    return error_of(duckdb_prepare_error(prepared));
  }
  return Done{};
}

Reply<std::vector<std::string>> first_texts(duckdb_result& result) {
  std::vector<std::string> texts;
  // An INSERT without RETURNING has a column, too: how many rows it changed.
  if (duckdb_result_return_type(result) != DUCKDB_RESULT_TYPE_QUERY_RESULT) return texts;
  for (idx_t row = 0; row < duckdb_row_count(&result); ++row) {
    char* text = duckdb_value_varchar(&result, 0, row);
    if (text == nullptr) return bad_input("the statement returns NULL in its first column");
    texts.emplace_back(text);
    duckdb_free(text);
  }
  return texts;
}

}  // namespace

struct Session::State {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  ~State() {
    duckdb_disconnect(&connection);
    duckdb_close(&database);
  }
};

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

std::string duckdb_version() { return duckdb_library_version(); }

Result<Session> Session::open(std::uint32_t threads) {
  Config config;
  for (auto [name, value] : settings) duckdb_set_config(config.config, name, value);
  if (threads > 0) duckdb_set_config(config.config, "threads", std::to_string(threads).c_str());
  auto state = std::make_unique<State>();
  char* problem = nullptr;
  if (duckdb_open_ext(nullptr, &state->database, config.config, &problem) != DuckDBSuccess) {
    Error error = error_of(problem);
    duckdb_free(problem);
    return error;
  }
  if (duckdb_connect(state->database, &state->connection) != DuckDBSuccess) {
    return io_error("cannot open a DuckDB session");
  }
  Session session(std::move(state));
  // DuckDB measures how far a query is only where it could draw a bar.
  auto measured = session.run("SET enable_progress_bar=true; SET enable_progress_bar_print=false");
  if (!measured) return measured.error();
  return session;
}

Status Session::run(const std::string& sql, const std::function<void(double done)>& progress) {
  if (progress) return run_watched(sql, progress);
  Query query;
  if (duckdb_query(state_->connection, sql.c_str(), &query.result) == DuckDBSuccess) return {};
  return error_of(duckdb_result_error(&query.result));
}

// Works on the query a little at a time, and looks in between how far it is.
Status Session::run_watched(const std::string& sql,
                            const std::function<void(double done)>& progress) {
  Prepared prepared;
  if (duckdb_prepare(state_->connection, sql.c_str(), &prepared.statement) != DuckDBSuccess) {
    return error_of(duckdb_prepare_error(prepared.statement));
  }
  Pending pending;
  if (duckdb_pending_prepared(prepared.statement, &pending.result) != DuckDBSuccess) {
    return error_of(duckdb_pending_error(pending.result));
  }
  for (;;) {
    duckdb_pending_state state = duckdb_pending_execute_task(pending.result);
    // Only here it says why; to go on with it would fail without a reason.
    if (state == DUCKDB_PENDING_ERROR) return error_of(duckdb_pending_error(pending.result));
    if (duckdb_pending_execution_is_finished(state)) break;
    progress(done_share(state_->connection));
    if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) std::this_thread::sleep_for(one_moment);
  }
  Query query;
  if (duckdb_execute_pending(pending.result, &query.result) == DuckDBSuccess) return {};
  return error_of(duckdb_result_error(&query.result));
}

Result<std::vector<std::vector<std::string>>> Session::rows(const std::string& sql) {
  std::vector<std::vector<std::string>> all;
  Query query;
  if (duckdb_query(state_->connection, sql.c_str(), &query.result) != DuckDBSuccess) {
    return error_of(duckdb_result_error(&query.result));
  }
  idx_t columns = duckdb_column_count(&query.result);
  for (idx_t column = 0; column < columns; ++column) {
    assert(duckdb_column_type(&query.result, column) == DUCKDB_TYPE_VARCHAR && "rows() reads text");
  }
  for (;;) {
    OwnedChunk owned{duckdb_fetch_chunk(query.result)};
    if (owned.chunk == nullptr) return all;
    Chunk chunk(owned.chunk);
    for (std::size_t row = 0; row < chunk.rows(); ++row) {
      auto& cells = all.emplace_back();
      for (idx_t column = 0; column < columns; ++column) {
        cells.push_back(text_at(chunk, column, row));
      }
    }
  }
}

Reply<std::vector<std::string>> Session::first_column(const Statement& statement, double timeout) {
  Prepared prepared;
  if (duckdb_prepare(state_->connection, statement.sql.c_str(), &prepared.statement) !=
      DuckDBSuccess) {
    return error_of(duckdb_prepare_error(prepared.statement));
  }
  if (auto bound = bind_all(prepared.statement, statement.values); !bound) return bound.trouble();
  Pending pending;
  if (duckdb_pending_prepared(prepared.statement, &pending.result) != DuckDBSuccess) {
    return error_of(duckdb_pending_error(pending.result));
  }
  Stopwatch watch;
  bool is_late = false;
  for (;;) {
    duckdb_pending_state state = duckdb_pending_execute_task(pending.result);
    if (duckdb_pending_execution_is_finished(state)) break;
    if (!is_late && watch.seconds() > timeout) {
      is_late = true;
      duckdb_interrupt(state_->connection);
    }
    if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) std::this_thread::sleep_for(one_moment / 10);
  }
  Query query;
  if (duckdb_execute_pending(pending.result, &query.result) == DuckDBSuccess) {
    return first_texts(query.result);
  }
  if (is_late) {
    return Trouble{io_error(fmt::format("no answer within {} s", timeout)), true};
  }
  return error_of(duckdb_result_error(&query.result));
}

// Asks the parser alone, since a statement that names what is not there cannot be prepared: a view
// can be made of a SELECT only.
bool Session::parses_as_select(const std::string& sql) const {
  Extracted view;
  return duckdb_extract_statements(state_->connection, ("CREATE VIEW v AS " + sql).c_str(),
                                   &view.statements) == 1;
}

Status Session::check_is_select(const std::string& sql) {
  Extracted extracted;
  idx_t count = duckdb_extract_statements(state_->connection, sql.c_str(), &extracted.statements);
  if (count == 0) {
    const char* problem = duckdb_extract_statements_error(extracted.statements);
    return problem == nullptr ? bad_input("the SQL is empty; write a SELECT") : error_of(problem);
  }
  if (!parses_as_select(sql)) return bad_input("the SQL must be a single SELECT");
  Prepared prepared;
  if (duckdb_prepare_extracted_statement(state_->connection, extracted.statements, 0,
                                         &prepared.statement) != DuckDBSuccess) {
    return error_of(duckdb_prepare_error(prepared.statement));
  }
  bool is_select =
      duckdb_prepared_statement_type(prepared.statement) == DUCKDB_STATEMENT_TYPE_SELECT;
  if (!is_select) return bad_input("the SQL must be a single SELECT");
  return {};
}

Status Session::stream(const std::string& select, const std::function<Status(const Chunk&)>& take,
                       const std::function<void(double done)>& progress) {
  Prepared prepared;
  if (duckdb_prepare(state_->connection, select.c_str(), &prepared.statement) != DuckDBSuccess) {
    return error_of(duckdb_prepare_error(prepared.statement));
  }
  Pending pending;
  Query query;
  if (duckdb_pending_prepared_streaming(prepared.statement, &pending.result) != DuckDBSuccess) {
    return error_of(duckdb_pending_error(pending.result));
  }
  if (duckdb_execute_pending(pending.result, &query.result) != DuckDBSuccess) {
    return error_of(duckdb_result_error(&query.result));
  }
  for (std::size_t count = 0;; ++count) {
    OwnedChunk owned{duckdb_fetch_chunk(query.result)};
    if (owned.chunk == nullptr) break;
    if (auto taken = take(Chunk(owned.chunk)); !taken) return taken;
    if (progress && count % 16 == 0) progress(done_share(state_->connection));
  }
  const char* problem = duckdb_result_error(&query.result);
  if (problem != nullptr && *problem != '\0') return error_of(problem);
  return {};
}

Status Session::append(
    const std::string& table, std::size_t rows,
    const std::function<void(ChunkWriter&, std::size_t first, std::size_t rows)>& fill) {
  Appender to;
  if (duckdb_appender_create(state_->connection, nullptr, table.c_str(), &to.appender) !=
      DuckDBSuccess) {
    return error_of(duckdb_appender_error(to.appender));
  }
  OwnedChunk owned = chunk_for(to.appender);
  std::size_t chunk_rows = std::min<std::size_t>(ChunkWriter::max_rows, duckdb_vector_size());
  for (std::size_t first = 0; first < rows; first += chunk_rows) {
    std::size_t due = std::min(chunk_rows, rows - first);
    duckdb_data_chunk_reset(owned.chunk);
    ChunkWriter writer(owned.chunk);
    fill(writer, first, due);
    duckdb_data_chunk_set_size(owned.chunk, due);
    if (duckdb_append_data_chunk(to.appender, owned.chunk) != DuckDBSuccess) {
      return error_of(duckdb_appender_error(to.appender));
    }
  }
  if (duckdb_appender_close(to.appender) != DuckDBSuccess) {
    return error_of(duckdb_appender_error(to.appender));
  }
  return {};
}

}  // namespace rankveil::connect
