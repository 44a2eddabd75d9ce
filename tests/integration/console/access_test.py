#!/usr/bin/env python3
"""The web console behind TLS and tokens.

SASHD and SASH_GENERATE name the programs; Chromium is searched in the PATH.
"""
import unittest
from typing import Any

from console_page import (FOR_ANALYSTS, JOBS, STREAM, Browser, Page, Sashd, configuration,
                          protected)


class TokensTest(unittest.TestCase):
    """Access from other machines: TLS, and a token for everything, including the page itself."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.sashd = Sashd({**configuration(), "http": {"listen": "0.0.0.0:0", **protected.HTTP}},
                          before=protected.put, env=protected.ENVIRONMENT)
        cls.sashd.start()
        cls.addClassCleanup(cls.sashd.__exit__)
        cls.sashd.generate(*STREAM)
        port = cls.sashd.await_log(r"https listens on \S+:(\d+)")[1]
        cls.url = f"https://localhost:{port}"

    def page(self, **options: Any) -> Page:
        page = self.browser.page(self.url, ignore_https_errors=True, **options)
        self.addCleanup(page.__exit__)
        return page

    def test_every_view_is_there_for_who_gives_a_token_to_the_browser(self):
        for token in (protected.READ, protected.ADMIN):
            with self.subTest(token):
                page = self.page(http_credentials={"username": "me", "password": token})
                page.open().settled()
                for section in FOR_ANALYSTS:
                    self.assertTrue(page.page.locator(section).is_visible(), section)
                self.assertEqual(page.page.locator("dialog[open]").count(), 0)
                first = page.text(".ranking tbody th button")
                page.page.locator(".search input").fill(first)
                page.page.keyboard.press("Enter")
                page.wait(".past circle")
                page.operations()
                self.assertEqual(page.page.locator(".jobs tbody tr").count(), len(JOBS))
                page.until("document.querySelectorAll('.chart canvas').length === 3")
                self.assertEqual((page.complaints, page.foreign), ([], []))
                self.assert_pause_is_for_admin(page, token)
                for path in page.page.evaluate(
                        "[...document.querySelectorAll('footer a')].map((each) => each.pathname)"):
                    self.assertEqual(page.page.goto(self.url + path).status, 200, path)

    def assert_pause_is_for_admin(self, page: Page, token: str) -> None:
        page.page.get_by_role("button", name="Pause shape").click()
        if token == protected.ADMIN:
            page.wait(".jobs button:has-text('Resume')").click()
            page.page.wait_for_selector(".jobs button:has-text('Resume')", state="detached")
        else:
            page.until("document.querySelector('.jobs [role=status]').textContent.includes("
                       "'this needs the token admin')")

    def test_without_one_nothing_is_shown(self):
        for options in ({}, {"http_credentials": {"username": "me", "password": "wrong"}}):
            page = self.page(**options)
            if options:
                self.assertEqual(page.page.goto(self.url).status, 401)
                self.assertNotIn("last-20s", page.page.content())
            else:
                with self.assertRaisesRegex(Exception, "ERR_INVALID_AUTH_CREDENTIALS"):
                    page.page.goto(self.url)

    def test_one_that_counts_no_more_is_asked_for_again(self):
        page = self.page(http_credentials={"username": "me", "password": protected.READ})
        page.open().settled()
        # As after a restart with another token. A header that says Basic would open the browser's
        # own dialog, which the test does not answer.
        page.page.evaluate(f"sessionStorage.setItem('sash-token', '{'x' * 30}')")
        page.wait("dialog[open] input").fill(protected.ADMIN)
        page.page.keyboard.press("Enter")
        page.page.wait_for_selector("dialog[open]", state="detached")
        page.until("document.querySelector('.link-live') != null")
        self.assertEqual(page.page.evaluate("sessionStorage.getItem('sash-token')"),
                         protected.ADMIN)


if __name__ == "__main__":
    unittest.main(verbosity=2)
