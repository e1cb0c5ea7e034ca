#include "rankveil/api/version.h"

#include <fmt/core.h>

#include "rankveil/base/cpu.h"
#include "rankveil/base/format.h"
#include "rankveil/connect/duckdb/session.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil::api {

namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

VersionInfo version() {
  VersionInfo info{.version = RANKVEIL_VERSION,
                   .compiler = compiler(),
                   .duckdb = connect::duckdb_version(),
                   .index_format = index_format_version,
                   .kernels = {},
                   .kernel_in_use = std::string(isa_name(kernels::kernel_in_use().isa)),
                   .warnings = {}};
  for (Isa isa : supported_isas()) info.kernels.emplace_back(isa_name(isa));
  if (auto problem = kernels::requested_isa_problem(); !problem.empty()) {
    info.warnings.push_back(problem);
  }
  return info;
}

std::string to_text(const VersionInfo& info) {
  return fmt::format(
      "rankveil {}\ncompiler      {}\nDuckDB        {}\nindex format  {}\nkernels       {} ({} in "
      "use; RANKVEIL_ISA chooses)\n",
      info.version, info.compiler, info.duckdb, info.index_format, listed(info.kernels),
      info.kernel_in_use);
}

Json to_json(const VersionInfo& info) {
  return Json()
      .set("version", info.version)
      .set("compiler", info.compiler)
      .set("duckdb", info.duckdb)
      .set("index_format", info.index_format)
      .set("kernels", json_texts(info.kernels))
      .set("kernel_in_use", info.kernel_in_use)
      .set("warnings", json_texts(info.warnings));
}

}  // namespace rankveil::api
