#include "connectors/codec/registry/registry_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sash {
namespace {

using Kind = RegisteredSchema::Kind;
using ::testing::HasSubstr;

RegistryAnswer Answer(long status, std::string_view body) {
  Result<RegistryAnswer> answer = ReadRegistryAnswer(status, body);
  EXPECT_TRUE(answer.ok()) << (answer.ok() ? "" : answer.error().message);
  return answer.ok() ? std::move(answer).value() : RegistryAnswer();
}

std::string WhyNone(long status, std::string_view body) {
  const Result<RegistryAnswer> answer = ReadRegistryAnswer(status, body);
  return answer.ok() ? "it is an answer" : answer.error().message;
}

TEST(RegistryAnswerTest, ASchemaHasATypeWhichIsAvroIfItIsNotGiven) {
  EXPECT_EQ(Answer(200, R"({"schema":"\"string\""})").kind, Kind::kAvro);
  EXPECT_EQ(Answer(200, R"({"schema":"\"string\""})").text, "\"string\"");
  EXPECT_EQ(Answer(200, R"({"schema":"x","schemaType":"AVRO"})").kind, Kind::kAvro);
  EXPECT_EQ(Answer(200, R"({"schema":"{}","schemaType":"JSON"})").kind, Kind::kJson);
  const RegistryAnswer other = Answer(200, R"({"schema":"m","schemaType":"PROTOBUF"})");
  EXPECT_EQ(other.kind, Kind::kOther);
  EXPECT_EQ(other.text, "PROTOBUF");
}

TEST(RegistryAnswerTest, ReferencesNameSubjectsAndVersions) {
  const RegistryAnswer answer = Answer(
      200, R"({"schema":"x","references":[{"name":"a.B","subject":"b-value","version":3}]})");
  ASSERT_EQ(answer.references.size(), 1u);
  EXPECT_EQ(answer.references[0].subject, "b-value");
  EXPECT_EQ(answer.references[0].version, 3);
  EXPECT_THAT(WhyNone(200, R"({"schema":"x","references":[{"subject":"b"}]})"),
              HasSubstr("no subject or version"));
}

TEST(RegistryAnswerTest, OnlyTheRegistrySaysThatThereIsNoSchema) {
  EXPECT_EQ(Answer(404, R"({"error_code":40403,"message":"Schema 7 not found"})").kind,
            Kind::kUnknown);
  EXPECT_EQ(Answer(404, R"({"error_code":40401,"message":"Subject not found"})").kind,
            Kind::kUnknown);
  EXPECT_THAT(WhyNone(404, "<html>not here</html>"),
              HasSubstr("answers 404; check `registry.url`"));
  EXPECT_THAT(WhyNone(404, R"({"error_code":404})"), HasSubstr("answers 404 (404: )"));
}

TEST(RegistryAnswerTest, AnythingElseIsNotAnAnswer) {
  EXPECT_THAT(WhyNone(401, R"({"error_code":401,"message":"Unauthorized"})"),
              HasSubstr("answers 401 (401: Unauthorized); check user and password"));
  EXPECT_THAT(WhyNone(403, ""), HasSubstr("answers 403; the user may not read schemas"));
  EXPECT_EQ(WhyNone(503, ""), "answers 503");
  EXPECT_THAT(WhyNone(500, R"({"error_code":50001,"message":"a\u001b[2Jb"})"), HasSubstr("a?[2Jb"));
  EXPECT_THAT(WhyNone(200, "<html>"), HasSubstr("answers 200, but not with JSON"));
  EXPECT_THAT(WhyNone(200, "{}"), HasSubstr("answers without a schema"));
  EXPECT_THAT(WhyNone(200, R"({"schema":7})"), HasSubstr("answers without a schema"));
  EXPECT_THAT(WhyNone(302, ""), HasSubstr("answers 302"));
}

}  // namespace
}  // namespace sash
