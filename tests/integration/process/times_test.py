"""Files as other systems write them: each record is an edge in the window of its time."""
import unittest
from typing import Any

from sashd_process import Ended, replay, run

EDGES = {"name": "edges", "kernel": "window", "window": "w"}


class TimesTest(unittest.TestCase):
    def run_rows(self, rows: str, mapping: dict[str, Any], time: dict[str, Any]) -> Ended:
        ended = run(replay(format=mapping, time={"disorder": "0s", **time}, jobs=[EDGES],
                           dead_letters={"path": "letters"},
                           windows=[{"name": "w", "length": "1h", "slide": "1h"}]), rows.encode())
        self.assertEqual(ended.code, 0, ended.log)
        return ended

    def hours(self, ended: Ended) -> dict[str, int]:
        """The edges by the hour in which they are."""
        return {result["window_start"][:13]: result["edges"]
                for result in ended.lines("results.jsonl") if result["edges"]}

    def test_suricata_writes_offsets_without_a_colon(self):
        ended = self.run_rows(
            '{"timestamp":"2024-09-24T23:03:00.597629+0000","src":"a","dest":"b"}\n'
            '{"timestamp":"2024-09-25T02:03:01.1+0200","src":"b","dest":"c"}\n'
            '{"timestamp":"24 September","src":"b","dest":"c"}\n',
            {"json": {"source": "/src", "target": "/dest", "time": "/timestamp"}},
            {"unit": "iso8601"})
        self.assertEqual(self.hours(ended), {"2024-09-24T23": 1, "2024-09-25T00": 1})
        letter, = ended.lines("letters")
        self.assertEqual(letter["reason"], "invalid_time")
        self.assertIn('"24 September" is not ISO 8601, as in 2026-01-31T08:15:00.250Z or',
                      letter["detail"])

    def test_call_records_have_date_and_time_in_two_columns(self):
        ended = self.run_rows(
            "caller,date,time,called\n"
            "a,28.03.2026,23:59:59,b\na,29.03.2026,01:30:00,b\na,29.03.2026,02:30:00,b\n"
            "a,29.03.2026,03:30:00,b\na,25.10.2026,02:30:00,b\na,25.10.2026,,b\n",
            {"csv": {"source": "caller", "target": "called", "time": {
                "from": ["date", "time"], "join": " ", "format": "%d.%m.%Y %H:%M:%S",
                "zone": "Europe/Berlin"}}}, {"disorder": "1d"})
        # 02:30 on 29 March was skipped: it is 03:30. On 25 October there were two: it is the first.
        self.assertEqual(self.hours(ended), {"2026-03-28T22": 1, "2026-03-29T00": 1,
                                             "2026-03-29T01": 2, "2026-10-25T00": 1})
        letter, = ended.lines("letters")
        self.assertEqual(letter["reason"], "missing_field")
        self.assertIn('time (column "time") is empty', letter["detail"])

    def test_payments_of_ibm_have_slashes_and_no_seconds(self):
        ended = self.run_rows(
            "2022/09/01 00:20,10,A,11,B\n2022/09/01 01:00,10,A,12,C\n2022-09-01 01:00,10,A,12,C\n",
            {"csv": {"source": 3, "target": 5, "time": 1}},
            {"format": "%Y/%m/%d %H:%M", "zone": "UTC"})
        self.assertEqual(self.hours(ended), {"2022-09-01T00": 1, "2022-09-01T01": 1})
        letter, = ended.lines("letters")
        self.assertIn('"2022-09-01 01:00" does not fit (format %Y/%m/%d %H:%M, as in 2026/01/31 '
                      "20:15)", letter["detail"])

    def test_paysim_counts_hours(self):
        ended = self.run_rows(
            "step,nameOrig,nameDest\n1,C1,C2\n1,C2,M3\n30,C1,M3\nsoon,C1,M3\n",
            {"csv": {"source": "nameOrig", "target": "nameDest", "time": "step"}},
            {"unit": "1h", "base": "2026-01-01T00:00:00Z"})
        self.assertEqual(self.hours(ended), {"2026-01-01T01": 2, "2026-01-02T06": 1})
        self.assertEqual([letter["reason"] for letter in ended.lines("letters")], ["invalid_time"])

    def test_gdelt_writes_digits_and_others_write_numbers_as_text(self):
        mapping = {"json": {"source": "/s", "target": "/t", "time": "/at"}}
        ended = self.run_rows('{"s":"a","t":"b","at":20260101123000}\n'
                              '{"s":"a","t":"c","at":"20260101133000"}\n', mapping,
                              {"format": "%Y%m%d%H%M%S", "zone": "UTC"})
        self.assertEqual(self.hours(ended), {"2026-01-01T12": 1, "2026-01-01T13": 1})
        ended = self.run_rows('{"s":"a","t":"b","at":"1767268800"}\n'
                              '{"s":"a","t":"c","at":1767268800.0}\n', mapping, {"unit": "s"})
        self.assertEqual(self.hours(ended), {"2026-01-01T12": 2})


if __name__ == "__main__":
    unittest.main()
