#include "cli/text_table.h"

#include <gtest/gtest.h>

namespace rankveil::cli {
namespace {

const Terminal pipe;
const Terminal narrow{.is_terminal = true, .colours = true, .width = 12};

TextTable cities() {
  TextTable table;
  table.column("city");
  table.column("rows", Align::Right);
  table.column("note");
  table.row({"Zürich", "7", ""});
  table.row({"東京", "1,200", "far"});
  return table;
}

TEST(TextTable, AlignsByWhatTheScreenShows) {
  EXPECT_EQ(cities().render(pipe),
            "city     rows  note\n"
            "Zürich      7\n"
            "東京    1,200  far\n");
}

TEST(TextTable, HasNoEscapeCodesInAPipe) {
  EXPECT_EQ(cities().render(pipe).find('\x1b'), std::string::npos);
  EXPECT_NE(cities().render(narrow).find('\x1b'), std::string::npos);
}

TEST(TextTable, KnowsHowManyColumnsFit) {
  EXPECT_EQ(cities().fitting_columns(pipe), 3U);
  EXPECT_EQ(cities().fitting_columns(narrow), 1U);
  EXPECT_EQ(cities().render(pipe, 1), "city\nZürich\n東京\n");
}

TEST(TextTable, MakesControlCharactersHarmless) {
  TextTable table;
  table.column("x");
  table.row({"a\x1b[31mb\nc\x7f\xff"});
  EXPECT_EQ(table.render(pipe), "x\na?[31mb?c??\n");
}

}  // namespace
}  // namespace rankveil::cli
