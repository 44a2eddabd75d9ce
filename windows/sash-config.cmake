# find_package(sash): the targets sash::ingest, sash::store, sash::kernels, sash::jobs, sash::slide.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(OpenMP COMPONENTS CXX)
include(${CMAKE_CURRENT_LIST_DIR}/sash-targets.cmake)
