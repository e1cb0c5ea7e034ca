#include "rankveil/base/files/file_lock.h"

#include <gtest/gtest.h>

#include "rankveil/base/file.h"
#include "rankveil/base/testing/temporary_folder.h"

namespace rankveil {
namespace {

TEST(FileLock, LetsOneIn) {
  TemporaryFolder folder("rankveil-lock");
  std::string path = folder.path("book.lock");
  {
    auto first = FileLock::take(path, "it is busy");
    ASSERT_TRUE(first);
    auto second = FileLock::take(path, "it is busy");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().message, "it is busy");
  }
  EXPECT_TRUE(is_missing(path)) << "it leaves nothing behind";
  EXPECT_TRUE(FileLock::take(path, "it is busy"));
}

TEST(FileLock, AFileThatAHolderLeftBehindIsNoLock) {
  TemporaryFolder folder("rankveil-lock");
  std::string path = folder.path("book.lock");
  ASSERT_TRUE(write_text(path, ""));
  EXPECT_TRUE(FileLock::take(path, "it is busy"));
}

TEST(FileLock, SaysWhereItCannotBe) {
  auto lock = FileLock::take("/nowhere/at/all.lock", "it is busy");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().message, "cannot write /nowhere/at/all.lock: No such file or directory");
}

}  // namespace
}  // namespace rankveil
