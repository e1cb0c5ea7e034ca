// Where a secret key lives: a file of one line that nobody but its owner may read.
#pragma once

#include <string>

#include "rankveil/base/keys/keyed.h"
#include "rankveil/base/result.h"

namespace rankveil {

// Refuses a file that others may read, and one that holds no key.
Result<SecretKey> read_key_file(const std::string& path);

// Refuses a file that others may read; `what` names it in the message.
Status check_private_file(const std::string& path, const std::string& what);

// Mode 0600. Refuses to replace a file: with a lost key, rows could never keep what they show.
Status write_key_file(const SecretKey& key, const std::string& path);

}  // namespace rankveil
