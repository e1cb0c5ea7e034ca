// The temporary files of this process, so that a program told to stop can clear them away.
#pragma once

#include <string>

namespace rankveil {

// Remembers a path until it is forgotten. At most 32 at a time, and no longer paths than the
// system allows.
void remember_temporary(const std::string& path);
void forget_temporary(const std::string& path);

// Unlinks all that are remembered. Safe in a signal handler.
void remove_temporaries() noexcept;

}  // namespace rankveil
