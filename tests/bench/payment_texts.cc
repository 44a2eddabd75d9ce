#include "tests/bench/payment_texts.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "daemon/generate/random.h"
#include "tests/connectors/codec/avro/avro_bytes.h"

namespace sash::bench {
namespace {

using Json = nlohmann::ordered_json;

Json Payment(Xoshiro256& random) {
  const auto below = [&random](std::uint64_t bound) { return random.Below(bound); };
  const auto pick = [&](const std::vector<std::string>& words) {
    return words[below(words.size())];
  };
  Json payment;
  payment["payer"] = fmt::format("DE{:020}", below(1'000'000));
  payment["payment_id"] = fmt::format("{:016x}-{:08x}", random.Next(), below(1u << 31));
  payment["type"] = pick({"TRANSFER", "CASH_OUT", "PAYMENT", "DEBIT"});
  payment["channel"] = pick({"mobile", "branch", "web", "api"});
  payment["amount"] = static_cast<double>(below(10'000'000)) / 100;
  payment["currency"] = pick({"EUR", "USD", "GBP"});
  payment["fee_cents"] = below(500);
  payment["balance_before_cents"] = below(100'000'000);
  payment["balance_after_cents"] = below(100'000'000);
  payment["is_instant"] = below(2) == 0;
  payment["is_recurring"] = below(2) == 0;
  payment["payee"] = fmt::format("FR{:020}", below(1'000'000));
  payment["payee_name"] = pick({"Zoë Müller", "Ann \"Bo\" Lee", "Anna Schmidt", "J. Dupont"});
  payment["payer_name"] = pick({"Max Muster", "Sam O'Neil", "Maria Rossi", "Ivan Petrov"});
  payment["purpose"] = fmt::format("invoice {} of {}", below(100'000), below(12) + 1);
  payment["device"] = fmt::format("{:012x}", below(std::uint64_t{1} << 48));
  payment["ip"] = fmt::format("10.{}.{}.{}", below(256), below(256), below(256));
  payment["country"] = pick({"DE", "FR", "IT", "ES"});
  payment["city"] = pick({"Berlin", "Lyon", "Roma", "Sevilla"});
  payment["latitude"] = static_cast<double>(below(180'000)) / 1000 - 90;
  payment["longitude"] = static_cast<double>(below(360'000)) / 1000 - 180;
  payment["attempts"] = below(4);
  payment["session"] = below(std::uint64_t{1} << 40);
  payment["batch"] = below(1000);
  payment["at"] = 1'767'225'600'000 + below(3'600'000);
  return payment;
}

std::string SchemaOf(const Json& payment) {
  Json fields = Json::array();
  for (const auto& [name, value] : payment.items()) {
    const char* const type = value.is_string()         ? "string"
                             : value.is_boolean()      ? "boolean"
                             : value.is_number_float() ? "double"
                                                       : "long";
    fields.push_back({{"name", name}, {"type", type}});
  }
  return Json{{"type", "record"}, {"name", "Payment"}, {"fields", std::move(fields)}}.dump();
}

std::string AvroOf(const Json& payment) {
  testing::AvroBytes bytes;
  for (const auto& [name, value] : payment.items()) {
    if (value.is_string()) {
      bytes.Text(value.get<std::string>());
    } else if (value.is_boolean()) {
      bytes.Raw({value.get<bool>() ? "\1" : "\0", 1});
    } else if (value.is_number_float()) {
      bytes.RealNumber(value.get<double>());
    } else {
      bytes.Long(value.get<std::int64_t>());
    }
  }
  return bytes.str();
}

}  // namespace

PaymentTexts::PaymentTexts(std::size_t count) {
  Xoshiro256 random(1);
  for (std::size_t i = 0; i < count; ++i) {
    const Json payment = Payment(random);
    if (i == 0) avro_schema = SchemaOf(payment);
    json.push_back(payment.dump());
    avro.push_back(AvroOf(payment));
  }
}

}  // namespace sash::bench
