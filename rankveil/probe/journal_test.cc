// What a journal says is left is what was not taken back.
#include "rankveil/probe/journal.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "rankveil/base/file.h"
#include "rankveil/base/testing/temporary_folder.h"

namespace rankveil::probe {
namespace {

class AJournal : public testing::Test {
 protected:
  Journal begin() {
    auto journal = Journal::create(path_, "http://127.0.0.1:1");
    EXPECT_TRUE(journal) << journal.error().message;
    return std::move(*journal);
  }
  Pending pending() {
    auto left = read_journal(path_);
    EXPECT_TRUE(left) << left.error().message;
    return left ? *left : Pending{};
  }
  TemporaryFolder folder_{"rankveil-journal"};
  std::string path_ = folder_.path("probe.journal");
};

TEST_F(AJournal, KnowsARowBeforeItIsMade) {
  Journal journal = begin();
  EXPECT_TRUE(journal.making("mark1"));
  ASSERT_EQ(pending().made.size(), 1U);
  EXPECT_EQ(pending().made[0].mark, "mark1");
  EXPECT_EQ(pending().made[0].row, "");
  EXPECT_TRUE(journal.made("mark1", "u7"));
  EXPECT_EQ(pending().made[0].row, "u7");
  EXPECT_TRUE(journal.removed("mark1"));
  EXPECT_TRUE(pending().made.empty());
  EXPECT_EQ(pending().target, "http://127.0.0.1:1");
}

TEST_F(AJournal, KeepsWhatWasThereBefore) {
  Journal journal = begin();
  const Field income{"income", FieldType::Number};
  EXPECT_TRUE(journal.changing("u7", income, Value{"31000", false}));
  EXPECT_TRUE(journal.changing("u7", {"note"}, std::nullopt));
  ASSERT_EQ(pending().changed.size(), 2U);
  EXPECT_EQ(pending().changed[0].was, (Value{"31000", false}));
  EXPECT_EQ(pending().changed[0].field.type, FieldType::Number);
  EXPECT_EQ(pending().changed[1].was, std::nullopt);
  EXPECT_TRUE(journal.restored("u7", income));
  ASSERT_EQ(pending().changed.size(), 1U);
  EXPECT_EQ(pending().changed[0].field.name, "note");
}

TEST_F(AJournal, PassesOverALineThatWasCutOff) {
  {
    Journal journal = begin();
    EXPECT_TRUE(journal.making("mark1"));
  }
  std::ofstream(path_, std::ios::app) << R"({"did": "making", "ma)";
  EXPECT_EQ(pending().made.size(), 1U);
  auto again = Journal::resume(path_);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->removed("mark1"));
  EXPECT_TRUE(pending().made.empty());
}

TEST_F(AJournal, IsNotWrittenOver) {
  { Journal journal = begin(); }
  auto second = Journal::create(path_, "elsewhere");
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("--clean"), std::string::npos);
}

TEST_F(AJournal, IsItsOwnersAlone) {
  Journal journal = begin();
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(AJournal, RefusesWhatIsNone) {
  ASSERT_TRUE(write_text(path_, "{\"did\": \"making\", \"mark\": \"m\"}\n"));
  auto none = read_journal(path_);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("is not the journal of a probe"), std::string::npos);
}

}  // namespace
}  // namespace rankveil::probe
