#include "rankveil/base/keys/secret_bytes.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>

#include "rankveil/base/keys/keyed.h"

namespace rankveil {
namespace {

// Room for one object, to be looked at when the object is gone.
template <typename T>
class Place {
 public:
  T* fill(const T& value) { return object_ = new (room_) T(value); }
  void end() { std::destroy_at(object_); }
  // Read by way of volatile: the compiler may take the room of a dead object for unknown.
  bool is_zero() const {
    const volatile unsigned char* byte = room_;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      if (byte[i] != 0) return false;
    }
    return true;
  }

 private:
  alignas(T) unsigned char room_[sizeof(T)] = {};
  T* object_ = nullptr;
};

template <typename T>
void expect_wiped(const T& value) {
  Place<T> place;
  place.fill(value);
  ASSERT_FALSE(place.is_zero());
  place.end();
  EXPECT_TRUE(place.is_zero());
}

TEST(Wipe, LeavesZerosAndNothingElse) {
  std::string text = "before secret after";
  wipe(text.data() + 7, 6);
  EXPECT_EQ(text, std::string("before ") + std::string(6, '\0') + " after");
}

TEST(SecretBytes, AreGoneWithTheirHolder) {
  SecretBytes<40> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = 0xA5;
  expect_wiped(bytes);
}

TEST(SecretBytes, StayInTheCopyThatIsLeft) {
  SecretBytes<4> kept;
  {
    SecretBytes<4> first;
    first[2] = 7;
    kept = first;
  }
  EXPECT_EQ(kept[2], 7);
}

TEST(SecretKey, IsGoneWithItsHolder) { expect_wiped(SecretKey::from_seed(1)); }

TEST(KeyedStream, TakesItsShareOfTheKeyWithIt) {
  expect_wiped(KeyedStream(SecretKey::from_seed(1), "coin"));
}

}  // namespace
}  // namespace rankveil
