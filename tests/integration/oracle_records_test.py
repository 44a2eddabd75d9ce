"""Tests what the oracle reads of records: examples worked out by hand."""
import json
import unittest

from oracle import csv_rows, records, times
from oracle.configuration import from_document
from oracle.records import Event, Refused


class RecordsTest(unittest.TestCase):
    def decode(self, *lines: bytes, **mapping) -> list:
        stream = from_document({
            "source": {"replay": {"path": "-"}, "time": {"unit": "ms"}, "format": {
                "json": {"source": "/s", "target": "/t", "time": "/ts", "weight": "/w",
                         "operation": "/op"}, **mapping}},
            "windows": []}).stream
        places = (records.Place("replay", 0, offset) for offset in range(len(lines)))
        return list(records.decode_json(zip(places, lines), stream))

    def test_the_whole_record_is_validated(self):
        good = b'{"s":"a","t":"b","ts":5}'
        for bad in (b"", b"{", b'{"s":"a","t":"b","ts":5,"x":NaN}', b'{"s":"","t":"b","ts":5}',
                    b'{"s":1.0,"t":"b","ts":5}', b'{"s":true,"t":"b","ts":5}',
                    b'{"s":"a","t":"b"}',
                    b'{"s":"a","t":"b","ts":"now"}',
                    b'{"s":"a","t":"b","ts":5,"w":"one"}', b'{"s":"a","t":"b","ts":5,"w":[1]}',
                    b'{"s":"a","t":"b","ts":5,"op":"ADD"}',
                    b'{"s":"\xff","t":"b","ts":5}', b'{"s":"\\ud800","t":"b","ts":5}'):
            first, second = self.decode(bad, good)
            self.assertIsInstance(first, Refused, bad)
            self.assertEqual(second.offset, 1)

    def test_a_change_of_a_row_removes_what_was_before_it_and_adds_what_is_after_it(self):
        stream = from_document({
            "source": {"replay": {"path": "-"}, "time": {"unit": "s"}, "format": {"json": {
                "unwrap": "debezium", "source": "/s", "target": "/t", "time": "$record/at",
                "type": "row"}}},
            "windows": [{"name": "w", "length": "1s", "slide": "1s", "where": "/s == 'c'"}]}).stream
        before, after = {"s": "a", "t": "b"}, {"s": "c", "t": "d"}
        changes = [{"op": "c", "before": None, "after": after, "at": 1},
                   {"op": "u", "before": before, "after": after, "at": 2},
                   {"op": "d", "before": before, "after": None, "at": 3},
                   {"op": "u", "before": {"s": "a"}, "after": after, "at": 4},
                   {"op": "d", "before": None, "after": None, "at": 5}]
        found = list(records.decode_json(
            ((records.Place("t", 0, offset), json.dumps(change).encode())
             for offset, change in enumerate(changes)), stream))
        self.assertEqual([(each.offset, each.place, each.operation, each.source, each.type,
                           bool(each.judged)) for each in found if isinstance(each, Event)],
                         [(0, 0, "add", "c", "row", True), (1, 0, "remove", "a", "row", True),
                          (1, 1, "add", "c", "row", True), (2, 0, "remove", "a", "row", False)])
        self.assertEqual([each.offset for each in found if isinstance(each, Refused)], [3, 4])

    def test_types_are_words_or_fields_of_text_or_integers(self):
        line = b'{"s":"a","t":"b","ts":5,"kind":%s}'
        for kind, expected in ((b'"x"', "x"), (b"7", "7"), (b"null", None), (b'""', None)):
            event, = self.decode(line % kind, json={
                "source": "/s", "target": "/t", "time": "/ts", "type": "/kind"})
            self.assertEqual(event.type, expected)
        for kind in (b"1.5", b"true", b"[]", b'"%s"' % (b"x" * 256)):
            refused, = self.decode(line % kind, json={
                "source": "/s", "target": "/t", "time": "/ts", "type": "/kind"})
            self.assertIsInstance(refused, Refused)

    def test_null_weights_and_operations_are_absent(self):
        event, = self.decode(b'{"s":"a","t":"b","ts":5.5,"w":null,"op":null}')
        self.assertEqual((event.time, event.weight, event.operation), (5_500_000, 1, "add"))

    def test_an_integer_is_a_key_and_a_weight_may_be_text_or_beyond_64_bits(self):
        first, second = self.decode(b'{"s":7,"t":-0,"ts":5,"w":"12"}',
                                    b'{"s":"a","t":"b","ts":5,"w":9223372036854775809}')
        self.assertEqual((first.source, first.target, first.weight), ("7", "0", 12))
        self.assertEqual((type(second.weight), second.weight), (float, 9223372036854775808.0))

    def test_remove_vertex_needs_no_target_but_a_valid_weight(self):
        first, second = self.decode(b'{"s":"a","ts":5,"op":"remove_vertex"}',
                                    b'{"s":"a","ts":5,"op":"remove_vertex","w":true}')
        self.assertEqual(first.operation, "remove_vertex")
        self.assertIsInstance(second, Refused)

    def test_csv_rows_as_in_rfc_4180(self):
        content = b'a,b\r\n\n"x, ""y""\nz",2\nplain,"",\n"bad"x,1\nlast,\xff'
        self.assertEqual([row.fields for row in csv_rows.rows(content, b",")], [
            [b"a", b"b"], [b'x, "y"\nz', b"2"], [b"plain", b"", b""], None, [b"last", b"\xff"]])

    def test_times_go_there_and_back(self):
        for text in ("2026-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999999999Z",
                     "2000-02-29T12:00:00.000001Z"):
            self.assertEqual(times.to_text(times.from_result(text)), text)
        self.assertEqual(times.parse_rfc3339("2026-01-01T01:00:00+01:00"),
                         times.parse_rfc3339("2026-01-01T00:00:00Z"))


if __name__ == "__main__":
    unittest.main()
