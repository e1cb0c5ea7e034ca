// What an owner says about one build of a release, beside the task.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rankveil {

// A value of a private column that is called otherwise from now on.
struct RenamedValue {
  std::string column;
  std::string before;
  std::string now;
};

struct BuildRules {
  std::uint32_t today = 0;       // days.h
  bool release_changed = false;  // withdrawn rows count as new ones
  bool people_changed = false;   // who is new is somebody else, and who is not there has left
  bool forget_gone = false;      // nothing at all stays of who leaves
  // Days that changed rows wait for others before they are withdrawn; nothing: they keep what they
  // show.
  std::optional<std::uint32_t> withdraw_after = 30;
  // Days after which newcomers are released though there are few; nothing: they wait.
  std::optional<std::uint32_t> batch_after = {};
  std::vector<std::uint8_t> hidden = {};  // per row, 1: the person wants nothing shown; or empty
  std::vector<std::uint8_t> open = {};    // per row, 1: the person shows own values; or empty
  std::vector<RenamedValue> renamed = {};
  std::vector<std::pair<std::string, std::string>> new_ids = {};  // before, now
  std::map<std::string, std::string> bins = {};  // of private columns that have some, by name
  std::vector<std::string> fit_on = {};          // public columns that a later output may show
};

}  // namespace rankveil
