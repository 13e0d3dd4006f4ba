#include "cli/text_file.hpp"

#include "io/bytes/output_file.hpp"

namespace pdbfw::cli {

void write_text_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace pdbfw::cli
