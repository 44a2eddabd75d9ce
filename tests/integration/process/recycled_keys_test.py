"""The memory of a process whose stream never repeats a vertex depends only on its windows."""
import subprocess
import unittest

from sashd_process import RESULTS, Sashd, await_that, replay

SLIDES = 5  # a window
EDGES = 10_000  # per slide, each with two new vertices
EARLY, LATE = 5, 20  # windows
GROWTH = 1.05


def slide(number: int) -> bytes:
    """The edges of second `number`."""
    first = number * EDGES
    return "".join(f'{{"from":"source-of-{edge}","to":"a-longer-target-of-{edge}",'
                   f'"ts":{number * 1000 + edge % 1000}}}\n'
                   for edge in range(first, first + EDGES)).encode()


class NeverRepeatingKeysTest(unittest.TestCase):
    def check(self, **window: str) -> None:
        window = {"name": "w", "length": f"{SLIDES}s", "slide": "1s", **window}
        jobs = [{"name": name, "kernel": kernel, "window": "w", "keep_results": 2, **more}
                for name, kernel, more in (
                    ("shape", "window", {}),
                    ("ranks", "pagerank", {"parameters": {"max_iterations": 3}}))]
        document = replay("-", windows=[window], jobs=jobs, sinks=[RESULTS],
                          http={"listen": "127.0.0.1:0"})
        document["source"]["time"]["disorder"] = "0s"
        with Sashd(document, stdin=subprocess.PIPE) as sashd:
            # At the end of a window, the least of one window's slides: the work in progress varies
            # from moment to moment, and by pages of 2 MiB.
            resident = {EARLY: [], LATE: []}
            for number in range(LATE * SLIDES + 1):
                sashd.process.stdin.write(slide(number))
                sashd.process.stdin.flush()
                # Slide by slide, so that the queues hold the same whenever it is measured.
                if number > 0:
                    sashd.await_lines(len(jobs) * number)
                for windows, bytes_held in resident.items():
                    if 0 <= windows * SLIDES - number < SLIDES:
                        bytes_held.append(sashd.resident_bytes())
            early, late = min(resident[EARLY]), min(resident[LATE])
            self.assertLess(late, GROWTH * early,
                            f"{late / early:.3f} times {early / 2**20:.0f} MiB")
            print(f"{early / 2**20:.1f} MiB, then {late / 2**20:.1f} MiB", end=" ")
            self.assertTrue(await_that(
                lambda: sashd.metric("sash_dictionary_recycled_total") > 2 * EDGES * SLIDES * 10))
            self.assertLess(sashd.metric("sash_dictionary_vertices"), 2 * EDGES * (SLIDES + 5))
            self.assertEqual(sashd.lines()[-1]["edges"], EDGES * SLIDES)

    def test_keep(self):
        self.check()

    def test_drop(self):
        self.check(duplicates="drop")

    def test_weigh(self):
        self.check(duplicates="weigh")


if __name__ == "__main__":
    unittest.main()
