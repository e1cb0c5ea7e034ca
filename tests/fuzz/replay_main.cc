// Runs a fuzzer's function once on each file named, or on each file of a folder named: how past
// failures stay fixed in builds that do not fuzz.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

bool replay(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s cannot be read\n", path.c_str());
    return false;
  }
  // Named before it runs, so that a crash tells which input did it.
  std::fprintf(stderr, "%s\n", path.c_str());
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  // A copy of exactly the right size lets sanitizers see a read past the end.
  const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(data.data(), data.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t runs = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& path : files_in(argv[i])) {
      if (!replay(path)) return 1;
      ++runs;
    }
  }
  if (runs == 0) std::fprintf(stderr, "no inputs: name files or a folder that holds some\n");
  return runs == 0 ? 1 : 0;
}
