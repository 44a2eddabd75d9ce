"""Tests of the console: whether everyone can read and reach all of it.

console_test.py runs them.
"""
from typing import TYPE_CHECKING

from node_packages import installed

from console_page import CONSOLE, FOR_ANALYSTS, FOR_OPERATORS, NARROW, WIDE, Page

if TYPE_CHECKING:
    from console_test import ConsoleTest

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

# Controls without a name.
NAMELESS = """() => [...document.querySelectorAll(
    "button, select, input, a, [role=button], [role=img], [role=region], progress")]
  .filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label")
    || e.getAttribute("aria-labelledby") || e.labels?.[0]?.textContent.trim()))
  .map((e) => e.outerHTML)"""


class Legible:
    """Tests for a class with `page()`, `assert_quiet()` and the assertions of unittest."""

    def test_everything_is_reached_with_the_keyboard(self: "ConsoleTest"):
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

    def reached(self: "ConsoleTest", page: Page) -> set[str]:
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

    def test_dark_and_light_are_both_legible_and_kept(self: "ConsoleTest"):
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

    def assert_axe_finds_no_fault(self: "ConsoleTest", page: Page) -> None:
        for scheme, size in (("dark", WIDE), ("light", WIDE), ("light", NARROW)):
            page.show_in(scheme, size)
            self.assertEqual(page.page.evaluate(FAULTS), [], (scheme, size))

    def test_a_narrow_screen_shows_all_of_it(self: "ConsoleTest"):
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

    def assert_on_screen(self: "ConsoleTest", page: Page, sections: tuple[str, ...]) -> None:
        for section in sections:
            box = page.page.locator(section).bounding_box()
            self.assertGreaterEqual(box["x"], 0, section)
            self.assertLessEqual(box["x"] + box["width"], 360, section)
