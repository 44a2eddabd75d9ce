"""Bugs of Kafka, sinks and exports."""
from seeded_bugs.seeded_bug import (
    FROZEN, LEASES, SENT, SENT_PAST, SENT_ROWS, SHARDS, SeededBug, alerts, leases, partial, rows,
    slices, span, tables)
from seeding import Edit

BUGS = (
    # Topics of a pattern.
    span("a_pattern_matches_topics_that_are_written_to", "topic_choice.cc",
         "!names_.contains(topic)", "true"),
    span("a_pattern_matches_topics_of_kafka", "topic_choice.cc",
         "!topic.starts_with(kOwnPrefix)", "true"),
    # Replays of a span.
    span("an_event_before_the_span_counts", "span_intake.cc",
         "event.time >= span_.from", "true"),
    span("an_event_far_ahead_ends_the_span", "span_intake.cc",
         "!event.ahead", "true"),
    span("the_span_ends_before_the_last_late_event", "span_intake.h",
         "*newest_ - disorder_ >= span_.to", "*newest_ >= span_.to"),
    # Rows in files and topics.
    rows("a_result_counts_as_written_before_its_last_row", "written_results.cc",
         "if (row.row != row.rows) return std::nullopt;", ";"),
    rows("a_row_of_csv_ends_within_its_quotes", "written_results.cc",
         "is_quoted_ = !is_quoted_", "is_quoted_ = false"),
    rows("a_file_has_its_header_twice", "durable_lines.cc", "text.substr(header.size())", "text"),
    rows("rows_are_written_below_a_header_of_other_columns", "durable_lines.cc",
         "header_ == header", "true"),
    rows("the_columns_of_a_file_depend_on_its_first_rows", "named_rows.cc",
         "ListColumns::kAllThatAJobHas", "ListColumns::kOfItsRows"),
    SeededBug("the_second_row_of_a_result_counts_as_sent", SENT_ROWS, (Edit(
        "connectors/sinks/kafka/transactional_sender.cc", "identity != begun", "true"),)),
    SeededBug("a_message_counts_as_delivered_because_a_later_one_is", SENT, (Edit(
        "connectors/sinks/kafka/topic_producer.cc", "message.offset < 0", "false"),)),
    # Alerts.
    partial("a_result_that_is_not_final_counts_as_the_final_one", "line_identity.cc",
            "line_.is_final = value", "line_.is_final = true"),
    partial("a_result_on_an_earlier_window_has_the_identity_of_the_due_one", "result_key.cc",
            "identity.is_past = result.past;", ""),
    partial("a_file_forgets_which_results_are_on_earlier_windows", "line_identity.cc",
            'if (depth_ == 1 && key_ == "past") is_past_ = value;', ""),
    SeededBug("a_result_on_an_earlier_window_becomes_a_mark", SENT_PAST, (
        Edit("connectors/sinks/kafka/transactional_sender.cc",
             "identity && identity->is_in_series()", "identity.has_value()"),)),
    partial("the_identity_of_a_result_leaves_out_its_cut", "result_key.cc",
            "identity.cut = std::move(cut).Take();", ";"),
    partial("results_that_are_not_final_fill_the_backlog", "file_sink.cc",
            "return !chosen_.Wants(run.result->job);", ";"),
    alerts("a_result_that_comes_again_fires_again", "alert_track.cc",
           "result.position <= newest_->position", "result.position < newest_->position"),
    alerts("an_alert_fires_before_it_has_held_for_long_enough", "alert_track.cc",
           "if (streak.results >= spec_.results) Fire(row, streak, step);",
           "Fire(row, streak, step);"),
    alerts("an_alert_is_told_again_too_soon", "alert_track.cc",
           "now - sent.second >= spec_.at_most", "now > sent.second"),
    alerts("a_row_enters_that_was_there", "alert_track.cc",
           "!fresh.contains(row.subject)", "fresh.empty()"),
    alerts("a_row_that_is_back_still_counts_as_away", "alert_track.cc",
           "streaks_.erase(row.subject)", "streaks_.size()"),
    alerts("a_streak_goes_on_in_another_window", "alert_track.cc",
           "newest_->origin != result.origin", "false"),
    alerts("the_state_of_another_definition_is_used", "alert_watch.cc",
           "state.value(\"definition\", \"\") == Definition()", "state.contains(\"definition\")"),
    alerts("an_alert_stands_that_does_not_hold", "standing_alerts.cc",
           "standing.contains(row.subject) && condition.Holds(row)",
           "standing.contains(row.subject)"),
    alerts("an_alert_stands_for_a_row_that_is_back", "standing_alerts.cc",
           "for (const FactRow& row : facts.Rows()) holding.erase(row.subject);", ";"),
    alerts("a_paused_alert_tells", "alert_watch.cc", "if (paused_) continue;", ";"),
    alerts("an_alert_that_is_not_sent_holds_back_others", "alert_track.cc",
           "spec_.at_most > Duration::zero() && step.are_sent", "spec_.at_most > Duration::zero()"),
    slices("what_waits_for_slices_is_called_before_they_are_durable", "slice_export.cc",
           "pending_.front().added <= durable_", "pending_.front().added <= added_"),
    slices("a_slice_that_is_there_is_written_again", "known_slices.h",
           "until_ && end <= *until_", "until_ && end < *until_"),
    slices("a_table_without_a_manifest_stays", "slice_folder.cc",
           "table && !known.contains(SliceTextName(*table))", "table && known.empty()"),
    slices("a_duplicate_is_not_marked", "slice_table.cc",
           "facts.duplicates = task.slice.logs->duplicates.size();", ""),
    # Shards.
    SeededBug("what_a_shard_had_closed_opens_again", SHARDS, (
        Edit("connectors/export/slices/shard_manifest.cc",
             "now.closed_until = std::max(now.closed_until, closed_before_);", ""),)),
    SeededBug("a_shard_that_is_not_heard_of_counts_as_idle", SHARDS, (
        Edit("connectors/export/slices/shard_manifest.cc",
             "now - read.value().written > kStale",
             "now - read.value().written > 1000 * kStale"),)),
    SeededBug("a_folder_has_shards_of_two_numbers", SHARDS, (
        Edit("connectors/export/slices/shard_folders.cc",
             "other && other->of != of", "other && other->of < 0"),)),
    SeededBug("slices_that_a_shard_has_not_closed_are_read", SHARDS, (
        Edit("connectors/export/slices/shard_merge.cc",
             "facts.end > closed_until_", "facts.end > EventTime::max()"),)),
    SeededBug("counts_of_a_shard_go_to_a_slice_of_late_edges_alone", SHARDS, (
        Edit("connectors/export/slices/shard_merge.cc",
             "is_late_alone(at->second)", "false"),)),
    SeededBug("what_a_shard_removed_does_not_count", SHARDS, (
        Edit("connectors/export/slices/shard_merge.cc",
             "!whole_since_ || facts.begin >= *whole_since_", "true"),)),
    SeededBug("a_lost_slice_of_a_shard_leaves_the_others_whole", SHARDS, (
        Edit("connectors/export/slices/shard_merge.cc",
             "if (begin >= lost.from) slice.gap = true;", ""),)),
    SeededBug("rows_of_shards_come_shard_by_shard", SHARDS, (
        Edit("connectors/export/slices/slice_reader.cc",
             "std::ranges::stable_sort(\n"
             "      reader.runs_, {}, [](const Run& run) -> const auto& "
             "{ return run.rows->pair; });", ""),)),
    # Members of sets, and vectors of earlier results.
    leases("a_lease_outlives_its_time", "if (held->second.hold->until() > now) continue;",
           "if (held->second.hold->until() >= now) continue;"),
    leases("an_expired_lease_is_read_until_it_is_ended",
           "if (clock_.Steady() < found->second.hold->until()) return &found->second;",
           "return &found->second;"),
    SeededBug("a_download_goes_on_after_its_lease", LEASES, (
        Edit("connectors/export/leases/lease_reader.cc",
             "!kept || clock_.Steady() >= kept->until()", "!kept"),)),
    leases("each_lease_of_a_snapshot_counts_its_bytes",
           "snapshots[{held.about.window, held.about.folder}] = held.about.bytes;",
           "snapshots[{held.about.window, id}] = held.about.bytes;"),
    leases("a_lease_of_another_snapshot_is_free",
           "if (bytes <= bounds_.bytes) return std::nullopt;",
           "if (BytesHeld(nullptr) <= bounds_.bytes) return std::nullopt;"),
    SeededBug("lists_of_alike_edges_hold_ids", FROZEN, (
        Edit("connectors/export/frozen/placed_lists.h",
             "scatter.Put(form.TargetOf(element), form.Make(order.places[v], element));",
             "scatter.Put(form.TargetOf(element), form.Make(v, element));"),)),
    SeededBug("parallel_edges_stay_as_they_came", FROZEN, (
        Edit("connectors/export/frozen/placed_lists.h",
             "if constexpr (Form::kDiffer) OrderParallelEdges(form, lists.out);", ";"),)),
    SeededBug("marks_of_far_weights_overflow", FROZEN, (
        Edit("connectors/export/frozen/edge_forms.cc",
             "if (last >= kMostMarks / outline.words.size() - 1) return std::nullopt;", ""),)),
    SeededBug("the_last_of_equal_weights_fill_a_buffer", FROZEN, (
        Edit("connectors/export/frozen/npy_file.cc", "used_ = std::min(count, kAtOnce) * 8;",
             "used_ = kAtOnce * 8;"),)),
    # Stored slices.
    tables("a_level_is_neither_0_nor_1", "unpacked_numbers.cc",
           "if (width < 32 && number >> width != 0) return false;", ""),
    tables("a_page_may_state_any_number_of_rows", "column_cursor.cc",
           "std::min(rows_left_, kMostPageRows)", "rows_left_"),
    tables("a_row_without_a_value_takes_one", "column_cursor.h",
           "is_null_ ? 0 : 1", "is_null_ ? 1 : 1"),
    tables("a_changed_file_is_read", "parquet_table.cc",
           "if (checksum == written.checksum) return Ok{};",
           "if (checksum != 0) return Ok{};"),
)
