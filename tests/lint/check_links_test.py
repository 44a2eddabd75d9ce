#!/usr/bin/env python3
"""Tests that the lint of links finds violations."""
import pathlib
import sys
import tempfile
import unittest

import check_links

PAGE = """\
# One page

## What takes so long?
## `sashd --check` & *others*
## Twice
## Twice

[a](other.md) [b](#what-takes-so-long) [c](#sashd---check--others) [d](#twice-1)
[e](folder) [f](https://example.org/#nothing) `[g](nowhere.md)`
![h](folder/picture.png "a title")

```sh
# Not a heading
echo "[i](nowhere.md)"
```

[j]: other.md#other
"""


class CheckLinksTest(unittest.TestCase):
    def faults(self, added: str) -> list[str]:
        with tempfile.TemporaryDirectory(prefix="sash-links-") as name:
            root = pathlib.Path(name).resolve()
            (root / "folder").mkdir()
            (root / "folder/picture.png").touch()
            (root / "other.md").write_text("# Other\n", encoding="utf-8")
            (root / "page.md").write_text(PAGE + added, encoding="utf-8")
            check_links.anchors.cache_clear()
            return check_links.faults(root, check_links.documents(root))

    def test_links_that_lead_somewhere_pass(self):
        self.assertEqual(self.faults(""), [])

    def test_each_broken_link_is_found_with_its_line(self):
        line = PAGE.count("\n") + 1
        for target in ("nowhere.md", "folder/nothing.png", "../other.md", "#not-a-heading",
                       "#twice-2", "other.md#one-page"):
            with self.subTest(target):
                found = self.faults(f"[k]({target})\n")
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(f"page.md:{line}: {target}: "), found)

    def test_a_broken_picture_and_a_broken_reference_are_found(self):
        self.assertEqual(len(self.faults("![k](folder/gone.png)\n[l]: gone.md\n")), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
