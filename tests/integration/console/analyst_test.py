#!/usr/bin/env python3
"""The web console as an analyst uses it: one vertex, and what is around it.

SASHD and SASH_GENERATE name the programs; Chromium is searched in the PATH.
"""
import json
import pathlib
import re
import sys
import unittest
import urllib.request
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from node_packages import installed  # noqa: E402

from console_page import CONSOLE, STREAM, Browser, Page, Sashd
from exploring import Exploring
from legible import CUT_OFF, FAULTS
from relating import Relating
from sashd_process import PATIENCE_SECONDS, await_that, live

WINDOWS = [{"name": "recent", "length": "10s", "slide": "1s", "live": True},
           {"name": "plain", "length": "4s", "slide": "1s"}]
JOBS = [{"name": "ranks", "kernel": "pagerank", "window": "recent", "top": 30,
         "keep_vectors": 20},
        {"name": "unusual", "kernel": "pagerank", "window": "recent", "top": 30,
         "baseline": {"results": 3}, "order": "surprise"},
        {"name": "arrivals", "kernel": "new_edges", "window": "recent", "top": 250},
        {"name": "sizes", "kernel": "degree", "window": "plain"},
        {"name": "rings", "kernel": "cycles", "window": "plain", "top": 120,
         "parameters": {"max_length": 3}},
        {"name": "circles", "kernel": "wcc", "window": "recent"},
        {"name": "islands", "kernel": "scc", "window": "recent"}]
ALERTS = [{"name": "leads", "job": "ranks", "on": "row", "where": "rank <= 2",
           "text": "{vertex} has rank {rank}", "to": ["log"]}]
MAPPINGS = [{"name": "calls",
             "json": {"source": "/from", "target": "/to", "time": "/ts", "type": "sent"}},
            {"name": "answers", "where": "/ts % 2 == 0",
             "json": {"source": "/to", "target": "/from", "time": "/ts", "type": "answered"}}]
DEGREE = "document.querySelector('[data-degree=out]')?.textContent"
CSS_DASHES = """() => Object.fromEntries([...document.querySelectorAll(".types li")].map((li) =>
  [li.textContent.trim(), getComputedStyle(li.querySelector("path")).strokeDasharray]))"""


def configuration() -> dict[str, Any]:
    document = live(windows=WINDOWS, jobs=JOBS, alerts=ALERTS, http={"listen": "127.0.0.1:0"})
    del document["source"]["format"]
    document["source"]["mappings"] = MAPPINGS
    return document


def faults_in(*selectors: str) -> str:
    """FAULTS of parts of the page; console_test looks at the whole page."""
    include = json.dumps([[selector] for selector in selectors])
    return FAULTS.replace("axe.run()", f"axe.run({{ include: {include} }})")


class AnalystTest(Exploring, Relating, unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.sashd = Sashd(configuration())
        cls.sashd.start()
        cls.addClassCleanup(cls.sashd.__exit__)
        cls.sashd.generate(*STREAM)
        cls.url = cls.sashd.url("")

    def page(self, **options: Any) -> Page:
        page = self.browser.page(self.url, **options)
        self.addCleanup(page.__exit__)
        return page

    def test_the_charts_begin_before_the_page_was_opened(self):
        await_that(lambda: len(self.sashd.json("/api/v1/stream/past")["samples"]) > 8)
        page = self.page()
        looks: list[str] = []

        def once(route: Any) -> None:
            looks.append(route.request.url)
            route.continue_() if len(looks) == 1 else route.abort()

        page.page.route(re.compile("/api/v1/source$"), once)
        page.open("/#window=recent&job=ranks&sheet=operations")
        # The page itself would need three looks at the source.
        page.until(
            "/^[1-9]/.test(document.querySelector('[data-figure=rate] .value')?.textContent ?? '')")

    def test_neighbours_are_those_of_the_published_window_or_live(self):
        page = self.page().open("/#window=recent&job=ranks")
        page.wait(".ranking tbody button").first.click()
        page.until("document.querySelectorAll('.around tbody button').length > 5")
        vertex = page.text(".around h2").removeprefix("Around ")
        asked: list[str] = []
        page.page.on("request", lambda request: asked.append(request.url))
        page.page.get_by_role("button", name="Live", exact=True).click()
        page.until("document.querySelector('.around .aside').textContent.includes('every event')")
        for _ in range(2):
            page.until(f"(before) => {DEGREE} !== before", page.page.evaluate(DEGREE))
        views = [url for url in asked if f"key={vertex}" in url and "view=live" in url]
        self.assertGreater(len(views), 1, asked)
        page.page.get_by_role("button", name="Published", exact=True).click()
        page.until("!document.querySelector('.around .aside').textContent.includes('every event')")
        self.assertEqual((page.complaints, page.foreign), ([], []))

    def test_a_window_without_a_live_view_says_so(self):
        page = self.page().open("/#window=plain&job=sizes&vertex=v0&view=live")
        told = page.wait(".around .absent").inner_text()
        self.assertIn("The window plain has no live view", told)
        self.assertIn("live: true", told)
        refused = page.complaints  # the browser logs each refused request
        self.assertTrue(all("422" in each or "404" in each for each in refused), refused)

    def test_types_of_edges_have_names_and_line_styles(self):
        page = self.page().open("/#window=recent&job=ranks")
        page.wait(".ranking tbody button").first.click()
        page.until("document.querySelectorAll('.types li').length === 2")
        dashes = page.page.evaluate(CSS_DASHES)
        self.assertEqual(set(dashes), {"answered", "sent"})
        self.assertNotEqual(dashes["answered"], dashes["sent"])
        page.wait(".picture .lines .is-near.type-0, .picture .lines .is-near.type-1")
        page.until("""["answered", "sent"].every((type) =>
            [...document.querySelectorAll(".around td")].some((td) =>
              td.textContent.trim() === type))""")
        page.page.get_by_role("combobox", name="Job", exact=True).select_option("arrivals")
        page.until("/sent|answered/.test("
                   "document.querySelector('.unranked tbody tr')?.textContent ?? '')")
        self.assertEqual((page.complaints, page.foreign), ([], []))

    def test_rows_with_a_baseline_show_what_is_unusual(self):
        page = self.page().open("/#window=recent&job=unusual")
        page.until("document.querySelectorAll('.compared tbody tr').length === 20")
        heads = page.page.locator(".compared thead th").all_inner_texts()
        self.assertEqual(heads[4:], ["Usual", "Ratio", "Rise", "Surprise"])
        self.assertRegex(page.text(".ranking .hint"),
                         r"^Compared with \d results? of unusual on recent, until [\d:]+ UTC\.$")
        # All cells at once: a moment later they may be those of the next result.
        shown = page.page.evaluate("""() => [...document.querySelectorAll(".compared tbody tr")]
          .map((tr) => [tr.querySelector("th").textContent, tr.lastChild.textContent])""")
        kept = [{row["vertex"]: row["surprise"] for row in result["top"]} for result in
                self.sashd.json("/api/v1/jobs/unusual/results?limit=60") if result.get("baseline")]
        self.assertTrue(any(all(vertex in rows and abs(float(text) / rows[vertex] - 1) < 0.01
                                for vertex, text in shown) for rows in kept), shown)
        self.assertEqual((page.complaints, page.foreign), ([], []))

    def test_from_an_alert_to_the_vertex_its_history_neighbours_and_circle_in_four_clicks(self):
        page = self.page().open("/#window=plain&job=sizes")
        told = page.page.locator(".alerts [aria-label='Latest messages of alerts'] tbody tr")
        page.until("document.querySelectorAll('.alerts tbody button').length > 3")
        self.assertEqual(page.page.locator(".alerts table").first.locator("tbody th")
                         .first.inner_text().split(), ["leads", "ranks"])
        # The first vertex stays; a hub in the second place may leave the window meanwhile.
        told.filter(has_text="has rank 1").first.locator("button").click()
        vertex = page.text(".around h2").removeprefix("Around ")
        page.until("location.hash.startsWith('#window=recent&job=ranks')")
        page.until("document.querySelectorAll('.past circle:not(.is-below)').length > 0")
        self.assertTrue(page.text(".past figcaption").startswith(vertex))
        page.until("document.querySelectorAll('.around tbody button').length > 2")  # neighbours
        page.page.get_by_role("button", name="Circle", exact=True).click()
        hint = page.until("document.querySelector('.circle .hint')?.innerText")
        self.assertRegex(hint, r"^[\d,]+ members of the component \S+, window until [\d:]+ UTC")
        keys = page.page.locator(".circle tbody button").all_inner_texts()
        self.assertEqual(keys, sorted(keys, key=str.encode))
        known = self.sashd.json("/api/v1/jobs/circles/members?limit=10000&key=" + vertex)
        self.assertIn(vertex, [member["vertex"] for member in known["members"]])
        page.page.get_by_role("button", name="Alerts", exact=True).click()
        self.assertRegex(page.wait(".around tbody tr >> nth=0").inner_text(),
                         f"{vertex} has rank [12]")
        page.until("location.hash.includes(`vertex=${encodeURIComponent('" + vertex + "')}`) "
                   "&& location.hash.endsWith('part=alerts')")
        self.assertEqual((page.complaints, page.foreign), ([], []))

    def change_alerts(self, method: str, path: str, body: Any = None) -> None:
        request = urllib.request.Request(
            self.sashd.url("/api/v1/alerts" + path), method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS):
            pass

    def test_the_first_alert_that_is_added_appears_in_an_open_page(self):
        self.change_alerts("DELETE", "/leads")
        try:
            page = self.page().open("/#window=recent&job=ranks")
            page.until("document.querySelectorAll('.ranking tbody tr').length > 3")
            self.assertEqual(page.page.locator(".alerts").count(), 0)
        finally:
            self.change_alerts("POST", "", ALERTS[0])
        self.assertEqual(page.wait(".alerts tbody th >> nth=0").inner_text().split(),
                         ["leads", "ranks"])
        self.assertEqual((page.complaints, page.foreign), ([], []))

    def test_a_narrow_screen_shows_each_part_and_axe_finds_no_fault(self):
        axe = (installed(CONSOLE, "console") / "node_modules/axe-core/axe.min.js").read_text()
        top = await_that(lambda: self.sashd.json("/api/v1/jobs/ranks/results/latest").get("top"))
        hub = top[0]["vertex"]
        for scheme in ("dark", "light"):
            page = self.page(color_scheme=scheme, viewport={"width": 390, "height": 800},
                             has_touch=True).open(f"/#window=recent&job=unusual&vertex={hub}")
            page.wait(".compared tbody tr >> nth=0")
            page.page.evaluate(axe)
            for part, shown in (("Neighbours", ".around tbody button"),
                                ("Circle", ".circle tbody button"), ("Alerts", ".around .scroll")):
                page.page.get_by_role("button", name=part, exact=True).click()
                page.until("(shown) => document.querySelector(shown)", shown)
                self.assertEqual(page.page.evaluate(faults_in(".around")), [], (scheme, part))
                self.assertEqual(page.page.evaluate(CUT_OFF), [], (scheme, part))
            page.page.get_by_role("button", name="Compare two results").click()
            page.wait(".comparison tbody tr >> nth=0")
            page.page.get_by_role("button", name="Show all rows of unusual").click()
            page.wait(".rows tbody tr >> nth=0")
            self.assertEqual(page.page.evaluate(faults_in(
                ".alerts", ".ranking", ".comparison", ".rows")), [], scheme)
            self.assertEqual(page.page.evaluate(CUT_OFF), [], scheme)
            for job, shown in (("arrivals", ".rows .node"), ("rings", ".rows .node"),
                               ("islands", ".members tbody button")):
                window = "plain" if job == "rings" else "recent"
                page.page.get_by_role("combobox", name="Window").select_option(window)
                page.page.locator(".ranking select").select_option(job)
                if job == "islands":
                    page.wait(".bubble >> nth=0").press("Enter")
                page.until("(shown) => document.querySelector(shown)", shown)
                page.until("document.querySelectorAll('.rows tbody tr').length > 1")
                parts = (".ranking", ".picture", ".rows", ".members")[:3 + (job == "islands")]
                self.assertEqual(page.page.evaluate(faults_in(*parts)), [], (scheme, job))
                self.assertEqual(page.page.evaluate(CUT_OFF), [], (scheme, job))


if __name__ == "__main__":
    unittest.main(verbosity=2)
