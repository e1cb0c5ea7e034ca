// What attacks on victims came to, so that an audit that was stopped goes on where it was.
//
// The log has one JSON object a line, written as soon as a victim is done, and is readable by its
// owner only: it says what was found out about rows.
//
//   {"log":"rankveil audit","version":1,"fingerprint":"...","victims":400,...}
//   {"campaign":"after","method":"q-in","victim":17,"seen":true,...}
//
// Attacks on one victim do not depend on those on others, so it does not matter which are there. A
// log of another audit is refused; a last line that was cut off is dropped.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "rankveil/audit/campaign.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"

namespace rankveil::audit {

class CampaignLog {
 public:
  // `about`: all that attacks depend on. A log that says something else is refused, and so is one
  // that another process is writing.
  static Result<std::unique_ptr<CampaignLog>> open(const std::string& path, const Json& about);
  ~CampaignLog();
  CampaignLog(const CampaignLog&) = delete;
  CampaignLog& operator=(const CampaignLog&) = delete;

  // Victims that were done when the log was opened.
  std::size_t size() const { return known_.size(); }
  // May be called from several threads, as add() may.
  std::optional<Attacked> find(std::string_view campaign, std::string_view method,
                               std::uint32_t victim) const;
  Status add(std::string_view campaign, std::string_view method, const Attacked& attacked);

 private:
  CampaignLog(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  Status load(const Json& about);
  Status check_head(std::string_view line, const Json& about) const;
  Status read_line(std::string_view line, std::size_t number);
  Status write(const Json& entry);

  std::string path_;
  int descriptor_;
  std::map<std::tuple<std::string, std::string, std::uint32_t>, Attacked, std::less<>> known_;
  std::mutex mutex_;
};

// The first line of a log, if the file is there and is one.
std::optional<Json> head_of_log(const std::string& path);

}  // namespace rankveil::audit
