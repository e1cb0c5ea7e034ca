// rankveil schema: what outputs and files look like, as JSON Schemas.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/help.h"
#include "cli/terminal.h"
#include "rankveil/api/json_schema.h"

namespace rankveil::cli {

Run set_up_schema(Options& options) {
  auto name = std::make_shared<std::string>();
  options.positional("NAME", "of a schema, such as audit (default: list them)", *name,
                     Need::Optional);
  std::vector<std::string> names;
  for (const api::SchemaName& known : api::schema_names()) names.push_back(known.name);
  options.choices("NAME", names);
  options.example("rankveil schema");
  options.example("rankveil schema audit >audit.schema.json");
  return [name] {
    if (name->empty()) {
      for (const api::SchemaName& known : api::schema_names()) {
        print(help_line(known.name, known.about));
      }
      return exit_ok;
    }
    auto schema = api::schema_of(*name);
    if (!schema) return fail(schema.error());
    print(schema->dump() + "\n");
    return exit_ok;
  };
}

}  // namespace rankveil::cli
