# The DuckDB library and header, as scripts/install-deps lays them out.
set(RANKVEIL_DUCKDB_DIR ${PROJECT_SOURCE_DIR}/.deps/duckdb CACHE PATH
    "Folder with include/duckdb.h and lib/libduckdb.so")
find_path(DUCKDB_INCLUDE_DIR duckdb.h PATHS ${RANKVEIL_DUCKDB_DIR}/include NO_DEFAULT_PATH)
find_library(DUCKDB_LIBRARY duckdb PATHS ${RANKVEIL_DUCKDB_DIR}/lib NO_DEFAULT_PATH)
mark_as_advanced(DUCKDB_INCLUDE_DIR DUCKDB_LIBRARY)
if(NOT DUCKDB_INCLUDE_DIR OR NOT DUCKDB_LIBRARY)
  message(FATAL_ERROR "DuckDB was not found in ${RANKVEIL_DUCKDB_DIR}; run scripts/install-deps.")
endif()
add_library(rankveil_duckdb SHARED IMPORTED GLOBAL)
set_target_properties(rankveil_duckdb PROPERTIES
  IMPORTED_LOCATION ${DUCKDB_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${DUCKDB_INCLUDE_DIR})
