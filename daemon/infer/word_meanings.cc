#include "daemon/infer/word_meanings.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <map>
#include <utility>

namespace sash {
namespace {

using Dictionary = std::map<std::string_view, WordMeaning>;

// `list`: words between blanks, which outlive the dictionary.
void Add(Dictionary& dictionary, std::string_view list, const WordMeaning& meaning) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    dictionary.emplace(list.substr(0, end), meaning);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

// The two sides of an edge: from words that say it to words that may say it.
void AddSides(Dictionary& words) {
  Add(words,
      "src source from sender payer orig origin originator caller calling follower citing debtor "
      "giver transferor",
      {.source = 10});
  Add(words,
      "dst dest destination to target receiver recipient payee beneficiary callee called followee "
      "cited resp responder creditor transferee",
      {.target = 10});
  Add(words, "sa saddr sip", {.source = 10, .entity = 2});
  Add(words, "da daddr dip", {.target = 10, .entity = 2});
  Add(words, "client user customer actor author initiator buyer member reviewer voter patient",
      {.source = 6, .thing = true});
  Add(words, "person subject head parent pickup pu departure", {.source = 6});
  Add(words,
      "server merchant item product movie film repo repository post seller subreddit page book "
      "artist song forum comment message tag shop store business group university company "
      "organisation device",
      {.target = 6, .thing = true});
  Add(words, "object tail child friend followed place dropoff do arrival", {.target = 6});
  Add(words, "title", {.target = 6, .quantity = 2});
  Add(words, "userid customerid clientid", {.source = 6, .entity = 2, .thing = true});
  Add(words, "personid", {.source = 6, .entity = 2});
  Add(words, "itemid productid movieid postid merchantid",
      {.target = 6, .entity = 2, .thing = true});
  // German, Spanish and French.
  Add(words, "von absender zahler auftraggeber origen remitente ordenante expediteur",
      {.source = 10});
  Add(words, "nach empf\u00e4nger empfaenger destino destinatario beneficiario destinataire",
      {.target = 10});
  // The start of a trip is a place or a time.
  Add(words, "start begin", {.source = 5, .time = 8});
  Add(words, "end stop", {.target = 5, .time = -2});
  Add(words, "u a s i x", {.source = 4});
  Add(words, "v b d j y", {.target = 4});
}

void AddThings(Dictionary& words) {
  Add(words,
      "ip addr address account acct acc id node vertex host hostname login key number phone msisdn "
      "email h iban wallet name username entity nodeid entityid station airport location no",
      {.entity = 2});
  Add(words,
      "uid uuid guid hash tx txn txid transaction transactionid event flow session record row "
      "index "
      "idx seq sequence request trace span offset line txhash nonce block eventid call",
      {.row = 4});
}

void AddProperties(Dictionary& words) {
  Add(words,
      "port p sport dport sp dp dsport status type kind class flag flags label proto protocol "
      "service version currency country region city zone lat lon lng latitude longitude mask as "
      "asn "
      "vlan tos ttl mac state category method format is has gender age language lang reason level "
      "properties payload description text interface iface direction history local schema "
      "connector before gas balance gravatar avatar url href body rank missed laundering fraud "
      "sentiment public tcp icmp app input output sampler geo",
      {.quantity = 8});
  Add(words, "bank display network org code", {.quantity = 2});
  Add(words, "weight w wt", {.quantity = 8, .weight = 12});
  Add(words, "amount amt betrag summe importe monto montant", {.quantity = 8, .weight = 10});
  Add(words, "bytes octets byte", {.quantity = 8, .weight = 9});
  Add(words, "value qty quantity", {.quantity = 6, .weight = 8});
  Add(words, "volume rating price cost fare sum total", {.quantity = 8, .weight = 7});
  Add(words,
      "count cnt packets pkts duration seconds secs score size distance strength packet length",
      {.quantity = 8, .weight = 6});
  Add(words, "op operation action change", {.quantity = 8, .operation = true});
}

// Times, and times of something else than the event.
void AddTimes(Dictionary& words) {
  Add(words, "timestamp datetime ts tstamp zeitstempel", {.quantity = 4, .time = 10});
  Add(words, "time occurred when stime", {.quantity = 4, .time = 9});
  Add(words, "date datum fecha created started first", {.quantity = 4, .time = 8});
  Add(words, "at t creation day epoch unixtime ms dt", {.quantity = 2, .time = 5});
  Add(words, "last ended finish te", {.quantity = 2, .time = -2});
  Add(words, "updated modified received processed closed settled pushed",
      {.quantity = 2, .time = -4});
  Add(words, "birth birthday expiry expires expiration dob valid", {.quantity = 8, .time = -20});
}

const Dictionary& Words() {
  static const Dictionary dictionary = [] {
    Dictionary words;
    AddSides(words);
    AddThings(words);
    AddProperties(words);
    AddTimes(words);
    return words;
  }();
  return dictionary;
}

}  // namespace

const WordMeaning* MeaningOf(std::string_view word) {
  const auto known = Words().find(word);
  return known == Words().end() ? nullptr : &known->second;
}

std::optional<Duration> StepOf(std::string_view word) {
  using std::chrono::seconds;
  static constexpr std::array<std::pair<std::string_view, seconds>, 12> kSteps = {{
      {"step", seconds(3600)},
      {"hour", seconds(3600)},
      {"hours", seconds(3600)},
      {"minute", seconds(60)},
      {"minutes", seconds(60)},
      {"day", seconds(24 * 3600)},
      {"days", seconds(24 * 3600)},
      {"time", seconds(1)},
      {"timestamp", seconds(1)},
      {"ts", seconds(1)},
      {"t", seconds(1)},
      {"timestep", seconds(1)},
  }};
  for (const auto& [step, length] : kSteps) {
    if (step == word) return length;
  }
  return std::nullopt;
}

}  // namespace sash
