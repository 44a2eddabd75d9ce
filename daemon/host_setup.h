// Prepares the environment of the process before anything else runs.
//
// Thread safety: called once each, by main(), before there are threads.
#pragma once

namespace sash {

// Lets idle OpenMP threads sleep instead of spin, so that jobs do not starve ingest on few cores.
// The OpenMP library reads its environment before main(), so unless the user has set
// OMP_WAIT_POLICY the process sets it and executes itself again, once. Returns when nothing is left
// to do; the kernel then knows the process by its own name too.
void EnsurePassiveWaiting(char** argv);

// Opens standard input, output and error if they are closed (on /dev/null). Otherwise the next file
// opened would take their number, and messages for a person would be written into it.
void EnsureStandardStreams();

// Makes a write to a file that has reached its size limit (RLIMIT_FSIZE) return an error, like a
// full disk, instead of ending the process. Child processes inherit this.
void EnsureFileLimitsAreErrors();

// When memory or threads run out in any thread and nothing can handle it, the process prints one
// line and ends with kExitFailure instead of aborting.
void EnsureLastWords();

}  // namespace sash
