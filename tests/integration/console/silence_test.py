#!/usr/bin/env python3
"""The web console when nothing comes: from the stream, or from `sashd`.

SASHD and SASH_GENERATE name the programs; Chromium is searched in the PATH.
"""
import socket
import unittest

from console_page import PATIENCE_MS, STREAM, Browser, Sashd, configuration, start


class WhyTest(unittest.TestCase):
    def test_a_window_without_a_new_result_says_why_as_the_daemon_does(self):
        browser = Browser()
        self.addCleanup(browser.close)
        sashd = Sashd(configuration())
        sashd.start()
        self.addCleanup(sashd.__exit__)
        page = browser.page(sashd.url("")).open()
        self.assertIn("Why there is no result yet", page.wait(".why").inner_text())
        page.until("(said) => document.querySelector('.why p').textContent === said",
                   sashd.json("/api/v1/windows/last-20s/why")["summary"])
        generator = sashd.generate(*STREAM)
        page.settled()
        self.assertEqual(page.page.locator(".why").count(), 0, "the windows advance")
        sashd.json("/api/v1/windows")
        generator.kill()
        page.wait(".why[data-reason=silent_partition], .why[data-reason=all_idle]")
        self.assertIn("Why there is no newer result", page.text(".why"))
        page.until("(reason) => document.querySelector('.why').dataset.reason === reason",
                   "all_idle")
        self.assertEqual(page.text(".why p"),
                         sashd.json("/api/v1/windows/last-20s/why")["summary"])
        self.assertEqual((page.complaints, page.foreign), ([], []))


class LostDaemonTest(unittest.TestCase):
    def test_a_lost_daemon_is_told_and_its_return_too(self):
        browser = Browser()
        self.addCleanup(browser.close)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            listen = f"127.0.0.1:{probe.getsockname()[1]}"
        first = start(listen)
        self.addCleanup(first.__exit__)
        page = browser.page(f"http://{listen}").open()
        page.wait(".link-live")
        page.wait(".ranking tbody button")
        first.send()
        first.wait()
        self.assertIn("sashd does not answer", page.wait(".banner.bad").inner_text())
        self.assertTrue(page.page.locator(".ranking tbody button").first.is_visible(),
                        "the last ranking stays visible")
        second = start(listen)
        self.addCleanup(second.__exit__)
        page.page.wait_for_selector(".banner.bad", state="detached", timeout=PATIENCE_MS)
        page.wait(".link-live")
        page.operations(slices=1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
