#include "rankveil/probe/probe.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/probe/own_rows.h"
#include "rankveil/probe/patient.h"
#include "rankveil/probe/trial.h"

namespace rankveil::probe {
namespace {

std::string mark_of(std::uint64_t seed) { return fmt::format("rvprobe{:012x}", seed >> 16); }

class Session {
 public:
  Session(Asker& asker, Writer& writer, Journal& journal, const ProbeOptions& options, Clock& clock)
      : options_(options),
        ways_(asker.ways()),
        meter_(options.budget, options.stop),
        asker_(asker, meter_, clock, {.seconds = options.patience, .pages = options.pages}),
        rows_(writer, journal, meter_, clock),
        values_(options.seed),
        bench_{asker_, rows_, values_, clock, meter_, options.control},
        makes_rows_(writer.makes_rows()) {}

  Status begin() {
    if (!options_.rows.empty()) {
      rows_.take(options_.rows);
      return {};
    }
    if (makes_rows_) return rows_.make(mark_of(options_.seed));
    return wrong_use(
        "no row can be made here; name one or two that may be changed, or probe by reading only");
  }

  ProbeReport run(const Progress& progress) {
    ProbeReport report;
    report.findings = find(progress);
    report.requests = meter_.spent();
    report.writes = rows_.writes();
    report.lag_seconds = bench_.settle_seconds;
    return report;
  }

  Status end() { return rows_.put_back(); }

 private:
  std::vector<Finding> find(const Progress& progress) {
    if (!options_.control) return find_under({}, progress);
    auto controls = check_controls(bench_, ways_, options_.patience);
    if (!controls) return find_uncontrolled(controls.error(), progress);
    auto findings = find_under(*controls, progress);
    if (std::ranges::none_of(findings, rests_on_control)) return findings;
    settle_findings(findings, *controls,
                    still_acting(bench_, ways_to_settle(findings, *controls), *controls));
    return findings;
  }

  // Those that acted and on which something rests; what rests on others, rests on any that acted.
  std::vector<Way> ways_to_settle(const std::vector<Finding>& findings,
                                  const Controls& controls) const {
    std::vector<Way> resting;
    std::optional<Way> acting;
    for (const Way& way : ways_) {
      if (!controls.at(way.name).acts) continue;
      acting = way;
      const bool rests = std::ranges::any_of(findings, [&](const Finding& finding) {
        return finding.way.name == way.name && rests_on_control(finding);
      });
      if (rests) resting.push_back(way);
    }
    if (resting.empty() && acting) resting.push_back(*acting);
    return resting;
  }

  // What depends on a hidden value does so without a control, too.
  std::vector<Finding> find_uncontrolled(const Error& why, const Progress& progress) {
    auto findings = find_under({}, progress);
    for (Finding& finding : findings) {
      if (finding.verdict != Verdict::Blind) continue;
      finding.reason = fmt::format("the control failed: {}", why.message);
    }
    return findings;
  }

  std::vector<Finding> find_under(const Controls& controls, const Progress& progress) {
    std::vector<Finding> findings;
    double done = 0;
    for (const Field& field : options_.fields) {
      rankveil::report(progress, "asking for " + field.name,
                       done++ / static_cast<double>(options_.fields.size()));
      auto found = try_field(bench_, field, ways_, controls, {options_.repetitions, options_.all});
      std::ranges::move(found, std::back_inserter(findings));
    }
    return findings;
  }

  const ProbeOptions& options_;
  std::span<const Way> ways_;
  Meter meter_;
  PatientAsker asker_;
  OwnRows rows_;
  ValueMaker values_;
  Bench bench_;
  bool makes_rows_;
};

}  // namespace

Result<ProbeReport> probe(Asker& asker, Writer& writer, Journal& journal,
                          const ProbeOptions& options, Clock& clock, const Progress& progress) {
  Session session(asker, writer, journal, options, clock);
  const Status begun = session.begin();
  if (!begun) {
    // The row may have been made all the same.
    const Status back = session.end();
    if (back) return begun.error();
    return Error{begun.error().code,
                 fmt::format("{}; {}", begun.error().message, back.error().message)};
  }
  ProbeReport report = session.run(progress);
  if (auto back = session.end(); !back) report.left_behind = back.error().message;
  return report;
}

}  // namespace rankveil::probe
