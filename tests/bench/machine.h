// The context that every figure needs: the machine, its load, the build.
#pragma once

#include <string>

namespace sash::bench {

std::string MachineText();  // processor, cores, memory
std::string LoadText();     // current load averages
std::string BuildText();    // build type and compiler
// True when other programs have kept the cores busy for the last minute.
bool IsMachineBusy();
// False without compiler optimization: such figures are meaningless.
bool IsOptimisedBuild();

}  // namespace sash::bench
