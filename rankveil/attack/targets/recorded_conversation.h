// A conversation with a log: what was asked and answered before is read, the rest is asked for and
// written down.
//
// The log has one JSON object a line, written in one piece as soon as there is an answer, and is
// readable by its owner only:
//
//   {"log":"rankveil campaign","version":1,"target":"http://127.0.0.1:8080","k":10,...}
//   {"query":{"city":"Paris"},"ids":["4","17"]}
//   {"query":{"city":"Rome"},"failed":"..."}         asked again by the next run
//   {"query":{"religion":"none"},"refused":"..."}    not answered by intent, and not asked again
//   {"insert":{"city":"Paris","religion":"none"}}    written before it is tried
//   {"inserted":"rankveil-1","doubtful":0}
//   {"restart":true}                                 inserted rows are gone; false: they stay
//
// A campaign is deterministic, so a second run asks the same in the same order. It is refused where
// it does not: the log is then that of another campaign. A last line that was cut off is dropped.
// Where the log ends, rows that a transaction or a program has forgotten are added again; rows that
// a service keeps are still there. An insert without an answer may have been made all the same, and
// is counted as doubtful.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/attack/targets/conversation.h"

namespace rankveil::attack {

class RecordedConversation : public Conversation {
 public:
  // `about` names the campaign: a log that says something else is refused. So is a log that another
  // process is writing.
  static Result<std::unique_ptr<RecordedConversation>> open(
      const std::string& path, const Json& about, const Schema& schema,
      std::unique_ptr<PatientConversation> live);
  ~RecordedConversation() override;

  Result<std::vector<std::string>> rank(const Query& query) override;
  Result<Added> add(std::span<const ValueId> values) override;
  Result<bool> restart() override;
  bool was_refused() const override { return was_refused_; }
  bool takes_rows() const override { return live_->takes_rows(); }
  bool takes_sets() const override { return live_->takes_sets(); }

 private:
  RecordedConversation(std::string path, int descriptor, Schema schema,
                       std::unique_ptr<PatientConversation> live);

  Status load(const Json& about);
  Status check_head(std::string_view line, const Json& about) const;
  // The next entry, without moving on; null at the end of the log.
  Result<const Json*> peek();
  void move_on();
  Error differs(const std::string& asked) const;
  // The answer to an insert that the log has begun; nothing: there is none.
  Result<std::optional<Added>> recorded_insert(const std::string& row);
  Status go_live();
  Status write(const Json& entry);

  std::string path_;
  int descriptor_;
  Schema schema_;
  std::unique_ptr<PatientConversation> live_;

  std::string log_;         // what an earlier run wrote
  std::size_t at_ = 0;      // in it
  std::size_t line_ = 1;    // where `at_` is
  std::size_t length_ = 0;  // of the entry that was peeked at
  std::optional<Json> entry_;
  bool is_live_ = false;
  bool was_refused_ = false;
  std::vector<AddedRow> rows_;    // since the last restart of the log
  std::uint64_t ids_used_ = 0;    // by the log
  std::uint32_t unanswered_ = 0;  // tries of the insert at hand
};

}  // namespace rankveil::attack
