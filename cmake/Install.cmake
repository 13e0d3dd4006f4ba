# What `make install` puts under the prefix: headers, library, tool, and the files behind find_package and pkg-config.
# All of it may be moved to another prefix afterwards.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/pdbfw")
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(DIRECTORY include/pdbfw TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
install(TARGETS pdbfw_library EXPORT pdbfwTargets)
if(TARGET pdbfw_tool)
  install(TARGETS pdbfw_tool)
endif()
if(TARGET pdbfw_mpi)
  install(DIRECTORY mpi/include/pdbfw TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
  install(TARGETS pdbfw_mpi EXPORT pdbfwMpiTargets)
  install(EXPORT pdbfwMpiTargets NAMESPACE pdbfw:: DESTINATION ${package_dir})
  install(TARGETS pdbfw_mpi_module DESTINATION ${CMAKE_INSTALL_LIBDIR}/pdbfw)
endif()
install(FILES LICENSE TYPE DOC)

install(EXPORT pdbfwTargets NAMESPACE pdbfw:: DESTINATION ${package_dir})
configure_package_config_file(cmake/pdbfwConfig.cmake.in pdbfwConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(pdbfwConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/pdbfwConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/pdbfwConfigVersion.cmake"
  DESTINATION ${package_dir})

# A static library has no list of what it needs, so pkg-config must give it, with or without --static. A shared one
# brings its own.
if(BUILD_SHARED_LIBS)
  set(pc_requires "eigen3")
  set(pc_libs "-lpdbfw")
else()
  set(pc_requires "eigen3, fmt, zlib, liblzma, libzstd")
  set(pc_libs "-lpdbfw -lbz2 -pthread")
endif()
file(RELATIVE_PATH pc_to_prefix "${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir}" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
configure_file(cmake/pdbfw.pc.in pdbfw.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/pdbfw.pc" DESTINATION ${pkgconfig_dir})
