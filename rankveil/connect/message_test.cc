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

TEST(DuckdbMessage, KeepsTextWithoutAKind) {
  EXPECT_EQ(sentence("all went wrong."), "all went wrong");
}

}  // namespace
}  // namespace rankveil::connect
