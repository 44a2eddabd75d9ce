// The account of an open or frozen slice as bytes. Partitions are written by name.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "windows/durable/byte_text.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/slice.h"

namespace sash {

void PutAccount(const SliceAccount& account, const PartitionTable& partitions, ByteWriter& writer);
// Refuses an account that names a partition which is not in the table (see ByteReader::ok()).
// `format` is that of the file. In format 1 `accepted_before` is missing, see CompleteAccount().
SliceAccount GetAccount(ByteReader& reader, const PartitionTable& partitions, std::uint32_t format);

// In format 1 each record has one edge, so `accepted_before` follows from the number of the slice's
// events.
void CompleteAccount(std::uint32_t format, std::uint64_t events, SliceAccount& account);

// For a later life of a partition, "#" and the number of that life follow the topic.
void PutPair(const TopicPartition& pair, ByteWriter& writer);
TopicPartition GetPair(ByteReader& reader);

void PutTime(const std::optional<EventTime>& time, ByteWriter& writer);
std::optional<EventTime> GetTime(ByteReader& reader);

}  // namespace sash
