// The account of a slice, open or frozen, as bytes. Partitions stand there by name.
//
// Thread safety: pure functions.
#pragma once

#include "windows/durable/byte_text.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/slice.h"

namespace sash {

void PutAccount(const SliceAccount& account, const PartitionTable& partitions, ByteWriter& writer);
// The reader refuses an account that names a partition which the table does not have.
SliceAccount GetAccount(ByteReader& reader, const PartitionTable& partitions);

// In a later life of a partition, "#" and the number of that follow its topic.
void PutPair(const TopicPartition& pair, ByteWriter& writer);
TopicPartition GetPair(ByteReader& reader);

void PutTime(const std::optional<EventTime>& time, ByteWriter& writer);
std::optional<EventTime> GetTime(ByteReader& reader);

}  // namespace sash
