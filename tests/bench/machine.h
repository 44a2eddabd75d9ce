// What a figure must not be read without: the machine, how busy it was, the build.
#pragma once

#include <string>

namespace sash::bench {

std::string MachineText();  // processor, cores, memory
std::string LoadText();     // the load averages of now
std::string BuildText();    // build type and compiler
// True when other programs have had the cores busy for the last minute.
bool IsMachineBusy();
// False when the compiler was not asked for speed: such figures mean nothing.
bool IsOptimisedBuild();

}  // namespace sash::bench
