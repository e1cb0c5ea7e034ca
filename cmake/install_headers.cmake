# Run when rankveil is installed, with source_dir, include_dir and with_graphs set: installs the headers that
# programs include, those that these include in turn, and no others.
cmake_minimum_required(VERSION 3.25)
set(public_headers
  # Tables and rankings.
  connect/columns connect/source
  ranking/index ranking/index_file ranking/profile_reader ranking/sample_workload
  table/arranged table/building/table_builder table/number_text table/people/people
  table/policy/policy table/table table/telling/summary
  # What releases promise and cost. They are made by api/protect, which leaves no step out.
  promise/claim promise/promise protect/scheme_options utility/measure
  # Attacks and audits.
  attack/index_target attack/method attack/session
  audit/audit audit/check audit/levels audit/report_alerts audit/report_words audit/undecided
  probe/probe
  # Tops.
  publish/methods/method publish/release/describe
  # Operations, as fronts call them.
  api/audit api/audit_target api/build_index api/check_publication
  api/compare api/doctor api/generate api/generate_ranking api/ids api/inspect api/json_schema
  api/measure api/policy_overrides api/probe api/profiles api/protect api/publish api/query
  api/replay api/report_outputs api/table_input api/verify api/version
  # What all of them need.
  base/error base/file base/format base/json base/keys/key_file base/progress base/random
  base/result)
if(with_graphs)
  list(APPEND public_headers
    graphs/files/edge_list graphs/operations/bound graphs/operations/graph_anonymize
    graphs/operations/graph_evaluate graphs/operations/graph_generate
    graphs/operations/graph_inspect graphs/operations/graph_technique graphs/release/release)
endif()

list(TRANSFORM public_headers REPLACE "(.+)" "rankveil/\\1.h")
set(installed "")
while(public_headers)
  list(POP_FRONT public_headers header)
  if(header IN_LIST installed)
    continue()
  endif()
  list(APPEND installed ${header})
  file(STRINGS "${source_dir}/${header}" lines REGEX "^#include \"rankveil/")
  list(TRANSFORM lines REPLACE "^#include \"([^\"]+)\".*" "\\1")
  list(APPEND public_headers ${lines})
  get_filename_component(folder ${header} DIRECTORY)
  file(INSTALL "${source_dir}/${header}" DESTINATION "${include_dir}/${folder}")
endwhile()
