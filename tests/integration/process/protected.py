"""A `sashd` that other machines may access: its certificate and its tokens."""
import pathlib
import subprocess
import shutil
import unittest

READ, ADMIN = "a-token-that-is-for-reading", "a-token-that-is-for-everything"
HTTP = {"tls": {"certificate": "tls/certificate.pem", "key": "tls/key.pem"},
        "tokens": {"read": "${file:read.token}", "admin": "${env:ADMIN_TOKEN}"}}
ENVIRONMENT = {"ADMIN_TOKEN": ADMIN, "PATH": "/usr/bin:/bin"}


def certificate(folder: pathlib.Path) -> None:
    """A self-signed certificate for localhost."""
    if shutil.which("openssl") is None:
        raise unittest.SkipTest("there is no openssl")
    folder.mkdir()
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256",
                    "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", folder / "key.pem",
                    "-out", folder / "certificate.pem"], check=True, capture_output=True)


def put(folder: pathlib.Path) -> None:
    """Writes the files that the http section names into the folder of a process."""
    certificate(folder / "tls")
    (folder / "read.token").write_text(READ + "\n")
