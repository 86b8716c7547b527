// A job where the machine's clocks, threads, sleep and random numbers are out of reach: a process that asks for
// them is killed. On a simulated cluster it must come through. isolation [real]
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/clock.hpp"

namespace {

constexpr unsigned k_forbidden[] = {SYS_clone,           SYS_clone3,        SYS_futex,       SYS_nanosleep,
                                    SYS_clock_nanosleep, SYS_clock_gettime, SYS_getrandom,   SYS_sched_yield,
                                    SYS_gettimeofday,    SYS_rseq,          SYS_timer_create};

bool lock_out_the_machine() {
  std::vector<sock_filter> code{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const unsigned call : k_forbidden) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
#if defined(__x86_64__)
  if (::prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0) return false;  // also what the vDSO reads
#endif
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

std::uint64_t work() {
  using namespace gossamer;
  constexpr std::uint64_t n = 10'000;
  scoped_array<std::uint64_t> a(n);
  forall(a.handle(), [](std::uint64_t i, std::uint64_t& cell) { cell = i; });
  on_all_cores([a = a.handle()] {
    for (std::uint64_t i = 0; i < 500; ++i)
      a.async(hash64(i, here()) % n, [](std::uint64_t& cell) { ++cell; });
    barrier();
  });
  const auto view = a.freeze();
  std::uint64_t sum = machine::now_ns() > 0 ? 0 : 1;
  for (std::uint64_t i = 0; i < n; ++i) sum += view[i];
  a.thaw();
  return sum - n * (n - 1) / 2;
}

}  // namespace

int main(int argc, char** argv) {
  gossamer::job_options o;
  o.cores = 3;
  const bool real = argc > 1 && std::strcmp(argv[1], "real") == 0;
  if (!real) o.simulate = gossamer::simulation::options::parse("processes=4 faults=all seed=3");
  std::uint64_t updates = 0;
  bool locked = false;
  gossamer::run(o, [&] {
    locked = lock_out_the_machine();
    if (locked) updates = work();
  });
  if (!locked) {
    std::fprintf(stderr, "the machine cannot be locked out here\n");
    return 77;
  }
  std::printf("%llu updates\n", static_cast<unsigned long long>(updates));
  return updates == 4 * 3 * 500 ? 0 : 1;
}
