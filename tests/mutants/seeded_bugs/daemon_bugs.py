"""Bugs of the daemon."""
from seeded_bugs.seeded_bug import (
    CONNECTIONS, DESK, KEEPING, LIBRARIES, SeededBug, checkpoints, connections, desk, isolation,
    letters)
from seeding import Edit

BUGS = (
    # Connections of the HTTP server.
    connections("an_address_has_no_limit",
                "Count(&network, false) >= limits_.per_address", "false"),
    connections("the_reserve_is_open_to_all",
                "room && Count(nullptr, false) >= open_to_all", "false"),
    connections("the_newest_connection_is_evicted",
                "order(each) < order(*first)", "order(*first) < order(each)"),
    connections("a_valid_token_protects_no_connection",
                "std::tuple(each.exempt, each.state, each.changed)",
                "std::tuple(false, each.state, each.changed)"),
    connections("a_connection_is_evicted_while_its_answer_is_made",
                "each.state == State::kWorking", "false"),
    # Checkpoints of another configuration.
    checkpoints("edges_of_another_mapping_are_used",
                "MappingDifference(origin->mapping, mapping_)", "std::string()"),
    checkpoints("edges_of_a_topic_that_is_not_named_are_used",
                "choice.Takes(pair.topic)", "true"),
    # Dead letters that are sent again.
    letters("late_edges_are_sent_to_be_late_again",
            "letter.reason != Name(RefusalReason::kAhead)", "false"),
    letters("edges_are_sent_while_they_are_ahead", "event.time > now", "false"),
    letters("a_letter_is_sent_without_its_headers", "of_window && reads_headers_", "false"),
    letters("a_letter_is_sent_without_some_of_its_places",
            "letter.places.size() < kMostLetterPlaces", "true"),
    # Alerts.
    desk("the_state_is_saved_although_receivers_are_not_safe",
         "if (Status flushed = around_.sinks.Flush(); !flushed) return flushed;",
         "(void)around_.sinks.Flush().ok();"),
    desk("the_state_is_not_saved", "is_saved_ = false;\n      places.push_back(i);",
         "places.push_back(i);"),
    desk("a_changed_alert_forgets_what_it_knew", "(void)watch->Read(known.text());", ""),
    desk("a_removed_alert_stays_in_the_state", "NoteCompared();\n    is_saved_ = false;",
         "NoteCompared();"),
    SeededBug("receivers_that_are_not_named_are_told", DESK, (
        Edit("daemon/alerts/alert_routes.cc",
             "alert.to.empty() || std::ranges::find(alert.to, receiver) != alert.to.end()",
             "true"),)),
    SeededBug("a_receiver_without_ends_gets_repetitions", DESK, (
        Edit("daemon/alerts/alert_routes.cc",
             "if (receiver->FollowsEnds()) receiver->Hold(route.alert, standing);",
             "receiver->Hold(route.alert, standing);"),)),
    # Plug-ins.
    isolation("a_process_may_name_a_vertex_beyond_the_window", "answer_stream.cc",
              "place >= vertices.size()", "place > vertices.size()"),
    isolation("a_process_may_say_any_length", "answer_stream.cc",
              "header.bytes > MostBytes(header.kind)",
              "header.bytes > (std::uint64_t{1} << 62)"),
    isolation("a_process_is_left_after_its_run", "child_process.cc", "Kill();", ";"),
    isolation("the_process_of_a_plugin_loses_types", "read_task.cc",
              "edges.types.Set(place, types[at]);", "edges.types.Set(place, kNoType);"),
    # Shards.
    SeededBug("a_restarted_shard_tells_counts_that_slices_have", KEEPING, (
        Edit("daemon/pipeline/shard_keeping.cc",
             "if (facts.closed_until >= parts_.slices.known_until()) "
             "parts_.manifest.Publish(facts);", "parts_.manifest.Publish(facts);"),)),
    # Members of sets, and vectors of earlier results.
    SeededBug("fresh_work_is_done_first", CONNECTIONS, (
        Edit("daemon/http/work_queue.cc", "if (oldest_ == nullptr) Fetch();", "Fetch();"),)),
    SeededBug("a_plugin_that_is_cut_off_is_mapped", LIBRARIES, (
        Edit("daemon/plugins/plugin_library.cc",
             "if (const auto why = WhyNotLoadable(file)) return not_loaded(*why);", ""),)),
)
