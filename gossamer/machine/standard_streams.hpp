#pragma once
// Standard input, output and error of a process that was started without one of them ("<&-", ">&-").

namespace gossamer::machine {

/// Opens /dev/null in the place of each closed standard stream, so that no file or socket of this process gets its number, which
/// would then hold what the program prints. It is opened the wrong way round: use of the stream fails as before. Before the process
/// opens anything else, by any thread.
void occupy_standard_streams() noexcept;

}  // namespace gossamer::machine
