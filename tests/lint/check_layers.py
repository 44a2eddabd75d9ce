#!/usr/bin/env python3
"""Fails when an #include crosses a layer the wrong way, or a library leaks out of its file set."""
import collections
import pathlib
import re
import sys

# folder, or a single file without its suffix, -> the folders from which it may include, with their
# subfolders. The order is the architecture, bottom first: an arrow leads only to a row above, so
# that arrows cannot form a circle; it leads to every row above inside the same folder. A sentence
# gives the reason for each arrow that is not obvious.
LAYERS = {
    "windows/base": [],
    "windows/ingest": ["windows/base"],
    # The interface through which every part of a store reports its memory.
    "windows/store/counted_bytes": [],
    "windows/store/memory_use": [],
    "windows/store/lists": ["windows/base", "windows/store/counted_bytes",
                            "windows/store/memory_use"],
    "windows/store": ["windows/base", "windows/ingest"],
    # What a kernel requires from a graph, and its progress reports.
    "windows/kernels/graph_view": ["windows/base"],
    "windows/kernels/view_changes": ["windows/base", "windows/kernels/graph_view"],
    "windows/kernels/progress": ["windows/base"],
    "windows/kernels/rows": ["windows/base", "windows/kernels/graph_view",
                             "windows/kernels/view_changes", "windows/kernels/progress"],
    "windows/kernels": ["windows/base"],
    "windows/kernels/following": ["windows/base", "windows/kernels"],
    # The ABI of plug-ins, and vertex programs on it: what plug-ins include.
    "windows/jobs/plugin/sash": [],
    "windows/jobs/plugin/sash/vertex": [],
    # jobs -> ingest: results name vertices by key, and the dictionary and keys live in ingest.
    "windows/jobs": ["windows/base", "windows/ingest", "windows/store", "windows/kernels"],
    "windows/slide": ["windows/base", "windows/ingest", "windows/store", "windows/jobs"],
    # durable -> slide: a checkpoint holds the engine's state, which only the engine knows.
    "windows/durable": ["windows/base", "windows/ingest", "windows/store", "windows/slide"],
    # example: another program, which uses only the installed library.
    "windows/example": ["windows/store", "windows/kernels"],
    # Requests over HTTP, which know nothing of what they carry.
    "connectors/transfer": ["windows/base"],
    # The frame of the sources that read a finite input.
    "connectors/finite_reading": ["windows/base", "windows/ingest"],
    # The spelling of numbers, which records and expressions share.
    "connectors/codec/number_text": ["windows/base"],
    "connectors/codec/filter": ["windows/base", "connectors/codec/number_text"],
    "connectors/codec": ["windows/base", "windows/ingest"],
    # A SchemaSource of codec that asks a registry over HTTP.
    "connectors/codec/registry": ["windows/base", "connectors/codec", "connectors/transfer"],
    "connectors/kafka": ["windows/base", "windows/ingest", "connectors/codec"],
    "connectors/replay": ["windows/base", "windows/ingest", "connectors/finite_reading",
                          "connectors/codec"],
    "connectors/sinks": ["windows/base", "windows/ingest", "windows/jobs"],
    # alerts -> codec/filter: conditions are written in the language of filters. alerts -> store:
    # what a result can say is seen in that of an empty view.
    "connectors/sinks/alerts": ["windows/base", "windows/ingest", "windows/store", "windows/jobs",
                                "connectors/codec/filter", "connectors/sinks"],
    # kafka: source and sink share one check of librdkafka's options, and one log of states.
    "connectors/sinks/kafka": ["windows/base", "windows/ingest", "connectors/sinks",
                               "connectors/kafka"],
    # webhook -> kafka: an outbox reports the same events and states, whatever its receiver is.
    "connectors/sinks/webhook": ["windows/base", "windows/ingest", "connectors/sinks",
                                 "connectors/kafka", "connectors/transfer"],
    # Makes the configured sinks and dead letters, including Kafka's.
    "connectors/sinks/sink_set": ["windows/base", "windows/ingest", "windows/jobs",
                                  "connectors/sinks"],
    "connectors/sinks/dead_letters": ["windows/base", "windows/ingest", "connectors/sinks"],
    # The name of a file, which a client of another process knows too.
    "connectors/export/snapshot_name": [],
    # export -> sinks: a snapshot states its window in the words of results, with their writers.
    "connectors/export": ["windows/base", "windows/ingest", "windows/store", "windows/jobs",
                          "connectors/sinks"],
    # The formats: a window export knows them only as SnapshotFormat.
    "connectors/export/frozen": ["windows/base", "windows/store", "windows/jobs",
                                 "connectors/sinks", "connectors/export"],
    "connectors/export/parquet": ["windows/base", "connectors/sinks", "connectors/export"],
    # The slices of a stream are tables in Parquet too.
    "connectors/export/slices": ["windows/base", "windows/ingest", "connectors/finite_reading",
                                 "connectors/sinks", "connectors/export",
                                 "connectors/export/parquet"],
    # A snapshot as a stream is configured like slices as one.
    "connectors/export/snapshots": ["windows/base", "windows/ingest", "connectors/finite_reading",
                                    "connectors/sinks", "connectors/export",
                                    "connectors/export/parquet", "connectors/export/slices"],
    # Leases lock snapshots like any reader; an export knows nothing of them.
    "connectors/export/leases": ["windows/base", "connectors/export"],
    "daemon/config": ["windows", "connectors"],
    # plugins -> config: its messages suggest names like those of the configuration.
    "daemon/plugins": ["windows", "daemon/config"],
    # Other programs: they include the header of the ABI alone, and that as an installed one.
    "daemon/plugins/examples": [],
    "daemon/metrics": ["windows", "connectors"],
    "daemon/console": [],
    # log -> metrics: lines that were held back are counted.
    "daemon/log": ["windows", "connectors", "daemon/config", "daemon/metrics"],
    "daemon/memory": ["windows", "daemon/config", "daemon/log", "daemon/metrics"],
    # http -> memory: the profile of the heap, and the threads.
    "daemon/http": ["windows", "connectors", "daemon/console", "daemon/memory"],
    "daemon/letters": ["windows", "connectors", "daemon/config", "daemon/log"],
    "daemon/recovery": ["windows", "connectors", "daemon/config", "daemon/log", "daemon/metrics"],
    # alerts: durable writes of their state.
    "daemon/alerts": ["windows", "connectors"],
    # check -> http, recovery, plugins: it checks certificates, the files that hold the state, and
    # the plug-ins of jobs.
    "daemon/check": ["connectors", "daemon/config", "daemon/http", "daemon/plugins",
                     "daemon/recovery"],
    "daemon/pipeline": ["windows", "connectors", "daemon/alerts", "daemon/config", "daemon/log",
                        "daemon/memory", "daemon/metrics", "daemon/recovery"],
    # changes -> http: requests of the API are answered with its types.
    "daemon/changes": ["windows", "daemon/config", "daemon/log", "daemon/metrics",
                       "daemon/http", "daemon/check", "daemon/pipeline", "daemon/plugins"],
    "daemon/shutdown": ["windows", "daemon/log", "daemon/memory", "daemon/pipeline"],
    # probe -> http, letters: it reads certificates like the server, and judges records like the
    # command that sends dead letters again.
    "daemon/probe": ["windows", "connectors", "daemon/config", "daemon/log", "daemon/memory",
                     "daemon/http", "daemon/letters"],
    "daemon/forecast": ["windows", "connectors", "daemon/config", "daemon/memory", "daemon/probe"],
    # infer -> probe: it shows the edge of a record like the probe.
    "daemon/infer": ["windows", "connectors", "daemon/config", "daemon/log", "daemon/probe"],
    "daemon/generate": ["windows", "connectors", "daemon/config"],
    # control: a client of the API, for which the daemon is another process. It shares the reader of
    # YAML, and the name of the file that it locks while it copies a snapshot.
    "daemon/control": ["windows/base", "connectors/export/snapshot_name", "daemon/config"],
    # main and Application: compose the rooms.
    "daemon": ["connectors"],
    "tests": ["windows", "connectors", "daemon"],
}
# folder -> the row to which it belongs, because arrows go both ways between the two
PARTS = {
    # The parameters of a job cover every kind, and a kind runs a job.
    "windows/jobs/kinds": "windows/jobs",
    # A run of a plug-in is a run of a job, and the scheduler keeps those that do not end.
    "windows/jobs/plugin": "windows/jobs",
    # Its records are refused as all are, and the decoder of fields with paths uses it.
    "connectors/codec/avro": "connectors/codec",
}
# library header prefix -> the folders whose .cc files may include it
CONFINED = {
    "librdkafka/": ["connectors/kafka", "connectors/sinks/kafka", "daemon/generate", "tests"],
    "simdjson": ["connectors/codec", "tests"],
    "date/": ["connectors/codec", "tests"],
    "xxhash": ["connectors/codec/edge_id_text.cc"],
    "re2/": ["connectors/codec/filter"],
    "nlohmann/": ["connectors/sinks", "connectors/kafka", "connectors/export/leases",
                  "connectors/export/slices", "connectors/export/snapshots",
                  "daemon/alerts", "daemon/config",
                  "daemon/http", "daemon/infer", "daemon/control", "daemon/plugins", "tests"],
    "yaml-cpp/": ["daemon/config", "tests"],
    "prometheus/": ["daemon/metrics"],
    "microhttpd": ["daemon/http"],
    "gnutls/": ["daemon/http", "connectors/sinks/webhook"],
    "curl/": ["daemon/control", "connectors/transfer"],
    "avro": ["tests/connectors/codec/avro"],
    "zlib": ["connectors/replay", "daemon/http", "tests"],
    "zstd": ["connectors/replay", "connectors/export/parquet", "tests"],
    "CLI/": ["daemon/command_options.cc", "daemon/generate", "daemon/control"],
    "spdlog/": ["daemon/log"],
    "fmt/": ["connectors", "daemon", "tests"],
    "jemalloc/": ["daemon/memory"],
    "omp.h": ["windows/base"],
    # Locks that Clang checks replace those of the standard library: windows/base/mutex.h.
    "mutex": ["tests"],
    "shared_mutex": ["tests"],
    "condition_variable": ["tests"],
    # daemon/memory: a file in memory, to which jemalloc writes its profile. graph_image: one for
    # the process of a plug-in.
    "sys/mman.h": ["windows/base", "daemon/memory", "daemon/plugins/graph_image.cc", "tests"],
    "immintrin.h": ["windows/kernels", "windows/store"],
    "isa-l/": ["windows/base"],
    "gtest/": ["tests"],
    "gmock/": ["tests"],
}
# files that may include a library although they are headers, or belong to the engine
HEADERS = {
    # C99, for plug-ins in C.
    "windows/jobs/plugin/sash/kernel.h": {"stddef.h", "stdint.h"},
    # Installed beside it, so they include each other as their users do.
    "windows/jobs/plugin/sash/vertex_program.h": {
        "sash/kernel.h", "sash/vertex/answer.h", "sash/vertex/supersteps.h",
        "sash/vertex/window.h"},
    "windows/jobs/plugin/sash/vertex/answer.h": {"sash/kernel.h", "sash/vertex/lists.h"},
    "windows/jobs/plugin/sash/vertex/broadcasts.h": {"sash/vertex/lists.h"},
    "windows/jobs/plugin/sash/vertex/lists.h": {"sash/kernel.h"},
    "windows/jobs/plugin/sash/vertex/mailboxes.h": {"sash/kernel.h", "sash/vertex/lists.h"},
    "windows/jobs/plugin/sash/vertex/supersteps.h": {
        "sash/kernel.h", "sash/vertex/answer.h", "sash/vertex/broadcasts.h",
        "sash/vertex/lists.h", "sash/vertex/mailboxes.h", "sash/vertex/vertex.h",
        "sash/vertex/window.h"},
    "windows/jobs/plugin/sash/vertex/vertex.h": {
        "sash/kernel.h", "sash/vertex/broadcasts.h", "sash/vertex/lists.h",
        "sash/vertex/window.h"},
    "windows/jobs/plugin/sash/vertex/window.h": {"sash/kernel.h"},
    "windows/base/mutex.h": {"mutex", "condition_variable"},
    "windows/store/multiversioned_view.h": {"mutex"},  # std::once_flag
    "windows/base/parallel.h": {"omp.h"},
    "windows/base/large_array.h": {"sys/mman.h"},
    # Random bits of the system, without the exceptions of <random>.
    "windows/base/keyed_hash.cc": {"sys/random.h"},
    "daemon/http/external_rows.h": {"nlohmann/json_fwd.hpp"},
    "daemon/http/json_response.h": {"nlohmann/json_fwd.hpp"},
    "daemon/http/row_list.h": {"nlohmann/json_fwd.hpp"},
    "windows/kernels/rows/row_sums.cc": {"immintrin.h"},
    "windows/kernels/rows/wide_lookups.cc": {"immintrin.h"},
    "windows/store/lists/slot_lives.cc": {"immintrin.h"},
    "windows/base/checksum.cc": {"isa-l/crc.h"},
    # Not in the standard library: make a file durable, lock a folder.
    "windows/durable/posix_folder.cc": {"fcntl.h", "sys/file.h", "sys/stat.h", "unistd.h"},
}
# folders of the engine: only the standard library and OpenMP, except for HEADERS
ENGINE = "windows/"
FORBIDDEN_FOLDERS = {"src", "include", "utils", "helpers", "common", "misc", "core"}
TOP = {"windows", "connectors", "daemon", "configs", "dashboards", "tests", "deploy", "build"}
TYPE = re.compile(r"(?:class|struct|union|enum class) (\w+)(?: final)?(?: : [^;]*)? ?\{")
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^">]+)[">]')


def is_in(path: str, layer: str) -> bool:
    return path == layer or path.startswith((layer + "/", layer + "."))


def layer_of(path: str) -> str | None:
    return max((name for name in LAYERS if is_in(path, name)), key=len, default=None)


def allowed_layers() -> tuple[dict[str, set[str]], list[str]]:
    """The layers that each layer may include from, and the errors of the table."""
    allowed: dict[str, set[str]] = {}
    errors = []
    for layer, named in LAYERS.items():
        for name in named:
            if not any(is_in(row, name) for row in allowed):
                errors.append(f"LAYERS: {layer} names {name}, which no row above it is in")
        allowed[layer] = {layer} | {
            row for row in allowed if any(is_in(row, name) for name in [layer, *named])}
    return allowed, errors


def check_library(path: str, target: str, header: bool) -> str | None:
    for prefix, homes in CONFINED.items():
        if not target.startswith(prefix):
            continue
        if target in HEADERS.get(path, ()):
            return None
        at_home = any(is_in(path, home) for home in homes)
        if header and not path.startswith("tests/"):
            return f"<{target}> may be included by .cc files only"
        if not at_home:
            return f"<{target}> belongs in {', '.join(homes)}"
    return None


def check_file(path: str, text: str, allowed: dict[str, set[str]]) -> list[str]:
    layer = layer_of(path)
    folder = path.rpartition("/")[0]
    rows = (path.rpartition(".")[0], PARTS.get(folder, folder))
    if layer is None or (layer not in rows and layer != "tests"):
        return [f"{path}:1: no row for {folder}; add it to LAYERS with a reason"]
    errors = []
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        bracket, target = match.groups()
        why = check_library(path, target, path.endswith(".h"))
        if why:
            errors.append(f"{path}:{number}: {why}")
        other = layer_of(target)
        if other and other not in allowed[layer]:
            errors.append(f"{path}:{number}: {layer} must not include {other}")
        if bracket == "<" and path.startswith(ENGINE) and ("/" in target or target.endswith(".h")):
            if target not in HEADERS.get(path, ()):
                errors.append(f"{path}:{number}: the engine must not include <{target}>")
    return errors


def arrows_of(path: str, text: str) -> set[tuple[str, str]]:
    """The layer of a file, with each layer from which the file includes."""
    targets = [match[2] for line in text.splitlines() if (match := INCLUDE.match(line))]
    return {(from_, to) for target in targets
            if (from_ := layer_of(path)) and (to := layer_of(target))}


def unused_arrows(used: set[tuple[str, str]]) -> list[str]:
    return [f"LAYERS: {layer} names {name}, but includes nothing from it"
            for layer, named in LAYERS.items() for name in named
            if not any(from_ == layer and is_in(to, name) for from_, to in used)]


def types_of(text: str) -> list[tuple[str, int]]:
    """The types that a file defines with external linkage: with their namespace, and the line."""
    types, namespaces = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if opened := re.match(r"namespace ([\w:]*) ?\{", line):
            namespaces.append(opened[1])
        elif namespaces and line.startswith("}  // namespace"):
            namespaces.pop()
        elif (found := TYPE.match(line)) and "" not in namespaces:
            types.append(("::".join([*namespaces, found[1]]), number))
    return types


def check_names(places: dict[str, list[str]]) -> list[str]:
    """Two types of the same name in one program share the functions that the compiler generates,
    such as the destructor, and the linker uses either one."""
    return [f"{first}: {name} is defined in {', '.join(others)} too"
            for name, (first, *others) in sorted(places.items()) if others]


def main(root: pathlib.Path) -> int:
    allowed, errors = allowed_layers()
    places = collections.defaultdict(list)
    used: set[tuple[str, str]] = set()
    for folder in sorted(p for p in root.iterdir() if p.is_dir() and not p.name.startswith(".")):
        if folder.name not in TOP:
            errors.append(f"{folder.name}/: not one of the top-level folders (TOP)")
            continue
        if folder.name == "build":
            continue
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.is_dir() and path.name in FORBIDDEN_FOLDERS:
                errors.append(f"{name}/: a folder of this name hides a design question")
            if path.suffix in {".h", ".cc"}:
                text = path.read_text(encoding="utf-8")
                errors += check_file(name, text, allowed)
                used |= arrows_of(name, text)
                for type_name, line in types_of(text):
                    places[type_name].append(f"{name}:{line}")
    errors += [*unused_arrows(used), *check_names(places)]
    print("\n".join(errors) or "layers ok")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
