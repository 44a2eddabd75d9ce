#include "daemon/infer/name_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>

namespace sash {
namespace {

struct Meaning {
  int source = 0;
  int target = 0;
  int entity = 0;
  int row = 0;
  int quantity = 0;
  int weight = 0;
  int time = 0;
  bool operation = false;
  int step_seconds = 0;
};

using Dictionary = std::map<std::string_view, Meaning, std::less<>>;

// `list`: words between blanks, which outlive the dictionary.
void Add(Dictionary& dictionary, std::string_view list, const Meaning& meaning) {
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
  Add(words,
      "client user customer actor author initiator buyer person subject head parent member "
      "reviewer "
      "voter patient pickup pu departure",
      {.source = 6});
  Add(words,
      "server merchant item product movie film repo repository post seller object tail child "
      "subreddit page book artist song forum comment message tag shop store business friend "
      "followed group university company organisation place device dropoff do arrival",
      {.target = 6});
  Add(words, "userid customerid personid clientid", {.source = 6, .entity = 2});
  Add(words, "itemid productid movieid postid merchantid", {.target = 6, .entity = 2});
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
      "properties payload description title text interface iface direction history local schema "
      "connector before gas balance gravatar avatar url href body rank missed laundering fraud "
      "sentiment public tcp icmp app input output sampler geo",
      {.quantity = 8});
  Add(words, "bank display network org code", {.quantity = 2});
  Add(words, "weight w wt", {.quantity = 8, .weight = 12});
  Add(words, "amount amt", {.quantity = 8, .weight = 10});
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
  Add(words, "timestamp datetime ts tstamp", {.quantity = 4, .time = 10});
  Add(words, "time occurred when stime", {.quantity = 4, .time = 9});
  Add(words, "date created started first", {.quantity = 4, .time = 8});
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

const Dictionary& StepWords() {
  static const Dictionary steps = [] {
    Dictionary words;
    Add(words, "step hour hours", {.step_seconds = 3600});
    Add(words, "minute minutes", {.step_seconds = 60});
    Add(words, "day days", {.step_seconds = 24 * 3600});
    Add(words, "time timestamp ts t timestep", {.step_seconds = 1});
    return words;
  }();
  return steps;
}

bool IsWordBreak(char before, char here, char after) {
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (lower(before) && upper(here)) return true;                  // nameOrig
  if (upper(before) && upper(here) && lower(after)) return true;  // IPAddress
  const auto letter = [&](char c) { return lower(c) || upper(c); };
  return (letter(before) && digit(here)) || (digit(before) && letter(here));
}

std::vector<std::string> Split(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto here = static_cast<unsigned char>(name[i]);
    if (std::isalnum(here) == 0 && here < 0x80) {
      finish();
      continue;
    }
    const char after = i + 1 < name.size() ? name[i + 1] : '\0';
    if (i > 0 && IsWordBreak(name[i - 1], name[i], after)) finish();
    word += static_cast<char>(std::tolower(here));
  }
  finish();
  return words;
}

// Splits words that are written as one: srcaddr, destip, nodeid.
void SplitGlued(std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 13> kFirst = {
      "source", "src",      "destination", "dest", "dst",   "target", "sender",
      "from",   "receiver", "old",         "new",  "start", "tot"};
  constexpr std::array<std::string_view, 9> kLast = {
      "balance", "bytes", "packets", "amount", "addr", "port", "orig", "dest", "count"};
  std::vector<std::string> split;
  for (std::string& word : words) {
    if (Words().contains(word) || StepWords().contains(word)) {
      split.push_back(std::move(word));
      continue;
    }
    const auto* const first =
        std::ranges::find_if(kFirst, [&](auto part) { return word.starts_with(part); });
    const auto* const last =
        std::ranges::find_if(kLast, [&](auto part) { return word.ends_with(part); });
    if (first != kFirst.end() && word.size() > first->size()) {
      split.emplace_back(*first);
      split.push_back(word.substr(first->size()));
    } else if (last != kLast.end() && word.size() > last->size()) {
      split.push_back(word.substr(0, word.size() - last->size()));
      split.emplace_back(*last);
    } else {
      split.push_back(std::move(word));
    }
  }
  words = std::move(split);
}

}  // namespace

NameWords WordsOf(std::string_view name) {
  NameWords found;
  found.words = Split(name);
  SplitGlued(found.words);
  int time = 0;
  int other_time = 0;
  for (const std::string& word : found.words) {
    if (word == "1" || word == "2") {
      found.side = word == "1" ? 1 : 2;
      continue;
    }
    const auto step = StepWords().find(word);
    if (step != StepWords().end() && found.step == Duration()) {
      found.step = std::chrono::seconds(step->second.step_seconds);
    }
    const auto known = Words().find(word);
    const Meaning meaning = known == Words().end() ? Meaning() : known->second;
    found.source = std::max(found.source, meaning.source);
    found.target = std::max(found.target, meaning.target);
    found.entity = std::max(found.entity, meaning.entity);
    found.row = std::max(found.row, meaning.row);
    found.quantity = std::max(found.quantity, meaning.quantity);
    found.weight = std::max(found.weight, meaning.weight);
    time = std::max(time, meaning.time);
    other_time += std::min(0, meaning.time);
    found.operation = found.operation || meaning.operation;
    if (meaning.source < 4 && meaning.target < 4) found.stem += word + " ";
  }
  // The clearer word decides: SOURCE_SUBREDDIT is a source.
  if (found.source > found.target) found.target = 0;
  if (found.target > found.source) found.source = 0;
  found.time = time + other_time;
  // A property that is not the weight of an edge: old balance, port number.
  if (found.quantity >= 8 && found.weight == 0) found.weight = -10;
  return found;
}

NameWords WordsOfPointer(std::string_view pointer) {
  const std::size_t last = pointer.rfind('/');
  if (last == std::string_view::npos) return WordsOf(pointer);
  NameWords found = WordsOf(pointer.substr(last + 1));
  // The objects around a field may say its side (/source/ip) and whether it is the current one.
  NameWords around = WordsOf(pointer.substr(0, last));
  if (found.source == 0 && found.target == 0) {
    found.source = around.source;
    found.target = around.target;
  }
  if (found.side == 0) found.side = around.side;
  const auto holds = [&](std::string_view word) {
    return std::ranges::find(around.words, word) != around.words.end();
  };
  if (holds("before") || holds("schema")) found.quantity += 8;
  found.stem = around.stem + "/ " + found.stem;
  const auto depth = static_cast<int>(std::ranges::count(pointer, '/')) - 1;
  found.weight -= depth;
  found.time -= found.time > 0 ? depth : 0;
  return found;
}

}  // namespace sash
