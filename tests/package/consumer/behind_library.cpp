// A program whose own library uses gossamer.

extern int run_middle(int argc, char** argv);

int main(int argc, char** argv) { return run_middle(argc, argv); }
