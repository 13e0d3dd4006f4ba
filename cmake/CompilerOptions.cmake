# How every target of this project is compiled. Nothing here reaches the users of the installed library.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The static library can be linked into shared objects, and the tool is a position-independent executable.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

# With the default static library nothing needs an rpath. The tool of a shared build finds the library beside it, also
# after the whole prefix has moved.
if(BUILD_SHARED_LIBS)
  file(RELATIVE_PATH bin_to_lib "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
  set(CMAKE_INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
endif()

# A compiler cache is used where there is one and never needed. Paths are taken from the root of the tree, so that a
# second clone finds what the first one compiled.
find_program(PDBFW_CCACHE ccache)
mark_as_advanced(PDBFW_CCACHE)
if(PDBFW_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${PDBFW_CCACHE})
endif()

# As many compilers at a time as there are processors that this process may use: Ninja alone would start two more, which
# get into each other's way in the caches.
execute_process(COMMAND nproc OUTPUT_VARIABLE processors OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT processors)
  cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
endif()
set_property(GLOBAL PROPERTY JOB_POOLS compile=${processors})
set(CMAKE_JOB_POOL_COMPILE compile)

add_library(pdbfw_options INTERFACE)

# GCC looks for memory to use again from some hundred megabytes on. Where each compiler may have more, it need not.
cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR megabytes_each "${megabytes} / ${processors}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND megabytes_each GREATER_EQUAL 4000)
  target_compile_options(pdbfw_options INTERFACE "SHELL:--param ggc-min-heapsize=800000")
endif()

# Nobody here asks errno or floating-point traps what happened, and knowing it lets the compiler do without branches.
# Results stay those of IEEE arithmetic.
target_compile_options(pdbfw_options INTERFACE -fno-math-errno -fno-trapping-math)

if(PDBFW_DEVELOPER)
  target_compile_options(pdbfw_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Werror)
  # Where several files are compiled as one, Clang warns of local names that a neighbour has in its nameless namespace;
  # `make lint` looks at each file alone.
  if(NOT (PDBFW_UNITY AND CMAKE_CXX_COMPILER_ID MATCHES "Clang"))
    target_compile_options(pdbfw_options INTERFACE -Wshadow)
  endif()
endif()

if(PDBFW_SANITIZE)
  target_compile_options(pdbfw_options INTERFACE
    -fsanitize=${PDBFW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(pdbfw_options INTERFACE -fsanitize=${PDBFW_SANITIZE})
elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  # The sanitizers bring their own checks and do not get on with these.
  target_compile_definitions(pdbfw_options INTERFACE $<$<CONFIG:Release>:_FORTIFY_SOURCE=2>)
  target_link_options(pdbfw_options INTERFACE LINKER:-z,relro,-z,now)
endif()

# Most of the time of a build went into reading the same foreign headers again and again. Only foreign ones are
# precompiled: ours change. Off unless asked for, and off where clang-tidy looks, so that every file still has to
# include what it needs.
function(pdbfw_precompile target)
  if(PDBFW_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    # What a compiler cache needs to see through a precompiled header.
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    else()
      target_compile_options(${target} PRIVATE -fpch-preprocess)
    endif()
  endif()
endfunction()
