"""Memory: the accounts compared with the allocator, for every store and policy."""
import unittest
from typing import Any

from held_replay import MEBIBYTE, RANKS, HeldReplay, document, varied_rows
from sashd_process import CSV_FORMAT, Sashd, await_that


class AccountTest(unittest.TestCase):
    def test_the_parts_add_up_to_what_the_allocator_reports(self):
        for implementation, large in (("multiversioned", "lists"), ("rebuild", "events")):
            with self.subTest(implementation), \
                    HeldReplay(1_500_000, document("2m", implementation)) as sashd:
                self.assertTrue(await_that(sashd.is_calm), sashd.log())
                self.assertEqual(sashd.metric("sash_window_edges"), 1_480_000)
                parts = sashd.parts()
                allocated = sashd.metric("sash_memory_allocated_bytes")
                total = sum(parts.values())
                self.assertGreater(allocated, 30 * MEBIBYTE)
                self.assertGreater(parts[large], 8 * MEBIBYTE, parts)
                self.assertAlmostEqual(total / allocated, 1, delta=0.1, msg=parts)
                print(f"{implementation}: {total / allocated:.3f} of {allocated / MEBIBYTE:.1f} "
                      "MiB")
                self.assertGreaterEqual(sashd.metric("sash_memory_used_bytes"), allocated * 0.9)

    def test_without_a_limit_there_is_none_to_see(self):
        with HeldReplay(1, document("1m", memory={"limit": "none"})) as sashd:
            self.assertNotIn("\nsash_memory_limit_bytes ", sashd.get("/metrics")[2])
            self.assertEqual(sashd.metric("sash_memory_state"), 0)


class PoliciesTest(unittest.TestCase):
    def expect_accounted(self, sashd: HeldReplay, name: str) -> dict[str, float]:
        self.assertTrue(await_that(sashd.is_calm), sashd.log())
        parts = sashd.parts()
        allocated = sashd.metric("sash_memory_allocated_bytes")
        total = sum(parts.values())
        print(f"{name}: {total / allocated:.3f} of {allocated / MEBIBYTE:.1f} MiB")
        self.assertGreater(allocated, 20 * MEBIBYTE)
        self.assertAlmostEqual(total / allocated, 1, delta=0.1, msg=f"{name}: {parts}")
        return parts

    def refuses(self, config: dict[str, Any]) -> bool:
        """Whether the configuration refuses this policy for this store."""
        with Sashd(config) as sashd:
            return sashd.wait() == 78 and "cannot do" in sashd.log()

    def test_policies_removals_weights_and_hubs_are_accounted_for(self):
        count = 1_000_000
        for implementation in ("multiversioned", "rebuild"):
            for duplicates in ("keep", "drop", "weigh"):
                for weighted, hub in ((False, False), (True, False), (True, True)):
                    name = f"{implementation} {duplicates} weighted={weighted} hub={hub}"
                    with self.subTest(name):
                        config = self.varied(implementation, duplicates, operation="operation")
                        removals = not self.refuses(config)
                        if not removals:
                            config = self.varied(implementation, duplicates)
                            if self.refuses(config):
                                self.skipTest(f"refused by the configuration: {name}")
                        content = varied_rows(count, hub, removals, weighted,
                                              vertices=200_000 if hub else 50_000)
                        with HeldReplay(count, config, content) as sashd:
                            self.expect_accounted(sashd, f"{name} removals={removals}")

    def varied(self, implementation: str, duplicates: str, **columns: str) -> dict[str, Any]:
        csv = {**CSV_FORMAT["csv"], "weight": "weight", **columns}
        config = document("1m", implementation, format={"csv": csv})
        config["windows"][0]["duplicates"] = duplicates
        return config

    def test_windows_that_share_a_store_are_accounted_for_once(self):
        count, rate = 1_200_000, 100
        csv = {**CSV_FORMAT["csv"], "weight": "weight"}
        windows = [{"name": name, "length": length, "slide": "1m",
                    "implementation": "multiversioned"}
                   for name, length in (("w", "1m"), ("hour", "1h"), ("day", "24h"))]
        jobs = [{**RANKS, "name": f"ranks_{window['name']}", "window": window["name"]}
                for window in windows]
        config = document("1m", format={"csv": csv}, windows=windows, jobs=jobs)
        content = varied_rows(count, removals=False, rate=rate)
        with HeldReplay(count, config, content) as sashd:
            parts = self.expect_accounted(sashd, "three windows")
            self.assertGreater(parts["views"], 0)


if __name__ == "__main__":
    unittest.main()
