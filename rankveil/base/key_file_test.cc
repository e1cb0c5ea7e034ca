#include "rankveil/base/key_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "rankveil/base/file.h"

namespace rankveil {
namespace {

using testing::HasSubstr;

std::string fresh(const std::string& name) {
  std::string path = testing::TempDir() + "/" + name;
  std::remove(path.c_str());
  return path;
}

TEST(KeyFile, GivesBackTheKeyItWasMadeFrom) {
  std::string path = fresh("key_there_and_back");
  SecretKey key = SecretKey::random();
  ASSERT_TRUE(write_key_file(key, path));
  auto read = read_key_file(path);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->bytes(), key.bytes());
}

TEST(KeyFile, IsClosedToOthersFromTheStart) {
  std::string path = fresh("key_closed");
  ASSERT_TRUE(write_key_file(SecretKey::random(), path));
  struct stat found {};
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600U);
}

TEST(KeyFile, IsRefusedWhenOthersMayReadIt) {
  std::string path = fresh("key_open");
  ASSERT_TRUE(write_key_file(SecretKey::random(), path));
  for (mode_t mode : {0640U, 0604U, 0660U, 0666U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    auto read = read_key_file(path);
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message, HasSubstr("chmod 600"));
  }
}

TEST(KeyFile, IsNeverReplaced) {
  std::string path = fresh("key_kept");
  ASSERT_TRUE(write_key_file(SecretKey::random(), path));
  std::string before = *read_text(path);
  EXPECT_FALSE(write_key_file(SecretKey::random(), path));
  EXPECT_EQ(*read_text(path), before);
}

TEST(KeyFile, IsRefusedWhenItHoldsSomethingElse) {
  std::string path = fresh("key_other");
  for (const char* text : {"", "rankveil-key-1 ", "rankveil-key-1 00", "hello\n"}) {
    ASSERT_TRUE(write_text(path, text));
    ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
    EXPECT_FALSE(read_key_file(path)) << text;
  }
  std::string wrong = "rankveil-key-1 " + std::string(64, 'g');
  ASSERT_TRUE(write_text(path, wrong));
  EXPECT_FALSE(read_key_file(path));
}

}  // namespace
}  // namespace rankveil
