#include "rankveil/audit/live_arena.h"

#include "rankveil/audit/campaign.h"
#include "rankveil/audit/guesses.h"

namespace rankveil::audit {

namespace {

// What fresh targets of an arena share.
struct Borrowed {
  std::shared_ptr<attack::LiveTarget> target;
  std::shared_ptr<AnswerCount> answers;
  std::vector<std::uint32_t> places;  // of attributes, among those that the target takes
  std::uint32_t size = 0;             // how many it takes
};

// A target that somebody else keeps.
class BorrowedTarget : public attack::Target {
 public:
  explicit BorrowedTarget(Borrowed borrowed) : borrowed_(std::move(borrowed)) {}

  Result<std::vector<std::uint32_t>> query(const Query& query) override {
    Query whole{std::vector<std::vector<ValueId>>(borrowed_.size)};
    for (std::size_t i = 0; i < query.wanted.size(); ++i) {
      whole.wanted[borrowed_.places[i]] = query.wanted[i];
    }
    auto answer = borrowed_.target->query(whole);
    if (!answer) return answer;
    ++borrowed_.answers->all;
    if (answer->empty()) ++borrowed_.answers->empty;
    return answer;
  }
  Result<std::uint32_t> insert(std::span<const ValueId> values) override {
    std::vector<ValueId> whole(borrowed_.size, missing_value);
    for (std::size_t i = 0; i < values.size(); ++i) whole[borrowed_.places[i]] = values[i];
    return borrowed_.target->insert(whole);
  }
  bool takes_inserts() const override { return borrowed_.target->takes_inserts(); }
  bool takes_sets() const override { return borrowed_.target->takes_sets(); }

 private:
  Borrowed borrowed_;
};

std::vector<std::uint32_t> places_in(const Schema& asked, const Schema& schema) {
  std::vector<std::uint32_t> places;
  for (const Attribute& attribute : schema.attributes) {
    places.push_back(+asked.find(attribute.name).value());
  }
  return places;
}

bool contradicts(const Campaign& campaign, const Table& truth) {
  for (const Attacked& attacked : campaign.victims) {
    if (attacked.contradicted) return true;
  }
  return proven_wrong(campaign, truth) > 0;
}

// Whether most values of the victims were proven.
bool proves_most(const Campaign& campaign) {
  std::size_t proven = 0;
  std::size_t values = 0;
  for (const Attacked& attacked : campaign.victims) {
    for (const Recovered& recovered : attacked.attributes) proven += recovered.proven ? 1 : 0;
    values += attacked.attributes.size();
  }
  return proven * 2 > values;
}

}  // namespace

Arena live_arena(const std::shared_ptr<attack::LiveTarget>& target, attack::Knowledge knowledge,
                 const Table& truth, const Schema& asked) {
  Arena arena;
  arena.complete = complete_attributes(truth);
  arena.knowledge = std::move(knowledge);
  arena.takes_inserts = target->takes_inserts();
  arena.takes_sets = target->takes_sets();
  arena.threads = 1;
  arena.answers = std::make_shared<AnswerCount>();
  Borrowed borrowed{target, arena.answers, places_in(asked, truth.schema()), asked.size()};
  arena.fresh = [borrowed]() -> Result<std::unique_ptr<attack::Target>> {
    if (auto restarted = borrowed.target->restart(); !restarted) return restarted.error();
    return std::unique_ptr<attack::Target>(new BorrowedTarget(borrowed));
  };
  return arena;
}

namespace {

// Members of sets of esvt match with 1/l each. estt is not listed: the size of its sets varies.
std::vector<attack::Belief> beliefs_to_try(const Table& truth, const Mechanism* declared) {
  std::vector<attack::Belief> beliefs = {unprotected_belief(truth)};
  bool shares = declared != nullptr && declared->demand.scheme == "esvt" &&
                declared->taking_part.empty() && declared->demand.l <= max_steps;
  if (shares) {
    beliefs.push_back(
        {.kind = attack::ProfileKind::Graded, .levels = declared->demand.l, .one_strength = true});
  }
  beliefs.push_back({.kind = attack::ProfileKind::Sets});
  return beliefs;
}

}  // namespace

Result<attack::Belief> guess_belief(const Arena& arena, const Table& truth,
                                    std::span<const std::uint32_t> victims,
                                    const Mechanism* declared) {
  Arena trial = arena;
  for (const attack::Belief& belief : beliefs_to_try(truth, declared)) {
    trial.knowledge.belief = belief;
    // Without protection the value that shows is the own one, whatever a scheme would do.
    trial.own_value_shows = trial.is_unprotected() || arena.own_value_shows;
    auto campaign = run_campaign(trial, *attack::find_method("q-point"), victims, {});
    if (!campaign) return campaign.error();
    // Nothing contradicts what was never seen. Who declares a scheme is not told that there is none
    // unless most values lie open.
    bool shown = !trial.is_unprotected() || declared == nullptr || proves_most(*campaign);
    if (shown && !contradicts(*campaign, truth)) return trial.knowledge.belief;
  }
  return attack::Belief{.kind = attack::ProfileKind::Graded};
}

}  // namespace rankveil::audit
