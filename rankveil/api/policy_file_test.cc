#include "rankveil/api/policy_file.h"

#include <gtest/gtest.h>

#include "rankveil/base/file.h"

namespace rankveil::api {
namespace {

TEST(PolicyFile, IsReplacedOnlyWhenAsked) {
  std::string path = testing::TempDir() + "/policy_file_test.toml";
  ASSERT_TRUE(write_policy(path, "l = 3\n", true));
  EXPECT_TRUE(write_policy(path, "l = 3\n", false)) << "the same text is no harm";
  auto refused = write_policy(path, "l = 4\n", false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::WrongUse);
  EXPECT_EQ(*read_text(path), "l = 3\n");
  EXPECT_TRUE(write_policy(path, "l = 4\n", true));
  EXPECT_EQ(*read_text(path), "l = 4\n");
}

}  // namespace
}  // namespace rankveil::api
