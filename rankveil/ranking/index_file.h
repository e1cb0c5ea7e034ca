// The index file: one file, memory-mapped, every section checksummed. Layout in
// docs/reference/index-format.md.
#pragma once

#include <string>

#include "rankveil/base/result.h"
#include "rankveil/ranking/index.h"

namespace rankveil {

// Written to a temporary name beside `path`, synced, then renamed: never half a file.
Status write_index(const Index& index, const std::string& path);
// Reads the whole file once to check it: a truncated, damaged or foreign file is refused here, and
// everything after that can rely on it.
Result<Index> open_index(const std::string& path);
// The same for a file's bytes that already lie in memory, on a 64-byte boundary; `owner` keeps them
// there. Messages begin with a verb ("is damaged: ..."), for the caller to name the file.
Result<Index> index_from_bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

inline constexpr std::uint32_t index_format_version = 2;
// The revision of the version; each change of layout raises it until the format is published.
inline constexpr std::uint64_t index_format_revision = 4;
// Whether a file begins like an index file, whatever its name.
bool looks_like_index(const std::string& path);

}  // namespace rankveil
