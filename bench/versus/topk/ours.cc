#include "bench/versus/topk/ours.h"

#include <fmt/format.h>

#include "bench/versus/topk/our_index.h"
#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil::versus {
namespace {

void copy_hits(const Answer& answer, Hits& hits) {
  hits.resize(answer.hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    hits[i] = {+answer.hits[i].row, static_cast<double>(answer.hits[i].score) * answer.unit};
  }
}

}  // namespace

std::unique_ptr<Ours> make_ours() { return std::make_unique<Ours>(); }

std::string Ours::version() const {
  return fmt::format("rankveil {} ({})", RANKVEIL_VERSION, isa_name(kernels::kernel_in_use().isa));
}

std::unique_ptr<Ours> Ours::twin() const {
  auto other = make_ours();
  other->index_ = index_;
  return other;
}

Status Ours::prepare(const Data& data) {
  index_ = build_index(data);
  return {};
}

Status Ours::ask(const Task& task) {
  queries_.clear();
  for (const Question& question : task.questions) queries_.push_back(query_of(question));
  weights_ = task.weights;
  options_ = {.k = top_k, .threads = task.what->threads, .weights = &weights_};
  return {};
}

Status Ours::run(std::size_t question, Hits& hits) {
  copy_hits(index_->rank(queries_[question], options_), hits);
  return {};
}

Status Ours::run_batch(std::vector<Hits>& answers) {
  std::vector<Answer> all = index_->rank_all(queries_, options_);
  for (std::size_t q = 0; q < answers.size(); ++q) copy_hits(all[q], answers[q]);
  return {};
}

}  // namespace rankveil::versus
