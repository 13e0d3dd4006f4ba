# One program for each tests/fuzz/<subject>_reader_fuzz.cpp; scripts/fuzz.sh runs them.
file(GLOB fuzz_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/fuzz/*_reader_fuzz.cpp")
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM name)
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE pdbfw::pdbfw Eigen3::Eigen pdbfw_options)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()
