#include "rankveil/base/keys/key_file.h"

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

std::string refusal_of(const std::string& path, const std::string& text) {
  EXPECT_TRUE(write_text(path, text));
  EXPECT_EQ(::chmod(path.c_str(), 0600), 0);
  auto read = read_key_file(path);
  return read ? "" : read.error().message;
}

TEST(KeyFile, RefusalsSayWhatIsWrongAndNotWhatIsInIt) {
  std::string path = fresh("key_damaged");
  ASSERT_TRUE(write_key_file(SecretKey::from_seed(1), path));
  std::string line = *read_text(path);
  EXPECT_THAT(refusal_of(path, ""), HasSubstr("is empty; take"));
  EXPECT_THAT(refusal_of(path, "hello\n"), HasSubstr("holds no key; take"));
  for (std::size_t cut = 20; cut + 1 < line.size(); ++cut) {
    std::string refusal = refusal_of(path, line.substr(0, cut));
    EXPECT_THAT(refusal, HasSubstr("damaged key: its line is cut short")) << cut;
    EXPECT_EQ(refusal.find(line.substr(15, 5)), std::string::npos) << cut;
  }
  for (const std::string& wrong : {line + "x", line + "\n", line + std::string(1000, 'a')}) {
    EXPECT_THAT(refusal_of(path, wrong), HasSubstr("not as keygen wrote it"));
  }
  EXPECT_EQ(refusal_of(path, line.substr(0, line.size() - 1)), "");  // an editor took the line end
}

TEST(KeyFile, IsToldToBeNoKeyBeforeItsModeIsTold) {
  std::string path = fresh("key_open");
  for (const char* text : {"", "id,city\n1,Oslo\n"}) {
    ASSERT_TRUE(write_text(path, text));
    ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
    auto read = read_key_file(path);
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message, Not(HasSubstr("chmod"))) << text;
  }
  std::string damaged = "rankveil-key-1 00";
  ASSERT_TRUE(write_text(path, damaged));
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  EXPECT_THAT(read_key_file(path).error().message, HasSubstr("others may read"));
}

TEST(KeyFile, IsNoFolder) {
  auto read = read_key_file(testing::TempDir());
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("it is a folder"));
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
