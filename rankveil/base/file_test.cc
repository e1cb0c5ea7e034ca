#include "rankveil/base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace rankveil {
namespace {

namespace fs = std::filesystem;

// A folder of its own, empty at the start of each test.
class FileTest : public testing::Test {
 protected:
  FileTest() : folder_(fs::path(testing::TempDir()) / test_name()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~FileTest() override { fs::remove_all(folder_); }

  std::string in(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

 private:
  static std::string test_name() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    return std::string("file_test_") + test->name() + std::to_string(::getpid());
  }
  fs::path folder_;
};

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777;
}

void expect_refused(const std::string& path, const std::string& reason) {
  auto file = AtomicFile::create(path);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::Io);
  EXPECT_NE(file.error().message.find(reason), std::string::npos) << file.error().message;
}

TEST_F(FileTest, ANameTooLongForTheSystemIsAnError) {
  expect_refused(in(std::string(300, 'x')), "File name too long");
}

TEST_F(FileTest, AFileWhereAFolderShouldBeIsAnError) {
  ASSERT_TRUE(write_text(in("plain"), "text"));
  expect_refused(in("plain/inside"), "Not a directory");
}

TEST_F(FileTest, AClosedFolderIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "no folder is closed to root";
  fs::create_directory(in("closed"));
  fs::permissions(in("closed"), fs::perms::none);
  expect_refused(in("closed/file"), "Permission denied");
  fs::permissions(in("closed"), fs::perms::owner_all);
}

TEST_F(FileTest, FoldersPipesAndDevicesAreNotReplaced) {
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  expect_refused(in("."), "it is a folder");
  expect_refused(in("pipe"), "it is a pipe");
  expect_refused("/dev/null", "it is a device");
  EXPECT_TRUE(fs::is_fifo(in("pipe")));
  EXPECT_EQ(count(), 1u);
}

TEST_F(FileTest, ALinkStaysAndItsTargetIsReplaced) {
  fs::create_directory(in("other"));
  ASSERT_TRUE(write_text(in("other/target"), "old"));
  fs::create_symlink("other/target", in("link"));
  ASSERT_TRUE(write_text(in("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(in("link")));
  EXPECT_EQ(*read_text(in("other/target")), "new");
}

TEST_F(FileTest, LinksToAPipeOrToNothingAreNotReplaced) {
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", in("to_pipe"));
  fs::create_symlink("nothing", in("to_nothing"));
  expect_refused(in("to_pipe"), "it is a pipe");
  expect_refused(in("to_nothing"), "it is a link that leads nowhere");
  EXPECT_TRUE(fs::is_symlink(in("to_pipe")));
}

TEST_F(FileTest, OneFileHasManyNames) {
  ASSERT_TRUE(write_text(in("file"), "text"));
  ASSERT_TRUE(write_text(in("other"), "text"));
  fs::create_symlink("file", in("link"));
  fs::create_hard_link(in("file"), in("twin"));
  fs::create_directory(in("folder"));
  for (const char* name : {"file", "./file", "folder/../file", "link", "twin"}) {
    EXPECT_TRUE(same_file(in("file"), in(name))) << name;
  }
  EXPECT_FALSE(same_file(in("file"), in("other")));
}

TEST_F(FileTest, FilesToBeHaveNamesToo) {
  EXPECT_TRUE(same_file(in("new"), in("./new")));
  EXPECT_TRUE(same_file(in("no/new"), in("no/../no/new")));
  EXPECT_FALSE(same_file(in("new"), in("newer")));
  EXPECT_FALSE(same_file(in(std::string(300, 'x')), in("new")));
  EXPECT_FALSE(same_file("", in("new")));
}

TEST_F(FileTest, TheModeSaysWhoMayRead) {
  auto file = AtomicFile::create(in("secret"), 0600);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(mode_of(in("secret")), 0600u);
}

TEST_F(FileTest, WithoutACommitNothingIsLeft) {
  ASSERT_TRUE(AtomicFile::create(in("never")));
  EXPECT_EQ(count(), 0u);
}

TEST(AtomicFile, NamesTheFolderThatIsNotThere) {
  std::string folder = testing::TempDir() + "not_there";
  auto file = AtomicFile::create(folder + "/x.csv");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::Io);
  EXPECT_EQ(file.error().message, "cannot write " + folder + "/x.csv: there is no folder " +
                                      folder + "; make it first, or choose another name");
}

}  // namespace
}  // namespace rankveil
