// Our engine as a contestant.
#pragma once

#include "bench/versus/topk/contest.h"
#include "rankveil/ranking/index.h"

namespace rankveil::versus {

class Ours : public Contestant {
 public:
  std::string name() const override { return "rankveil"; }
  std::string version() const override;
  bool supports(const Case&) const override { return true; }
  std::uint32_t largest_table() const override { return UINT32_MAX; }

  Status prepare(const Data& data) override;
  Status ask(const Task& task) override;
  Status run(std::size_t question, Hits& hits) override;
  Status run_batch(std::vector<Hits>& answers) override;

  // Another contestant on the same index, which can be asked other things. REQUIRES: prepared.
  std::unique_ptr<Ours> twin() const;
  const Index& index() const { return *index_; }

 private:
  std::optional<Index> index_;
  std::vector<Query> queries_;
  Weights weights_;
  RankOptions options_;
};

std::unique_ptr<Ours> make_ours();

}  // namespace rankveil::versus
