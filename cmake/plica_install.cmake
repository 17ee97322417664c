# cmake --install, and find_package(plica) from another project: link plica::plica.
include(CMakePackageConfigHelpers)
set(modules plica plica_core plica_geometry plica_tissue plica_collision plica_contact plica_engine plica_audit plica_scene plica_io
  plica_simulation)
install(TARGETS ${modules} EXPORT plica_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT plica_targets NAMESPACE plica:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/plica FILE plica_targets.cmake)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/plica DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/plica-config.cmake.in ${PROJECT_BINARY_DIR}/plica-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/plica)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/plica-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/plica-config.cmake ${PROJECT_BINARY_DIR}/plica-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/plica)
if(TARGET plica_app)
  install(TARGETS plica_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS plica_lab RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)  # where it was built
endif()
