#include "rankveil/protect/ledger/ledger.h"

#include <algorithm>
#include <cassert>

namespace rankveil {

bool shows(RowStatus status) { return status == RowStatus::Shown || status == RowStatus::Changed; }

std::span<const std::uint16_t> Ledger::public_hashes(const LedgerEntry& entry) const {
  return std::span(codes).subspan(entry.at, public_columns.size());
}

std::span<const std::uint16_t> Ledger::sealed_values(const LedgerEntry& entry) const {
  assert(shows(entry.status) && "only who shows something has sealed values");
  return std::span(codes).subspan(entry.at + public_columns.size(), entry.rows * columns.size());
}

std::span<const std::uint16_t> Ledger::shown_values(const LedgerEntry& entry) const {
  assert(has_values && shows(entry.status) && "nothing is shown");
  std::size_t size = entry.rows * columns.size();
  return std::span(codes).subspan(entry.at + public_columns.size() + size, size);
}

std::size_t Ledger::code_count(const LedgerEntry& entry) const {
  std::size_t lists = !shows(entry.status) ? 0U : has_values ? 2U : 1U;
  return public_columns.size() + lists * entry.rows * columns.size();
}

const LedgerOutput* Ledger::find_output(std::string_view path) const {
  auto found = std::ranges::find(outputs, path, &LedgerOutput::path);
  return found == outputs.end() ? nullptr : &*found;
}

const LedgerOutput& Ledger::last_output() const {
  assert(!outputs.empty() && "a book is written with its first output");
  return *std::ranges::max_element(outputs, {}, &LedgerOutput::build);
}

}  // namespace rankveil
