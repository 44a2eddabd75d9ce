# find_package(sash): the targets sash::base, sash::ingest, sash::store, sash::kernels, sash::jobs,
# sash::slide, sash::durable.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(OpenMP COMPONENTS CXX)
find_dependency(PkgConfig)
pkg_check_modules(ISAL REQUIRED IMPORTED_TARGET libisal)
include(${CMAKE_CURRENT_LIST_DIR}/sash-targets.cmake)
