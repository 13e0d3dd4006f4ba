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

add_library(pdbfw_options INTERFACE)

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
    -fsanitize=${PDBFW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
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
