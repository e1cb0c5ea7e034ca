// A campaign's talk with a service: asked again after trouble, at a bounded rate, perhaps recorded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rankveil/attack/targets/service.h"
#include "rankveil/base/clock.h"
#include "rankveil/base/result.h"

namespace rankveil::attack {

struct AddedRow {
  std::vector<ValueId> values;
  std::string id;
};

class Conversation {
 public:
  virtual ~Conversation() = default;

  struct Added {
    std::string id;
    // Tries whose answer got lost: each may have left one more row, under an id nobody knows.
    std::uint32_t doubtful = 0;
  };
  virtual Result<std::vector<std::string>> rank(const Query& query) = 0;
  // Whether the last rank() failed because the service does not answer such questions.
  virtual bool was_refused() const = 0;
  virtual Result<Added> add(std::span<const ValueId> values) = 0;
  // Rows that were added are taken back. True: none is left; false: they stay, for want of a way.
  virtual Result<bool> restart() = 0;
  virtual bool takes_rows() const = 0;
  virtual bool takes_sets() const = 0;
};

// How a service is asked.
struct Manners {
  std::uint32_t retries = 3;  // after the first try
  double backoff = 0.5;       // seconds before the first retry; doubled for each further one
  double rate = 0;            // requests a second, retries included; 0: no limit
};

// Ids for new rows: rankveil-1, rankveil-2, ... or, with a first number, plain numbers.
struct NewIds {
  std::string prefix = "rankveil-";
  std::optional<std::int64_t> first = {};
  std::string at(std::uint64_t number) const;  // from 0
};

// Lets no more than `rate` requests a second go by, evenly spaced.
class Pace {
 public:
  Pace(double rate, Clock& clock) : gap_(rate > 0 ? 1 / rate : 0), clock_(clock) {}
  void wait_turn();

 private:
  double gap_;
  Clock& clock_;
  double next_ = 0;
};

// Asks a service until it answers, within limits. When a connection that held a transaction is
// lost, rows that were added in it are added again; they keep the ids they had first.
class PatientConversation : public Conversation {
 public:
  // The clock must outlive this.
  PatientConversation(std::unique_ptr<Service> service, Schema schema, Manners manners,
                      NewIds new_ids, Clock& clock);

  Result<std::vector<std::string>> rank(const Query& query) override;
  Result<Added> add(std::span<const ValueId> values) override;
  Result<bool> restart() override;
  bool was_refused() const override { return was_refused_; }
  bool takes_rows() const override { return service_->takes_rows(); }
  bool takes_sets() const override { return service_->takes_sets(); }

  const Service& service() const { return *service_; }
  // Of the last add, also one that failed.
  std::uint32_t last_doubtful() const { return last_doubtful_; }
  // Goes on where an earlier run of the same campaign stopped: with these rows, and new ids from
  // this number on.
  Status resume(std::vector<AddedRow> rows, std::uint64_t next_id);

 private:
  template <typename T, typename Try>
  Result<T> insist(const std::string& what, const Try& attempt);
  Status remove_all();
  Status come_back();
  connect::Reply<connect::Done> try_to_come_back();
  Error give_up(const std::string& what, const Error& error, std::uint32_t tries) const;

  struct Held {
    AddedRow row;
    std::string id_now;  // the service's own, which changes when the row is added again
  };

  std::unique_ptr<Service> service_;
  Schema schema_;
  Manners manners_;
  NewIds new_ids_;
  Clock& clock_;
  Pace pace_;
  std::uint64_t next_id_ = 0;
  std::uint32_t last_doubtful_ = 0;
  bool was_refused_ = false;
  bool is_lost_ = false;  // the service must be restarted before it is asked again
  std::vector<Held> held_;
  std::vector<std::string> doubtful_ids_;  // proposed, perhaps taken
};

}  // namespace rankveil::attack
