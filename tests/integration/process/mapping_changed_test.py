"""A checkpoint belongs to a mapping and to topics: with others it is not used silently."""
import http.client
import json
import struct
import unittest
import urllib.parse
from typing import Any

from sashd_process import Sashd, await_that, live

STATE = {"interval": "100ms"}
MAPPING_SECTION = 16
HEAD_BYTES, PLACE_BYTES = 32, 16


def stream(**more: Any) -> dict[str, Any]:
    return live(recovery="checkpoint", **{"state": STATE, **more})


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def without_mapping(manifest: bytes) -> bytes:
    """The manifest as a version wrote it that did not store the mapping
    (windows/durable/README.md has the format)."""
    count, = struct.unpack_from("<I", manifest, 20)
    places = [struct.unpack_from("<IIQ", manifest, HEAD_BYTES + PLACE_BYTES * i)
              for i in range(count)]
    at, kept, body = HEAD_BYTES + PLACE_BYTES * count + 8, [], b""
    for tag, crc, size in places:
        padded = size + -size % 8
        if tag != MAPPING_SECTION:
            kept.append((tag, crc, size))
            body += manifest[at:at + padded]
        at += padded
    size = HEAD_BYTES + PLACE_BYTES * len(kept) + 8 + len(body)
    fixed = manifest[16:20] + struct.pack("<IQ", len(kept), size)
    fixed += b"".join(struct.pack("<IIQ", *place) for place in kept)
    return manifest[:16] + fixed + struct.pack("<II", crc32c(fixed), 0) + body


class MappingChangedTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.sashd = Sashd(stream())
        cls.sashd.start()
        cls.addClassCleanup(cls.sashd.__exit__)
        cls.sashd.generate("--rate", "1000", "--scale", "6")
        cls.sashd.await_lines(2)
        written = cls.sashd.metric("sash_checkpoint_writes_total")
        await_that(lambda: cls.sashd.metric("sash_checkpoint_writes_total") > written + 1)
        cls.code = cls.sashd.stop()
        cls.checkpoint = {file.name: file.read_bytes()
                          for file in (cls.sashd.folder / "state").iterdir() if file.is_file()}

    def begin(self, document: dict[str, Any], manifest: bytes | None = None) -> None:
        """A start with the checkpoint of the first process."""
        state = self.sashd.folder / "state"
        for file in state.iterdir():
            file.unlink()
        for name, content in self.checkpoint.items():
            (state / name).write_bytes(content)
        if manifest is not None:
            (state / "manifest").write_bytes(manifest)
        (self.sashd.folder / "log").unlink()
        (self.sashd.folder / "sashd.yaml").write_text(json.dumps(document))
        self.sashd.start()

    def expect_refusal(self, document: dict[str, Any], *said: str, **more: Any) -> None:
        self.begin(document, **more)
        self.assertEqual(self.sashd.wait(), 78, self.sashd.log())
        for part in (*said, "state.mapping_changed: rebuild"):
            self.assertIn(part, self.sashd.log())
        self.assertEqual((self.sashd.folder / "state/manifest").read_bytes()[:8], b"SASHCKPT")

    def expect_start(self, document: dict[str, Any], said: str, **more: Any) -> str:
        self.begin(document, **more)
        self.sashd.await_log(said)
        self.sashd.await_log("reading 4 partitions")
        self.assertEqual(self.sashd.stop(), 0, self.sashd.log())
        return self.sashd.log()

    def test_other_fields_and_other_keys_are_refused_with_both_values(self):
        swapped = {"json": {"source": "/to", "target": "/from", "time": "/ts"}}
        self.expect_refusal(stream(format=swapped),
                            'edges[0].source was "/from" and is "/to"; '
                            'edges[0].target was "/to" and is "/from"')
        self.assertRegex(self.sashd.log(), r"\(mapping [0-9a-f]{16}, now [0-9a-f]{16}: ")
        integers = {"json": {"source": "/from", "target": "/to", "time": "/ts"}, "keys": "integer"}
        self.expect_refusal(stream(format=integers), "keys was string and is integer")
        self.expect_refusal(stream(format=integers), "keys was string and is integer",
                            manifest=without_mapping(self.checkpoint["manifest"]))
        self.expect_refusal(stream(time={"unit": "us"}), "time.unit was ms and is us")

    def test_they_are_read_again_when_somebody_says_so(self):
        swapped = {"json": {"source": "/to", "target": "/from", "time": "/ts"}}
        log = self.expect_start(
            stream(format=swapped, state={**STATE, "mapping_changed": "rebuild"}),
            "was made from records in another way")
        self.assertIn("windows are read again", log)
        self.assertNotIn("windows go on from the checkpoint", log)

    def test_what_gives_edges_no_other_meaning_changes_nothing(self):
        log = self.expect_start(
            stream(time={"unit": "ms", "disorder": "1s", "late": "next_slice", "max_drift": "5m"},
                   log={"level": "debug"}),
            "windows go on from the checkpoint")
        self.assertNotIn("another way", log)

    def test_topics_that_are_configured_no_more_do_not_come_back(self):
        document = stream()
        document["source"]["kafka"]["topics"] = ["others"]
        log = self.expect_start(
            document, "holds edges of topic edges, which source.kafka.topics does not name; "
                      "windows are read again")
        self.assertNotIn("windows go on from the checkpoint", log)
        document["source"]["kafka"]["topics"] = ["edges", "others"]
        self.begin(document)
        self.sashd.await_log("windows go on from the checkpoint")
        self.sashd.stop()

    def test_a_window_that_was_added_over_http_does_not_void_it(self):
        self.begin(stream())
        self.sashd.await_log("windows go on from the checkpoint")
        self.sashd.generate("--rate", "1000", "--scale", "6")
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.sashd.url("")).netloc)
        connection.request("POST", "/api/v1/windows",
                           json.dumps({"name": "slow", "length": "20s", "slide": "2s",
                                       "duplicates": "weigh"}),
                           {"Content-Type": "application/json"})
        self.assertEqual(connection.getresponse().status, 201)
        connection.close()
        written = self.sashd.metric("sash_checkpoint_writes_total")
        self.assertTrue(await_that(
            lambda: self.sashd.metric("sash_checkpoint_writes_total") > written + 1))
        self.sashd.process.kill()
        self.sashd.process.wait()
        (self.sashd.folder / "log").unlink()
        self.sashd.start()
        self.sashd.await_log("windows go on from the checkpoint")
        self.assertNotIn("recovery.checkpoint_unusable", self.sashd.log())
        self.assertTrue(await_that(lambda: [window["name"] for window in
                                            self.sashd.json("/api/v1/windows")] == ["w"]))
        self.assertEqual(self.sashd.stop(), 0)

    def test_a_checkpoint_that_does_not_say_it_is_used_and_that_is_said_once(self):
        old = without_mapping(self.checkpoint["manifest"])
        log = self.expect_start(stream(), "windows go on from the checkpoint", manifest=old)
        self.assertEqual(log.count("recovery.mapping_not_noted"), 1)
        self.assertIn("did not store how records became edges", log)
        self.sashd.start()  # continues from the state that that one has stored
        self.sashd.await_log("(?s)stopped.*windows go on from the checkpoint")
        self.sashd.stop()
        self.assertEqual(self.sashd.log().count("recovery.mapping_not_noted"), 1)


if __name__ == "__main__":
    unittest.main()
