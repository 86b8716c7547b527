// Key-value store: thousands of clients, each a fiber, put and get by names. A client waits for its answers; its core runs the other
// clients meanwhile.
//   key_value_store [CLIENTS] [REQUESTS of each]
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gossamer/gossamer.hpp>
#include <string>

namespace gs = gossamer;

struct account {
  std::int64_t balance;
  std::uint64_t bookings;
};

int main(int argc, char** argv) {
  const std::uint64_t clients = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000;
  const std::uint64_t requests = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100;
  return gs::run(argc, argv, [clients, requests] {
    const gs::scoped_hash_map<std::string, account> owner;
    const gs::hash_map<std::string, account> store = owner.handle();
    const std::uint64_t accounts = clients / 10 + 1;
    const gs::scoped_per_core<std::uint64_t> unseen;
    gs::forall(0, clients, [=, unseen = unseen.handle()](std::uint64_t client) {
      for (std::uint64_t k = 0; k < requests; ++k) {
        const std::uint64_t some = gs::hash64(client, k);
        const std::string from = "account " + std::to_string(some % accounts);
        const std::string to = "account " + std::to_string((some + 1) % accounts);
        const auto amount = static_cast<std::int64_t>(some % 100);
        // The function runs at the owner of the key, and nothing else changes the account meanwhile.
        store.insert_or_update(from, {-amount, 1},
                               [amount](account& a) { a.balance -= amount, ++a.bookings; });
        store.insert_or_update(to, {amount, 1}, [amount](account& a) { a.balance += amount, ++a.bookings; });
        if (!store.lookup(to)) ++unseen.here();  // never: it was acknowledged
      }
    });
    std::int64_t balance = 0;
    std::uint64_t bookings = 0;
    for (std::uint64_t a = 0; a < accounts; ++a)
      if (const auto found = store.lookup("account " + std::to_string(a)))
        balance += found->balance, bookings += found->bookings;
    gs::print("{} bookings, {} in all, {} not seen\n", bookings, balance,
              unseen.fold(std::uint64_t{0}, std::plus<>()));
  });
}
