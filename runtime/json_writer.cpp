#include "runtime/json_writer.h"

namespace polyprof {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Bytes of the well-formed UTF-8 sequence at the start of text (RFC 3629: no overlong forms, surrogates or values above 10FFFF);
// 0: there is none.
size_t sequence_length(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

bool JsonWriter::finish() {
  failed_ = failed_ || !out_.take(out_.context, {piece_, size_});
  size_ = 0;
  return !failed_;
}

void JsonWriter::raw(std::string_view text) {
  for (const char c : text) {
    if (size_ == kPieceBytes && !finish()) return;
    piece_[size_++] = static_cast<uint8_t>(c);
  }
}

void JsonWriter::string(std::string_view text) {
  raw("\"");
  while (!text.empty()) {
    const size_t length = sequence_length(text);
    if (length == 0) {
      raw(kReplacement);
    } else if (length == 1) {
      escaped(static_cast<unsigned char>(text[0]));
    } else {
      raw(text.substr(0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  raw("\"");
}

void JsonWriter::escaped(unsigned char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const char plain = static_cast<char>(c);
  if (c == '"' || c == '\\') {
    const char pair[] = {'\\', plain};
    raw({pair, 2});
  } else if (c < 0x20) {
    const char code[] = {'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15]};
    raw({code, 6});
  } else {
    raw({&plain, 1});
  }
}

void JsonWriter::number(uint64_t value) {
  char digits[20];
  size_t begin = sizeof(digits);
  do {
    digits[--begin] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value > 0);
  raw({digits + begin, sizeof(digits) - begin});
}

void JsonWriter::milliseconds(int64_t microseconds) {
  if (microseconds < 0) raw("-");
  const auto bits = static_cast<uint64_t>(microseconds);
  const uint64_t magnitude = microseconds < 0 ? 0 - bits : bits;
  number(magnitude / 1000);
  auto rest = static_cast<uint32_t>(magnitude % 1000);
  if (rest > 0) raw(".");
  for (; rest > 0; rest = rest % 100 * 10) number(rest / 100);
}

}  // namespace polyprof
