#include "windows/store/chain_log.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::uint32_t kEntriesAhead = 16;  // entries, for prefetching

CopyNumber After(CopyNumber number) { return number + 1 == 0 ? 1 : number + 1; }

Weight FromBits(std::int64_t bits, bool is_real) {
  return is_real ? Weight::Real(std::bit_cast<double>(bits)) : Weight::Integer(bits);
}

}  // namespace

std::size_t ChainLog::Table::BlockOf(CopyNumber number) const {
  return ((number >> kBlockBits) - first) & kBlockMask;
}

ChainLog::Entry& ChainLog::Table::at(CopyNumber number) const {
  return blocks[BlockOf(number)]->entries[number % kBlockEntries];
}

// The part of an entry's sum that copies before the window contribute.
std::int64_t ChainLog::Version::SumBefore(const Entry* entry, SliceNumber oldest) const {
  for (;;) {
    CopyNumber next = 0;
    if (entry->jump_birth >= oldest) {
      next = entry->jump;
    } else if (entry->older_birth >= oldest) {
      next = entry->older;
    } else {
      return entry->value;
    }
    if (next == 0) return 0;
    entry = &table_->at(next);
  }
}

WeightSum ChainLog::Version::SumOf(CopyNumber newest, Weight own, SliceNumber oldest) const {
  if (newest == 0) {
    WeightSum alone;
    alone.Add(own);
    return alone;
  }
  WideInteger integers = 0;
  std::vector<double> reals;  // newest first
  const auto add = [&](Weight weight) {
    if (weight.is_integer()) {
      integers += weight.integer();
    } else {
      reals.push_back(weight.AsDouble());
    }
  };
  const Entry* entry = &table_->at(newest);
  if (!entry->is_whole) add(own);
  while (!entry->is_sum && entry->older_birth >= oldest) {
    add(FromBits(entry->value, entry->is_real));
    if (entry->older == 0) break;
    entry = &table_->at(entry->older);
  }
  if (entry->is_sum) integers += WideInteger{entry->value} - SumBefore(entry, oldest);
  WeightSum sum(integers);
  std::for_each(reals.rbegin(), reals.rend(), [&](double real) { sum.Add(Weight::Real(real)); });
  return sum;
}

ChainLog::Table& ChainLog::Own() {
  if (!table_) {
    table_ = std::make_shared<Table>();
  } else if (!is_own_) {
    table_ = std::make_shared<Table>(*table_);
  }
  is_own_ = true;
  return *table_;
}

std::size_t ChainLog::TableBytes() const {
  return kSharedBytes<Table> + AllocatedBytes(table_->blocks);
}

void ChainLog::AddBlock() {
  Table& table = Own();
  SASH_CHECK(table.blocks.size() < kBlockMask);
  auto block = std::make_shared<Block>();
  block->counted = CountedBytes(alive_, kBlockBytes);
  table.blocks.push_back(std::move(block));
  table.counted = CountedBytes(alive_, TableBytes());
}

CopyNumber ChainLog::Append(const SlotContent& older, SliceNumber birth) {
  const CopyNumber number = next_;
  next_ = After(next_);
  if (!table_ || table_->BlockOf(number) == table_->blocks.size()) AddBlock();
  // Where slices enter together, later entries may be of older ones.
  SliceNumber& newest = table_->blocks.back()->newest;
  newest = std::max(newest, birth);
  Entry& entry = table_->at(number);
  const Weight weight = older.weight;
  entry = {.older = older.link, .older_birth = older.birth, .is_real = !weight.is_integer()};
  entry.value =
      weight.is_integer() ? weight.integer() : std::bit_cast<std::int64_t>(weight.AsDouble());
  return number;
}

CopyNumber ChainLog::Add(const SlotContent* older, const ExactSum* exact, SliceNumber birth) {
  if (exact == nullptr) return older == nullptr ? 0 : Append(*older, birth);
  // A copy for each part, which absorbs the copy before it, and an empty copy that absorbs the
  // last.
  std::optional<SlotContent> before;
  if (older != nullptr) before = *older;
  const auto add = [&](Weight weight) {
    const CopyNumber number = before ? Append(*before, birth) : 0;
    before = SlotContent{.birth = birth, .link = number, .weight = weight};
  };
  using Limits = std::numeric_limits<std::int64_t>;
  for (WideInteger left = exact->integers; left != 0;) {
    const WideInteger part = std::clamp<WideInteger>(left, Limits::min(), Limits::max());
    add(Weight::Integer(static_cast<std::int64_t>(part)));
    left -= part;
  }
  for (const double real : exact->reals) add(Weight::Real(real));
  SASH_CHECK(before);
  const CopyNumber whole = Append(*before, birth);
  table_->at(whole).is_whole = true;
  return whole;
}

void ChainLog::Complete(SliceNumber oldest) {
  CopyNumber ahead = completed_;
  for (std::uint32_t i = 0; i < kEntriesAhead && ahead != next_; ++i) ahead = After(ahead);
  for (; completed_ != next_; completed_ = After(completed_)) {
    if (ahead != next_) {
      const Entry& entry = table_->at(ahead);
      if (entry.older != 0) __builtin_prefetch(&table_->at(entry.older));
      ahead = After(ahead);
    }
    Link(table_->at(completed_), oldest);
  }
}

void ChainLog::Link(Entry& entry, SliceNumber oldest) const {
  entry.jump_birth = entry.older_birth;
  entry.is_sum = !entry.is_real;
  if (entry.older == 0) return;
  const Entry& older = table_->at(entry.older);
  if (older.is_whole) {
    entry.value = 0;
    entry.is_real = false;
  } else if (older.older_birth < oldest) {
    entry.older = 0;  // no reader will ask for copies before the older copy
    return;
  }
  entry.jump = entry.older;
  entry.jump_level = older.level;
  if (older.level == older.jump_level && older.jump_birth >= oldest) {
    const Entry& middle = table_->at(older.jump);
    entry.jump = middle.jump;
    entry.jump_birth = middle.jump_birth;
    entry.level = static_cast<std::uint8_t>(older.level + 1);
    entry.jump_level = middle.jump_level;
  }
  std::int64_t sum = 0;
  entry.is_sum =
      older.is_sum && !entry.is_real && !__builtin_add_overflow(older.value, entry.value, &sum);
  if (entry.is_sum) entry.value = sum;
}

void ChainLog::DropBefore(SliceNumber oldest) {
  if (!table_) return;
  std::uint32_t count = 0;
  const auto& blocks = table_->blocks;
  while (count + 1 < blocks.size() && blocks[count]->newest < oldest) ++count;
  if (count == 0) return;
  Table& table = Own();
  table.blocks.erase(table.blocks.begin(), table.blocks.begin() + count);
  table.first = (table.first + count) & kBlockMask;
  table.counted = CountedBytes(alive_, TableBytes());
}

ChainLog::Version ChainLog::Publish() {
  is_own_ = false;
  Version version;
  version.table_ = table_;
  return version;
}

std::size_t ChainLog::bytes() const {
  return table_ ? table_->blocks.size() * kBlockBytes + TableBytes() : 0;
}

}  // namespace sash
