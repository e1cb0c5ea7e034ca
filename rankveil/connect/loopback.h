// Whether an address leads out of this machine.
#pragma once

#include <string_view>

namespace rankveil::connect {

// "localhost", 127.0.0.0/8 and ::1, brackets allowed. Other names do not count, wherever they lead.
bool is_loopback(std::string_view host);

}  // namespace rankveil::connect
