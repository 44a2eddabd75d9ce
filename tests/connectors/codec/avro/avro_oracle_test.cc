// Compares the reader with Debian's libavro on random schemas and data.
#include <avro.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "connectors/codec/avro/avro_plan.h"
#include "connectors/codec/avro/avro_reader.h"
#include "connectors/codec/avro/avro_schema.h"
#include "connectors/codec/json_scanner.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

using ElementKind = JsonElement::Kind;

class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  int Draw(int limit) { return std::uniform_int_distribution(0, limit)(random_); }
  std::int64_t Integer() {
    const int bits = Draw(63);
    const auto value = static_cast<std::int64_t>(random_() >> (63 - bits));
    return Draw(1) == 0 ? value : -value - 1;
  }
  std::string Text() {
    std::string text;
    for (int i = Draw(Draw(9) == 0 ? 200 : 8); i > 0; --i) text += Draw(8) == 0 ? "é" : "x";
    return text;
  }

 private:
  std::mt19937_64 random_;
};

// The JSON text of a random schema.
class SchemaMaker {
 public:
  explicit SchemaMaker(Chance& chance) : chance_(chance) {}

  std::string Record(int depth) {
    const std::string name = Name("Record");
    std::string fields;
    const int count = chance_.Draw(5);
    for (int i = 0; i <= count; ++i) {
      if (i > 0) fields += ",";
      fields += R"({"name":"f)" + std::to_string(i) + R"(","type":)" + Type(depth) + "}";
    }
    named_.push_back(name);
    return R"({"type":"record","name":")" + name + R"(","fields":[)" + fields + "]}";
  }

 private:
  std::string Type(int depth) {
    static constexpr const char* kPlain[] = {"null",  "boolean", "int",   "long",
                                             "float", "double",  "bytes", "string"};
    const int what = chance_.Draw(depth > 0 ? 14 : 9);
    if (what < 8) return '"' + std::string(kPlain[what]) + '"';
    if (what == 8) {
      return R"({"type":"fixed","name":")" + Name("Fixed") + R"(","size":)" +
             std::to_string(1 + chance_.Draw(20)) + "}";
    }
    if (what == 9) {
      return R"({"type":"enum","name":")" + Name("Enum") + R"(","symbols":["A","B","C"]})";
    }
    if (what == 10) return R"({"type":"array","items":)" + Type(depth - 1) + "}";
    if (what == 11) return R"({"type":"map","values":)" + Type(depth - 1) + "}";
    if (what == 12) return R"(["null",)" + Branch(depth - 1) + "]";
    if (what == 13 && !named_.empty()) {
      return '"' +
             named_[static_cast<std::size_t>(chance_.Draw(static_cast<int>(named_.size()) - 1))] +
             '"';
    }
    return Record(depth - 1);
  }
  std::string Branch(int depth) {
    if (chance_.Draw(3) == 0) return R"("long","string")";
    return Record(depth);
  }
  std::string Name(const char* kind) { return kind + std::to_string(count_++); }

  Chance& chance_;
  int count_ = 0;
  std::vector<std::string> named_;
};

void Fill(avro_value_t& value, Chance& chance) {
  switch (avro_value_get_type(&value)) {
    case AVRO_NULL:
      avro_value_set_null(&value);
      return;
    case AVRO_BOOLEAN:
      avro_value_set_boolean(&value, chance.Draw(1));
      return;
    case AVRO_INT32:
      avro_value_set_int(&value, static_cast<std::int32_t>(chance.Integer()));
      return;
    case AVRO_INT64:
      avro_value_set_long(&value, chance.Integer());
      return;
    case AVRO_FLOAT:
      avro_value_set_float(&value, static_cast<float>(chance.Integer()) / 1024);
      return;
    case AVRO_DOUBLE:
      avro_value_set_double(&value, static_cast<double>(chance.Integer()) / 1024);
      return;
    case AVRO_STRING: {
      std::string text = chance.Text();
      avro_value_set_string(&value, text.c_str());
      return;
    }
    case AVRO_BYTES: {
      std::string bytes = chance.Text() + (chance.Draw(2) == 0 ? "\xff" : "");
      avro_value_set_bytes(&value, bytes.data(), bytes.size());
      return;
    }
    case AVRO_FIXED: {
      std::string bytes(
          static_cast<std::size_t>(avro_schema_fixed_size(avro_value_get_schema(&value))),
          chance.Draw(2) == 0 ? '\xff' : 'y');
      avro_value_set_fixed(&value, bytes.data(), bytes.size());
      return;
    }
    case AVRO_ENUM:
      avro_value_set_enum(&value, chance.Draw(2));
      return;
    case AVRO_UNION: {
      avro_value_t branch;
      const auto branches = avro_schema_union_size(avro_value_get_schema(&value));
      avro_value_set_branch(&value, chance.Draw(static_cast<int>(branches) - 1), &branch);
      return Fill(branch, chance);
    }
    case AVRO_ARRAY:
    case AVRO_MAP: {
      const bool is_map = avro_value_get_type(&value) == AVRO_MAP;
      for (int i = chance.Draw(4); i > 0; --i) {
        avro_value_t item;
        if (is_map) {
          const std::string key = i == 1 ? "a/b" : "k" + std::to_string(i);
          avro_value_add(&value, key.c_str(), &item, nullptr, nullptr);
        } else {
          avro_value_append(&value, &item, nullptr);
        }
        Fill(item, chance);
      }
      return;
    }
    default: {
      std::size_t size = 0;
      avro_value_get_size(&value, &size);
      for (std::size_t i = 0; i < size; ++i) {
        avro_value_t field;
        avro_value_get_by_index(&value, i, &field, nullptr);
        Fill(field, chance);
      }
    }
  }
}

// A value as libavro reads it.
struct Expected {
  ElementKind kind = ElementKind::kString;
  std::string text{};
  double real = 0;
  bool is_true = false;
};
using Values = std::map<std::string, Expected>;

std::string Escaped(std::string name) {
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? name : name.replace(slash, 1, "~1");
}

void Walk(avro_value_t& value, const std::string& path, Values& values) {
  const void* bytes = nullptr;
  std::size_t size = 0;
  switch (avro_value_get_type(&value)) {
    case AVRO_NULL:
      return;
    case AVRO_BOOLEAN: {
      int is_true = 0;
      avro_value_get_boolean(&value, &is_true);
      values[path] = {.kind = ElementKind::kBoolean, .is_true = is_true != 0};
      return;
    }
    case AVRO_INT32: {
      std::int32_t number = 0;
      avro_value_get_int(&value, &number);
      values[path] = {.kind = ElementKind::kInteger, .text = std::to_string(number)};
      return;
    }
    case AVRO_INT64: {
      std::int64_t number = 0;
      avro_value_get_long(&value, &number);
      values[path] = {.kind = ElementKind::kInteger, .text = std::to_string(number)};
      return;
    }
    case AVRO_FLOAT: {
      float number = 0;
      avro_value_get_float(&value, &number);
      values[path] = {.kind = ElementKind::kReal, .real = number};
      return;
    }
    case AVRO_DOUBLE: {
      double number = 0;
      avro_value_get_double(&value, &number);
      values[path] = {.kind = ElementKind::kReal, .real = number};
      return;
    }
    case AVRO_STRING: {
      const char* text = nullptr;
      avro_value_get_string(&value, &text, &size);
      values[path] = {.text = std::string(text, size - 1)};
      return;
    }
    case AVRO_BYTES:
    case AVRO_FIXED: {
      if (avro_value_get_type(&value) == AVRO_BYTES) {
        avro_value_get_bytes(&value, &bytes, &size);
      } else {
        avro_value_get_fixed(&value, &bytes, &size);
      }
      const std::string text(static_cast<const char*>(bytes), size);
      const bool is_text = text.find('\xff') == std::string::npos;
      values[path] = {.kind = is_text ? ElementKind::kString : ElementKind::kBytes, .text = text};
      return;
    }
    case AVRO_ENUM: {
      int symbol = 0;
      avro_value_get_enum(&value, &symbol);
      values[path] = {.text = avro_schema_enum_get(avro_value_get_schema(&value), symbol)};
      return;
    }
    case AVRO_UNION: {
      avro_value_t branch;
      avro_value_get_current_branch(&value, &branch);
      return Walk(branch, path, values);
    }
    default:
      break;
  }
  const avro_type_t type = avro_value_get_type(&value);
  values[path] = {.kind = type == AVRO_ARRAY ? ElementKind::kArray : ElementKind::kObject};
  avro_value_get_size(&value, &size);
  for (std::size_t i = 0; i < size; ++i) {
    avro_value_t item;
    const char* name = nullptr;
    avro_value_get_by_index(&value, i, &item, &name);
    Walk(item, path + "/" + (type == AVRO_ARRAY ? std::to_string(i) : Escaped(name)), values);
  }
}

class Oracle {
 public:
  explicit Oracle(const std::string& schema) {
    EXPECT_EQ(avro_schema_from_json_length(schema.data(), schema.size(), &schema_), 0)
        << avro_strerror() << "\n"
        << schema;
    iface_ = avro_generic_class_from_schema(schema_);
  }
  ~Oracle() {
    avro_value_iface_decref(iface_);
    avro_schema_decref(schema_);
  }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  std::string Write(Chance& chance) {
    avro_value_t value;
    avro_generic_value_new(iface_, &value);
    Fill(value, chance);
    std::size_t size = 0;
    avro_value_sizeof(&value, &size);
    std::string bytes(size, '\0');
    avro_writer_t writer = avro_writer_memory(bytes.data(), static_cast<std::int64_t>(size));
    EXPECT_EQ(avro_value_write(writer, &value), 0) << avro_strerror();
    bytes.resize(static_cast<std::size_t>(avro_writer_tell(writer)));
    avro_writer_free(writer);
    avro_value_decref(&value);
    return bytes;
  }

  Values Read(const std::string& bytes) {
    avro_value_t value;
    avro_generic_value_new(iface_, &value);
    avro_reader_t reader =
        avro_reader_memory(bytes.data(), static_cast<std::int64_t>(bytes.size()));
    EXPECT_EQ(avro_value_read(reader, &value), 0) << avro_strerror();
    Values values;
    Walk(value, "", values);
    avro_reader_free(reader);
    avro_value_decref(&value);
    return values;
  }

 private:
  avro_schema_t schema_ = nullptr;
  avro_value_iface_t* iface_ = nullptr;
};

void ExpectEqual(const JsonElement* found, const Expected& expected, const std::string& where) {
  ASSERT_NE(found, nullptr) << where;
  EXPECT_EQ(found->kind, expected.kind) << where;
  switch (expected.kind) {
    case ElementKind::kBoolean:
      EXPECT_EQ(found->is_true, expected.is_true) << where;
      return;
    case ElementKind::kReal:
      EXPECT_EQ(std::strtod(std::string(found->text).c_str(), nullptr), expected.real) << where;
      return;
    case ElementKind::kInteger:
      EXPECT_EQ(std::to_string(found->integer), expected.text) << where;
      [[fallthrough]];
    default:
      EXPECT_EQ(found->text, expected.text) << where;
  }
}

void CheckSchemas(unsigned seed) {
  Chance chance(seed);
  for (int round = 0; round < testing::Rounds(20); ++round) {
    const std::string text = SchemaMaker(chance).Record(4);
    const Result<AvroSchema> schema = AvroSchema::Parse({&text, 1});
    ASSERT_TRUE(schema.ok()) << schema.error().message << "\n" << text;
    Oracle oracle(text);
    AvroReader reader;
    for (int i = 0; i < 5; ++i) {
      const std::string bytes = oracle.Write(chance);
      const Values values = oracle.Read(bytes);
      std::vector<std::string> asked;
      PointerNode pointers;
      const auto ask = [&](const std::string& pointer) {
        if (asked.size() >= 60) return;
        ASSERT_TRUE(AddPointer(pointer, asked.size(), pointers).ok());
        asked.push_back(pointer);
      };
      const int skip = static_cast<int>(values.size()) / 50;
      for (const auto& [pointer, value] : values) {
        if (chance.Draw(skip) == 0) ask(pointer);
      }
      ask("/missing");
      ask("/f0/missing");
      JsonScanner fields{PointerNode()};
      const AvroPlan plan = AvroPlan::Compile(schema.value(), pointers);
      const char* const wrong = reader.Read(plan, bytes, fields);
      ASSERT_EQ(wrong, nullptr) << "at byte " << reader.stopped_at() << "\n" << text;
      for (std::size_t n = 0; n < asked.size(); ++n) {
        const auto expected = values.find(asked[n]);
        if (expected == values.end()) {
          EXPECT_EQ(fields.Find(n), nullptr) << asked[n] << "\n" << text;
        } else {
          ExpectEqual(fields.Find(n), expected->second, asked[n] + "\n" + text);
        }
      }
      for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_NE(reader.Read(plan, std::string_view(bytes).substr(0, size), fields), nullptr)
            << "a part of a datum is not a datum";
      }
      EXPECT_NE(reader.Read(plan, bytes + "x", fields), nullptr);
    }
  }
}

TEST(AvroOracleTest, EveryFieldIsWhatLibavroReads) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({.first = 1, .count = 20});
  for (std::uint64_t seed = seeds.first; seed != seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    CheckSchemas(static_cast<unsigned>(seed));
  }
}

}  // namespace
}  // namespace sash
