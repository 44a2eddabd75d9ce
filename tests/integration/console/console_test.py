#!/usr/bin/env python3
"""The web console, every view with live data, as a user with a browser sees it.

SASHD and SASH_GENERATE name the programs; Chromium is searched in the PATH.
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from node_packages import installed  # noqa: E402

from console_page import CONSOLE, FOR_ANALYSTS, FOR_OPERATORS, JOBS, Browser, Page, start
from legible import Legible
from listing import Listing

MOST_SHIFT = 0.05  # of the page's own movement, where 0.1 counts as good

# A source of 1,000 records a second that counts in batches, checked about once a second.
STEADY = """
import { build } from "esbuild";
await build({ entryPoints: ["page/rate.ts"], outfile: "rate.mjs", format: "esm",
              logLevel: "error" });
const { RateMeter } = await import(process.cwd() + "/rate.mjs");
const told = { steady: {} };
for (const batch of [100, 700, 1100, 1900]) {
  const meter = new RateMeter();
  const rates = [];
  let at = 0;
  for (let i = 0; i < 40; ++i) {
    at += 1000 + 60 * Math.sin(i);
    const rate = meter.look(at, Math.floor(at / batch) * batch);
    if (i >= 12) rates.push(rate);
  }
  told.steady[batch] = rates;
  for (let i = 0; i < 20; ++i) {
    told.stopped = meter.look((at += 1000), Math.floor(40500 / batch) * batch + batch);
  }
  told.restarted = meter.look(at + 1000, 5);
}
console.log(JSON.stringify(told));
"""

# The newest message that the alert book has after each answer of the daemon.
RESTARTED = """
import { build } from "esbuild";
await build({ entryPoints: ["page/alerts.ts"], outfile: "alerts.mjs", format: "esm", bundle: true,
              logLevel: "error" });
const { AlertBook } = await import(process.cwd() + "/alerts.mjs");
globalThis.sessionStorage = { getItem: () => null };
let now = null;
globalThis.fetch = async (path) => {
  const { fired, last_fired, text } = now;
  const body = path.includes("?") ? [{ name: "a", fired, last_fired }]
                                  : { last: [{ text, window_end: last_fired }] };
  return { status: 200, text: async () => JSON.stringify(body) };
};
const book = new AlertBook();
const told = [];
const look = async (what, answer) => {
  now = answer;
  await book[what]();
  told.push(book.messages[0].text);
};
await look("load", { fired: 3, last_fired: "12:00", text: "first" });
await look("load", { fired: 3, last_fired: "12:00", text: "not asked for" });
await look("load", { fired: 3, last_fired: "13:00", text: "of another process" });
await look("reload", { fired: 3, last_fired: "13:00", text: "of a third one" });
console.log(JSON.stringify(told));
"""


class ConsoleTest(Legible, Listing, unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.sashd = start()
        cls.addClassCleanup(cls.sashd.__exit__)
        cls.url = cls.sashd.url("")

    def page(self, **options: Any) -> Page:
        page = self.browser.page(self.url, **options)
        self.addCleanup(page.__exit__)
        return page

    def assert_quiet(self, page: Page) -> None:
        self.assertEqual(page.complaints, [])
        self.assertEqual(page.foreign, [], "a request left the machine")

    def test_every_view_shows_live_data(self):
        page = self.page().open().settled()
        self.assert_visible(page, FOR_ANALYSTS, FOR_OPERATORS)
        self.assertEqual(page.page.locator(".ranking tbody tr").count(), 20)
        self.assertRegex(page.text(".ranking tbody tr"), r"^1\b")
        self.assertEqual(page.page.locator(".picture .node.is-top").count(), 12)
        self.assertGreater(page.page.locator(".picture .lines path").count(), 12)
        page.operations()
        self.assert_visible(page, FOR_OPERATORS, FOR_ANALYSTS)
        page.until("location.hash.endsWith('sheet=operations')")
        self.assertRegex(page.text("[data-figure=lag] .note"), r"partition")
        self.assertRegex(page.text("[data-figure=watermark] .note"), r"\d\d:\d\d:\d\d.* UTC")
        self.assertRegex(page.text("[data-figure=window] dl"),
                         r"Edges\s+[\d,]+\s+Vertices\s+[\d,]+")
        page.until("document.querySelectorAll('.chart canvas').length === 3")
        page.wait(".bar-open")
        page.wait(".bar-left")  # the slice that left last
        page.wait(".watermark")
        self.assertEqual(page.page.locator(".jobs tbody tr").count(), len(JOBS))
        page.until("document.querySelectorAll('.jobs tr:first-child .runs rect').length > 3")
        page.until("document.querySelectorAll('.jobs tr:first-child .phases rect').length === 5")
        self.assertRegex(page.page.locator(".jobs .phases").first.get_attribute("aria-label"),
                         r"^waiting .+, preparing .+, computing .+, finishing .+, delivering ")
        self.assertRegex(page.text(".records .title"), r"[\d,]+ records, 0 filtered, 0 unmapped$")
        rows = page.page.locator(".records tbody tr")
        self.assertRegex(" ".join(rows.all_inner_texts()),
                         r"^calls\s+[1-9]\S*\s+0\s+0\s+rare\s+0\s+[1-9]\S*\s+0$")
        self.assertIn("sashd ", page.text("footer"))
        self.assertEqual(page.page.locator(".banner:not(.note-banner)").count(), 0)
        self.assert_quiet(page)

    def assert_visible(self, page: Page, shown: tuple[str, ...], hidden: tuple[str, ...]) -> None:
        for section in shown:
            self.assertTrue(page.page.locator(section).is_visible(), section)
        for section in hidden:
            self.assertEqual(page.page.locator(section).count(), 0, section)

    def test_views_follow_the_window_and_nothing_jumps(self):
        page = self.page().open().settled()
        seen = "(at) => document.querySelector(at).textContent"
        for view in (".ranking .title .aside", ".picture .title .aside", ".timeline .title p"):
            if view.startswith(".timeline"):
                page.operations()
            before = page.page.evaluate(seen, view)
            page.until(f"([at, before]) => ({seen})(at) !== before", [view, before])
        shifts = page.page.evaluate("window.shifts")
        self.assertLess(sum(value for value, _ in shifts), MOST_SHIFT, shifts)
        self.assert_quiet(page)

    def test_another_window_and_job_can_be_chosen_and_linked_to(self):
        page = self.page().open().settled()
        page.page.get_by_role("combobox", name="Window").select_option("last-4s")
        page.until("document.querySelector('.ranking .aside').textContent.startsWith('degree')")
        page.operations(slices=2)
        page.until("document.querySelector('[data-figure=window] h2').textContent === 'last-4s'")
        for _ in range(2):  # an advance does not take the filter away
            self.assertEqual(page.text("[data-figure=window] .note"),
                             "only types sent; where /ts > 0")
            seen = "document.querySelector('.timeline .title p').textContent"
            page.until(f"(before) => {seen} !== before", page.page.evaluate(seen))
        page.until("location.hash.includes('window=last-4s&job=busiest&sheet=operations')")
        page.open("/#window=last-20s&job=shape")
        page.page.reload()
        page.until("/Pairs\\s*[1-9]/.test(document.querySelector('.ranking dl')?.innerText ?? '')")
        self.assert_quiet(page)

    def test_a_vertex_is_found_with_its_rank_over_the_last_windows(self):
        page = self.page().open().settled()
        page.page.keyboard.press("/")
        first = page.text(".ranking tbody th button")
        page.page.keyboard.type(first)
        page.page.keyboard.press("Enter")
        page.until("/^\\d/.test(document.querySelector('.standing dd')?.textContent ?? '')")
        page.until("document.querySelectorAll('.past circle:not(.is-below)').length > 2")
        self.assertIn(f"{first} has a rank in ", page.text(".past figcaption"))
        page.wait(".picture .node.is-chosen, .ranking tr.is-chosen")
        # A vertex that stays in the window (those of episodes have other names), and that no result
        # lists: in the first windows, of few edges, the later ones of low rank may be at the top.
        result = self.sashd.json("/api/v1/jobs/influencers/results/latest?top=100000")
        middle = len(result["top"]) // 2
        last = next(row["vertex"] for row in result["top"][middle:]
                    if row["vertex"][0] == "v" and not self.was_ranked(row["vertex"]))
        page.page.locator(".search input").fill(last)
        page.page.get_by_role("button", name="Look up", exact=True).click()
        page.until("(key) => document.querySelector('.search .hint')?.textContent.includes("
                   "`results lists ${key}. With keep_vectors`)", last)
        self.assert_quiet(page)
        page.page.locator(".search input").fill("nobody <b>&</b>")
        page.page.keyboard.press("Enter")
        self.assertEqual(page.wait(".search .absent").inner_text(),
                         "nobody <b>&</b> is not in the window last-20s now.")
        self.assertEqual(page.page.locator(".past").count(), 0, "the vertex was never in a window")
        self.assertNotIn("below", page.text(".search"))

    def was_ranked(self, key: str) -> bool:
        """Whether a kept result of `influencers` lists the vertex."""
        status, _, body = self.sashd.get(
            f"/api/v1/jobs/influencers/history?key={key}&limit=1000")
        if status == 404:  # none does
            return False
        self.assertEqual(status, 200, body)
        return any(moment["rank"] is not None for moment in json.loads(body)["results"])

    def test_the_broker_in_the_process_is_named_as_such(self):
        page = self.page().open()
        (note,) = self.sashd.json("/readyz")["notes"]
        self.assertIn("embedded", note)
        self.assertEqual(page.wait("[data-banner=notes]").inner_text(), f"Note. {note}")

    def test_the_rate_of_a_constant_stream_is_constant(self):
        made = subprocess.run(["node", "--input-type=module", "-e", STEADY],
                              cwd=installed(CONSOLE, "console"), capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        told = json.loads(made.stdout)
        for batch, rates in told["steady"].items():
            self.assertGreater(len(rates), 20, batch)
            for rate in rates:
                self.assertLess(abs(rate / 1000 - 1), 0.15, f"batches each {batch} ms: {rates}")
        self.assertEqual(told["stopped"], 0)
        self.assertIsNone(told["restarted"])

    def test_messages_of_alerts_are_those_of_the_process_that_runs(self):
        made = subprocess.run(["node", "--input-type=module", "-e", RESTARTED],
                              cwd=installed(CONSOLE, "console"), capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(json.loads(made.stdout),
                         ["first", "first", "of another process", "of a third one"])

    def test_without_events_it_polls(self):
        page = self.page()
        refused = []
        page.page.route(re.compile(r"/api/v1/events(\?|$)"),
                        lambda route: (refused.append(route.request.url), route.abort()))
        page.open()
        page.wait(".link-polling")
        self.assertTrue(refused, "the page asked for no events")
        until = page.wait(".ranking .title .aside").inner_text()
        page.until("(before) => document.querySelector('.ranking .aside').textContent !== before",
                   until)

    def test_an_answer_that_an_event_overtook_is_not_shown(self):
        page = self.page().open().settled()
        shown = "document.querySelector('.ranking .aside').textContent"
        held = []

        def hold(route: Any) -> None:
            if held:
                route.continue_()
                return
            held.append(route.fetch())
            for _ in range(2):  # the answer is older than the second of these
                page.until(f"(last) => {shown} !== last", page.page.evaluate(shown))
            page.page.evaluate("""() => {
              const at = document.querySelector(".ranking .aside");
              window.ends = [at.textContent];
              new MutationObserver(() => window.ends.push(at.textContent))
                .observe(at, { subtree: true, childList: true, characterData: true });
            }""")
            route.fulfill(response=held[0])

        page.page.route(re.compile(r"/jobs/influencers/results"), hold)
        page.page.get_by_role("combobox", name="Job", exact=True).select_option("reach")
        page.until(f"{shown}.startsWith('bfs')")
        page.page.get_by_role("combobox", name="Job", exact=True).select_option("influencers")
        ends = page.until("window.ends?.length > 2 && window.ends")
        old = held[0].json()[0]["window_end"][11:19]
        self.assertRegex(ends[0], r"until \d\d:\d\d:\d\d UTC")
        self.assertFalse([end for end in ends if old in end], f"{ends}, after that of {old}")

    def test_a_token_is_asked_for_and_kept_in_the_tab(self):
        page = self.page()

        def guard(route: Any) -> None:
            if route.request.headers.get("authorization") == "Bearer s3cret":
                route.continue_()
            else:
                route.fulfill(status=401, content_type="application/json", body=json.dumps(
                    {"error": {"code": "unauthorized", "message": "a token is needed"}}))

        page.page.route("**/api/v1/**", guard)
        page.open()
        page.wait("dialog[open] input").fill("s3cret")
        page.page.keyboard.press("Enter")
        page.settled()
        self.assertEqual(page.page.evaluate("sessionStorage.getItem('sash-token')"), "s3cret")
        self.assertIsNone(page.page.evaluate("localStorage.getItem('sash-token')"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
