"""Results to a webhook: signatures, events, TLS with a private CA and client certificates."""
import hashlib
import hmac
import json
import os
import pathlib
import tempfile
import unittest
from typing import Any

import protected
from sashd_process import edges, replay, run
from webhook_receiver import WebhookReceiver

SECRET = "a shared secret"


def some_edges() -> bytes:
    return edges((f"v{i}", "hub", i * 1000) for i in range(30))


class WebhookTest(unittest.TestCase):
    def deliver(self, receiver: WebhookReceiver, **more: Any) -> Any:
        hook = {"name": "hook", "url": receiver.url, "longest_pause": "50ms", **more}
        return run(replay(sinks=[{"file": {"path": "results.jsonl"}}, {"webhook": hook}],
                          shutdown_deadline="2s"), some_edges(),
                   env={**os.environ, "HOOK_SECRET": SECRET})

    def test_a_receiver_can_check_the_signature_and_the_event(self) -> None:
        with WebhookReceiver() as receiver:
            ended = self.deliver(receiver, format="cloudevents", secret="${env:HOOK_SECRET}",
                                 headers={"X-Team": "fraud"})
        self.assertEqual(ended.code, 0, ended.log)
        results = ended.lines()
        self.assertGreater(len(results), 3)
        events = [json.loads(body) for _, _, body, _ in receiver.requests]
        self.assertEqual([event["data"] for event in events], results)
        for (key, headers, body, _), event in zip(receiver.requests, events):
            self.assertEqual(event["specversion"], "1.0")
            self.assertEqual(event["id"], key)
            self.assertEqual(event["time"], event["data"]["window_end"])
            self.assertEqual(headers["X-Team"], "fraud")
            self.assertTrue(headers["Content-Type"].startswith("application/cloudevents+json"))
            time, digest = (part.split("=")[1] for part in headers["Sash-Signature"].split(","))
            right = hmac.new(SECRET.encode(), time.encode() + b"." + body, hashlib.sha256)
            self.assertEqual(digest, right.hexdigest())
        self.assertNotIn(SECRET, ended.log)

    def test_tls_needs_the_right_ca_and_the_client_its_certificate(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            protected.certificate(folder / "server")
            protected.certificate(folder / "client")
            server = folder / "server" / "certificate.pem"
            client = {"certificate": str(folder / "client" / "certificate.pem"),
                      "key": str(folder / "client" / "key.pem")}
            with WebhookReceiver(certificate=folder / "server",
                                 clients=folder / "client" / "certificate.pem") as receiver:
                for more in ({}, {"ca": str(server)}, client):
                    ended = self.deliver(receiver, **more)
                    self.assertEqual(ended.code, 1, ended.log)
                    self.assertIn("results wait in the outbox", ended.log)
                    self.assertEqual(receiver.requests, [])
                ended = self.deliver(receiver, ca=str(server), **client)
                self.assertEqual(ended.code, 0, ended.log)
                self.assertEqual([json.loads(body) for _, _, body, _ in receiver.requests],
                                 ended.lines())

    def test_refused_results_are_parked_and_the_others_are_delivered(self) -> None:
        def refuse(number: int, key: str) -> int:
            return 400 if number == 1 else 204
        with WebhookReceiver(refuse) as receiver:
            ended = self.deliver(receiver)
        self.assertEqual(ended.code, 0, ended.log)
        bodies = [json.loads(body) for _, _, body, _ in receiver.requests]
        self.assertEqual(bodies, ended.lines())
        self.assertIn("the receiver answered 400", ended.log)

    def test_alerts_arrive_as_in_the_file(self) -> None:
        with WebhookReceiver(lambda number, key: 503 if number == 0 else 204) as receiver:
            hook = {"name": "hook", "url": receiver.url, "longest_pause": "50ms",
                    "content": "alerts"}
            told = {"path": "alerts.jsonl", "name": "kept", "content": "alerts"}
            ended = run(replay(
                sinks=[{"file": told}, {"webhook": hook}],
                alerts=[{"name": "any", "job": "shape", "on": "result", "where": "pairs >= 1"}]),
                some_edges())
        self.assertEqual(ended.code, 0, ended.log)
        alerts = ended.lines("alerts.jsonl")
        self.assertGreater(len(alerts), 3)
        self.assertEqual([json.loads(body) for _, _, body, _ in receiver.requests[1:]], alerts)
        self.assertEqual([key for key, *_ in receiver.requests[1:]],
                         [f"shape/w/any//{alert['window_end']}" for alert in alerts])

    def test_a_certificate_without_its_key_is_refused_at_the_start(self) -> None:
        with WebhookReceiver() as receiver:
            ended = self.deliver(receiver, certificate="client.pem")
        self.assertEqual(ended.code, 78, ended.log)
        self.assertIn("sinks[1].webhook.certificate: is only useful with both", ended.log)


if __name__ == "__main__":
    unittest.main()
