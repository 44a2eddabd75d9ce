"""A reader of a frozen snapshot has no second copy of it, over a lease or mapped."""
import sys
import unittest

from sashd_process import ROOT

sys.path[:0] = [str(ROOT / "tests/bench")]
import lease_memory  # noqa: E402


class LeaseMemoryTest(unittest.TestCase):
    def test_arrays_and_matrices_are_the_pages_of_the_files(self):
        self.assertEqual(lease_memory.measure(500_000), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
