"""Tests of the console: results that relate vertices (pairs, cycles), or that group them.

analyst_test.py runs them.
"""
import urllib.request
from typing import TYPE_CHECKING, Any

from sashd_process import PATIENCE_SECONDS, await_that

if TYPE_CHECKING:
    from analyst_test import AnalystTest

MOST_DRAWN = 30  # vertices of a picture of pairs or cycles

# A page of all rows and its picture, all at once.
ROWS = """() => {
  const texts = (at, all) => [...at.querySelectorAll(all)].map((each) => each.textContent);
  return {
    rows: [...document.querySelectorAll(".rows tbody tr")].map((tr) => ({
      place: tr.querySelector(".place").textContent,
      vertices: texts(tr, "button.vertex"),
      edges: tr.querySelector("td").textContent,
    })),
    drawn: texts(document, ".rows .node .name"),
    marked: document.querySelectorAll(".rows .lines .is-marked").length,
  };
}"""

# Circles with what they tell, and the colours of the sets in the list and in the picture.
CIRCLES = """() => {
  const style = (element) => getComputedStyle(element);
  const name = (button) => button.textContent;
  return {
    circles: [...document.querySelectorAll(".bubble")].map((each) => ({
      told: each.getAttribute("aria-label"),
      radius: Number(each.querySelector("circle").getAttribute("r")),
      colour: style(each.querySelector("circle")).stroke,
    })),
    colours: Object.fromEntries([...document.querySelectorAll(".ranking th button")].map(
      (each) => [name(each), style(each.querySelector(".hue")).backgroundColor])),
  };
}"""

MEMBERS = """() => ({
  told: document.querySelector(".members .hint")?.textContent ?? "",
  keys: [...document.querySelectorAll(".members tbody button")].map((each) => each.textContent),
})"""


class Relating:
    """Tests for a class with `sashd`, `page()` and the assertions of unittest."""

    def all_rows(self: "AnalystTest", window: str, job: str) -> Any:
        page = self.page().open(f"/#window={window}&job={job}")
        page.until("document.querySelectorAll('.unranked tbody tr').length > 1")
        page.page.get_by_role("button", name=f"Show all rows of {job}").click()
        page.until("document.querySelectorAll('.rows tbody tr').length > 1")
        return page

    def mark(self: "AnalystTest", page: Any, place: str) -> None:
        page.page.locator(".rows").get_by_role("button", name=place, exact=True).click()
        page.until("document.querySelectorAll('.rows .lines .is-marked').length > 0")

    def test_pairs_are_listed_page_by_page_and_drawn(self: "AnalystTest"):
        page = self.all_rows("recent", "arrivals")
        told = page.text(".rows .title p[role=status]")
        self.assertRegex(told, r"^1 to 100 of 250 rows, window until [\d:]+ UTC; the job lists the "
                               r"first 250 of [\d,]+ pairs \(top\)$")
        page.page.get_by_role("button", name="Next", exact=True).click()
        page.until("document.querySelector('.rows .place').textContent === '101'")
        first = page.page.evaluate(ROWS)
        listed = {vertex for row in first["rows"] for vertex in row["vertices"]}
        self.assertLessEqual(set(first["drawn"]), listed)
        self.assertTrue(2 < len(first["drawn"]) <= MOST_DRAWN, first["drawn"])
        self.mark(page, "180")
        shown = page.page.evaluate(ROWS)
        pair = next(row["vertices"] for row in shown["rows"] if row["place"] == "180")
        self.assertLessEqual(set(pair), set(shown["drawn"]))
        self.assertEqual(shown["marked"], 1)
        kept = self.sashd.json("/api/v1/jobs/arrivals/results?limit=60&top=250")
        self.assertIn(pair, [[row["source"], row["target"]] for result in kept
                             for row in result["top_edges"][179:180]])
        self.assertEqual((page.complaints, page.foreign), ([], []))
        node = page.page.locator(".rows .node").first  # its vertex may have left the window
        vertex = node.locator(".name").text_content()
        node.press("Enter")
        page.until("(vertex) => document.querySelector('.around h2')?.textContent === "
                   "`Around ${vertex}`", vertex)

    def test_cycles_are_drawn_with_the_marked_one_first(self: "AnalystTest"):
        page = self.all_rows("plain", "rings")
        rows = page.page.evaluate(ROWS)["rows"]
        for row in (rows[0], rows[-1]):
            self.mark(page, row["place"])
            page.until("(place) => document.querySelector('.rows .place[aria-pressed=true]')"
                       ".textContent === place", row["place"])
            shown = page.page.evaluate(ROWS)
            self.assertEqual(row["vertices"][0], row["vertices"][-1])
            self.assertEqual(str(shown["marked"]), row["edges"])
            self.assertEqual(len(row["vertices"]) - 1, shown["marked"])
            self.assertLessEqual(set(row["vertices"]), set(shown["drawn"]))
            self.assertLessEqual(len(shown["drawn"]), MOST_DRAWN)
        self.assertEqual((page.complaints, page.foreign), ([], []))

    def tell(self: "AnalystTest", job: str, action: str) -> None:
        request = urllib.request.Request(self.sashd.url(f"/api/v1/jobs/{job}/{action}"),
                                         method="POST")
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS):
            pass

    def held_result(self: "AnalystTest", job: str, least: int) -> Any:
        """A result with a set of so many members, which stays the newest one: the job is paused."""
        def held() -> Any:
            self.tell(job, "pause")
            await_that(lambda: not self.sashd.json(f"/api/v1/jobs/{job}")["running"])
            result = self.sashd.json(f"/api/v1/jobs/{job}/results/latest?top=20")
            if result["top"] and result["top"][0]["size"] >= least:
                return result
            self.tell(job, "resume")
            return None

        await_that(lambda: self.sashd.json(f"/api/v1/jobs/{job}")["runs"] > 0)
        self.addCleanup(self.tell, job, "resume")
        return await_that(held)

    def test_communities_are_circles_whose_members_are_shown(self: "AnalystTest"):
        result = self.held_result("islands", 150)
        page = self.page().open("/#window=recent&job=islands")
        page.until("document.querySelectorAll('.bubble').length > 1")
        shown = page.page.evaluate(CIRCLES)
        circles = sorted(shown["circles"], key=lambda each: -each["radius"])
        told = [each["told"] for each in circles]
        self.assertEqual(sorted(told), sorted(
            f"component {row['component']}, rank {row['rank']}, {row['size']:,} "
            f"member{'s' if row['size'] > 1 else ''}" for row in result["top"]))
        self.assertIn(", rank 1, ", told[0])
        self.assertGreater(circles[0]["radius"], 2 * circles[-1]["radius"])
        colour_of = {each["told"].split()[1].rstrip(","): each["colour"] for each in circles}
        self.assertEqual(colour_of, {key: shown["colours"][key] for key in colour_of})
        # The largest one has several pages of members.
        largest = result["top"][0]["component"]
        page.page.locator(f".bubble[aria-label^='component {largest},']").press("Enter")
        page.until("document.querySelectorAll('.members tbody tr').length === 100")
        self.assertRegex(page.page.evaluate(MEMBERS)["told"],
                         rf"^{result['top'][0]['size']:,} members of the component {largest}, "
                         r"window until [\d:]+ UTC; 1 to 100 by key\.$")
        page.until("(set) => location.hash.includes(`set=${set}`)", largest)
        keys = page.page.evaluate(MEMBERS)["keys"]
        page.page.get_by_role("button", name="Next members").click()
        page.until("document.querySelector('.members .hint')?.textContent.includes('; 101 to ')")
        keys += page.page.evaluate(MEMBERS)["keys"]
        known = self.sashd.json(f"/api/v1/jobs/islands/members?limit=200&set={largest}")
        self.assertEqual(keys, [member["vertex"] for member in known["members"]])
        self.assertEqual((page.complaints, page.foreign), ([], []))
        key = page.page.evaluate("""() => {  // it may leave the window
          const member = document.querySelector(".members tbody button");
          member.click();
          return member.textContent;
        }""")
        page.until("(key) => document.querySelector('.around h2')?.textContent === `Around ${key}`"
                   " && location.hash.includes(`vertex=${key}`)", key)
        page.page.locator(".members").get_by_role("button", name="Close").click()
        page.until("!document.querySelector('.members') && !location.hash.includes('set=')")
