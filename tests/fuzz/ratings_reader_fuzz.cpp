// Any bytes as ratings, and as pairs: an InputError or entries, the same however the bytes arrive, and what was read is
// written and read back unchanged.
#include <fmt/format.h>

#include "fuzz/outcome.hpp"
#include "io/data/matrix_market_reader.hpp"
#include "io/data/ratings_reader.hpp"

using namespace pdbfw;
using namespace pdbfw::fuzz;

namespace {

std::string cell(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string text_of(const Ratings& ratings) {
  std::string text;
  for (std::size_t k = 0; k < ratings.value.size(); ++k) {
    text += cell(ratings.rows.name(ratings.row[k])) + ',' + cell(ratings.columns.name(ratings.column[k])) + ',';
    text += fmt::format("{}\n", ratings.value[k]);
  }
  return text;
}

std::string text_of(const Pairs& pairs) {
  std::string text = " ";
  for (std::size_t k = 0; k < pairs.row.size(); ++k) text += fmt::format("{} {}\n", pairs.row[k], pairs.column[k]);
  return text;
}

template <class Read>
std::string ratings_outcome(const Read& read) {
  try {
    return text_of(read());
  } catch (const InputError& error) {
    return std::string("! ") + error.what();
  }
}

std::string ratings_in(ByteSource&& source, const RatingsOptions& options) {
  return ratings_outcome([&] { return read_ratings_from(source, "fuzz", options); });
}

void require_sound_ratings(const std::string& text) {
  if (text[0] == '!')
    require(text.find('\n') == std::string::npos);
  else
    require(text == ratings_in(MemorySource(text), {.format = DataFormat::csv, .header = ReadOptions::Header::no}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const DataFormat format = is_matrix_market(text) ? DataFormat::matrix_market : DataFormat::csv;
  for (const RatingsOptions::Repeated repeated :
       {RatingsOptions::Repeated::error, RatingsOptions::Repeated::mean, RatingsOptions::Repeated::last}) {
    const std::string whole = ratings_in(MemorySource(text), {.format = format, .repeated = repeated});
    require(whole == ratings_in(DrippingSource(text), {.format = format, .repeated = repeated}));
    require_sound_ratings(whole);
  }
  const Ids named{2, {"a", "1"}}, numbered{2, {}};
  for (const ReadOptions::Header header : {ReadOptions::Header::automatic, ReadOptions::Header::yes})
    for (const Ids& ids : {named, numbered}) {
      MemorySource source(text);
      const std::string pairs = ratings_outcome(
          [&] { return read_pairs_from(source, "fuzz", ids, ids, {.format = format, .header = header}); });
      require(pairs[0] != '!' || pairs.find('\n') == std::string::npos);
    }
  return 0;
}
