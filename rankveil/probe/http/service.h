// A service over HTTP, asked and written to as a dialect says.
//
//   auto service = HttpService::open(settings);
//   Answer answer = (*service)->ask({.way = "sort", .field = "income"});
//
// Questions never carry the owner's headers.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rankveil/probe/asking.h"
#include "rankveil/probe/http/settings.h"

namespace rankveil::probe {

class HttpService : public Asker, public Writer {
 public:
  // Sends nothing. Refuses what a probe cannot do: an address off this machine, ...
  static Result<std::unique_ptr<HttpService>> open(HttpSettings settings);

  std::span<const Way> ways() const override { return ways_; }
  Answer ask(const Question& question) override;

  bool makes_rows() const override { return settings_.makes_rows && settings_.dialect.can_write(); }
  connect::Reply<std::string> create(const std::string& mark) override;
  connect::Reply<std::vector<std::string>> find(const std::string& mark) override;
  connect::Reply<HeldMark> read_mark(const std::string& row) override;
  connect::Reply<connect::Done> remove(const std::string& row) override;
  connect::Reply<connect::Done> write(const std::string& row, const Field& field,
                                      const std::optional<Value>& value) override;
  connect::Reply<std::optional<Value>> read(const std::string& row, const Field& field) override;

  // The public listing, or that of the owner: all rows of a page as they are, to learn names of
  // fields from. Nobody keeps them.
  connect::Reply<Json> listing(const Identity& identity, std::uint32_t page);
  Talk& talk() { return talk_; }
  const HttpSettings& settings() const { return settings_; }

 private:
  HttpService(HttpSettings settings, Talk talk);
  Places places() const;
  const WayTemplate* way_called(const std::string& name) const;
  // A 2xx as JSON; everything else is trouble.
  connect::Reply<Json> owner_asks(const RequestTemplate& request, const Places& places,
                                  bool at_last = false);
  connect::Reply<Json> told_by(const PlainRequest& plain, const connect::HttpAnswer& answer) const;
  connect::Reply<HeldMark> read_held(const std::string& row, const std::string& field);
  bool is_refused(const connect::HttpAnswer& answer) const;
  connect::Reply<Json> create_in(const std::string& path, const Json& row);  // its id
  connect::Reply<connect::Done> remove_links(const std::string& row);
  connect::Reply<std::vector<std::string>> links_of(const std::string& row);
  void use_own_ids(std::vector<std::string>& ids) const;
  template <typename Take>
  connect::Reply<connect::Done> scan(const std::string& path, const Take& take);

  HttpSettings settings_;
  Talk talk_;
  std::vector<Way> ways_;
  std::map<std::string, std::size_t> way_numbers_;
  std::map<std::string, std::string> links_;  // of linked rows to own ones
};

}  // namespace rankveil::probe
