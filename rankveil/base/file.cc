#include "rankveil/base/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "rankveil/base/files/temporary_files.h"

namespace rankveil {

namespace {

Error failed(std::string_view what, const std::string& path) {
  if (what == "open" && errno == ENOENT) return no_such_file(path);
  return io_error(fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

// Closes on the way out.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

Result<std::size_t> regular_size(int descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return failed("read", path);
  if (S_ISDIR(status.st_mode)) return io_error(fmt::format("{} is a folder, not a file", path));
  return static_cast<std::size_t>(status.st_size);
}

void sync_folder_of(const std::string& path) {
  auto folder = std::filesystem::path(path).parent_path();
  Descriptor opened{::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY)};
  if (opened.number >= 0) ::fsync(opened.number);
}

// people.csv -> .people.csv.tmp-<pid>-<n>.csv : the ending stays, for writers that go by it.
std::string temporary_name(const std::string& path) {
  static int count = 0;
  std::filesystem::path full(path);
  auto name =
      fmt::format(".{}.tmp-{}-{}{}", full.filename().string(), ::getpid(),
                  __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED), full.extension().string());
  return (full.parent_path() / name).string();
}

Error cannot_replace(const std::string& path, std::string_view kind) {
  return io_error(fmt::format("cannot write {}: it is {}; choose another name", path, kind));
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

bool is_link(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

// A folder that is not there, or what else the system says.
Error cannot_create(const std::string& path) {
  bool lacks_something = errno == ENOENT;
  Error told = failed("write", path);
  auto folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  bool lacks_folder =
      lacks_something && !folder.empty() && !std::filesystem::exists(folder, ignored);
  if (!lacks_folder) return told;
  return io_error(
      fmt::format("cannot write {}: there is no folder {}; make it first, or choose another name",
                  path, folder.string()));
}

// The file that a rename may replace: `path` itself, or where it leads when it is a link.
Result<std::string> replaceable(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return failed("write", path);
    if (is_link(path)) return cannot_replace(path, "a link that leads nowhere");
    return path;
  }
  if (!S_ISREG(status.st_mode)) return cannot_replace(path, kind_of(status.st_mode));
  if (!is_link(path)) return path;
  std::error_code problem;
  auto target = std::filesystem::canonical(path, problem);
  if (problem) return io_error(fmt::format("cannot write {}: {}", path, problem.message()));
  return target.string();
}

// The name itself where the system cannot tell.
std::filesystem::path resolved(const std::string& path) {
  std::error_code problem;
  auto absolute = std::filesystem::absolute(path, problem);
  if (problem) return path;
  auto canonical = std::filesystem::weakly_canonical(absolute, problem);
  return problem ? absolute.lexically_normal() : canonical;
}

}  // namespace

bool is_missing(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::status(path, ignored).type() == std::filesystem::file_type::not_found;
}

Error no_such_file(const std::string& path, std::string_view way_out) {
  return io_error(fmt::format("cannot open {}: there is no such file; {}", path, way_out));
}

bool same_file(const std::string& left, const std::string& right) {
  std::error_code problem;
  bool equivalent = std::filesystem::equivalent(left, right, problem);
  return (!problem && equivalent) || resolved(left) == resolved(right);
}

Result<std::string> read_text(const std::string& path) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) return failed("open", path);
  auto size = regular_size(file.number, path);
  if (!size) return size.error();
  std::string text;
  text.reserve(*size);
  char buffer[1 << 16];
  for (;;) {
    ssize_t count = ::read(file.number, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("read", path);
    if (count == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) return failed("open", path);
  auto size = regular_size(file.number, path);
  if (!size) return size.error();
  if (*size == 0) return std::shared_ptr<const MappedFile>(new MappedFile({}));
  void* start = ::mmap(nullptr, *size, PROT_READ, MAP_SHARED, file.number, 0);
  if (start == MAP_FAILED) return failed("map", path);
  return std::shared_ptr<const MappedFile>(
      new MappedFile({static_cast<const std::byte*>(start), *size}));
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

Result<AtomicFile> AtomicFile::create(const std::string& path, mode_t mode) {
  auto target = replaceable(path);
  if (!target) return target.error();
  std::string temporary = temporary_name(*target);
  int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) return cannot_create(path);
  remember_temporary(temporary);
  return AtomicFile(path, std::move(*target), std::move(temporary), descriptor);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  forget_temporary(temporary_);
}

Status AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("write", path_);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

Status AtomicFile::commit() {
  // Opened anew: another library may have replaced the file behind the name.
  Descriptor file{::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0 || ::fsync(file.number) != 0) return failed("write", path_);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return failed("write", path_);
  forget_temporary(temporary_);
  temporary_.clear();
  sync_folder_of(target_);
  return {};
}

Status write_text(const std::string& path, std::string_view text) {
  auto file = AtomicFile::create(path);
  if (!file) return file.error();
  if (auto written = file->write(std::as_bytes(std::span(text))); !written) return written;
  return file->commit();
}

}  // namespace rankveil
