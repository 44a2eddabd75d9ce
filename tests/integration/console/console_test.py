#!/usr/bin/env python3
"""The web console, every view with live data, as a user with a browser sees it.

SASHD and SASH_GENERATE name the programs; Chromium is searched in the PATH.
"""
import json
import pathlib
import re
import socket
import subprocess
import sys
import unittest
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from node_packages import installed  # noqa: E402

from console_page import (JOBS, NARROW, PATIENCE_MS, STREAM, WIDE, Browser, Page, Sashd,
                          configuration, protected, start)

CONSOLE = pathlib.Path(__file__).resolve().parents[3] / "daemon/console"
FOR_ANALYSTS = (".ranking", ".picture", ".search")
FOR_OPERATORS = (".figures", ".timeline", ".jobs", ".records")
MOST_SHIFT = 0.05  # of the page's own movement, where 0.1 counts as good
LEAST_CONTRAST = 4.5  # WCAG AA, for text of usual size

# Text with too little contrast to its background.
FAINT = """(least) => {
  const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (element) => {
    for (; element; element = element.parentElement) {
      const [r, g, b, a = 1] = parse(getComputedStyle(element).backgroundColor);
      if (a === 1 && b !== undefined) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || element.closest("svg, .sr, .skip, dialog, noscript, script, option")) continue;
    const [one, two] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (ratio < least) {
      faint.push(`${ratio.toFixed(2)} ${element.className} ${element.textContent}`);
    }
  }
  return faint;
}"""

# Content that a narrow screen cuts off: text outside the screen, or outside its parent element.
CUT_OFF = """() => {
  const cut = [];
  for (const e of document.querySelectorAll("main *, header *, footer *")) {
    if (e.closest("svg, .sr, .skip, .pick > span, thead, option, datalist, .uplot")) continue;
    const text = `${e.localName}.${e.className}: ${e.textContent.slice(0, 60)}`;
    if (getComputedStyle(e).overflowX !== "visible" && e.scrollWidth > e.clientWidth + 1) {
      cut.push(`${e.scrollWidth} in ${e.clientWidth} px: ${text}`);
    }
    const box = e.getBoundingClientRect();
    if (box.width > 0 && (box.left < -1 || box.right > innerWidth + 1)) {
      cut.push(`from ${box.left} to ${box.right} px: ${text}`);
    }
  }
  return cut;
}"""

# Violations found by axe, the common accessibility checker.
FAULTS = """async () => (await axe.run()).violations.map(({ id, impact, nodes }) =>
  `${id} (${impact}): ${nodes.map((n) => `${n.html.slice(0, 120)} ${n.any[0]?.message ?? ""}`)}`)"""

# The vertices in the first row, all at once: it may belong to the next result a moment later.
FIRST_ROW = """() => [...document.querySelectorAll(
    ".unranked tbody tr:first-child button.vertex")]
  .map((button) => button.textContent)"""

# Controls without a name.
NAMELESS = """() => [...document.querySelectorAll(
    "button, select, input, a, [role=button], [role=img], [role=region], progress")]
  .filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label")
    || e.getAttribute("aria-labelledby") || e.labels?.[0]?.textContent.trim()))
  .map((e) => e.outerHTML)"""


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


class ConsoleTest(unittest.TestCase):
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

    def test_everything_is_reached_with_the_keyboard(self):
        page = self.page().open().settled()
        self.assertLessEqual({"header", "ranking", "picture", "search", "footer"},
                             self.reached(page))
        page.page.keyboard.press("o")
        page.wait(".slices")
        self.assertLessEqual({"header", "timeline", "jobs", "footer"}, self.reached(page))
        page.page.locator(".slices").focus()
        page.page.keyboard.press("ArrowLeft")
        page.until("/\\d\\d:\\d\\d:\\d\\d.*UTC: .*events?, /.test("
                   "document.querySelector('.reading p').textContent)")
        page.page.evaluate("document.activeElement.blur()")
        page.page.keyboard.press("/")
        page.until("document.activeElement.closest('.search') !== null")
        page.page.evaluate("document.activeElement.blur()")
        page.page.keyboard.press("?")
        page.wait("dialog[open]")
        page.page.keyboard.press("Escape")
        page.until("!document.querySelector('dialog[open]') && "
                   "!document.activeElement.closest('dialog')")  # keys in a dialog are its own
        page.page.keyboard.press("j")
        page.until("document.querySelector('.ranking .aside').textContent.startsWith('bfs')")
        self.assertEqual(page.page.evaluate(NAMELESS), [])
        self.assert_quiet(page)

    def reached(self, page: Page) -> set[str]:
        """The parts of the page that Tab reaches; the focus must be seen at each of its stops."""
        page.page.evaluate("document.activeElement.blur()")
        reached = []
        for _ in range(300):
            page.page.keyboard.press("Tab")
            focus = page.page.evaluate("""() => {
              const e = document.activeElement;
              if (!e || e === document.body) return null;
              const style = getComputedStyle(e), ring = e.querySelector?.("circle");
              const seen = style.outlineStyle !== "none" ||
                  (ring && getComputedStyle(ring).strokeWidth === "4px");
              const room = e.closest("section, header, footer");
              return [[...room?.classList ?? []].at(-1) ?? room?.localName ?? "top",
                      e.textContent.trim() || e.getAttribute("aria-label") || e.localName,
                      Boolean(seen)];
            }""")
            if focus is None:
                continue  # the page's end, or a vertex that has just left
            if focus in reached and focus[1] == "Skip to content":
                break
            reached.append(focus)
            self.assertTrue(focus[2], f"the focus cannot be seen: {focus}")
        return {room for room, _, _ in reached}

    def test_dark_and_light_are_both_legible_and_kept(self):
        axe = (installed(CONSOLE, "console") / "node_modules/axe-core/axe.min.js").read_text()
        page = self.page().open("/#window=last-20s&job=influencers&vertex=v0").settled()
        page.page.evaluate(axe)
        grounds = {}
        for scheme in ("dark", "light"):
            page.show_in(scheme)
            grounds[scheme] = page.page.evaluate("getComputedStyle(document.body).backgroundColor")
            self.assertEqual(page.page.evaluate(FAINT, LEAST_CONTRAST), [], scheme)
        self.assertNotEqual(grounds["dark"], grounds["light"])
        self.assert_axe_finds_no_fault(page)
        page.operations()
        for scheme in ("dark", "light"):
            page.show_in(scheme)
            self.assertEqual(page.page.evaluate(FAINT, LEAST_CONTRAST), [], scheme)
        self.assert_axe_finds_no_fault(page)
        page.analysis()
        page.page.get_by_role("combobox", name="Window").select_option("last-4s")
        page.page.get_by_role("combobox", name="Job", exact=True).select_option("arrivals")
        page.wait(".unranked")
        self.assert_axe_finds_no_fault(page)
        page.show_in("light")
        page.page.keyboard.press("t")
        page.until("document.documentElement.dataset.theme === 'dark'")
        page.page.reload()
        page.until("document.documentElement.dataset.theme === 'dark'")
        self.assert_quiet(page)

    def assert_axe_finds_no_fault(self, page: Page) -> None:
        for scheme, size in (("dark", WIDE), ("light", WIDE), ("light", NARROW)):
            page.show_in(scheme, size)
            self.assertEqual(page.page.evaluate(FAULTS), [], (scheme, size))

    def test_new_edges_show_their_pairs(self):
        page = self.page().open("/#window=last-4s&job=arrivals")
        page.until("document.querySelectorAll('.unranked tbody tr').length > 3")
        shown = page.page.evaluate(FIRST_ROW)
        pairs = [(pair["source"], pair["target"]) for result in
                 self.sashd.json("/api/v1/jobs/arrivals/results?limit=60")
                 for pair in result["top_edges"]]
        self.assertIn(tuple(shown), pairs)
        self.assert_quiet(page)

    def test_new_cycles_show_their_vertices(self):
        page = self.page().open("/#window=last-4s&job=rings")
        page.until("document.querySelectorAll('.unranked tbody tr').length > 1")
        shown = page.page.evaluate(FIRST_ROW)
        cycles = [cycle["vertices"] for result in
                  self.sashd.json("/api/v1/jobs/rings/results?limit=60")
                  for cycle in result["top_cycles"]]
        self.assertEqual(shown[0], shown[-1])
        self.assertIn(shown[:-1], cycles)
        self.assert_quiet(page)

    def test_paths_show_their_vertices(self):
        page = self.page().open("/#window=last-4s&job=chains")
        page.until("document.querySelectorAll('.unranked tbody tr').length > 0")
        shown = page.page.evaluate(FIRST_ROW)
        paths = [path["vertices"] for result in
                 self.sashd.json("/api/v1/jobs/chains/results?limit=60")
                 for path in result["top_paths"]]
        self.assertIn(shown, paths)
        self.assert_quiet(page)

    def test_features_of_pairs_are_shown_in_a_table(self):
        page = self.page().open("/#window=last-4s&job=features")
        page.until("document.querySelectorAll('.unranked tbody tr').length > 0")
        cells = page.page.evaluate(
            "[...document.querySelectorAll('.unranked tbody tr:first-child td')]"
            ".map((cell) => cell.textContent)")
        rows = [[row["source"], row["target"], str(row["intermediates"])] for result in
                self.sashd.json("/api/v1/jobs/features/results?limit=60")
                for row in result["top_features"]]
        self.assertIn([*cells[:2], cells[-1]], rows)
        self.assert_quiet(page)

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

    def test_a_narrow_screen_shows_all_of_it(self):
        page = self.page(viewport=NARROW, has_touch=True).open().settled()
        self.assertLessEqual(page.page.evaluate("document.documentElement.scrollWidth"), 360)
        self.assert_on_screen(page, FOR_ANALYSTS)
        page.operations()
        self.assert_on_screen(page, FOR_OPERATORS)
        self.assertLessEqual(page.page.evaluate("document.documentElement.scrollWidth"), 360)
        self.assertEqual(page.page.evaluate(CUT_OFF), [])
        page.analysis().settled()
        page.page.locator(".search input").fill(page.text(".ranking tbody th button"))
        page.page.keyboard.press("Enter")
        page.wait(".past figcaption")
        self.assertEqual(page.page.evaluate(CUT_OFF), [])
        self.assert_quiet(page)

    def assert_on_screen(self, page: Page, sections: tuple[str, ...]) -> None:
        for section in sections:
            box = page.page.locator(section).bounding_box()
            self.assertGreaterEqual(box["x"], 0, section)
            self.assertLessEqual(box["x"] + box["width"], 360, section)

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
        # Like after a restart with another token; a header that says Basic would open the browser's
        # own dialog, which the test does not answer.
        page.page.evaluate(f"sessionStorage.setItem('sash-token', '{'x' * 30}')")
        page.wait("dialog[open] input").fill(protected.ADMIN)
        page.page.keyboard.press("Enter")
        page.page.wait_for_selector("dialog[open]", state="detached")
        page.until("document.querySelector('.link-live') != null")
        self.assertEqual(page.page.evaluate("sessionStorage.getItem('sash-token')"),
                         protected.ADMIN)


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
