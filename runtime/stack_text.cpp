#include "runtime/stack_text.h"

#include <algorithm>

namespace polyprof {

namespace {

using Kind = TextFrame::Kind;

// "..."sv: without the suffix, lengths are counted when it runs.
using namespace std::string_view_literals;

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Takes ":123" off the end. 0: there is none, or it is no 32-bit number above 0.
uint32_t take_number(std::string_view& text) {
  size_t begin = text.size();
  uint64_t value = 0;
  uint64_t scale = 1;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') {
    if (scale > UINT32_MAX) return 0;
    value += scale * static_cast<uint64_t>(text[--begin] - '0');
    scale *= 10;
  }
  if (begin == 0 || text[begin - 1] != ':' || begin == text.size() || value > UINT32_MAX) return 0;
  text.remove_suffix(text.size() - begin + 1);
  return static_cast<uint32_t>(value);
}

// "url:line:column". Addresses may hold colons and parentheses themselves, so it is read from the end.
TextFrame script_frame(std::string_view name, std::string_view place) {
  const uint32_t column = take_number(place);
  const uint32_t line = take_number(place);
  if (column == 0 || line == 0 || place.empty()) return {Kind::kUnparsed, name, {}, {}};
  return {Kind::kScript, name, place, {line, column}};
}

// What stands in a place's stead where there is none in a script.
bool is_no_script(std::string_view place) {
  return place.empty() || place == "<anonymous>"sv || place == "native"sv || place == "[native code]"sv ||
         place == "[wasm code]"sv || place == "self-hosted"sv || place.starts_with("eval at "sv) ||
         place.starts_with("wasm://"sv) || place.starts_with("self-hosted:"sv) ||
         place.find(":wasm-function["sv) != place.npos || place.find(" > "sv) != place.npos;
}

TextFrame frame_at(std::string_view name, std::string_view place) {
  return is_no_script(place) ? TextFrame{Kind::kNoScript, name, {}, {}} : script_frame(name, place);
}

bool starts_with_scheme(std::string_view text) {
  const size_t length =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-."sv);
  return length != text.npos && length > 0 && text[length] == ':';
}

// With asynchronous stacks on, as they are while its developer tools are open, SpiderMonkey puts the cause before the first frame
// that waits: "setTimeout handler*f@https://...".
bool has_async_cause(std::string_view line) {
  const auto cause = line.substr(0, line.find_first_of("*@"sv));
  if (cause.size() == line.size() || line[cause.size()] != '*') return false;
  return cause == "async"sv || cause.ends_with("handler"sv) || cause.ends_with("callback"sv) ||
         cause.ends_with("Callback"sv) || cause.ends_with("handleEvent"sv) || cause.ends_with("NonNull"sv);
}

// Both names and addresses ("https://host/@scope/a.js") may hold '@': it is the first one that an address
// follows, or without any address, the last one.
TextFrame frame_of(std::string_view line) {
  if (has_async_cause(line)) return {Kind::kAsyncBoundary, {}, {}, {}};
  size_t at = line.rfind('@');
  if (at == line.npos) return {Kind::kUnparsed, line, {}, {}};
  for (size_t first = line.find('@'); first < at; first = line.find('@', first + 1)) {
    const auto place = line.substr(first + 1);
    const auto after_scheme = place.substr(std::min(place.find(':'), place.size()));
    const bool is_address =
        after_scheme.starts_with("://"sv) || place.starts_with("blob:"sv) || place.starts_with("data:"sv);
    if (is_address && starts_with_scheme(place)) {
      at = first;
      break;
    }
  }
  return frame_at(line.substr(0, at), line.substr(at + 1));
}

// Only SpiderMonkey decorates with '/' and '<': what follows the last '/' that something follows.
std::string_view without_outer(std::string_view name) {
  if (name.ends_with('<')) return {};
  const size_t slash = name.rfind('/');
  return slash == name.npos ? name : name.substr(slash + 1);
}

}  // namespace

bool StackText::next(TextFrame& frame) {
  while (!rest_.empty()) {
    const auto line = next_line();
    if (line.empty()) continue;
    frame = frame_of(line);
    return true;
  }
  return false;
}

std::string_view StackText::next_line() {
  const size_t end = rest_.find('\n');
  auto line = rest_.substr(0, end);
  rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
  return line;
}

std::string_view clean_name(std::string_view decorated) {
  std::string_view name = decorated;
  if (name == "global code"sv || name == "module code"sv || name == "eval code"sv) return {};
  const size_t alias = name.rfind(" [as "sv);
  if (alias != name.npos) name = name.substr(0, alias);
  take_prefix(name, "new "sv);
  if (name.starts_with("get "sv) || name.starts_with("set "sv) || name.starts_with('[')) return name;
  if (name.find('/') != name.npos || name.ends_with('<')) name = without_outer(name);
  const size_t symbol = name.find(".["sv);
  if (symbol != name.npos) return name.substr(symbol + 1);
  const size_t dot = name.rfind('.');
  if (dot != name.npos && dot + 1 < name.size()) name = name.substr(dot + 1);
  return name == "<anonymous>"sv ? std::string_view() : name;
}

}  // namespace polyprof
