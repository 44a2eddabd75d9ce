"""What a seeded bug is, and shorter ways to write one: by the test program that must fail."""
import dataclasses
from typing import Callable

from seeding import Edit

# Test programs, by their paths in the build's folder of tests, and which of their tests run.
STORE = ("windows/store_test", "-*TruthTable*:*PinnedReaders*")
INGEST = ("windows/ingest_test", "*")
KERNELS = ("windows/kernels_test",
           "BfsTree*:BiasedPageRank*:Cycles*:EdgeFeatures*:Hits*:PairLists*:Paths*:Scc*:*Strength*:"
           "TimedCycles*:*TrackedComponents*:*TrackedTriangles*:WeightStatistics*")
JOBS = ("windows/jobs_test", "Runners*:Baselines*:KeptScores*:RanksAmong*:Unreported*:RunQueue*:"
        "ExternalJobsTest.TheSink*:JobSchedulerTest.ARunPastItsDeadline*")
KEPT = ("windows/jobs_test", "Groups*:ResultHistory*")
WORK = ("windows/jobs_test", "WorkDesk*")
ANSWERS = ("windows/jobs_test", "ExternalRun*")
PLUGINS = ("windows/jobs_test", "Plugin*")
PROGRAMS = ("daemon/plugins/plugins_test", "VertexProgram*")
LIBRARIES = ("daemon/plugins/plugins_test", "PluginLibrary*")
ISOLATION = ("daemon/plugins/plugins_test", "AnswerStream*:*GraphImage*:IsolationTest*")
SLIDE = ("windows/slide_test", "-*RunTimeOracle*")
DURABLE = ("windows/durable_test",
           "PosixFolder*:SectionedFile*:JoinedWindows*:JournalledEngine*")
SPAN = ("connectors/kafka/span_test", "*")
CONNECTIONS = ("daemon/http/connections_test", "*")
RECOVERY = ("daemon/recovery/recovery_test", "Checkpoints*")
LETTERS = ("daemon/letters/letters_test", "LetterJudge*")
ALERTS = ("connectors/sinks/alerts/alert_rules_test",
          "AlertTrack*:FileAlerts*:Standing*")
PARTIAL = ("connectors/sinks/sinks_test", "PartialResults*:PastResults*")
ROWS = ("connectors/sinks/file_rows_test", "*")
SENT_ROWS = ("connectors/sinks/kafka/kafka_sink_test", "TransactionalSinkTest.TheRows*")
SENT_PAST = ("connectors/sinks/kafka/kafka_sink_test", "TransactionalSinkTest.AResultOn*")
SENT = ("connectors/sinks/kafka/kafka_sink_test", "TopicProducerTest.ADelivered*")
DESK = ("daemon/alerts/alerts_test", "*")
SLICES = ("connectors/export/export_test", "Slice*")
SHARDS = ("connectors/export/export_test", "Shard*")
KEEPING = ("daemon/pipeline/pipeline_test", "ShardKeeping*")
STORED = ("windows/slide_test", "Stored*")
LEASES = ("connectors/export/leases_test", "*")
TABLES = ("connectors/export/export_test", "ColumnCursor*:ParquetTable*:UnpackedNumbers*")
FROZEN = ("connectors/export/export_test", "Frozen*:NpyFile*")


@dataclasses.dataclass(frozen=True)
class SeededBug:
    name: str
    program: tuple[str, str]  # the test program that must fail, and its tests to run
    edits: tuple[Edit, ...]


def bugs_in(folder: str, program: tuple[str, str]) -> Callable[[str, str, str, str], SeededBug]:
    """A function of the name, a file in the folder, the old text and the new one."""
    return lambda name, file, old, new: SeededBug(name, program, (Edit(folder + file, old, new),))


def bugs_of(file: str, program: tuple[str, str]) -> Callable[[str, str, str], SeededBug]:
    """A function of the name, the old text and the new one."""
    return lambda name, old, new: SeededBug(name, program, (Edit(file, old, new),))


def store(name: str, *edits: tuple[str, str, str]) -> SeededBug:
    return SeededBug(name, STORE, tuple(Edit("windows/store/" + file, old, new)
                                        for file, old, new in edits))


ingest = bugs_in("windows/ingest/", INGEST)
kernels = bugs_in("windows/kernels/", KERNELS)
jobs = bugs_in("windows/jobs/", JOBS)
kept = bugs_in("windows/jobs/", KEPT)
work = bugs_of("windows/jobs/work_desk.cc", WORK)
answers = bugs_in("windows/jobs/", ANSWERS)
plugin = bugs_in("windows/jobs/plugin/", PLUGINS)
program = bugs_in("windows/jobs/plugin/sash/vertex/", PROGRAMS)
isolation = bugs_in("daemon/plugins/", ISOLATION)
slide = bugs_in("windows/", SLIDE)
durable = bugs_in("windows/durable/", DURABLE)
durable_slide = bugs_in("windows/slide/", DURABLE)
span = bugs_in("connectors/kafka/", SPAN)
connections = bugs_of("daemon/http/connection_table.cc", CONNECTIONS)
checkpoints = bugs_of("daemon/recovery/checkpoints.cc", RECOVERY)
letters = bugs_of("daemon/letters/letter_verdict.cc", LETTERS)
alerts = bugs_in("connectors/sinks/alerts/", ALERTS)
partial = bugs_in("connectors/sinks/", PARTIAL)
rows = bugs_in("connectors/sinks/", ROWS)
slices = bugs_in("connectors/export/slices/", SLICES)
leases = bugs_of("connectors/export/leases/lease_book.cc", LEASES)
stored = bugs_in("windows/", STORED)
tables = bugs_in("connectors/export/parquet/", TABLES)
desk = bugs_of("daemon/alerts/alert_desk.cc", DESK)
