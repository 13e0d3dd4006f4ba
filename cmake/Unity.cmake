# Several sources compiled as one (PDBFW_UNITY): what a template costs is then paid once for all of them. Names without
# linkage would meet there that never meet otherwise, so a file that declares one is kept apart from every file that
# mentions it; nobody has to avoid a name because another file has it. Off unless asked for, and off where clang-tidy looks.

# Compiled alone. Where a nameless name is also that of a neighbour's header, the compiler says "ambiguous": pdbfw.cpp's
# Scratch. In split.cpp the members of a class have types without linkage, of which GCC warns where a file is included.
set(PDBFW_ALONE
  src/data/split.cpp
  src/solvers/pdbfw.cpp)

# What stands in the nameless namespaces of `text`, whose comments are empty.
function(pdbfw_nameless text result)
  set(inside "")
  while(TRUE)
    string(FIND "${text}" "\nnamespace {\n" begin)
    if(begin LESS 0)
      break()
    endif()
    string(SUBSTRING "${text}" ${begin} -1 text)
    string(FIND "${text}" "\n}  //\n" length)
    string(SUBSTRING "${text}" 0 ${length} part)
    string(APPEND inside "${part}")
    string(SUBSTRING "${text}" ${length} -1 text)
  endwhile()
  set(${result} "${inside}" PARENT_SCOPE)
endfunction()

# The names that `source` declares in nameless namespaces, and those that it mentions: types, constants, and what is called
# but not of an object. A text search, so a name too many now and then.
function(pdbfw_names source declared_names mentioned_names)
  file(READ "${source}" text)
  string(REGEX REPLACE "//[^\n]*" "//" code "${text}")
  string(REGEX REPLACE "[][;\\\\]" "=" code "${code}")
  string(REGEX REPLACE "\"[^\"\n]*\"" "\"\"" code "${code}")
  string(REPLACE " final" "" code "${code}")

  pdbfw_nameless("${code}" inside)
  string(REPLACE "::" "__" inside "${inside}")
  string(REGEX MATCHALL "\n[A-Za-z][^\n({=:]*[({=:]" heads "${inside}")
  set(declared "")
  foreach(head IN LISTS heads)
    # A using-declaration may be repeated.
    if(NOT head MATCHES "^\n(using namespace |using [A-Za-z_]+=)")
      string(REGEX REPLACE "^.*[^A-Za-z0-9_]([A-Za-z0-9_]+)[^A-Za-z0-9_]*$" "\\1" name "${head}")
      list(APPEND declared "${name}")
    endif()
  endforeach()
  # Several constants may share a line.
  string(REGEX MATCHALL "[^A-Za-z0-9_]k[A-Z][A-Za-z0-9]* =" constants "${inside}")
  list(TRANSFORM constants REPLACE "[^A-Za-z0-9]" "")
  list(APPEND declared ${constants})
  # The macros of tests.
  list(FILTER declared EXCLUDE REGEX "^[A-Z_]+$")
  list(REMOVE_DUPLICATES declared)

  string(REPLACE "->" "." code "${code}")
  string(REGEX MATCHALL "[^A-Za-z0-9_.:]([A-Za-z_][A-Za-z0-9_]*[(]|k?[A-Z][A-Za-z0-9]*)" mentioned "${code}")
  list(TRANSFORM mentioned REPLACE "[^A-Za-z0-9_]" "")
  list(REMOVE_DUPLICATES mentioned)
  set(${declared_names} "${declared}" PARENT_SCOPE)
  set(${mentioned_names} "${mentioned}" PARENT_SCOPE)
endfunction()

# Whether one of `names` is in the list `others`.
function(pdbfw_share names others result)
  set(${result} OFF PARENT_SCOPE)
  foreach(name IN LISTS ${names})
    if(name IN_LIST ${others})
      set(${result} ON PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Compiles the sources of `target` together, at most `size` of one folder at a time.
function(pdbfw_unity target size)
  if(NOT PDBFW_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE inside)
    get_source_file_property(own_options "${source}" COMPILE_OPTIONS)
    if(inside IN_LIST PDBFW_ALONE OR own_options OR NOT source MATCHES "[.]cpp$")
      continue()
    endif()
    pdbfw_names("${path}" declared mentioned)
    cmake_path(GET inside PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    # The first group of the folder that has room and no quarrel with the file; at the latest, a new one.
    foreach(number RANGE 1 1000)
      set(group ${folder}_${number})
      list(LENGTH files_${group} count)
      pdbfw_share(declared mentioned_${group} is_mentioned)
      pdbfw_share(declared_${group} mentioned mentions)
      if(count LESS size AND NOT is_mentioned AND NOT mentions)
        list(APPEND files_${group} "${source}")
        list(APPEND declared_${group} ${declared})
        list(APPEND mentioned_${group} ${mentioned})
        set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
        break()
      endif()
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
