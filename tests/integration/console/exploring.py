"""Tests of the console: what an analyst looks for in results. analyst_test.py runs them."""
import pathlib
from typing import TYPE_CHECKING

from sashd_process import await_that

if TYPE_CHECKING:
    from analyst_test import AnalystTest


class Exploring:
    """Tests for a class with `sashd`, `page()` and the assertions of unittest."""

    def test_the_past_of_a_vertex_that_no_list_has_comes_from_the_vectors(self: "AnalystTest"):
        # Below the list, and staying in the window: vertices of episodes have other names.
        rows = await_that(lambda: self.sashd.json(
            "/api/v1/jobs/ranks/results/latest?top=100000").get("top"))
        key = next(row["vertex"] for row in rows[60:] if row["vertex"][0] == "v")
        page = self.page().open(f"/#window=recent&job=ranks&vertex={key}")
        page.until("(key) => document.querySelector('.past figcaption')?.textContent.startsWith("
                   "`${key} has a rank in `)", key)
        page.page.get_by_role("group", name="What is drawn").get_by_text("Score").click()
        page.until("(key) => document.querySelector('.past figcaption').textContent.startsWith("
                   "`${key} has a score in `)", key)
        self.assertTrue(await_that(lambda: self.compared_places(page, key) > 1))
        self.assertEqual((page.complaints, page.foreign), ([], []))

    def compared_places(self: "AnalystTest", page, key: str) -> int:
        """Compares what the plot says of the ranks of a vertex with the history. Returns the number
        of results that both still know: those of a page that is behind may have left meanwhile."""
        # All at once: the next result adds a place.
        shown = page.page.evaluate("""() => [...document.querySelectorAll(".past circle")]
          .map((place) => place.textContent)""")
        known = {row["window_end"][11:19]: row for row in self.sashd.json(
            f"/api/v1/jobs/ranks/history?limit=1000&key={key}")["results"]}
        compared = 0
        for told in shown:
            row = known.get(told.split()[1])
            if row is None or row["rank"] is None or " rank " not in told:
                continue
            self.assertIn(f"rank {row['rank']}, ", told)
            self.assertAlmostEqual(float(told.split(", ")[1]) / row["score"], 1, delta=0.01)
            compared += 1
        return compared

    def test_typing_offers_the_keys_that_begin_so(self: "AnalystTest"):
        page = self.page().open("/#window=recent&job=ranks")
        page.until("document.querySelectorAll('.ranking tbody tr').length > 3")
        page.page.locator(".search input").fill("v1")
        page.until("""[...document.querySelectorAll("#listed-keys option")].length > 5 &&
          [...document.querySelectorAll("#listed-keys option")]
            .every((option) => option.value.startsWith("v1"))""")
        offered = page.page.evaluate(
            '[...document.querySelectorAll("#listed-keys option")].map((each) => each.value)')
        self.assertEqual(offered, sorted(offered, key=str.encode))
        self.assertEqual((page.complaints, page.foreign), ([], []))

    def test_all_rows_are_there_page_by_page_and_as_a_file(self: "AnalystTest"):
        page = self.page().open("/#window=recent&job=ranks")
        page.until("document.querySelectorAll('.ranking tbody tr').length > 3")
        page.page.get_by_role("button", name="Show all rows of ranks").click()
        page.until("document.querySelectorAll('.rows tbody tr').length === 100")
        # The page stays, and is named rightly, until the next one is there.
        held = []
        page.page.route("**/*offset=100*", lambda route: held.append(route))
        page.page.get_by_role("button", name="Next", exact=True).click()
        page.page.wait_for_timeout(200)
        self.assertEqual(len(held), 1)
        self.assertRegex(page.page.locator(".rows .title p[role=status]").text_content(),
                         "^1 to 100 of ")
        for each in held:
            each.continue_()
        page.page.unroute("**/*offset=100*")
        page.until("document.querySelector('.rows tbody td')?.textContent === '101'")
        # The next page may be of a result with more rows; then the last one is further on. All is
        # read at once, because a later result has other rows.
        told, ranks, is_last = page.until("""(() => {
          const told = document.querySelector(".rows .title p[role=status]")?.textContent ?? "";
          const [, last, all] = /to ([\\d,]+) of ([\\d,]+) rows/.exec(told) ?? [];
          const buttons = [...document.querySelectorAll(".rows .actions button")];
          const named = (name) => buttons.find((button) => button.textContent === name);
          if (last && last === all) {
            const cells = [...document.querySelectorAll(".rows tbody td:first-child")];
            return [told, cells.map((cell) => cell.textContent), named("Next").disabled];
          }
          named("Last")?.click();
          return false;
        })()""")
        self.assertRegex(told, rf"^{ranks[0]} to {ranks[-1]} of {ranks[-1]} rows, window until ")
        self.assertTrue(is_last)
        with page.page.expect_download() as saved:
            page.page.get_by_role("link", name="CSV", exact=True).click()
        self.assertEqual(saved.value.suggested_filename, "ranks.csv")
        lines = pathlib.Path(saved.value.path()).read_text().splitlines()
        self.assertEqual(lines[0], "vertex,rank,score")
        self.assertGreater(len(lines), 200)
        self.assertEqual((page.complaints, page.foreign), ([], []))

    def test_a_job_is_paused_resumed_and_run_with_its_buttons(self: "AnalystTest"):
        # Before the first advance of its window a job has nothing to run on.
        self.assertTrue(await_that(lambda: self.sashd.json("/api/v1/jobs/sizes")["runs"] > 0))
        page = self.page().open("/#window=recent&job=ranks&sheet=operations")
        row = page.page.locator(".jobs tbody tr").filter(has_text="sizes")
        row.get_by_role("button", name="Pause sizes").click()
        page.until("[...document.querySelectorAll('.jobs tbody tr')].some((tr) => "
                   "tr.textContent.includes('sizes') && tr.textContent.includes('paused'))")
        self.assertTrue(self.sashd.json("/api/v1/jobs/sizes")["paused"])
        row.get_by_role("button", name="Resume sizes").click()
        row.get_by_role("button", name="Pause sizes").wait_for()
        self.assertFalse(self.sashd.json("/api/v1/jobs/sizes")["paused"])
        row.get_by_role("button", name="Run now sizes").click()
        page.until("document.querySelector('.jobs [role=status]').textContent"
                   " === 'sizes was asked to run.'")
        self.assertEqual((page.complaints, page.foreign), ([], []))

    def test_two_results_are_compared_row_by_row(self: "AnalystTest"):
        page = self.page().open("/#window=recent&job=ranks")
        page.until("document.querySelectorAll('.past, .ranking tbody tr').length > 3")
        page.until("!document.querySelector('.comparison button').disabled")
        page.page.get_by_role("button", name="Compare two results").click()
        second = page.page.get_by_role("group", name="B", exact=True)
        second.get_by_role("combobox").select_option("unusual")
        slider = second.get_by_role("slider")
        page.until("Number(document.querySelectorAll('.slider input')[1].max) > 1")
        newest = slider.get_attribute("aria-valuetext")
        slider.press("Home")  # the oldest of the kept results
        page.until("(newest) => document.querySelectorAll('.slider input')[1]"
                   ".getAttribute('aria-valuetext') !== newest", newest)
        page.until("document.querySelectorAll('.comparison tbody tr').length >= 30")
        rows = page.page.evaluate("""() => [...document.querySelectorAll(".comparison tbody tr")]
          .map((tr) => [...tr.children].map((cell) => cell.textContent))""")
        ends = page.page.locator(".comparison .hint").all_inner_texts()
        first, second = (next(
            {row["vertex"]: row for row in result["top"]}
            for result in self.sashd.json(f"/api/v1/jobs/{job}/results?limit=100&top=30")
            if result["window_end"][11:19] in end)
            for job, end in zip(("ranks", "unusual"), ends))
        self.assertEqual({row[0] for row in rows}, {*first, *second})
        none = {"rank": "–"}
        for vertex, here, there, *_, difference in rows:
            self.assertEqual([here, there], [str(each.get(vertex, none)["rank"])
                                             for each in (first, second)], vertex)
            if vertex in first and vertex in second:
                exact = first[vertex]["score"] - second[vertex]["score"]
                self.assertAlmostEqual(float(difference), exact, delta=abs(exact) * 0.01,
                                       msg=vertex)
        page.page.get_by_role("button", name="Close", exact=True).click()
        self.assertEqual((page.complaints, page.foreign), ([], []))
