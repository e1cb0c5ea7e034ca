#include "rankveil/connect/relation/text_blocks.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "rankveil/base/file.h"

namespace rankveil::connect {

namespace {

constexpr std::size_t block_size = 1 << 18;

struct OpenFile {
  gzFile file = nullptr;
  ~OpenFile() {
    if (file != nullptr) gzclose(file);
  }
};

Error cannot_open(const std::string& path) {
  if (errno == ENOENT) return no_such_file(path);
  return io_error(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
}

// Why the last read failed; nothing when the file just ended.
Status problem_of(gzFile file, const std::string& path) {
  int code = Z_OK;
  const char* problem = gzerror(file, &code);
  if (code == Z_OK || code == Z_STREAM_END) return {};
  if (code == Z_ERRNO)
    return io_error(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  if (code == Z_BUF_ERROR) return io_error(fmt::format("{} is cut off; fetch it again", path));
  return io_error(fmt::format("{} is damaged ({}); fetch it again", path, problem));
}

}  // namespace

Status read_blocks(const std::string& path,
                   const std::function<Status(std::string_view block, double done)>& take) {
  struct stat facts = {};
  if (stat(path.c_str(), &facts) != 0) return cannot_open(path);
  if (S_ISDIR(facts.st_mode)) return io_error(fmt::format("{} is a folder, not a file", path));
  OpenFile open{gzopen(path.c_str(), "rb")};
  if (open.file == nullptr) return cannot_open(path);
  gzbuffer(open.file, block_size);
  std::vector<char> block(block_size);
  for (;;) {
    int read = gzread(open.file, block.data(), static_cast<unsigned>(block.size()));
    if (read <= 0) return problem_of(open.file, path);
    double done = facts.st_size > 0 ? static_cast<double>(gzoffset(open.file)) /
                                          static_cast<double>(facts.st_size)
                                    : 1;
    auto taken = take({block.data(), static_cast<std::size_t>(read)}, std::min(done, 1.0));
    if (!taken) return taken;
  }
}

}  // namespace rankveil::connect
