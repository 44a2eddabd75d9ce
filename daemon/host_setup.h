// What the process asks of its surroundings before anything else runs.
#pragma once

namespace sash {

// Lets idle OpenMP threads sleep instead of spin, so that jobs do not starve ingest on few cores.
// The OpenMP library reads its environment before main(): unless the user has set OMP_WAIT_POLICY,
// the process sets it and starts itself anew, once. Returns when nothing is to be done; the process
// then goes by its name for the kernel too.
void EnsurePassiveWaiting(char** argv);

// Standard input, output and error are open, if only to nothing: otherwise the next file opened
// would take their number, and what is meant for a person would be written into it.
void EnsureStandardStreams();

// A file that may not grow any more (RLIMIT_FSIZE) is an error of a write, like a full disk, and
// does not end the process. It stays so for programs that are started.
void EnsureFileLimitsAreErrors();

// Where memory or threads run out and nobody can go on without them, in whatever thread, the
// process says so in a line and ends with kExitFailure, instead of aborting.
void EnsureLastWords();

}  // namespace sash
