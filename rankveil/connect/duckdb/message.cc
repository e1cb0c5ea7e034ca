#include "rankveil/connect/duckdb/message.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <new>
#include <optional>
#include <string>

namespace rankveil::connect {

namespace {

// What follows `label` up to the end of its line.
std::optional<std::string_view> after(std::string_view text, std::string_view label) {
  auto found = text.find(label);
  if (found == std::string_view::npos) return std::nullopt;
  text.remove_prefix(found + label.size());
  return text.substr(0, text.find('\n'));
}

std::string_view before(std::string_view text, std::string_view label) {
  return text.substr(0, text.find(label));
}

// "Invalid Input Error: the rest" -> "the rest".
std::string_view without_kind(std::string_view text) {
  auto end = text.find(" Error: ");
  bool is_kind = end < 40 && text.substr(0, end).find('\n') == std::string_view::npos;
  return is_kind ? text.substr(end + 8) : text;
}

// Only these kinds are about the SQL or a file as a whole; all others may quote what rows hold.
bool may_show_values(std::string_view message) {
  constexpr std::string_view harmless[] = {"Parser Error",     "Binder Error",
                                           "Catalog Error",    "IO Error",
                                           "Permission Error", "Out of Memory Error"};
  return std::none_of(std::begin(harmless), std::end(harmless),
                      [&](std::string_view kind) { return message.starts_with(kind); });
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Behind the name of a file, when that is the first thing quoted; else the beginning.
std::size_t behind_file_name(std::string_view text, char quote) {
  auto open = text.find(quote);
  if (open == std::string_view::npos || !text.substr(0, open).ends_with("file ")) return 0;
  auto close = text.find(quote, open + 1);
  return close == std::string_view::npos ? 0 : close + 1;
}

// From the first quote to the last one: a value may have quotes in it. An apostrophe within a word
// opens nothing.
std::string without_quoted(std::string text, char quote) {
  auto first = text.find(quote, behind_file_name(text, quote));
  while (first != std::string::npos && first > 0 && is_word(text[first - 1])) {
    first = text.find(quote, first + 1);
  }
  if (first == std::string::npos) return text;
  auto last = text.rfind(quote);
  return text.replace(first, last == first ? std::string::npos : last - first + 1, "...");
}

bool is_number(std::string_view token) {
  auto digit = token.find_first_of("0123456789");
  return digit != std::string_view::npos && digit == token.find_first_not_of("+-.");
}

bool names_a_place(std::string_view before_number) {
  constexpr std::string_view places[] = {"line ", "Line: ", "byte ", "row "};
  return std::any_of(std::begin(places), std::end(places),
                     [&](std::string_view place) { return before_number.ends_with(place); });
}

// "with value 300" -> "with value ..."; INT32 and "line 3" stay.
std::string without_numbers(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    std::string_view token = text.substr(0, text.find_first_of(" ()[]{}"));
    if (token.empty()) token = text.substr(0, 1);
    bool hidden = is_number(token) && !names_a_place(kept);
    kept += hidden ? std::string_view("...") : token;
    text.remove_prefix(token.size());
  }
  return kept;
}

// Values may also stand bare on the lines below, or behind "Input: ".
std::string without_values(std::string_view text) {
  std::string line(before(before(text, "Input: "), "Original Line"));
  line = without_quoted(without_quoted(std::move(line), '\''), '"');
  return without_numbers(before(line, "\n"));
}

// Lines and runs of spaces become single spaces; no full stop at the end.
std::string one_line(std::string_view text) {
  std::string line;
  for (char c : text) {
    bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == '.')) line.pop_back();
  return line;
}

// DuckDB could read such a file with strict_mode off, but would then drop surplus values and take
// quotes without an end, all in silence.
constexpr const char* mixed_line_ends =
    "some lines end in LF and others in CR LF, or a CR stands alone within a line; make all line "
    "ends alike, for example with dos2unix";

// The reason stands in the last lines before the advice, behind the quoted row.
std::string reason_of_csv_error(std::string_view message) {
  if (message.find("unterminated quote") != std::string_view::npos) {
    return "a quoted value has no end";
  }
  if (message.find("not utf-8") != std::string_view::npos) {
    return "the text is not UTF-8; pass --encoding latin-1 or utf-16 if it is that, or convert it, "
           "for example with iconv -f WINDOWS-1252 -t UTF-8";
  }
  if (auto columns = after(message, "Expected Number of Columns: ")) {
    auto found = columns->find(" Found: ");
    if (found != std::string_view::npos) {
      return fmt::format("it has {} values where the header has {} names",
                         columns->substr(found + 8), columns->substr(0, found));
    }
  }
  if (message.find("Maximum line size") != std::string_view::npos) return "it is too long";
  return "it is not well-formed CSV";
}

bool has(std::string_view message, std::string_view part) {
  return message.find(part) != std::string_view::npos;
}

bool is_out_of_memory(std::string_view message) {
  return message.starts_with("Out of Memory Error") || has(message, "Failed to allocate") ||
         has(message, "bad allocation") || has(message, "bad_alloc");
}

// What DuckDB says of a thing of its own, or advises in its own terms, and what we say.
struct Known {
  std::string_view part;
  ErrorCode code;
  std::string_view sentence;
};

constexpr std::string_view damaged_parquet =
    "it is damaged, or no Parquet file; fetch it again, or write it anew";

constexpr Known known_messages[] = {
    {"state machine reached an invalid state", ErrorCode::BadInput, mixed_line_ends},
    {"Parallel CSV Reader", ErrorCode::BadInput,
     "a value in quotes has so many line ends that its lines cannot be told apart; is a quote "
     "without an end?"},
    {"parallel scanner", ErrorCode::BadInput,
     "a value in quotes has line ends, and a row has too few values; write every row with as many "
     "values as the header has names"},
    {"GZIP", ErrorCode::Io,
     "it is damaged, or not compressed with gzip; fetch it again, or take .gz off its name"},
    {"not a valid DuckDB database file", ErrorCode::Io,
     "it is damaged, or no DuckDB file; fetch it again"},
    {"Corrupt database file", ErrorCode::Io, "it is damaged; fetch it again"},
    {"read from file with unsupported version", ErrorCode::Io,
     "another version of DuckDB wrote it; export the table as .parquet"},
    {"different version of DuckDB", ErrorCode::Io,
     "another version of DuckDB wrote it; export the table as .parquet"},
    {"Could not set lock on file", ErrorCode::Io,
     "another program has it open; close that, or copy the file"},
    {"Parquet file", ErrorCode::Io, damaged_parquet},
    {"parquet file", ErrorCode::Io, damaged_parquet},
    {"TProtocolException", ErrorCode::Io, damaged_parquet},
    {"don't know what type", ErrorCode::Io, damaged_parquet},
    {"ecompression failure", ErrorCode::Io, damaged_parquet},
    {"Failed to read file", ErrorCode::Io, damaged_parquet},
    {"No magic bytes found", ErrorCode::Io, damaged_parquet},
};

const Known* find_known(std::string_view message) {
  auto found = std::find_if(std::begin(known_messages), std::end(known_messages),
                            [&](const Known& known) { return has(message, known.part); });
  return found == std::end(known_messages) ? nullptr : &*found;
}

// Failures of the reader itself, and advice that means nothing outside of DuckDB.
bool is_inside_talk(std::string_view message, std::string_view sentence) {
  constexpr std::string_view kinds[] = {"INTERNAL Error", "FATAL Error", "Not implemented Error",
                                        "Serialization Error", "Invalid Configuration Error"};
  constexpr std::string_view terms[] = {
      "SET ",   "PRAGMA",       "INSTALL ",  "LOAD ",       "duckdb",
      "DuckDB", "memory_limit", "parallel=", "auto_detect", "vector of"};
  auto begins = [&](std::string_view kind) { return message.starts_with(kind); };
  if (begins("Parser Error") || begins("Binder Error")) return false;  // they quote the SQL
  auto within = [&](std::string_view term) { return has(sentence, term); };
  return std::any_of(std::begin(kinds), std::end(kinds), begins) ||
         std::any_of(std::begin(terms), std::end(terms), within);
}

bool is_about_sql(std::string_view message) {
  return message.starts_with("Parser Error") || message.starts_with("Binder Error") ||
         message.starts_with("Catalog Error");
}

// A name between two parts of a text, without its quotes.
std::optional<std::string> name_between(std::string_view text, std::string_view first,
                                        std::string_view last) {
  auto rest = after(text, first);
  if (!rest || !has(*rest, last)) return std::nullopt;
  std::string name(before(*rest, last));
  std::erase(name, '"');
  return name;
}

// The names that DuckDB proposes: "; did you mean y?", "; there are a, b". Nothing: it has none.
std::string proposed_names(std::string_view core) {
  if (auto near = name_between(core, "Did you mean ", "?")) {
    return fmt::format("; did you mean {}?", *near);
  }
  auto list = after(core, "Candidate bindings: ");
  if (!list) return "";
  std::string names = one_line(*list);
  std::erase(names, '"');
  return "; there are columns like " + names;
}

std::string sentence_about_sql(std::string_view core) {
  auto lacks = [&](std::string_view kind, const std::string& name) {
    return fmt::format("it names the {} {}, which is not there{}", kind, name,
                       proposed_names(core));
  };
  if (auto near = name_between(core, "syntax error at or near \"", "\"")) {
    return fmt::format("it is not valid SQL near \"{}\"; correct it there", *near);
  }
  if (has(core, "syntax error at end of input")) {
    return "it ends too early; is a bracket, a quote or the FROM missing?";
  }
  if (auto name = name_between(core, "Function with name ", " does not exist")) {
    return lacks("function", *name);
  }
  if (auto name = name_between(core, "Table with name ", " does not exist")) {
    return lacks("table", *name);
  }
  if (auto name = name_between(core, "Referenced column \"", "\" ")) {
    return lacks("column", *name);
  }
  return fmt::format("it cannot be run: {}", one_line(core));
}

}  // namespace

Error error_from_duckdb(std::string_view message) {
  if (is_out_of_memory(message)) throw std::bad_alloc();
  bool is_io = message.substr(0, 9) == "IO Error:" || message.substr(0, 10) == "Permission";
  if (auto line = after(message, "CSV Error on Line: ")) {
    return bad_input(fmt::format("line {}: {}", *line, reason_of_csv_error(message)));
  }
  if (const Known* known = find_known(message)) return {known->code, std::string(known->sentence)};
  std::string_view core = without_kind(message);
  for (std::string_view end : {"\n\nLINE ", "\nLINE ", "Possible fixes", "Possible Solution"}) {
    core = before(core, end);
  }
  std::string sentence = one_line(may_show_values(message) ? without_values(core) : core);
  if (is_inside_talk(message, sentence)) {
    sentence = "the reader of files fails on it; export the table as .csv, and read that";
  } else if (is_about_sql(message)) {
    sentence = sentence_about_sql(core);
  }
  return is_io ? io_error(std::move(sentence)) : bad_input(std::move(sentence));
}

}  // namespace rankveil::connect
