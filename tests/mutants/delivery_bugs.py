"""The seeded bugs that make `sashd` lose results, write them twice or leave a damaged checkpoint
when it is killed; and the kills that reveal each."""
import dataclasses

from seeding import Edit

Kill = tuple[str, int, str] | tuple[str, int, str, bool]  # as KillPoint in kill_points.py
FILE, OUTBOX = "write results", "write outbox"
FILE_SYNC = "fdatasync results"
NEXT_MANIFEST, MANIFEST = "open state/manifest.next", "rename state/manifest"
OLD_SLICE = "remove state/slice"
COMMIT = "commit group"  # at the n-th the previous one is acknowledged
AWAY = True  # without the brokers of the results
# There are about 20 results, and fewer manifests on a slow machine. If a bug loses the next result,
# more results should follow: otherwise the test would wait for the newest one in vain.
LATE_IN_FILE: list[Kill] = [("done", number, FILE) for number in (13, 16, 19, 22)]
AT_MANIFESTS: list[Kill] = [*(("done", number, MANIFEST) for number in (3, 4, 5)),
                            *(("done", number, FILE) for number in (12, 14, 16))]
AFTER_MANIFESTS: list[Kill] = [("power", 3, NEXT_MANIFEST), ("zeros", 4, NEXT_MANIFEST),
                               ("power", 1, OLD_SLICE), ("power", 3, OLD_SLICE)]
TORN_ROWS: list[Kill] = [("torn", number, "write rows") for number in (1, 2, 3, 4)]
LOST, TWICE, OTHER = "lost", "twice", "['"  # words of the differences; OTHER: members differ
DAMAGE = "damage: "


@dataclasses.dataclass(frozen=True)
class DeliveryBug:
    name: str
    recovery: str  # the process's kind of recovery
    kills: tuple[Kill, ...]
    shows: str  # the text expected in a difference
    edits: tuple[Edit, ...]


def bug(name: str, recovery: str, kills: list[Kill], shows: str, file: str, old: str,
        new: str) -> DeliveryBug:
    return DeliveryBug(name, recovery, tuple(kills), shows, (Edit(file, old, new),))


BUGS = [
    # When data counts as durable.
    bug("results_are_committed_before_they_are_durable", "replay",
        [("power", 4, FILE_SYNC), ("power", 6, FILE_SYNC)], LOST,
        "daemon/pipeline/result_delivery.cc", "around_.sinks.Flush()",
        "(uncommitted_ ? around_.commit(advances_, *uncommitted_) : void()), "
        "around_.sinks.Flush()"),
    bug("a_file_is_not_synced", "replay",
        [("power", 9, FILE), ("zeros", 12, FILE)], LOST,
        "connectors/sinks/append_file.cc", "::fdatasync(descriptor_) != 0 && errno != EINVAL",
        "false"),
    bug("an_outbox_is_not_synced", "replay",
        [("power", 9, OUTBOX, AWAY), ("power", 12, OUTBOX, AWAY)], LOST,
        "connectors/sinks/kafka/kafka_sink.cc", "topic_->Flush()", "Status(Ok{})"),
    bug("a_message_is_let_go_when_it_is_sent", "replay",
        # The kill comes after sending, before an acknowledgement that never comes; and a commit
        # covers what was sent.
        [("torn", 2, COMMIT, AWAY), ("torn", 3, COMMIT, AWAY)], LOST,
        "connectors/sinks/kafka/idempotent_sender.cc",
        "in_flight_.emplace(message.id, InFlight{message.key, bytes, Now()});",
        "in_flight_.emplace(message.id, InFlight{message.key, bytes, Now()}); "
        "outbox_.Acknowledge(message.id);"),
    # The content of a file when the process starts.
    bug("a_torn_line_stays_in_the_file", "replay",
        [("torn", 4, FILE), ("torn", 8, FILE)], "not a result",
        "connectors/sinks/written_results.cc",
        "CutTornLine(file, HeadOfTornLine(lines, written.value()))",
        "Status(Ok{})"),
    bug("rows_of_a_result_that_was_cut_off_stay_in_the_file", "replay",
        TORN_ROWS, "rows of", "connectors/sinks/written_results.cc",
        "ready = file.CutTo(*unfinished)", "ready = Ok{}"),
    bug("what_the_file_holds_is_written_again", "replay",
        [("done", 5, FILE), ("done", 8, FILE)], TWICE,
        "connectors/sinks/held_results.cc",
        "!origin.held.empty() && origin.held.front() == identity.position", "false"),
    # Where reading continues after a restart, with commits.
    bug("a_rewind_point_is_that_of_the_newest_slice", "replay",
        LATE_IN_FILE, OTHER,
        "windows/slide/account_totals.cc", "position.offset < known->offset",
        "position.offset > known->offset"),
    bug("what_was_published_is_published_again", "replay",
        LATE_IN_FILE, OTHER,
        "windows/slide/publisher.cc",
        "window.PublishedUntil(published->second, newest->second);", ";"),
    bug("what_was_published_is_not_what_comes_before", "replay",
        LATE_IN_FILE, OTHER,
        "daemon/pipeline/pipeline.cc", "around.compared = scheduler_->Compared();", ""),
    # The same with checkpoints.
    bug("reading_goes_on_one_record_too_late", "checkpoint",
        AT_MANIFESTS, OTHER,
        "daemon/recovery/checkpoints.cc",
        "resumed.next = partition.next_offset;",
        "resumed.next = *partition.next_offset + 1;"),
    bug("what_was_applied_is_applied_again", "checkpoint",
        AT_MANIFESTS, OTHER,
        "connectors/kafka/assignment.cc", "partition.position = opened.start.offset;",
        "partition.position = opened.start.offset - (opened.start.resumed ? 1 : 0);"),
    bug("what_was_published_is_not_made_again_from_a_checkpoint", "checkpoint",
        AT_MANIFESTS, OTHER,
        "windows/slide/publisher.cc", "std::exchange(member.recalled, {})", "std::nullopt"),
    # The content of a checkpoint.
    bug("open_slices_are_left_out", "checkpoint",
        AT_MANIFESTS, OTHER,
        "windows/ingest/open_pane.cc", "if (log.size() > 0) state.logs.push_back(log.Copy());",
        "static_cast<void>(state);"),
    bug("a_key_stands_in_place_of_another_one", "checkpoint",
        AT_MANIFESTS, OTHER,
        "windows/durable/key_table.cc", "writer.Put(keys_.IntegerOf(id));",
        "writer.Put(keys_.IntegerOf(id == ids_.back() ? ids_.front() : id));"),
    # The order in which a checkpoint is written.
    bug("a_state_is_kept_before_its_results_are_durable", "checkpoint",
        [("power", number, FILE_SYNC) for number in (3, 4, 5)], LOST,
        "windows/durable/checkpoint_writer.cc", "offered_->state.advances <= delivered_", "true"),
    bug("a_manifest_names_slices_that_are_not_on_disk", "checkpoint",
        AFTER_MANIFESTS, DAMAGE,
        "windows/durable/sectioned_file.cc", "file.value()->Sync()",
        "kind == FileKind::kSlice ? Status(Ok{}) : file.value()->Sync()"),
    bug("a_manifest_takes_its_place_before_it_is_on_disk", "checkpoint",
        AFTER_MANIFESTS, DAMAGE,
        "windows/durable/sectioned_file.cc", "file.value()->Sync()",
        "kind == FileKind::kManifest ? Status(Ok{}) : file.value()->Sync()"),
    bug("old_slices_are_deleted_before_the_new_manifest_is_there", "checkpoint",
        [("done", 1, OLD_SLICE), ("done", 2, OLD_SLICE)], DAMAGE,
        "windows/durable/checkpoint_store.cc",
        "if (Status renamed = folder_.Rename(kNextManifestName, kManifestName); !renamed) "
        "return renamed;",
        """for (const auto& [slice, entry] : slices_) {
             const auto lane = std::ranges::find(state.lanes, slice.first, &LaneState::serial);
             if (lane == state.lanes.end() || slice.second >= lane->first_retained()) continue;
             static_cast<void>(folder_.Remove(SliceFileName(entry.file)));
           }
           if (Status renamed = folder_.Rename(kNextManifestName, kManifestName); !renamed) {
             return renamed;
           }"""),
]
