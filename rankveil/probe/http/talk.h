// Requests to one origin, on behalf of somebody, counted, and shown without secrets.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/connect/http/client.h"
#include "rankveil/connect/reply.h"
#include "rankveil/probe/dialect/dialect.h"
#include "rankveil/probe/http/identity.h"

namespace rankveil::probe {

struct TalkSettings {
  std::string url = {};
  bool allow_remote = false;
  double timeout = 10;
  // Requests at most, redirects and log-ins included. The last few are kept for taking rows back.
  std::uint64_t budget = UINT64_MAX;
};

class Talk {
 public:
  // For what happens in the end whatever was spent before.
  static constexpr std::uint64_t reserve = 20;

  // Refuses addresses off this machine unless they are allowed.
  static Result<Talk> open(const TalkSettings& settings);

  // Logs in where that is needed, and again where the answer is 401. Follows redirects on the same
  // origin, at most five; others come back as answers. `at_last`: may use the reserve.
  connect::Reply<connect::HttpAnswer> send(const PlainRequest& request, const Identity& identity,
                                           bool at_last = false);

  const std::string& origin() const { return origin_; }
  const std::string& path() const { return path_; }  // of the address, without what follows ?
  std::uint64_t sent() const { return sent_; }

  // As a transcript shows it: "GET /people?sort=-income", further lines for headers of the dialect
  // and the body.
  std::string show(const PlainRequest& request) const;
  // For texts that go anywhere else.
  std::string hide(std::string text) const { return without_secrets(std::move(text), secrets_); }
  // Of an identity that never sent anything so far.
  void keep_secret(const Identity& identity);

 private:
  Talk(std::string origin, std::string path, const TalkSettings& settings);
  connect::Reply<connect::HttpAnswer> send_once(const PlainRequest& request,
                                                const Identity& identity, bool at_last);
  connect::Reply<connect::Done> log_in(const Identity& identity, bool at_last);
  bool follows(const connect::HttpAnswer& answer, PlainRequest& request) const;

  std::string origin_;
  std::string path_;
  connect::HttpClient client_;
  std::uint64_t budget_;
  std::uint64_t sent_ = 0;
  std::vector<std::string> secrets_;
  std::vector<std::pair<std::string, std::string>> tokens_;  // by name of identity
};

}  // namespace rankveil::probe
