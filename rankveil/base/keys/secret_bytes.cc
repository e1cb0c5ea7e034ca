#include "rankveil/base/keys/secret_bytes.h"

#include <cstring>

namespace rankveil {

void wipe(void* bytes, std::size_t count) { ::explicit_bzero(bytes, count); }

}  // namespace rankveil
