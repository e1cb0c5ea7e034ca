#include "rankveil/connect/duckdb/message.h"

#include <gtest/gtest.h>

#include <new>

namespace rankveil::connect {
namespace {

std::string sentence(std::string_view message) { return error_from_duckdb(message).message; }

TEST(DuckdbMessage, SaysWhatIsWrongWithASelect) {
  EXPECT_EQ(sentence("Parser Error: syntax error at or near \"SELEC\"\n\nLINE 1: SELEC 1\n  ^"),
            "it is not valid SQL near \"SELEC\"; correct it there");
  EXPECT_EQ(sentence("Catalog Error: Table with name x does not exist!\nDid you mean \"y\"?\n\n"
                     "LINE 1: SELECT"),
            "it names the table x, which is not there; did you mean y?");
  EXPECT_EQ(sentence("Binder Error: Referenced column \"agee\" not found in FROM clause!\n"
                     "Candidate bindings: \"age\", \"a.name\"\n\nLINE 1: SELECT agee"),
            "it names the column agee, which is not there; there are columns like age, "
            "a.name");
  EXPECT_EQ(sentence("Catalog Error: Scalar Function with name foo does not exist!\n"
                     "Did you mean \"floor\"?"),
            "it names the function foo, which is not there; did you mean floor?");
  EXPECT_EQ(sentence("Binder Error: column \"a\" must appear in the GROUP BY clause"),
            "it cannot be run: column \"a\" must appear in the GROUP BY clause");
}

TEST(DuckdbMessage, TellsFilesThatCannotBeReadFromBadContent) {
  EXPECT_EQ(error_from_duckdb("IO Error: cannot open").code, ErrorCode::Io);
  EXPECT_EQ(error_from_duckdb("Conversion Error: no").code, ErrorCode::BadInput);
}

TEST(DuckdbMessage, NamesABrokenLineWithoutQuotingIt) {
  EXPECT_EQ(sentence("Invalid Input Error: CSV Error on Line: 3\nOriginal Line: 2,secret,x\n"
                     "Expected Number of Columns: 2 Found: 3\nPossible fixes:\n* Disable"),
            "line 3: it has 3 values where the header has 2 names");
  EXPECT_EQ(sentence("Invalid Input Error: CSV Error on Line: 2\nOriginal Line: 1,\"Paris\n2\n\n"
                     "Value with unterminated quote found.\n\nPossible fixes:\n"),
            "line 2: a quoted value has no end");
}

TEST(DuckdbMessage, SaysThatLineEndsAreMixed) {
  EXPECT_EQ(
      sentence("Invalid Input Error: The CSV Parser state machine reached an invalid state.\n"
               "This can happen when is not possible to parse your CSV File"),
      "some lines end in LF and others in CR LF, or a CR stands alone within a line; make all "
      "line ends alike, for example with dos2unix");
}

TEST(DuckdbMessage, HidesValuesAndKeepsTypesColumnsAndLines) {
  EXPECT_EQ(sentence("Conversion Error: Could not convert string 'S0' to INT32 when casting from "
                     "source column salary\n\nLINE 1: SELECT"),
            "Could not convert string ... to INT32 when casting from source column salary");
  EXPECT_EQ(sentence("Conversion Error: Type INT64 with value 300 can't be cast to INT8"),
            "Type INT64 with value ... can't be cast to INT8");
  EXPECT_EQ(sentence("Out of Range Error: Overflow in addition of INT64 (9223 + -1.5)!"),
            "Overflow in addition of INT64 (... + ...)!");
  EXPECT_EQ(
      sentence("Invalid Input Error: JSON transform error in file \"p.json\", in line 2: "
               "Expected OBJECT, but got VARCHAR: \"secret\""),
      "JSON transform error in file \"p.json\", in line 2: Expected OBJECT, but got VARCHAR:");
}

TEST(DuckdbMessage, HidesValuesWhateverTheirForm) {
  for (const char* message :
       {"Conversion Error: Could not convert string 'it's secret' to INT32",
        "Conversion Error: Could not convert string 'two\nsecret lines' to INT32",
        "Conversion Error: Could not convert string 'cut \"secret",
        "Invalid Input Error: Could not parse string \"secret\" according to \"%Y\"\nsecret\n^",
        "Invalid Input Error: Malformed JSON at byte 0 of input: no.  Input: secret",
        "Conversion Error: invalid date field format: \"a file \"secret\" file\", expected x",
        "A New Kind Error: 'secret'"}) {
    EXPECT_EQ(sentence(message).find("secret"), std::string::npos) << sentence(message);
  }
}

// As DuckDB 1.4 says them.
TEST(DuckdbMessage, HasNoWordsOfDuckdbAboutItself) {
  for (const char* message :
       {"Invalid Input Error: The Parallel CSV Reader currently does not support a full read on "
        "this "
        "file. \n To correctly parse this file, please run with the single threaded error (i.e., "
        "parallel = false)",
        "Invalid Input Error: The parallel scanner does not support null_padding in conjunction "
        "with quoted new lines. Please disable the parallel csv reader with parallel=false",
        "INTERNAL Error: Attempted to access index 3 within vector of size 3",
        "IO Error: Trying to read a database file with version number 99, but we can only read "
        "versions between 64 and 67. Use a different version of DuckDB",
        "Catalog Error: Table Function with name \"st_read\" is not in the catalog, but it exists "
        "in "
        "the spatial extension.\n\nPlease try INSTALL spatial;\nLOAD spatial;"}) {
    std::string said = sentence(message);
    for (const char* word :
         {"Parallel", "parallel", "Use a", "INSTALL", "null_padding", "vector"}) {
      EXPECT_EQ(said.find(word), std::string::npos) << said;
    }
    EXPECT_FALSE(said.empty());
  }
}

TEST(DuckdbMessage, TellsDamagedFilesInOneWay) {
  for (const char* message :
       {"Invalid Input Error: No magic bytes found at end of file 'x.parquet'",
        "Invalid Input Error: File 'x.parquet' too small to be a Parquet file",
        "Invalid Input Error: Failed to read file \"x.parquet\": Snappy decompression failure",
        "IO Error: Input is not a GZIP stream: x.csv.gz",
        "IO Error: The file \"x.db\" exists, but it is not a valid DuckDB database file!"}) {
    Error error = error_from_duckdb(message);
    EXPECT_EQ(error.code, ErrorCode::Io) << message;
    EXPECT_TRUE(error.message.starts_with("it is damaged, or no")) << error.message;
  }
}

TEST(DuckdbMessage, ThrowsWhereMemoryIsShort) {
  for (const char* message :
       {"Out of Memory Error: could not allocate block of size 256.0 KiB (18.6 GiB/18.6 GiB used)",
        "Out of Memory Error: Failed to allocate block of 262144 bytes (bad allocation)",
        "INTERNAL Error: std::bad_alloc"}) {
    EXPECT_THROW(error_from_duckdb(message), std::bad_alloc) << message;
  }
}

TEST(DuckdbMessage, KeepsTextWithoutAKind) {
  EXPECT_EQ(sentence("all went wrong."), "all went wrong");
}

}  // namespace
}  // namespace rankveil::connect
