// The fuzz targets: functions that accept any bytes and end the process when one of their claims
// does not hold. The libFuzzer program calls one of them (fuzzer_main.cc); a test calls each with
// every kept input (replay_test.cc).
//
// Thread safety: one thread at a time.
#pragma once

#include <span>
#include <string_view>

namespace sash::fuzz {

struct Target {
  std::string_view name;  // of its folder of inputs
  void (*run)(std::string_view input);
  bool reads_sections = false;  // section_list.h
};
std::span<const Target> Targets();

// Records of every format, with the mapping and the options that the first bytes choose.
void DecodeRecord(std::string_view input);

// Expressions of filters, and records that they judge.
void JudgeExpression(std::string_view input);

// Records through several mappings: elements, lines, envelopes, Avro, CSV.
void MapRecord(std::string_view input);

// Schemas and data of Avro.
void ReadAvro(std::string_view input);

// Answers of a schema registry, and records of the schemas in them.
void RegistryAnswers(std::string_view input);

// Streams of gzip and zstd, and texts that are compressed.
void ExpandStream(std::string_view input);

// Files of records, whole and in blocks, and rows of CSV.
void SplitRows(std::string_view input);

// A checkpoint: its sections in files with valid checksums, or a file unchanged.
void ReadCheckpoint(std::string_view input);

// Files of a journal: their entries with valid checksums, or a file unchanged.
void ReplayJournal(std::string_view input);

// A configuration in YAML.
void ParseConfiguration(std::string_view input);

// A request in the form of HTTP/1.1, to the routes of a small engine.
void HttpRequests(std::string_view input);

// Dead letters of files and topics, and the metadata of commits.
void ReadLetter(std::string_view input);

// Pages and files of Parquet, tables of slices, and manifests of slices and shards.
void ReadParquet(std::string_view input);

}  // namespace sash::fuzz
