#include "daemon/infer/name_words.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "daemon/infer/word_meanings.h"

namespace sash {
namespace {

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
    if (MeaningOf(word) != nullptr || StepOf(word)) {
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
    if (found.step == Duration()) found.step = StepOf(word).value_or(Duration());
    const WordMeaning* const known = MeaningOf(word);
    const WordMeaning meaning = known == nullptr ? WordMeaning() : *known;
    found.source = std::max(found.source, meaning.source);
    found.target = std::max(found.target, meaning.target);
    found.entity = std::max(found.entity, meaning.entity);
    found.row = std::max(found.row, meaning.row);
    found.quantity = std::max(found.quantity, meaning.quantity);
    found.weight = std::max(found.weight, meaning.weight);
    time = std::max(time, meaning.time);
    other_time += std::min(0, meaning.time);
    found.operation = found.operation || meaning.operation;
    if (meaning.thing) found.thing = word.ends_with("id") ? word.substr(0, word.size() - 2) : word;
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
  if (found.thing.empty()) found.thing = std::move(around.thing);
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
