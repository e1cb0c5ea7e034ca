#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "rankveil/base/file.h"
#include "rankveil/base/keys/key_file.h"
#include "rankveil/base/parallel.h"
#include "rankveil/protect/ledger/ledger.h"
#include "rankveil/protect/ledger/ledger_head.h"

namespace rankveil {

namespace {

constexpr std::string_view status_letters = "scwxd";
constexpr std::size_t digits_a_code = 4;

void add_escaped(std::string_view name, std::string& text) {
  if (name.find_first_of("\n\\") == std::string_view::npos) {
    text += name;
    return;
  }
  for (char c : name) {
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\\') {
      text += "\\\\";
    } else {
      text += c;
    }
  }
}

std::string escaped(std::string_view name) {
  std::string text;
  add_escaped(name, text);
  return text;
}

std::string unescaped(std::string_view text) {
  if (text.find('\\') == std::string_view::npos) return std::string(text);
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool marked = text[i] == '\\' && i + 1 < text.size();
    if (marked) ++i;
    name += marked && text[i] == 'n' ? '\n' : text[i];
  }
  return name;
}

// ---- Writing ----

void add_digits(std::span<const std::uint16_t> codes, std::string& text) {
  if (codes.empty()) text += '-';
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  for (std::uint16_t code : codes) {
    for (int shift = 12; shift >= 0; shift -= 4) text += hexadecimal[(code >> shift) & 15];
  }
}

// "s 1/17 20410 1 00ff0001 name", or without "/17"
void add_entry(const Ledger& ledger, const std::string& name, const LedgerEntry& entry,
               std::string& text) {
  auto codes = std::span(ledger.codes).subspan(entry.at, ledger.code_count(entry));
  text += status_letters[static_cast<std::size_t>(entry.status)];
  auto add = [&](char before, std::uint32_t number) {
    text += before;
    text += fmt::format_int(number).c_str();
  };
  add(' ', entry.releases);
  if (entry.group != LedgerEntry::nobody) add('/', entry.group);
  add(' ', entry.since);
  add(' ', entry.rows);
  text += ' ';
  add_digits(codes, text);
  text += ' ';
  add_escaped(name, text);
  text += '\n';
}

// "i 5 alice a17": a17 was first called by these 5 letters.
std::string rename_line(const std::string& name, const std::string& first) {
  std::string text = escaped(first);
  return fmt::format("i {} {} {}\n", text.size(), text, escaped(name));
}

class LineWriter {
 public:
  explicit LineWriter(AtomicFile& file) : file_(file) {}

  Status add(std::string_view line) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    text_ += line;
    return text_.size() < piece ? Status() : flush();
  }
  Status flush() {
    auto written = file_.write(std::as_bytes(std::span(text_)));
    text_.clear();
    return written;
  }

 private:
  AtomicFile& file_;
  std::string text_;
};

// As a number that orders as they do; a name that is shorter has zeros.
std::uint64_t first_letters(std::string_view name) {
  std::uint64_t letters = 0;
  for (std::size_t i = 0; i < sizeof letters; ++i) {
    letters = letters << 8 | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0U);
  }
  return letters;
}

template <typename Map>
std::vector<const typename Map::value_type*> by_name(const Map& map) {
  // Most names differ in their first letters, which are compared without a look at the name.
  using Item = std::pair<std::uint64_t, const typename Map::value_type*>;
  std::vector<Item> items;
  items.reserve(map.size());
  for (const auto& entry : map) items.emplace_back(first_letters(entry.first), &entry);
  std::ranges::sort(items, [](const Item& one, const Item& other) {
    if (one.first != other.first) return one.first < other.first;
    return one.second->first < other.second->first;
  });
  std::vector<const typename Map::value_type*> sorted;
  sorted.reserve(items.size());
  for (const Item& item : items) sorted.push_back(item.second);
  return sorted;
}

// Millions of lines are made on all cores, some at a time, and written in order.
Status write_entries(const Ledger& ledger, LineWriter& lines) {
  constexpr std::size_t rows_a_piece = 4096;
  constexpr std::size_t pieces_at_once = 64;
  auto rows = by_name(ledger.rows);
  std::vector<std::string> texts;
  for (std::size_t first = 0; first < rows.size(); first += rows_a_piece * pieces_at_once) {
    std::size_t pieces = std::min(pieces_at_once, (rows.size() - first) / rows_a_piece + 1);
    texts.resize(pieces);
    parallel_for(pieces, 0, [&](std::size_t piece) {
      texts[piece].clear();
      std::size_t begin = std::min(rows.size(), first + piece * rows_a_piece);
      std::size_t end = std::min(rows.size(), begin + rows_a_piece);
      for (std::size_t i = begin; i < end; ++i) {
        add_entry(ledger, rows[i]->first, rows[i]->second, texts[piece]);
      }
    });
    for (const std::string& text : texts) {
      if (auto written = lines.add(text); !written) return written;
    }
  }
  return {};
}

Status write_lines(const Ledger& ledger, LineWriter& lines) {
  if (auto written = lines.add(ledger_head(ledger).dump(-1) + "\n"); !written) return written;
  if (auto written = write_entries(ledger, lines); !written) return written;
  for (const auto* row : by_name(ledger.first_names)) {
    if (auto written = lines.add(rename_line(row->first, row->second)); !written) return written;
  }
  std::vector<NameHash> gone(ledger.gone.begin(), ledger.gone.end());
  std::ranges::sort(gone);
  for (const NameHash& hash : gone) {
    if (auto written = lines.add(fmt::format("g {:016x}{:016x}\n", hash[0], hash[1])); !written) {
      return written;
    }
  }
  return lines.flush();
}

// ---- Reading ----

template <typename Number>
bool take_number(std::string_view text, int base, Number& number) {
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return !text.empty() && problem == std::errc() && end == text.data() + text.size();
}

// Up to the next space, which goes too.
std::string_view take_word(std::string_view& line) {
  std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(line.size(), word.size() + 1));
  return word;
}

bool read_times(std::string_view text, LedgerEntry& entry) {
  auto slash = std::min(text.find('/'), text.size());
  return take_number(text.substr(0, slash), 10, entry.releases) &&
         (slash == text.size() || take_number(text.substr(slash + 1), 10, entry.group));
}

bool read_codes(std::string_view text, std::size_t count, std::vector<std::uint16_t>& codes) {
  if (count == 0) return text == "-";
  if (text.size() / digits_a_code != count || text.size() % digits_a_code != 0) return false;
  for (; !text.empty(); text.remove_prefix(digits_a_code)) {
    if (!take_number(text.substr(0, digits_a_code), 16, codes.emplace_back())) return false;
  }
  return true;
}

// What is shown must be a value.
bool shows_values(const Ledger& ledger, const LedgerEntry& entry) {
  if (!ledger.has_values || !shows(entry.status)) return true;
  auto codes = ledger.shown_values(entry);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    std::size_t values = ledger.columns[i % ledger.columns.size()].values.size();
    if (codes[i] != Ledger::no_code && codes[i] >= values) return false;
  }
  return true;
}

bool read_entry(std::string_view line, RowStatus status, Ledger& ledger) {
  LedgerEntry entry{.status = status, .at = ledger.codes.size()};
  constexpr std::uint32_t max_rows = 1U << 20;
  bool sound =
      read_times(take_word(line), entry) && take_number(take_word(line), 10, entry.since) &&
      take_number(take_word(line), 10, entry.rows) && entry.rows >= 1 && entry.rows <= max_rows &&
      read_codes(take_word(line), ledger.code_count(entry), ledger.codes) &&
      shows_values(ledger, entry);
  return sound && ledger.rows.emplace(unescaped(line), entry).second;
}

bool read_rename(std::string_view line, Ledger& ledger) {
  std::size_t size = 0;
  if (!take_number(take_word(line), 10, size) || size >= line.size() || line[size] != ' ') {
    return false;
  }
  std::string name = unescaped(line.substr(size + 1));
  return ledger.first_names.emplace(std::move(name), unescaped(line.substr(0, size))).second;
}

bool read_gone(std::string_view line, Ledger& ledger) {
  NameHash hash;
  return line.size() == 32 && take_number(line.substr(0, 16), 16, hash[0]) &&
         take_number(line.substr(16), 16, hash[1]) && ledger.gone.insert(hash).second;
}

bool read_line(std::string_view line, Ledger& ledger) {
  std::string_view letter = take_word(line);
  if (letter.size() != 1) return false;
  if (letter == "g") return read_gone(line, ledger);
  if (letter == "i") return read_rename(line, ledger);
  auto status = status_letters.find(letter.front());
  if (status == std::string_view::npos) return false;
  return read_entry(line, static_cast<RowStatus>(status), ledger);
}

bool has_as_many(const Json& head, std::string_view name, std::size_t count) {
  const Json* number = head.find(name);
  return number != nullptr && number->as_integer() != nullptr &&
         *number->as_integer() == static_cast<std::int64_t>(count);
}

}  // namespace

Status write_ledger(const Ledger& ledger, const std::string& path) {
  auto file = AtomicFile::create(path, 0600);
  if (!file) return file.error();
  LineWriter lines(*file);
  if (auto written = write_lines(ledger, lines); !written) return written;
  return file->commit();
}

Result<Ledger> read_ledger(const std::string& path) {
  if (auto closed = check_private_file(path, "ledger"); !closed) return closed.error();
  auto text = read_text(path);
  if (!text) return text.error();
  return parse_ledger(*text, path);
}

Result<Ledger> parse_ledger(std::string_view text, std::string_view source) {
  auto next_line = [&text] {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
  };
  Ledger ledger;
  auto head = parse_json(next_line());
  if (!head || !read_ledger_head(*head, ledger)) {
    return bad_input(fmt::format("{} is no ledger of rankveil protect", source));
  }
  // No head makes it reserve more than there is text for.
  if (const Json* rows = head->find("rows"); rows != nullptr && rows->as_integer() != nullptr) {
    constexpr std::size_t min_line = 12;  // "s 1 0 1 - a" and the end of the line
    auto told = static_cast<std::uint64_t>(*rows->as_integer());
    ledger.rows.reserve(std::min<std::uint64_t>(told, text.size() / min_line));
  }
  std::size_t number = 2;
  for (; !text.empty(); ++number) {
    if (read_line(next_line(), ledger)) continue;
    return bad_input(
        fmt::format("{}, line {}: the ledger is damaged; restore it from a copy, or "
                    "start over with --new-release",
                    source, number));
  }
  bool complete = has_as_many(*head, "rows", ledger.rows.size()) &&
                  has_as_many(*head, "renamed", ledger.first_names.size()) &&
                  has_as_many(*head, "gone", ledger.gone.size());
  if (complete) return ledger;
  return bad_input(fmt::format(
      "{} ends too early, at line {}; restore it from a copy, or start over with --new-release",
      source, number));
}

}  // namespace rankveil
