#include "rankveil/protect/capped/capped.h"

#include <algorithm>
#include <utility>

#include "rankveil/base/parallel.h"
#include "rankveil/protect/capped/capped_channels.h"
#include "rankveil/protect/caps.h"
#include "rankveil/protect/chance/draw_name.h"
#include "rankveil/protect/chance/fewer_bitmaps.h"
#include "rankveil/protect/chance/rounding.h"
#include "rankveil/protect/groups/signal_profiles.h"

namespace rankveil {

namespace {

// The signals of all groups for one attribute, in the attribute's values. A signal is a number of
// entries and then the entries, 256 x value + level; rows point to theirs. Groups are gone through
// one by one while their channel is at hand, and rows are written in their order afterwards.
class AttributeSignals {
 public:
  AttributeSignals(const Task& task, PrivateId attribute)
      : task_(task),
        attribute_(attribute),
        column_(task.private_column(attribute)),
        stream_(task.key, "capped signal", task.attribute(attribute).name),
        domain_(task.attribute(attribute).domain),
        chosen_(task.table.rows(), none),
        rounding_(column_.domain_size(), task.demand.levels) {}

  void draw(const std::vector<RowId>& rows, const Channel& channel,
            const std::vector<std::uint32_t>& codes) {
    std::vector<std::uint32_t> begins;
    for (const auto& signal : channel.levels) begins.push_back(add_signal(signal, codes));
    std::vector<std::uint32_t> places(column_.domain_size() + 1, 0);
    for (std::uint32_t place = 0; place < codes.size(); ++place) places[codes[place]] = place;
    std::vector<bool> sent(channel.signals.size(), false);
    RowNames::Digits digits;
    for (RowId row : rows) {
      ValueId value = column_.value(row);
      std::uint32_t code = value == missing_value ? column_.domain_size() : +value;
      std::string_view name = task_.table.names().text(row, digits);
      double u = stream_.uniform(draw_name(name, domain_, value));
      std::uint32_t signal = channel.draw(places[code], u);
      chosen_[+row] = begins[signal];
      sent[signal] = true;
    }
    for (std::size_t i = 0; i < sent.size(); ++i) {
      if (sent[i]) add_rounding(channel.signals[i], codes);
    }
  }
  const Rounding& rounding() const { return rounding_; }

  void write(LevelProfiles& signals) const {
    for (std::uint32_t row = 0; row < chosen_.size(); ++row) {
      if (chosen_[row] == none) continue;
      const std::uint32_t* entries = pool_.data() + chosen_[row];
      for (std::uint32_t i = 1; i <= entries[0]; ++i) {
        signals.set(RowId{row}, attribute_, ValueId{static_cast<std::uint16_t>(entries[i] >> 8)},
                    entries[i] & 0xFF);
      }
    }
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  std::uint32_t add_signal(const Channel::Levels& signal, const std::vector<std::uint32_t>& codes) {
    auto begin = static_cast<std::uint32_t>(pool_.size());
    pool_.push_back(0);
    for (auto [place, level] : signal) {
      if (codes[place] == column_.domain_size()) continue;  // missing matches nothing
      pool_.push_back(codes[place] << 8 | level);
      ++pool_[begin];
    }
    return begin;
  }

  void add_rounding(const Signal& signal, const std::vector<std::uint32_t>& codes) {
    for (auto [place, p] : signal) {
      if (codes[place] == column_.domain_size()) continue;
      rounding_.add(codes[place], nearest_level(p, task_.demand.levels), p);
    }
    rounding_.end_row();
  }

  const Task& task_;
  PrivateId attribute_;
  const Column& column_;
  KeyedStream stream_;
  const Domain& domain_;
  std::vector<std::uint32_t> pool_;
  std::vector<std::uint32_t> chosen_;
  Rounding rounding_;
};

LevelProfiles draw_all(const Task& task, const Climb& climb, const CappedChannels& channels,
                       ProtectionReport& made) {
  LevelProfiles signals(task.table.rows(), task.private_domain_sizes(), task.demand.levels);
  std::vector<Rounding> rounding = no_rounding(signals);
  parallel_for(task.private_count(), task.threads, [&](std::size_t j) {
    PrivateId attribute{static_cast<std::uint32_t>(j)};
    AttributeSignals drawn(task, attribute);
    for (std::uint32_t group = 0; group < climb.groups.size(); ++group) {
      drawn.draw(climb.groups[group], channels.channel(group, attribute),
                 channels.codes(group, attribute));
    }
    drawn.write(signals);
    rounding[j].add(drawn.rounding());
  });
  made.largest_rounding = largest_rounding(rounding, use_fewer_bitmaps(signals, task));
  return signals;
}

void describe_programs(const CappedChannels& channels, ProtectionReport& made) {
  for (const Channel& channel : channels.channels()) {
    ++made.solved;
    made.proven += channel.proven ? 1 : 0;
  }
}

}  // namespace

Result<Protection> protect_capped(const Task& task) {
  if (auto checked = check_gamma(task.demand); !checked) return checked.error();
  report(task.progress, "forming groups", 0);
  Climb groups = climb(task);
  SilentGroups silent = silent_groups(task, groups);
  auto count = static_cast<std::uint32_t>(groups.groups.size());
  GroupShares shares(count, task.private_domain_sizes());
  count_groups(task, groups.group_of, count, shares);
  report(task.progress, "solving linear programs", 0.1);
  CappedChannels channels(task, shares);
  report(task.progress, "drawing signals", 0.7);
  ProtectionReport made;
  LevelProfiles signals = draw_all(task, groups, channels, made);
  made.rungs = describe(task, groups);
  made.rows_without_signal = silent.rows;
  describe_programs(channels, made);
  report(task.progress, "drawing signals", 1);
  return Protection{with_silent_rows(silent, shares, std::move(signals)), std::move(made)};
}

}  // namespace rankveil
