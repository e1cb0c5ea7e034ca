#include "rankveil/api/probe_service.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "rankveil/base/format.h"
#include "rankveil/probe/dialect/recognise.h"
#include "rankveil/probe/discover/found_fields.h"
#include "rankveil/probe/discover/schema_files.h"
#include "rankveil/probe/graphql/introspect.h"
#include "rankveil/probe/http/read_answer.h"

namespace rankveil::api {
namespace {

using probe::Field;
using probe::FieldType;
using probe::FoundFields;
using probe::HttpService;
using probe::HttpTarget;

// ---- Target ----

template <typename T>
void prefer(T& value, const T& told, const T& unset = {}) {
  if (!(told == unset)) value = told;
}

// ---- Opening ----

Result<probe::HttpSettings> settings_of(const HttpTarget& target, std::uint64_t budget,
                                        probe::Dialect dialect) {
  auto identities = probe::identities_of(target);
  if (!identities) return identities.error();
  probe::HttpSettings settings;
  settings.talk = {.url = target.url,
                   .allow_remote = target.allow_remote,
                   .timeout = target.timeout,
                   .budget = budget};
  settings.dialect = std::move(dialect);
  settings.collection = target.collection;
  settings.public_field = target.public_field;
  settings.mark_field = target.mark_field;
  settings.row = target.row;
  settings.linked = target.linked;
  settings.makes_rows = target.rows.empty();
  settings.asker = std::move(identities->stranger);
  settings.owner = std::move(identities->owner);
  return settings;
}

// A dialect that was found, and what was learnt and spent on the way.
struct FoundDialect {
  probe::Dialect dialect;
  std::string collection = {};  // where the address does not tell it
  FoundFields fields = {};
  std::uint64_t requests = 0;
};

Result<FoundDialect> in_graphql(const HttpTarget& target, std::uint64_t budget) {
  auto identities = probe::identities_of(target);
  if (!identities) return identities.error();
  auto talk = probe::Talk::open({.url = target.url,
                                 .allow_remote = target.allow_remote,
                                 .timeout = target.timeout,
                                 .budget = budget});
  if (!talk) return talk.error();
  auto service = probe::introspect(*talk, *identities, target.collection);
  if (!service) return service.error();
  return FoundDialect{std::move(service->dialect), std::move(service->collection),
                      std::move(service->fields), talk->sent()};
}

// By what the listing looks like, or what a service without a listing says about itself.
Result<FoundDialect> recognised(const HttpTarget& target, std::uint64_t budget,
                                std::vector<std::string>& notes) {
  auto rest = probe::open_dialect("rest");
  if (!rest) return rest.error();
  auto settings = settings_of(target, budget, std::move(*rest));
  if (!settings) return settings.error();
  auto service = HttpService::open(std::move(*settings));
  if (!service) return service.error();
  probe::Talk& talk = (*service)->talk();
  std::string name = "graphql";
  if (!talk.path().ends_with("/graphql")) {
    auto listing = (*service)->listing((*service)->settings().asker, 1);
    if (listing) {
      name = probe::recognise(*listing, talk.path());
    } else if (auto found = in_graphql(target, budget - talk.sent())) {
      notes.emplace_back("the service speaks GraphQL; another dialect is named by --kind");
      found->requests += talk.sent();
      return found;
    } else {
      return io_error(fmt::format("{}: {}; name the dialect, --kind", target.url,
                                  listing.trouble().error.message));
    }
  }
  notes.push_back(
      fmt::format("answers look like those of {}; another dialect is named by --kind", name));
  if (name == "graphql") return in_graphql(target, budget);
  auto dialect = probe::open_dialect(name);
  if (!dialect) return dialect.error();
  return FoundDialect{.dialect = std::move(*dialect), .requests = talk.sent()};
}

// The dialect that was named, or the one that the service seems to speak.
Result<FoundDialect> dialect_of(const HttpTarget& target, std::uint64_t budget,
                                std::vector<std::string>& notes) {
  if (target.dialect == "auto") return recognised(target, budget, notes);
  if (target.dialect == "graphql") return in_graphql(target, budget);
  auto dialect = probe::open_dialect(target.dialect);
  if (!dialect) return dialect.error();
  return FoundDialect{.dialect = std::move(*dialect)};
}

// ---- Fields ----

// Those that were named are probed alone; what else was learnt says of which type they are.
Status take_named_fields(const HttpTarget& target, std::span<const FoundFields* const> learnt,
                         ProbeService& made) {
  if (target.fields.empty()) return {};
  const FoundFields heard_of = made.sources.empty() ? FoundFields{} : made.hidden;
  made.hidden.clear();
  made.sources.clear();
  for (const std::string& text : target.fields) {
    auto named = probe::field_from_text(text);
    if (!named) return named.error();
    Field field = named->field;
    for (const FoundFields* known : learnt) {
      const Field* found = probe::field_called(*known, field.name);
      if (named->has_type || found == nullptr) continue;
      field = *found;
      break;
    }
    if (probe::field_called(made.hidden, field.name) != nullptr) continue;
    // Of which words it is one, only the service knows.
    for (const FoundFields* known : learnt) {
      const Field* found = probe::field_called(*known, field.name);
      field.is_word |= found != nullptr && found->is_word;
    }
    made.hidden.push_back(field);
    made.sources.push_back({field.name, "named"});
    made.sources.back().is_unheard_of = probe::field_called(heard_of, field.name) == nullptr;
  }
  return {};
}

// What the service declares, and how reports write the types down.
void complete_fields(const HttpTarget& target, ProbeService& made) {
  for (std::size_t i = 0; i < made.hidden.size(); ++i) {
    for (const auto& [name, sentence] : target.declared) {
      if (name == made.hidden[i].name) made.hidden[i].declared = sentence;
    }
    made.sources[i].spec = probe::spec_of(made.hidden[i]);
  }
}

// Learns what is public, what is hidden, and which public field to test with.
class FieldFinder {
 public:
  FieldFinder(HttpService& service, const HttpTarget& target, ProbeService& made)
      : service_(service), target_(target), made_(made) {}

  // `introspected`: what the service says itself that rows have.
  Status find(const FoundFields& introspected) {
    auto identities = probe::identities_of(target_);
    if (!identities) return identities.error();
    if (auto read = read_listing(identities->stranger, shown_); !read) return read;
    learn_types(introspected);
    take(probe::without(introspected, shown_), "what the service says about itself");
    if (identities->admin) {
      FoundFields all;
      if (auto read = read_listing(*identities->admin, all); !read) return read;
      take(probe::without(all, shown_), "the admin's listing");
    }
    if (auto read = read_schemas(); !read) return read;
    if (auto named = take_named(); !named) return named;
    if (made_.hidden.empty()) {
      take(probe::without(probe::usual_secrets(), shown_), "a list of usual names");
      for (probe::ProbedField& field : made_.sources) field.is_guess = field.is_unheard_of = true;
      made_.notes.emplace_back(
          "no hidden field was named: these are guesses from a list of usual names; --field, "
          "--as-admin or --schema tell more");
    }
    complete_fields(target_, made_);
    return {};
  }

  // A public field that the own row can be told by, and one to test with.
  void choose(probe::HttpSettings& settings) const {
    if (settings.mark_field.empty()) settings.mark_field = mark_field();
    if (settings.public_field.empty()) settings.public_field = public_field(settings.mark_field);
  }

  std::optional<Field> control(const std::string& name) const {
    if (name.empty()) return std::nullopt;
    const Field* known = probe::field_called(shown_, name);
    return known != nullptr ? *known : Field{.name = name};
  }

 private:
  Status read_listing(const probe::Identity& identity, FoundFields& fields) {
    auto listing = service_.listing(identity, 1);
    if (!listing) {
      return io_error(fmt::format("{}, as {} sees it: {}", target_.url, identity.name,
                                  listing.trouble().error.message));
    }
    auto rows = probe::rows_of(*listing, service_.settings().dialect.answer);
    if (!rows) return bad_input(fmt::format("{}: {}", target_.url, rows.error().message));
    Json::Array found;
    for (const Json& item : **rows) {
      found.push_back(probe::row_in(item, service_.settings().dialect.answer));
    }
    fields = probe::fields_shown_in(found);
    const auto& count = service_.settings().dialect.answer.count;
    const Json* told = count ? count->find(*listing) : nullptr;
    const bool is_number = told != nullptr && told->as_integer() != nullptr;
    if (is_number)
      made_.rows = static_cast<std::uint64_t>(std::max<std::int64_t>(0, *told->as_integer()));
    return {};
  }

  Status read_schemas() {
    for (const std::string& file : target_.schemas) {
      auto fields =
          probe::fields_in_file(file, service_.talk().path(), service_.settings().collection);
      if (!fields) return fields.error();
      take(probe::without(*fields, shown_), file);
    }
    return {};
  }

  // A schema knows them better than a few rows do.
  void learn_types(const FoundFields& fields) {
    for (Field& shown : shown_) {
      if (const Field* told = probe::field_called(fields, shown.name)) shown = *told;
    }
  }

  void take(const FoundFields& fields, const std::string& source) {
    for (const Field& field : fields) {
      if (probe::is_bookkeeping(field.name)) continue;
      if (probe::field_called(made_.hidden, field.name) == nullptr) {
        made_.sources.push_back({field.name, source});
      }
      probe::add_field(made_.hidden, field);
    }
  }

  Status take_named() {
    const FoundFields learnt = made_.hidden;
    return take_named_fields(
        target_, std::array{&learnt, &std::as_const(shown_), &probe::usual_secrets()}, made_);
  }

  std::string mark_field() const {
    for (const char* name : {"name", "title", "label", "handle", "username", "description"}) {
      const Field* field = probe::field_called(shown_, name);
      if (field != nullptr && field->type == FieldType::Text) return name;
    }
    for (const Field& field : shown_) {
      if (field.type == FieldType::Text && !probe::is_bookkeeping(field.name)) return field.name;
    }
    return "";
  }

  std::string public_field(const std::string& mark) const {
    for (FieldType type : {FieldType::Text, FieldType::Number}) {
      for (const Field& field : shown_) {
        const bool fits = field.type == type && field.name != mark &&
                          field.name.find('.') == std::string::npos &&
                          !probe::is_bookkeeping(field.name);
        if (fits) return field.name;
      }
    }
    return mark;
  }

  HttpService& service_;
  const HttpTarget& target_;
  ProbeService& made_;
  FoundFields shown_;
};

std::string why_no_row(const HttpService& service) {
  if (service.settings().mark_field.empty()) {
    return "no public text field is known that an own row could be told by; say --mark";
  }
  if (service.makes_rows()) return "";
  return fmt::format(
      "the dialect {} does not say how a row is made, changed, read and removed; name rows that "
      "may "
      "be changed, --rows",
      service.settings().dialect.name);
}

Result<ProbeService> open_http(const HttpTarget& target, std::uint64_t budget) {
  ProbeService made;
  auto dialect = dialect_of(target, budget, made.notes);
  if (!dialect) return dialect.error();
  auto settings = settings_of(target, budget, std::move(dialect->dialect));
  if (!settings) return settings.error();
  if (!dialect->collection.empty()) settings->collection = dialect->collection;
  probe::HttpSettings chosen = *settings;
  auto first = HttpService::open(std::move(*settings));
  if (!first) return first.error();
  FieldFinder finder(**first, target, made);
  if (auto found = finder.find(dialect->fields); !found) return found.error();
  finder.choose(chosen);
  made.spent = dialect->requests + (*first)->talk().sent();
  const std::uint64_t least = made.spent + 2 * probe::Talk::reserve;
  if (chosen.talk.budget < least) {
    return wrong_use(
        fmt::format("--budget is {}, and {} went into learning what there is; it must be at least "
                    "{}",
                    chosen.talk.budget, made.spent, least));
  }
  chosen.talk.budget -= made.spent;
  made.budget = chosen.talk.budget - probe::Talk::reserve;
  made.control = finder.control(chosen.public_field);
  auto service = HttpService::open(std::move(chosen));
  if (!service) return service.error();
  made.http = std::move(*service);
  made.name = made.http->talk().origin() + made.http->talk().path();
  made.dialect = made.http->settings().dialect.name;
  made.run_with = made.http->settings().dialect.run_with;
  made.page = made.http->settings().limit;
  made.no_row = why_no_row(*made.http);
  return made;
}

std::string why_no_row(probe::SqlService& service) {
  if (service.writer() == nullptr) {
    return "nobody is told who may write into " + service.catalogue().table + "; say --as-owner";
  }
  if (service.writer()->makes_rows()) return "";
  return "no text column is known that an own row could be told by; say --mark";
}

Status choose_columns(const probe::SqlCatalogue& catalogue, const HttpTarget& target,
                      ProbeService& made) {
  FoundFields columns;
  for (const probe::SqlColumn& column : catalogue.columns) columns.push_back(column.field);
  made.hidden = catalogue.hidden();
  for (const Field& field : made.hidden) made.sources.push_back({field.name, "its grants"});
  const std::array learnt{&std::as_const(columns)};
  if (auto named = take_named_fields(target, learnt, made); !named) return named;
  if (made.hidden.empty()) {
    return bad_input(
        fmt::format("the role may read all of {}; ask as one that may not", catalogue.table));
  }
  complete_fields(target, made);
  made.control = catalogue.control();
  if (target.public_field.empty()) return {};
  const Field* known = probe::field_called(columns, target.public_field);
  made.control = known != nullptr ? *known : Field{.name = target.public_field};
  return {};
}

Result<ProbeService> open_sql(const HttpTarget& target, std::uint64_t budget) {
  auto service = probe::SqlService::open({.role = target.url,
                                          .owner = target.owner,
                                          .table = target.collection,
                                          .mark_field = target.mark_field,
                                          .allow_remote = target.allow_remote,
                                          .timeout = target.timeout});
  if (!service) return service.error();
  ProbeService made;
  made.name = fmt::format("{} {}", target.url, service->catalogue().table);
  made.dialect = "postgresql";
  made.budget = budget;
  made.page = 100;
  if (auto chosen = choose_columns(service->catalogue(), target, made); !chosen) {
    return chosen.error();
  }
  made.no_row = why_no_row(*service);
  made.sql = std::move(*service);
  return made;
}

}  // namespace

Result<HttpTarget> probe_target(const std::string& target, const HttpTarget& told) {
  HttpTarget merged;
  if (target.ends_with(".toml")) {
    auto read = probe::read_http_target(target);
    if (!read) return read.error();
    merged = std::move(*read);
  } else {
    merged.url = target;
  }
  prefer(merged.dialect, told.dialect, std::string("auto"));
  prefer(merged.collection, told.collection);
  prefer(merged.owner, told.owner);
  prefer(merged.fields, told.fields);
  prefer(merged.public_field, told.public_field);
  prefer(merged.mark_field, told.mark_field);
  prefer(merged.schemas, told.schemas);
  prefer(merged.rows, told.rows);
  if (told.row.as_object() != nullptr && !told.row.as_object()->empty()) merged.row = told.row;
  if (told.linked) merged.linked = told.linked;
  prefer(merged.headers, told.headers);
  prefer(merged.user, told.user);
  prefer(merged.admin, told.admin);
  merged.asks_as_user |= told.asks_as_user;
  merged.allow_remote = told.allow_remote;
  return merged;
}

probe::Asker& ProbeService::asker() {
  if (http) return *http;
  return sql->asker();
}

probe::Writer* ProbeService::writer() { return http ? http.get() : sql->writer(); }

Result<ProbeService> open_probe_service(const HttpTarget& target, std::uint64_t budget) {
  return probe::is_postgres_address(target.url) ? open_sql(target, budget)
                                                : open_http(target, budget);
}

}  // namespace rankveil::api
