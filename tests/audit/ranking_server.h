// A table's unprotected ranking behind HTTP, for tests: POST /rank, POST /people, DELETE
// /people/ID. With a certificate, behind https.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "rankveil/table/table.h"

namespace rankveil::tests {

class RankingServer {
 public:
  enum class Speaks { Http, Https };
  // https: with a certificate of its own making for 127.0.0.1, that nobody trusts yet.
  RankingServer(const Table& table, Speaks speaks);
  ~RankingServer();
  RankingServer(const RankingServer&) = delete;
  RankingServer& operator=(const RankingServer&) = delete;

  // A target file (docs/reference/targets.md) that leads here.
  std::string target_file() const;
  // What to trust, as PEM; empty without https.
  std::string certificate() const;
  std::size_t people() const;
  std::size_t removals() const;
  // From now on so many rows can be removed, and no more.
  void allow_removals(std::size_t most);
  // Called before each request is answered, with its path and how many people there are.
  void before_each(std::function<void(const std::string&, std::size_t)> act);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rankveil::tests
