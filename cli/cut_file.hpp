// Cache files are mapped into memory. Where such a file is made shorter while it is read, or its disk fails, the system
// sends SIGBUS.
#pragma once

namespace pdbfw::cli {

// From now on such an end is one line on standard error that names the file, and the exit code of a failure.
void tell_of_cut_files();

}  // namespace pdbfw::cli
