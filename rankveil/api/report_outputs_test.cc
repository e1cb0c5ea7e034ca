#include "rankveil/api/report_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rankveil/base/file.h"
#include "rankveil/base/testing/temporary_folder.h"

namespace rankveil::api {
namespace {

using testing::HasSubstr;

class ReportOutputs : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }

  TemporaryFolder folder_{"rankveil-outputs"};
};

TEST_F(ReportOutputs, LeaveNothingBehindAndMayReplaceAnEarlierReport) {
  ASSERT_TRUE(write_text(path("old.html"), "old"));
  EXPECT_TRUE(check_report_outputs({path("old.html"), "", path("new.json")}, {path("table.csv")}));
  EXPECT_EQ(*read_text(path("old.html")), "old");
  EXPECT_FALSE(std::filesystem::exists(path("new.json")));
}

TEST_F(ReportOutputs, AreRefusedWhereTheyCannotBe) {
  ASSERT_TRUE(write_text(path("table.csv"), "a\n"));
  std::filesystem::create_symlink(path("table.csv"), path("link"));
  auto refusal = [&](const std::vector<std::string>& outputs) {
    Status checked = check_report_outputs(outputs, {"", path("table.csv")});
    return checked ? "" : checked.error().message;
  };
  EXPECT_THAT(refusal({path("link")}), HasSubstr("would replace"));
  EXPECT_THAT(refusal({path("a.html"), path("b.xml"), path("./a.html")}), HasSubstr("two outputs"));
  EXPECT_NE(refusal({path("nowhere/a.html")}), "");
  EXPECT_NE(refusal({folder_.path()}), "") << "a folder is no file";
}

TEST_F(ReportOutputs, OneThatFailsCostsNoOther) {
  std::string before = path("a.txt"), lost = path("none/b.txt"), behind = path("c.txt");
  auto written = write_outputs({{before, [] { return std::string("one"); }},
                                {"", [] { return std::string("not wanted"); }},
                                {lost, [] { return std::string("two"); }},
                                {behind, [] { return std::string("three"); }}});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::Io);
  EXPECT_NE(written.error().message.find(lost), std::string::npos);
  EXPECT_EQ(*read_text(before), "one");
  EXPECT_EQ(*read_text(behind), "three");
}

}  // namespace
}  // namespace rankveil::api
