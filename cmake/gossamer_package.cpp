// Part of programs that use the CMake package gossamer: tells the library, which is a static archive, where
// the transport plugins were installed beside it. Weak: several targets of a program may hold it.
extern "C" [[gnu::weak]] const char* gossamer_package_plugins() { return GOSSAMER_PACKAGE_PLUGINS; }
