#include "rankveil/base/files/temporary_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "rankveil/base/file.h"

namespace rankveil {
namespace {

TEST(TemporaryFiles, OfAFileInTheMakingAreRemoved) {
  auto file = AtomicFile::create(testing::TempDir() + "/unfinished");
  ASSERT_TRUE(file);
  ASSERT_TRUE(std::filesystem::exists(file->temporary()));
  remove_temporaries();
  EXPECT_FALSE(std::filesystem::exists(file->temporary()));
}

TEST(TemporaryFiles, AreForgottenWhenTheFileIsComplete) {
  std::string path = testing::TempDir() + "/finished";
  ASSERT_TRUE(write_text(path, "text"));
  remove_temporaries();
  EXPECT_EQ(*read_text(path), "text");
  std::filesystem::remove(path);
}

TEST(TemporaryFiles, BeyondTheRoomThereIsAreLeftAlone) {
  for (int i = 0; i < 100; ++i) remember_temporary("/nowhere/" + std::to_string(i));
  remove_temporaries();
  for (int i = 0; i < 100; ++i) forget_temporary("/nowhere/" + std::to_string(i));
}

}  // namespace
}  // namespace rankveil
