#include "rankveil/connect/duckdb/message.h"

#include <gtest/gtest.h>

namespace rankveil::connect {
namespace {

std::string sentence(std::string_view message) { return error_from_duckdb(message).message; }

TEST(DuckdbMessage, DropsTheKindTheQueryAndTheAdvice) {
  EXPECT_EQ(sentence("Parser Error: syntax error at or near \"SELEC\"\n\nLINE 1: SELEC 1\n  ^"),
            "syntax error at or near \"SELEC\"");
  EXPECT_EQ(sentence("Catalog Error: Table with name x does not exist!\nDid you mean \"y\"?\n\n"
                     "LINE 1: SELECT"),
            "Table with name x does not exist! Did you mean \"y\"?");
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

TEST(DuckdbMessage, KeepsTextWithoutAKind) {
  EXPECT_EQ(sentence("all went wrong."), "all went wrong");
}

}  // namespace
}  // namespace rankveil::connect
