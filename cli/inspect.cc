// rankveil inspect: what there is to know about a table or an index.
#include <fmt/core.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/inspect_table.h"
#include "cli/progress_bar.h"
#include "cli/table_options.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "rankveil/base/format.h"
#include "rankveil/table/number_text.h"

namespace rankveil::cli {

namespace {

constexpr std::uint32_t usual_values = 5;

struct InspectOptions {
  api::InspectRequest request;
  InspectReportOptions report;
  bool json = false;
  bool crowds = false;
  std::uint32_t crowd = 50;
  std::optional<double> crowd_share;
};

Status take_share(const std::string& text, std::optional<double>& share) {
  auto number = number_from_text(text);
  if (!number || *number <= 0 || *number > 1) {
    return wrong_use(
        fmt::format("--crowd-share must be a number above 0, at most 1, not \"{}\"", text));
  }
  share = *number;
  return {};
}

// The first ones: an index does not know which are frequent.
std::string some_values(const Domain& domain, std::size_t shown) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(shown, domain.size()); ++i) {
    text += (i == 0 ? "" : ", ") + domain.values()[i];
  }
  return domain.size() > shown ? text + ", ..." : text;
}

std::string attributes_text(const Schema& schema, std::size_t shown) {
  TextTable table;
  table.column("attribute");
  table.column("role");
  table.column("weight", Align::Right);
  table.column("values", Align::Right);
  table.column("domain");
  for (const Attribute& attribute : schema.attributes) {
    table.row({attribute.name, attribute.is_private() ? "private" : "public",
               fmt::format("{:g}", attribute.weight), grouped(attribute.domain.size()),
               some_values(attribute.domain, shown)});
  }
  return table.render(out_terminal());
}

std::string domain_text(const Attribute& attribute) {
  TextTable table;
  table.column(attribute.name + (attribute.is_private() ? " (private)" : " (public)"));
  for (const std::string& value : attribute.domain.values()) table.row({value});
  return fmt::format("\n{}", table.render(out_terminal()));
}

std::string all_values_text(const Schema& schema) {
  std::string text;
  for (const Attribute& attribute : schema.attributes) text += domain_text(attribute);
  return text;
}

std::string protection(const IndexInfo& info) {
  return info.unprotected() ? styled(out_terminal(), Style::Red, api::promise(info))
                            : printable(api::promise(info));
}

std::string show(const api::IndexReport& report, const InspectReportOptions& options) {
  const Schema& schema = report.schema;
  return fmt::format("{}: {}\nan index of {}, {} public and {} private attributes\n\n",
                     printable(report.name), protection(report.info), counted(report.rows, "row"),
                     schema.public_count(), schema.private_count()) +
         attributes_text(schema, options.top.value_or(usual_values)) +
         (options.all_values ? all_values_text(schema) : "") +
         fmt::format(
             "\n{} on disk, {} in memory; rows are called by {}; k is {} unless a query "
             "says otherwise\n",
             format_bytes(report.file_bytes), format_bytes(report.memory_bytes),
             schema.id_name.empty() ? "their number" : printable(schema.id_name),
             report.info.default_k);
}

// A key is of no use while no column is private.
std::string next_step(const api::TableReport& report) {
  bool any = std::ranges::any_of(report.summary.attributes,
                                 [](const AttributeSummary& one) { return one.is_private; });
  if (!any) {
    return "read it, and give columns that nobody may see the role \"private\"";
  }
  return fmt::format(
      "read it, then: rankveil keygen NAME.key, and rankveil protect TABLE --policy {} --key "
      "NAME.key -o NAME.rankveil",
      report.written_policy);
}

void talk_about(const api::TableReport& report) {
  for (const std::string& warning : report.warnings) say_warning(warning);
  if (!report.written_policy.empty()) {
    say_note(fmt::format("wrote {}; {}", report.written_policy, next_step(report)));
  } else if (report.drafted()) {
    say_note(
        "the policy is a guess from names and values; --write-policy p.toml keeps it for you "
        "to correct");
  }
  say_note(fmt::format("inspected in {}", format_seconds(report.seconds)));
}

void talk_about(const api::IndexReport& report) {
  for (const std::string& warning : report.warnings) say_warning(warning);
  say_note(fmt::format("read whole and found undamaged in {}", format_seconds(report.seconds)));
}

int run(InspectOptions& told) {
  if (auto checked = check_table_options(told.request.input); !checked) {
    return fail(checked.error());
  }
  if (told.crowds || told.crowd_share) {
    told.request.crowds =
        CrowdsAsked{.share = told.crowd_share.value_or(0.95), .crowd = told.crowd};
  }
  auto result = with_bar(told.request.input.progress, [&] { return api::inspect(told.request); });
  if (!result) return fail(result.error());
  if (told.json) {
    print(to_json(*result).dump() + "\n");
  } else {
    print(std::visit([&](const auto& report) { return show(report, told.report); }, *result));
  }
  std::visit([](const auto& report) { talk_about(report); }, *result);
  return exit_ok;
}

}  // namespace

Run set_up_inspect(Options& options) {
  auto told = std::make_shared<InspectOptions>();
  add_table_options(
      options, "FILE",
      ".csv, .tsv, .json or .ndjson (also .gz), .parquet, a DuckDB file, - for standard "
      "input, or an index",
      told->request.input);
  options.text("--write-policy", "FILE", "keep the policy in use, with comments",
               told->request.write_policy);
  options.flag("--force", "replace a policy file that differs", told->request.force);
  options.flag("--crowds", "propose which public columns to show, so that most rows have a crowd",
               told->crowds);
  options.number("--crowd", "N", "rows that make a crowd", told->crowd, 2);
  options.once("--crowd-share", "NUMBER", "of rows that must have one (default 0.95)",
               [told](const std::string& text) { return take_share(text, told->crowd_share); });
  options.section("Output");
  options.number("--top", "N",
                 "values shown of each attribute: the most frequent of a table (default 3), the "
                 "first of an index (default 5)",
                 told->report.top, 1);
  options.flag("--values", "show every value of every attribute", told->report.all_values);
  options.flag("--json", "print JSON", told->json);
  options.example("rankveil inspect people.csv --write-policy people.toml");
  options.example("rankveil inspect people.csv --write-policy people.toml --crowds");
  options.example("rankveil inspect people.csv --policy people.toml --values");
  options.example("rankveil inspect people.rankveil --values");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
