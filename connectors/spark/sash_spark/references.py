"""A configuration file as text: includes, and references to values outside the file.

`${env:NAME}` is the value of a variable, `${file:PATH}` the content of a file; `$${env:` and
`$${file:` are escapes for the text itself (configs/README.md). Every scalar stays text, because
Sash decides by key what a text is: `roots: [1, yes]` are two keys.
"""
from __future__ import annotations

import os
import pathlib
import re
from typing import Any

import yaml

from sash_spark.errors import InputError

_REFERENCE = re.compile(r"(\$?)\$\{(env|file):([^}]+)\}")
_LISTS = ("windows", "jobs", "sinks", "exports", "alerts")


def load_document(path: pathlib.Path) -> dict[str, Any]:
    """The document with its includes. InputError: it cannot be read, or is not YAML."""
    return _joined(path, ())


def _joined(path: pathlib.Path, above: tuple[pathlib.Path, ...]) -> dict[str, Any]:
    if path.resolve() in above:
        raise InputError(f"{path}: includes itself")
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: is not YAML: {error}") from error
    if not isinstance(document, dict):
        raise InputError(f"{path}: is not a configuration of Sash; its keys are source, windows, "
                         "jobs, ...")
    document = {name: value for name, value in document.items()}
    included = document.pop("include", None) or []
    for name in [included] if isinstance(included, str) else included:
        other = _joined(path.parent / _resolved(name, path), (*above, path.resolve()))
        for key, value in other.items():
            if key in _LISTS and isinstance(document.get(key) or [], list):
                document[key] = [*(document.get(key) or []), *(value or [])]
            elif key not in document:
                document[key] = value
    return document


def resolved(value: Any, path: pathlib.Path) -> Any:
    """The value, its lists and its keys, with what the references name."""
    if isinstance(value, str):
        return _resolved(value, path)
    if isinstance(value, list):
        return [resolved(each, path) for each in value]
    if isinstance(value, dict):
        return {name: resolved(each, path) for name, each in value.items()}
    return value


def _resolved(text: str, path: pathlib.Path) -> str:
    def replaced(match: re.Match[str]) -> str:
        escape, kind, name = match.groups()
        if escape:
            return match[0][1:]
        if kind == "env":
            if name not in os.environ:
                raise InputError(f"{path}: ${{env:{name}}}: the variable is not set")
            return os.environ[name]
        try:
            content = pathlib.Path(name).read_text(encoding="utf-8")
        except OSError as error:
            raise InputError(f"{path}: ${{file:{name}}}: {error.strerror}") from error
        return content.removesuffix("\n").removesuffix("\r")

    return _REFERENCE.sub(replaced, text)
