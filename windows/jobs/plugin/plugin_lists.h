// The lists of a view, in bulk, as plug-ins get them (sash_lists).
//
// Thread safety: pure functions; the view must stay pinned meanwhile.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "windows/jobs/plugin/sash/kernel.h"
#include "windows/store/window_view.h"

namespace sash {

// Visits the lists of the vertices from place `first` up to `last` in the list of vertices, as
// sash_run::read_lists says. Places beyond the last vertex are left out.
int ReadPluginLists(const WindowView& view, int direction, unsigned with, std::size_t first,
                    std::size_t last, const std::atomic<bool>& stop, sash_visit visit, void* state);

// As sash_run::degrees says.
void ReadPluginDegrees(const WindowView& view, int direction, std::size_t first, std::size_t last,
                       std::uint32_t* degrees);

}  // namespace sash
