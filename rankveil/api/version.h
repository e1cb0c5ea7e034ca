// What this build is made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/base/json.h"

namespace rankveil::api {

struct VersionInfo {
  std::string version;
  std::string compiler;
  std::string duckdb;
  std::uint32_t index_format = 0;
  std::vector<std::string> kernels;  // instruction sets this machine can rank with, plain first
  std::string kernel_in_use;
  std::vector<std::string> warnings;  // RANKVEIL_ISA asks for what does not run here
};

VersionInfo version();

std::string to_text(const VersionInfo& info);
Json to_json(const VersionInfo& info);

}  // namespace rankveil::api
