// A live ranking as it is met from outside: values in, ids out, one try a call.
//
// There is one for each kind of target. They know nothing of row numbers, retries, rates and logs:
// see conversation.h for those.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rankveil/connect/reply.h"
#include "rankveil/ranking/query.h"

namespace rankveil::attack {

class Service {
 public:
  virtual ~Service() = default;

  // How messages and logs call it, without secrets: "http://127.0.0.1:8080".
  virtual std::string name() const = 0;
  virtual bool takes_rows() const = 0;
  // Whether a query may ask for several values of an attribute.
  virtual bool takes_sets() const = 0;
  // Whether restart() leaves no trace of rows that were added: a transaction, a program. Otherwise
  // they stay until they are removed.
  virtual bool forgets() const = 0;
  virtual bool removes_rows() const { return false; }

  // Ids, best first.
  virtual connect::Reply<std::vector<std::string>> rank(const Query& query) = 0;
  // `id` is a proposal; the reply says what the row is called.
  virtual connect::Reply<std::string> add(std::span<const ValueId> values,
                                          const std::string& id) = 0;
  // REQUIRES: removes_rows(). A row that is not there is no trouble.
  virtual connect::Reply<connect::Done> remove(const std::string& id);
  // A new connection, transaction or process. After trouble it is the way back.
  virtual connect::Reply<connect::Done> restart() = 0;
};

inline connect::Reply<connect::Done> Service::remove(const std::string&) {
  return wrong_use("this ranking removes no rows");
}

}  // namespace rankveil::attack
