// What is probed over HTTP, and as whom.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/probe/dialect/dialect.h"
#include "rankveil/probe/http/identity.h"
#include "rankveil/probe/http/talk.h"

namespace rankveil::probe {

// Rows elsewhere that refer to the rows that are probed: posts by their author.
struct LinkedRows {
  std::string path;  // "/api/posts"
  std::string by;    // "author"
  Json row = Json::Object{};
};

struct HttpSettings {
  TalkSettings talk;
  Dialect dialect;
  std::string collection = {};    // empty: the last part of the address
  std::string public_field = {};  // strangers see it, and may sort and filter by it
  std::string mark_field = {};    // public, and takes any text
  Json row = Json::Object{};      // a row of one's own; ${mark} in texts stands for the mark
  std::optional<LinkedRows> linked = {};
  std::uint32_t limit = 50;  // rows of a page
  bool makes_rows = true;

  Identity asker = {.name = "the stranger"};  // who asks
  Identity owner = {.name = "the owner"};     // who writes and reads back
};

}  // namespace rankveil::probe
