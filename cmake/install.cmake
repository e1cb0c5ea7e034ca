# What `cmake --install` gives: public headers, static libraries, the DuckDB library they need, the
# rankveil command with its manual pages and completions, and a package for find_package(rankveil).
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rankveil)
set(duckdb_dir ${CMAKE_INSTALL_LIBDIR}/rankveil)

# Where to is known when installing, not before: --prefix may say it.
install(CODE "set(source_dir [[${PROJECT_SOURCE_DIR}]])
set(with_graphs ${RANKVEIL_GRAPHS})
set(include_dir [[${CMAKE_INSTALL_INCLUDEDIR}]])
cmake_path(ABSOLUTE_PATH include_dir BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")")
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake)
get_property(modules GLOBAL PROPERTY rankveil_modules)
install(TARGETS ${modules} rankveil_all EXPORT rankveilTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT rankveilTargets NAMESPACE rankveil:: DESTINATION ${package_dir})

install(FILES ${DUCKDB_LIBRARY} DESTINATION ${duckdb_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${RANKVEIL_DUCKDB_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}
        RENAME LICENSE.duckdb OPTIONAL)

get_property(packages GLOBAL PROPERTY rankveil_packages)
list(REMOVE_DUPLICATES packages)
set(find_packages "")
foreach(package IN LISTS packages)
  string(APPEND find_packages "find_dependency(${package})\n")
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/rankveilConfig.cmake.in
  ${PROJECT_BINARY_DIR}/rankveilConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS duckdb_dir)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rankveilConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rankveilConfig.cmake
              ${PROJECT_BINARY_DIR}/rankveilConfigVersion.cmake
        DESTINATION ${package_dir})

if(TARGET rankveil)
  file(RELATIVE_PATH from_bin /${CMAKE_INSTALL_BINDIR} /${duckdb_dir})
  set_target_properties(rankveil PROPERTIES INSTALL_RPATH "$ORIGIN/${from_bin}")
  install(TARGETS rankveil RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  get_target_property(manual rankveil MANUAL_FOLDER)
  install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${manual}/rankveil.bash RENAME rankveil
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manual}/_rankveil DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${manual}/rankveil.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
