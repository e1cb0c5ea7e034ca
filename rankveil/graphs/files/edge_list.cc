#include "rankveil/graphs/files/edge_list.h"

#include <fmt/core.h>

#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/connect/relation/relation.h"
#include "rankveil/connect/relation/telling.h"
#include "rankveil/connect/relation/text_blocks.h"
#include "rankveil/connect/sql.h"

namespace rankveil::connect {

namespace {

bool is_text(const Source& source) {
  if (!source.sql.empty() || !source.table.empty()) return false;
  FileKind kind = file_kind(source.path);
  return kind == FileKind::Csv || kind == FileKind::Tsv || kind == FileKind::Unknown;
}

Status feed_text(graph::EdgeListReader& reader, const Source& source, Teller& tell) {
  return read_blocks(source.path, [&](std::string_view block, double done) {
    tell(done);
    return reader.feed(block);
  });
}

Status feed_chunk(graph::EdgeListReader& reader, const Chunk& chunk, std::uint64_t& row,
                  bool& has_texts) {
  auto from = chunk.texts(0), to = chunk.texts(1);
  auto has_from = chunk.present(0), has_to = chunk.present(1);
  for (std::size_t i = 0; i < chunk.rows(); ++i) {
    ++row;
    if (!has_from[i] || !has_to[i]) {
      return bad_input(
          fmt::format("row {} has no node number; fill it in or leave the row out", grouped(row)));
    }
    auto u = graph::parse_node(from[i].view());
    auto v = graph::parse_node(to[i].view());
    if (row == 1) has_texts = !u || !v;
    if (has_texts) {
      if (auto added = reader.add(from[i].view(), to[i].view()); !added) {
        return bad_input(fmt::format("row {}: {}", grouped(row), added.error().message));
      }
      continue;
    }
    for (const auto* end : {&u, &v}) {
      if (!*end) return bad_input(fmt::format("row {}: {}", grouped(row), end->error().message));
    }
    reader.add(*u, *v);
  }
  return {};
}

Status feed_rows(graph::EdgeListReader& reader, const Source& source, const ReadOptions& options,
                 Teller& tell) {
  auto session = Session::open(options.threads);
  if (!session) return session.error();
  auto relation = open_relation(*session, source);
  if (!relation) return relation.error();
  if (relation->columns.size() < 2) {
    return bad_input("there is one column; an edge list needs two, one for each end");
  }
  std::uint64_t row = 0;
  bool has_texts = false;
  return session->stream(
      fmt::format("SELECT {}, {} FROM {}", relation->columns[0].text, relation->columns[1].text,
                  relation->from),
      [&](const Chunk& chunk) { return feed_chunk(reader, chunk, row, has_texts); },
      [&](double done) { tell(done); });
}

std::string copy_format(const std::string& path) {
  return file_kind(path) == FileKind::Parquet ? "FORMAT parquet, COMPRESSION zstd"
                                              : "FORMAT csv, HEADER true, COMPRESSION gzip";
}

Status write_through_duckdb(const graph::Graph& graph, const std::vector<std::uint64_t>& names,
                            const graph::NodeTexts& texts, const std::string& path,
                            const std::string& temporary) {
  if (!texts.empty()) {
    return wrong_use(
        fmt::format("cannot write {}: nodes that are called by texts go to a .csv", path));
  }
  if (names.back() > static_cast<std::uint64_t>(INT64_MAX)) {
    return bad_input(fmt::format("node {} is too large for {}; write a .csv", names.back(), path));
  }
  auto session = Session::open();
  if (!session) return session.error();
  auto made = session->run("CREATE TABLE edges (u BIGINT, v BIGINT)");
  if (!made) return made;
  auto edges = graph::edges_of(graph);
  auto fill = [&](ChunkWriter& writer, std::size_t first, std::size_t rows) {
    std::vector<std::int64_t> us, vs;
    for (std::size_t i = first; i < first + rows; ++i) {
      us.push_back(static_cast<std::int64_t>(names[edges[i].first]));
      vs.push_back(static_cast<std::int64_t>(names[edges[i].second]));
    }
    writer.set(0, us);
    writer.set(1, vs);
  };
  if (auto added = session->append("edges", edges.size(), fill); !added) return added;
  return session->run(
      fmt::format("COPY edges TO {} ({})", quoted_text(temporary), copy_format(path)));
}

}  // namespace

Result<graph::NamedGraph> read_graph(const Source& source, const ReadOptions& options) {
  graph::EdgeListReader reader;
  Teller tell(options.progress, "reading " + source.name());
  auto fed =
      is_text(source) ? feed_text(reader, source, tell) : feed_rows(reader, source, options, tell);
  if (!fed) return in_source(source, fed.error());
  auto named = std::move(reader).finish();
  if (!named) return in_source(source, named.error());
  tell.finish();
  return named;
}

Status write_graph(const graph::Graph& graph, const std::vector<std::uint64_t>& names,
                   const std::string& path, const graph::NodeTexts& texts) {
  FileKind kind = file_kind(path);
  bool packed = is_gzipped(path);
  bool known = kind == FileKind::Csv || (kind == FileKind::Parquet && !packed);
  if (!known) {
    return wrong_use(fmt::format(
        "cannot tell the format of \"{}\"; end the name in .csv, .csv.gz or .parquet", path));
  }
  auto file = AtomicFile::create(path);
  if (!file) return file.error();
  if (kind == FileKind::Csv && !packed) {
    std::string text = graph::edge_list_text(graph, names, texts);
    auto written = file->write(std::as_bytes(std::span(text)));
    if (!written) return written;
  } else if (auto written = write_through_duckdb(graph, names, texts, path, file->temporary());
             !written) {
    return written;
  }
  return file->commit();
}

}  // namespace rankveil::connect
