// The program main.cpp as part of a library.
#define main run_middle
#include "main.cpp"
