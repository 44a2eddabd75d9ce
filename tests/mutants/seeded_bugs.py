"""The seeded bugs that unit tests find: what each does, and the text that causes it."""
import dataclasses

from seeding import Edit

# Test programs, by their paths in the build's folder of tests, and which of their tests run.
STORE = ("windows/store_test", "-*TruthTable*:*PinnedReaders*")
INGEST = ("windows/ingest_test", "*")
KERNELS = ("windows/kernels_test",
           "BfsTree*:BiasedPageRank*:Cycles*:EdgeFeatures*:Hits*:PairLists*:Paths*:Scc*:Strength*:"
           "TimedCycles*:*TrackedComponents*:*TrackedTriangles*:WeightStatistics*")
JOBS = ("windows/jobs_test", "Runners*:Baselines*:KeptScores*:RanksAmong*")
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


def store(name: str, *edits: tuple[str, str, str]) -> SeededBug:
    return SeededBug(name, STORE, tuple(Edit("windows/store/" + file, old, new)
                                        for file, old, new in edits))


def ingest(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, INGEST, (Edit("windows/ingest/" + file, old, new),))


def kernels(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, KERNELS, (Edit("windows/kernels/" + file, old, new),))


def jobs(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, JOBS, (Edit("windows/jobs/" + file, old, new),))


def kept(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, KEPT, (Edit("windows/jobs/" + file, old, new),))


def work(name: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, WORK, (Edit("windows/jobs/work_desk.cc", old, new),))


def answers(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, ANSWERS, (Edit("windows/jobs/" + file, old, new),))


def plugin(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, PLUGINS, (Edit("windows/jobs/plugin/" + file, old, new),))


def program(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, PROGRAMS, (Edit("windows/jobs/plugin/sash/vertex/" + file, old, new),))


def isolation(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, ISOLATION, (Edit("daemon/plugins/" + file, old, new),))


def slide(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, SLIDE, (Edit("windows/" + file, old, new),))


def durable(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, DURABLE, (Edit("windows/durable/" + file, old, new),))


def durable_slide(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, DURABLE, (Edit("windows/slide/" + file, old, new),))


def span(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, SPAN, (Edit("connectors/kafka/" + file, old, new),))


def connections(name: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, CONNECTIONS, (Edit("daemon/http/connection_table.cc", old, new),))


def checkpoints(name: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, RECOVERY, (Edit("daemon/recovery/checkpoints.cc", old, new),))


def letters(name: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, LETTERS, (Edit("daemon/letters/letter_verdict.cc", old, new),))


def alerts(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, ALERTS, (Edit("connectors/sinks/alerts/" + file, old, new),))


def partial(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, PARTIAL, (Edit("connectors/sinks/" + file, old, new),))


def rows(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, ROWS, (Edit("connectors/sinks/" + file, old, new),))


def slices(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, SLICES, (Edit("connectors/export/slices/" + file, old, new),))


def leases(name: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, LEASES, (Edit("connectors/export/leases/lease_book.cc", old, new),))


def stored(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, STORED, (Edit("windows/" + file, old, new),))


def tables(name: str, file: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, TABLES, (Edit("connectors/export/parquet/" + file, old, new),))


def desk(name: str, old: str, new: str) -> SeededBug:
    return SeededBug(name, DESK, (Edit("daemon/alerts/alert_desk.cc", old, new),))


BUGS = [
    # Placement of lists.
    store("a_list_built_anew_is_sorted_whole",
          ("lists/page_tenancy.cc",
           "CopyAlive(*page.block, page.ends[i], alive, *block, place);",
           """CopyAlive(*page.block, page.ends[i], alive, *block, place);
              std::vector<SlotContent> sorted;
              for (std::uint32_t k = 0; k < alive; ++k) sorted.push_back(block->content(place + k));
              std::ranges::stable_sort(sorted, {}, &SlotContent::neighbour);
              for (std::uint32_t k = 0; k < alive; ++k) block->Write(place + k, sorted[k]);""")),
    store("a_list_of_a_block_built_anew_has_room_in_the_next",
          ("lists/page_tenancy.cc", "lists_[i] = ListState::Short(place, alive, room);",
           "lists_[i] = ListState::Short(place, alive, room + 1);")),
    store("the_dead_are_moved_with_the_living",
          ("lists/page_tenancy.cc",
           "while (run < count && !from.IsDead(end - run - 1)) ++run;",
           "while (run < count) ++run;")),
    store("a_wider_weight_is_written_into_a_narrow_block",
          ("lists/page_tenancy.cc", "!page.block->layout().widths().Hold(growth.widths())",
           "false")),
    store("a_published_page_is_written",
          ("lists/adjacency_lists.cc",
           "pages_[page] = std::make_shared<ListPage>(*pages_[page]);", "")),
    store("published_degrees_are_written",
          ("multiversioned_array.h", "!is_own_[page]", "head_.is_zero_page(page)")),
    store("a_page_is_cleared_while_vertices_are_on_it",
          ("multiversioned_array.h",
           "if (is_own_[page] && head_.page(page) == zeros) Clear(page);", "Clear(page);")),
    # Readers.
    store("a_reader_goes_on_after_the_degree",
          ("lists/read_list.h", "      visit(std::span(block.neighbours() + (end - most), most));",
           "      visit(std::span(block.neighbours() + (end - most) - (end > most ? 1 : 0), "
           "most));")),
    store("a_stretch_begins_before_what_the_window_holds",
          ("lists/slot_lives.h", "count - wanted", "0u")),
    store("the_dead_have_no_bits",
          ("lists/slot_lives.h", "(high << kWord | low) >> first % kWord",
           "0 * (low + high + first)")),
    store("a_bit_counts_a_slice_before_its_death",
          ("lists/slot_lives.h", "(view | kDead)", "((view + 1) | kDead)")),
    store("what_was_removed_is_taken_for_replaced",
          ("multiversioned_window.cc", "!store_->spec_.removals", "true")),
    store("a_reader_does_not_skip_the_dead",
          ("lists/adjacency_view.h", "(end & ListPage::kHasDead) != 0", "false")),
    store("a_death_hides_the_edge_in_older_views",
          ("lists/slot_lives.h", "(life & ~kDead) > view", "false")),
    store("a_death_is_seen_one_slice_late",
          ("lists/slot_lives.h", "(life & ~kDead) > view", "(life & ~kDead) >= view")),
    # Deaths.
    store("a_death_lowers_the_degree_in_windows_without_the_slice",
          ("multiversioned_window.h", "if (birth < oldest()) return;", "")),
    store("the_older_copy_dies_in_one_direction_only",
          ("multiversioned_entries.cc", "if (older.birth == kNone) return;", "return;")),
    store("what_died_is_subtracted_again_when_it_ages_out",
          ("store_edges.cc", "records_.NoteOutDeath(source, birth);", "")),
    store("deaths_out_of_order_are_missed",
          ("slice_record.h", "if (!are_sorted_) RadixSort(deaths_, [](VertexId v) { return v; });",
           "")),
    store("a_removal_ends_one_copy_of_several",
          ("lists/adjacency_lists.cc", "if (!has_more) break;", "break;")),
    store("a_removal_ends_what_its_slice_adds_later",
          ("folded_slice.cc", "found != removals.end() && found->second > place",
           "found != removals.end()")),
    store("what_the_longest_window_holds_is_dropped",
          ("multiversioned_store.cc",
           "for (const MultiversionedWindow* window : edges_.windows()) "
           "held = std::max(held, window->held());",
           """held = edges_.windows().empty() ? 0 : edges_.windows().front()->held();
              for (const MultiversionedWindow* window : edges_.windows()) {
                held = std::min(held, window->held());
              }""")),
    # Types.
    store("a_removal_of_a_type_ends_all_types",
          ("lists/page_tenancy.cc",
           "if (type == kAnyType || block.type(slot) == type) return slot;", "return slot;")),
    store("a_search_by_type_stops_at_a_dead_copy_of_another",
          ("lists/long_list_deaths.cc", "ended = !mixed;", "ended = true;")),
    store("edges_of_two_types_are_one_in_a_slice",
          ("folded_slice.cc", "if (by_type) OrderByType(slice.types, adds);", "")),
    store("a_long_list_finds_copies_of_a_type_by_their_order",
          ("lists/long_list.h", "index_.emplace(parallel_, sizes_, parallel_ && has_types());",
           "index_.emplace(parallel_, sizes_, false);")),
    store("an_index_of_before_the_first_type_stays",
          ("lists/long_list.cc", "if (parallel_ && has_types() && !had_types) index_.reset();",
           "")),
    store("the_number_of_a_pair_is_used_twice",
          ("lists/copy_index.cc", "++next_;", "")),
    slide("a_window_by_type_shares_the_store_of_pairs", "slide/window_spec.h",
          "duplicates == DuplicatesPolicy::kKeep ? EdgeIdentity::kPair : identity",
          "EdgeIdentity::kPair"),
    slide("a_type_is_left_out_of_the_part_that_passes", "ingest/passing_part.cc",
          "part.types.Set(part.sources.size(), whole.types[i]);", ""),
    # Sums.
    store("a_removal_does_not_end_the_chain",
          ("store_edges.cc",
           "out_.Kill(SourceOf(pair), TargetOf(pair), records_.oldest(), records_.newest(), "
           "killed_, false,\n              type);",
           """if (spec_.duplicates != DuplicatesPolicy::kWeigh ||
                  !std::ranges::binary_search(folded.pairs, pair)) {
                out_.Kill(SourceOf(pair), TargetOf(pair), records_.oldest(), records_.newest(),
                          killed_, false, type);
              }""")),
    store("a_sum_counts_a_copy_that_the_window_does_not_hold",
          ("chain_log.cc", "entry->jump_birth >= oldest", "entry->jump_birth + 1 >= oldest")),
    store("a_chain_jumps_past_the_oldest_copy_of_the_window",
          ("chain_log.cc", "entry.jump_birth = middle.jump_birth;",
           "entry.jump_birth = older.jump_birth;")),
    store("what_a_window_may_still_ask_a_chain_is_dropped",
          ("chain_log.cc", "blocks[count]->newest < oldest", "blocks[count]->newest <= oldest")),
    store("a_sum_of_integers_wraps",
          ("chain_log.cc", "!__builtin_add_overflow(older.value, entry.value, &sum)",
           "(__builtin_add_overflow(older.value, entry.value, &sum) || true)")),
    store("a_sum_of_reals_is_formed_from_the_newest_on",
          ("chain_log.cc",
           "std::for_each(reals.rbegin(), reals.rend(), "
           "[&](double real) { sum.Add(Weight::Real(real)); });",
           "for (const double real : reals) sum.Add(Weight::Real(real));")),
    store("a_rounded_sum_is_counted_beside_its_parts",
          ("chain_log.cc", "if (!entry->is_whole) add(own);", "add(own);")),
    # Long lists.
    store("a_list_that_becomes_long_is_turned_round",
          ("lists/page_tenancy.cc",
           "ForEachAlive(page, local, [&](const SlotContent& edge) { list->Append(edge); });",
           """std::vector<SlotContent> edges;
              ForEachAlive(page, local, [&](const SlotContent& edge) { edges.push_back(edge); });
              std::ranges::reverse(edges);
              for (const SlotContent& edge : edges) list->Append(edge);""")),
    store("copies_of_a_neighbour_have_no_order",
          ("lists/copy_index.cc", "newest ? (*newest + 1) % kNewest : 0", "0")),
    store("a_rewritten_chunk_is_found_where_it_was",
          ("lists/long_list_deaths.cc",
           "Reindex(old, slot, PositionOf(rewritten, rewritten.count));", "")),
    store("a_dropped_chunk_stays_in_the_index",
          ("lists/long_list.cc",
           "index_->EraseAt(neighbour, OrdinalOf(*chunk.block, slot), PositionOf(chunk, slot),\n"
           "                    chunk.block->type(slot));", "")),
    store("a_chunk_is_dropped_with_its_newest_edge",
          ("lists/long_list.cc", "total_alive_ - states_.front().alive >= alive",
           "total_alive_ - states_.front().alive + 1 >= alive")),
    store("a_chunk_that_died_while_it_was_the_last_stays",
          ("lists/long_list.cc", "if (states_.size() > 1) TidyAfterDeath(states_.size() - 2);",
           "")),
    store("the_numbers_of_chunks_come_round",
          ("lists/long_list.cc", "((next_number_ - first) & number_mask()) == number_mask()",
           "false")),
    store("a_page_whose_long_list_is_empty_stays",
          ("lists/page_tenancy.cc",
           "any_in_long = any_in_long || lists_[i].alive() > 0;",
           "any_in_long = true;")),
    store("an_entry_moves_before_its_home",
          ("lists/neighbour_index.cc", "segment.entries[next].distance <= 1",
           "segment.entries[next].distance == 0")),
    # What changed between two views.
    store("what_was_moved_has_left_and_come",
          ("lists/list_difference.cc", "  CancelInOrder();\n  CancelTheRest();", "")),
    store("the_oldest_edges_of_a_long_list_are_looked_for_at_its_end",
          ("lists/list_difference.cc", "before_.rbegin()", "before_.begin()")),
    store("slices_before_those_that_a_view_knows_brought_nothing",
          ("counted_slices.h", "known.front().number > first", "false")),
    store("what_entered_and_left_between_two_views_came",
          ("counted_slices.h", "std::max(before.newest + 1, after.oldest)", "before.newest + 1")),
    store("a_list_to_which_as_many_came_as_left_is_the_same",
          ("list_ends.h", "ends.Add(v, both ? (next++)->second : 0, count);",
           "const std::uint32_t lost = both ? (next++)->second : 0;\n"
           "if (lost != count) ends.Add(v, lost, count);")),
    store("sums_of_a_slice_do_not_say_that_a_weight_is_no_integer",
          ("multiversioned_entries.cc", "weight.is_integer() && !__builtin", "!__builtin")),
    store("the_last_weight_of_a_vertex_is_missing_in_its_sum",
          ("multiversioned_entries.cc", "i < end && is_known", "i + 1 < end && is_known")),
    store("a_long_list_that_has_other_chunks_is_the_same",
          ("unlike_lists.h", "old.chunks == now.chunks && old.last_count", "old.last_count")),
    store("a_list_with_dead_slots_is_the_same_in_another_window",
          ("unlike_lists.h", "(follows ? 0 : ListPage::kHasDead)", "0u")),
    store("an_edge_that_left_at_the_end_of_a_run_has_not",
          ("lists/list_difference.cc",
           "for (; old != before_.end(); ++old) Take(*old, old->end, left_);",
           "")),
    store("a_vertex_that_comes_without_out_edges_is_overlooked",
          ("unlike_degrees.h", "(was(i) != is(i) ? 1 : 0)", "0")),
    store("pages_of_in_degrees_alone_are_the_same",
          ("unlike_degrees.h", "&old_in != &new_in", "false")),
    # Finding the edges that die.
    store("copies_in_the_chunk_before_are_forgotten",
          ("lists/long_list_deaths.cc", "if (states_[chunk].first < key) break;", "break;")),
    store("the_dead_are_compared_as_if_they_knew_their_birth",
          ("lists/slot_search.h", "while (alive > first && block.IsDead(alive)) --alive;", "")),
    store("a_list_that_becomes_short_is_not_in_the_filter",
          ("lists/page_tenancy.cc", "joined = true;", "")),
    store("a_long_list_is_not_in_a_new_filter",
          ("lists/page_tenancy.cc", "if (list != nullptr && list->is_indexed()) continue;",
           "if (list != nullptr) continue;")),
    # Records of several edges.
    ingest("a_copy_of_an_event_has_no_place", "event_batch.cc",
           "NotePlace(events_.size() - 1, *place);", "static_cast<void>(place);"),
    # Ids.
    ingest("a_forgotten_key_is_still_found", "vertex_dictionary.cc",
           "ids_.Erase(Bits(hash), id);", ""),
    ingest("a_key_is_hashed_without_the_secret", "vertex_dictionary.h",
           "hash_(static_cast<std::uint64_t>(key))", "static_cast<std::uint64_t>(key)"),
    store("a_neighbour_is_hashed_without_the_secret",
          ("lists/neighbour_index.h", "hash_(std::uint64_t{ordinal} << 32 | neighbour)",
           "(std::uint64_t{ordinal} << 32 | neighbour)")),
    ingest("an_id_is_recycled_that_a_pin_can_name", "vertex_lifetimes.cc",
           "!oldest || died_.front().epoch <= *oldest", "true"),
    ingest("an_id_that_lived_again_is_recycled_too_early", "vertex_lifetimes.cc",
           "if (!revived) return true;", "return true;"),
    ingest("a_recycled_id_keeps_its_birth", "vertex_lifetimes.cc",
           "births_.Set(id, birth);", ""),
    ingest("a_key_is_lost_behind_a_forgotten_one", "id_table.cc",
           "strayed < ((slot - hole) & mask)", "true"),
    ingest("the_watermark_is_that_of_the_last_partition", "watermark.cc",
           "passed && (!least || *passed < *least)", "passed.has_value()"),
    ingest("the_watermark_is_looked_at_a_little_late", "watermark.h",
           "*observed.newest - policy_.disorder >= due",
           "*observed.newest - policy_.disorder > due"),
    # Wrong clocks.
    ingest("an_event_ahead_of_the_clock_goes_on", "ahead_gate.cc",
           "!IsAhead(newest) || taken.offset < partition.reach.awaited_until", "true"),
    ingest("a_record_that_a_recovery_needs_waits", "ahead_gate.cc",
           "taken.offset < partition.reach.awaited_until", "false"),
    ingest("a_partition_that_waits_is_taken_for_an_idle_one", "ahead_gate.cc",
           "passed.AddMark(Mark::Kind::kBehind, taken.partition);", ";"),
    ingest("old_records_say_that_the_clock_is_right", "ahead_gate.cc",
           "!seen.live && !is_behind && !in_need_", "false"),
    ingest("a_record_nearly_as_far_ahead_speaks_against_an_event", "ahead_gate.cc",
           "seen.time < time - policy_.ahead_limit", "true"),
    ingest("a_late_record_refuses_what_is_ahead", "ahead_gate.cc",
           "in_need_ || partition.reach.live || IsFull(index) || in_time_behind > kEnoughBehind",
           "true"),
    ingest("a_clock_that_was_set_back_is_believed", "ahead_gate.cc",
           "(now - now_) - (wall - wall_) > kSetBack", "false"),
    ingest("nine_in_ten_are_not_enough_to_wait", "ahead_gate.cc",
           "in_time * 10 > asked", "in_time * 10 >= asked"),
    ingest("a_partition_that_left_is_held_for_ever", "ahead_gate.cc",
           "if (mark->kind == Mark::Kind::kLeaves) Leave(partition);", ""),
    ingest("the_end_of_a_partition_that_left_is_waited_for", "ahead_gate.cc",
           "  partition.reach = {};", "  ;"),
    ingest("what_is_sorted_loses_its_anchors", "ahead_gate.cc",
           "passed.anchors = std::move(batch.anchors);", ";"),
    ingest("an_outlier_needs_one_more_against_it", "outlier_guard.cc",
           "before >= kRefusing", "before > kRefusing"),
    ingest("the_first_event_is_in_no_doubt", "outlier_guard.h",
           "!newest_ || time - limit_ > *newest_", "newest_ && time - limit_ > *newest_"),
    ingest("one_event_near_an_outlier_accepts_it", "outlier_guard.cc",
           "asked - before > kNext - kRefusing", "asked - before > 0"),
    ingest("those_that_the_clock_has_reached_refuse_the_others", "ahead_gate.cc",
           "!seen.ahead", "!IsAhead(seen.time)"),
    ingest("an_outlier_makes_the_rest_late", "outlier_guard.cc",
           "into.RefuseLastAsAhead();", "newest = std::max(newest, std::optional(time));"),
    ingest("at_the_end_nothing_is_an_outlier", "outlier_guard.cc",
           "asked > 0 && before * kNext >= asked * kRefusing", "false"),
    # Slices.
    ingest("of_equal_times_the_later_partition_comes_first", "order_of_effect.cc",
           "second->time < first->time", "second->time <= first->time"),
    ingest("partitions_that_overlap_are_not_merged", "order_of_effect.cc",
           "is_sorted = is_sorted && log->least_time() >= latest;", ""),
    ingest("a_disordered_log_is_taken_as_sorted", "partition_log.h",
           "is_sorted_ = is_sorted_ && event.time >= last_time_;", ""),
    # Kernels.
    kernels("bounds_stay_when_a_vertex_leaves_the_path", "cycle_search.h",
            "LowerBefore(v);", ""),
    kernels("a_cycle_is_found_at_each_of_its_edges_that_entered", "cycle_search.h",
            "return !goal_.is_first || !entered_.IsOfEarlierSource(from, to, place_);",
            "return true;"),
    kernels("the_last_steps_are_taken_by_several_edges", "cycle_sweep.h",
            "found[i] = search->Find(begin + i, left, listed);",
            "found[i] = search->Find(begin + i, steps_left, listed);"),
    kernels("features_have_the_cycles_without_an_earlier_edge", "cycle_search.h",
            "!goal_.is_first || !entered_.IsOfEarlierSource(from, to, place_)",
            "!entered_.IsOfEarlierSource(from, to, place_)"),
    kernels("a_cycle_in_time_order_is_found_at_each_pair_that_closes_it", "timed_cycle_search.h",
            "if (Spend(path_.size()) || IsInOrderUntil(last)) return false;",
            "if (Spend(path_.size())) return false;"),
    kernels("a_cycle_in_time_order_goes_on_after_its_last_edge", "timed_cycle_search.h",
            "if (!then || *then > until_) continue;", "if (!then) continue;"),
    kernels("a_path_that_can_just_be_in_time_is_not_followed", "timed_cycle_search.h",
            "date <= mark.latest", "date < mark.latest"),
    store("an_edge_of_drop_has_the_date_of_its_oldest_copy",
          ("dated_edges.cc", "if (!is_light(edges.weights[newest])) add(newest);",
           "if (!is_light(edges.weights[newest])) add(order[begin]);")),
    store("slices_of_a_held_window_are_forgotten",
          ("slice_archive.cc",
           "most = std::max(most, std::size_t{newest_ + 1 - *held_from_.begin()});", "")),
    kernels("a_pattern_may_return_to_its_first_vertex", "scatter_gather.h",
            "if (end == v) continue;", ""),
    kernels("patterns_are_cut_by_the_steps_of_sources_alone", "edge_features.h",
            "for (const EdgesOfHub& group : by_target) of_edge[group.places.front()] += "
            "group.steps;", ""),
    kernels("the_variance_is_that_of_a_sample", "weight_statistics.h",
            "squares / static_cast<long double>(weights.size())",
            "squares / static_cast<long double>(weights.size() - 1)"),
    kernels("a_lighter_path_ends_those_with_fewer_edges", "path_side.h",
            "cost.weight <= held.cost.weight && cost.edges <= held.cost.edges",
            "cost.weight <= held.cost.weight"),
    kernels("a_search_stops_where_its_sides_first_meet", "paths.h",
            "ahead_.side.nearest() + behind_.side.nearest() < best_", "!found_"),
    kernels("paths_from_several_starts_are_ordered_by_their_ends", "paths_between_sets.h",
            "if (a.origin != b.origin) return a.origin < b.origin;", ""),
    kernels("a_path_with_more_edges_may_be_as_heavy", "paths_between_sets.h",
            "if (!(weight < labels_[held].weight)) return;",
            "if (labels_[held].weight < weight) return;"),
    kernels("values_are_not_divided_by_their_sum", "hits.h", "sums[v] / total", "sums[v]"),
    kernels("a_component_leaves_those_behind_that_reach_its_root", "scc.h",
            "numbers_[waiting_.back()] >= numbers_[step.vertex]",
            "numbers_[waiting_.back()] > numbers_[step.vertex]"),
    kernels("a_neighbour_is_not_looked_at_again_after_its_visit", "scc.h",
            "if (numbers_[other] == kUnvisited) return other;",
            "if (numbers_[other] == kUnvisited) return neighbours[step.next++];"),
    kernels("what_a_vertex_sent_is_added_to_its_net_sum", "strength.h",
            "sum.Add(Negative(neighbor.weight))", "sum.Add(neighbor.weight)"),
    kernels("a_self_loop_leads_rank_back_twice", "rows/both_ways.h",
            "if (loops_[v] == 0) return visit(v, run);", "return visit(v, run);"),
    kernels("the_weight_of_a_self_loop_counts_twice", "rows/both_ways.h",
            "from.vertex != v", "true"),
    kernels("a_triangle_that_loses_two_pairs_is_lost_twice", "following/flagged_triangles.cc",
            "if (with_other && PairKey(pair.other, w) < key) return 0;", ""),
    kernels("a_pair_leaves_with_the_second_last_of_its_edges", "following/pair_lists.cc",
            "if (edges > 0) continue;", "if (edges > 1) continue;"),
    kernels("the_first_to_reach_a_pushed_vertex_is_its_parent", "bfs.h",
            "if (is_first || known == depth) OfferParent(v, u);",
            "if (is_first) OfferParent(v, u);"),
    kernels("a_neighbour_of_a_pushed_vertex_that_is_not_nearer_may_be_its_parent", "bfs.h",
            "if (is_first || known == depth) OfferParent(v, u);", "OfferParent(v, u);"),
    kernels("a_pair_that_came_keeps_its_flag", "following/pair_lists.cc",
            "mark &= static_cast<std::uint8_t>(~kFlag);", "mark |= 0;"),
    kernels("a_sum_that_is_not_an_integer_is_continued", "following/strength_follow.h",
            "if (read > most) return std::nullopt;",
            "if (read > 0) return result;"),
    kernels("sums_are_followed_where_copies_take_the_place_of_others",
            "following/strength_follow.h",
            "if (!after.keeps_order() && !std::ranges::all_of(sums, is_integer)) "
            "return std::nullopt;", ""),
    kernels("what_slices_took_away_is_added", "following/strength_follow.h",
            "sum ? TermOf(Weight::Integer(*sum), comes == adds)",
            "sum ? TermOf(Weight::Integer(*sum), adds)"),
    kernels("a_vertex_that_lost_its_parent_hangs_on_what_is_cut_off",
            "following/forest_repair.h",
            "if (forest_.levels_[u] == kCutOff) return true;", ""),
    kernels("what_is_cut_off_keeps_its_children", "following/forest_repair.h",
            "for (const VertexId child : children_) "
            "orphans_.push({forest_.levels_[child], child});", ""),
    kernels("a_vertex_hangs_on_the_level_of_its_children", "following/forest_repair.h",
            "lowest < lowest_child - 1 || lowest < level",
            "lowest < ComponentForest::kMostLevel"),
    kernels("places_in_lists_are_right_after_slices_that_were_not_told",
            "following/tracked_components.h",
            "if (!are_told && after.keeps_order()) forest_->ForgetPlaces();", ""),
    kernels("the_edge_to_a_parent_stays_for_one_edge_too_long", "following/component_forest.h",
            "older_[v] >= edges", "older_[v] + 1 >= edges"),
    kernels("a_root_that_lost_its_edges_stays", "following/tracked_components.h",
            "forest_->Lose(v, edges, list) || forest_->IsRoot(v)",
            "forest_->Lose(v, edges, list)"),
    kernels("the_other_end_has_an_edge_in_the_same_list", "following/component_forest.h",
            "return {list == List::kOut ? List::kIn : List::kOut, 0};", "return {list, 0};"),
    kernels("a_component_that_was_split_keeps_its_name", "following/forest_repair.h",
            "forest_.Leave(v);\n        forest_.Enter(v, root);", ""),
    kernels("an_edge_between_two_new_components_is_taken_for_one_inside",
            "following/tracked_components.h",
            "name == kNoVertex || name != forest_->name(u)", "name != forest_->name(u)"),
    # Windows.
    slide("what_left_a_window_stays_in_its_account", "slide/sliding_fold.h",
          "if (totals_.size() * kStride > older_) totals_.pop_back();", ""),
    slide("a_window_that_comes_begins_a_slice_late", "slide/lane_windows.cc",
          "retained_[retained_.size() - wanted].begin < end - *spec.length",
          "retained_[retained_.size() - wanted].begin <= end - *spec.length"),
    slide("a_silence_before_a_restart_is_forgotten", "slide/publisher.cc",
          "window.PublishedUntil(published->second, newest->second);",
          "window.PublishedUntil(published->second);"),
    durable_slide("a_window_that_only_joined_is_recalled_when_it_is_rebuilt", "sliding_window.h",
                  "!only_joined_ && (!newest.in_silence || KeepsEmptiness())",
                  "!newest.in_silence || KeepsEmptiness()"),
    durable_slide("a_window_that_only_joined_is_recalled_from_its_slices", "window_recall.cc",
                  "!from.published_until || from.only_joined || from.slices == 0",
                  "!from.published_until || from.slices == 0"),
    durable_slide("a_window_that_has_published_still_counts_as_only_joined", "sliding_window.h",
                  "published_until_ = end;\n    only_joined_ = false;", "published_until_ = end;"),
    slide("a_window_that_changes_forgets_its_silence", "slide/sliding_window.cc",
          "in_silence_ = before.in_silence_;", ""),
    slide("a_window_that_changes_and_has_nothing_left_sleeps", "slide/sliding_window.cc",
          "next_end_ = published_until_.value() + spec_.slide;", ";"),
    slide("a_follower_moves_without_its_leader", "slide/sliding_window.cc",
          "leader.published_until_ != end", "false"),
    slide("a_follower_is_told_of_one_too_late", "slide/publisher.cc",
          "SinceEnd(spec, leader->second) == 0", "false"),
    slide("an_offset_moves_ends_the_other_way", "slide/window_spec.h",
          "since -= window.offset;", "since = (since + window.offset) % window.slide;"),
    slide("an_offset_does_not_cut_panes", "slide/window_spec.h",
          "std::gcd(std::gcd(pane, window.slide), window.offset)",
          "std::gcd(pane, window.slide)"),
    slide("a_window_before_the_epoch_has_the_number_of_the_next", "slide/window_spec.h",
          "end / window.slide - (end % window.slide < 0 ? 1 : 0)", "end / window.slide"),
    slide("a_filtered_window_begins_with_the_stream", "slide/sliding_window.cc",
          "(slice.account.on_time_passes & filter_) != 0", "slice.stream_begun"),
    slide("a_stream_has_begun_before_its_first_event", "slide/retained_slices.cc",
          "stream_begun_ || slice->account.has_on_time", "true"),
    slide("a_filtered_window_is_woken_by_what_does_not_pass", "slide/retained_slice.h",
          "filter == kNoFilter ? events > 0 : (passed & filter) != 0", "events > 0"),
    slide("a_silent_filtered_window_holds_everything", "slide/lane.cc",
          "for (Member& member : members()) member.window.PassInSilence(retained);", ""),
    slide("windows_of_other_filters_share_a_store", "slide/lane_windows_stores.cc",
          "store.spec == spec && store.filter == filter", "store.spec == spec"),
    slide("a_new_store_of_a_filter_takes_slices_that_nobody_judged",
          "slide/lane_windows_stores.cc",
          "filter == kNoFilter ? WholeSlices(wanted) : TypedParts(spec, filter, wanted)",
          "WholeSlices(wanted)"),
    ingest("a_removal_must_pass_filters", "event_batch.h",
           "operation == Operation::kAdd ", "operation != Operation::kRemoveVertex "),
    ingest("a_copied_event_has_no_type", "event_batch.cc",
           "NoteType(events_.size() - 1, Store(from.Text(type)));", ";"),
    ingest("a_type_stays_where_it_was_in_a_second_copy", "event_batch.cc",
           "types_[i] = moved(types_[i]);", ";"),
    ingest("filters_of_the_same_types_in_another_order_differ", "window_filter.cc",
           "std::ranges::sort(sorted);", ""),
    slide("a_typed_removal_passes_every_filter_after_a_restart", "ingest/filter_numbers.h",
          "Translate(bits) | unknown()", "kPassesAll"),
    ingest("a_copied_event_passes_every_filter", "event_batch.cc",
           "return NotePasses(last, bits, bits);", "return;"),
    slide("an_event_before_a_filter_passes_it", "slide/lane.cc",
          "if (fresh != 0) slicer_.Judge(fresh, by_type);", ""),
    slide("types_do_not_judge_open_slices", "ingest/partition_log.cc",
          "chunk.passes[i] = (chunk.passes[i] & ~fresh) | passed;",
          "chunk.passes[i] &= ~fresh;"),
    slide("types_do_not_judge_batches_on_their_way", "ingest/filter_numbers.h",
          "return translated | by_type_.Of(operation, type);", "return translated;"),
    slide("a_store_that_folds_types_together_tells_them", "store/multiversioned_store.cc",
          "spec.removes_by_type()", "true"),
    slide("sums_are_told_as_single_weights", "store/multiversioned_store.cc",
          "spec.duplicates != DuplicatesPolicy::kWeigh", "true"),
    slide("edges_are_told_in_the_slice_before", "store/edges_by_slice.cc",
          "const SliceNumber birth = is_mortal ? edge.birth : births[place++];",
          "const SliceNumber birth =\n"
          "    std::max(first + 1, is_mortal ? edge.birth : births[place++]) - 1;"),
    slide("a_slice_is_told_without_its_removals", "ingest/type_filters.h",
          "return TypeFilters::PassesAny(operation, type != kNoType) ? bits_ : by_number_[type];",
          "return operation != Operation::kAdd ? 0 : by_number_[type];"),
    slide("a_batch_has_the_bits_of_another_set_of_filters", "slide/window_engine.cc",
          "numbered.NumberAs(filter_set());", ""),
    slide("a_window_of_a_new_filter_has_no_gap", "slide/lane_windows.cc",
          "std::max(complete_from, JudgedFromOf(filter))", "complete_from"),
    slide("what_a_filter_did_not_judge_is_no_gap", "slide/window_engine.cc",
          "if (batch.unjudged != 0) lanes_.NoteUnjudged(batch);", ""),
    slide("the_number_of_a_filter_is_taken_away_from_a_window", "ingest/filter_set.cc",
          "return !IsIn(known, held) && !IsIn(known, wanted);", "return !IsIn(known, wanted);"),
    SeededBug("filters_in_another_order_get_each_others_bits",
              ("windows/durable_test", "*FiltersMayBeInAnotherOrder*:*ANewFilter*"),
              (Edit("windows/durable/slice_file.cc",
                    "slice.passes.push_back(numbers.OfEvent(before[i], slice.operation(i), word));",
                    "slice.passes.push_back(before[i]);"),)),
    slide("a_window_begins_again_after_a_restart", "slide/lane_set.cc",
          "resumed.published.contains(spec.name)", "false"),
    slide("who_joins_holds_the_windows_until_it_has_spoken", "slide/stream_partitions.cc",
          "watermark_.Assign(partition, watermark_.Newest(partition), now);\n"
          "  watermark_.CaughtUp(partition);",
          "watermark_.Assign(partition, watermark_.Newest(partition), now);"),
    slide("a_rewind_point_within_a_batch_knows_no_record", "slide/window_engine.cc",
          "closer_.CloseByClock();\n  partitions_.NoteAnchors(batch.anchors);",
          "closer_.CloseByClock();"),
    slide("who_left_holds_the_windows", "slide/stream_partitions.cc",
          "watermark_.Unassign(partition);", ";"),
    slide("a_pane_before_the_epoch_begins_at_its_end", "ingest/slicer.cc",
          "(remainder < 0 ? pane : 0)", "0"),
    slide("a_record_that_a_slice_divides_begins_there", "ingest/slicer.cc",
          "before - std::min<std::uint64_t>(before, event.edges_before)", "before"),
    slide("a_repeated_round_divides_a_record", "slide/round_replay.cc",
          "end == records.size() ||\n          records[end].offset != item.offset", "true"),
    slide("a_rewind_point_is_behind_the_event_that_comes", "slide/event_intake.cc",
          "place.next_offset = event.offset;", "place.next_offset = event.offset + 1;"),
    slide("a_rewind_point_is_behind_the_record_that_comes", "slide/event_intake.cc",
          "place.next_offset = edges.front().offset;",
          "place.next_offset = edges.front().offset + 1;"),
    slide("late_edges_count_before_their_record", "slide/event_intake.cc",
          "CountLate(*lane, edge, verdicts.newest)", "CountLate(*lane, edge)"),
    # Ids of edges.
    ingest("an_edge_at_the_end_of_the_time_counts", "deduplicator.cc",
           "newest.time >= TimeBefore(edge.time, within)",
           "newest.time > TimeBefore(edge.time, within)"),
    ingest("edges_of_a_record_are_duplicates_of_each_other", "deduplicator.cc",
           "!IsOfOneRecord(newest, edge)", "(!IsOfOneRecord(newest, edge) || true)"),
    slide("a_rewind_point_does_not_reach_back_to_ids", "slide/retained_slices.cc",
          "    reach_.Add(oldest);\n", ""),
    slide("a_duplicate_keeps_the_key_of_its_source", "slide/lane_set.cc",
          "lives_.Release(edge.source);\n        lives_.Release(edge.target);",
          "lives_.Release(edge.target);"),
    # Files of a checkpoint.
    durable("a_checkpoint_forgets_the_ids_that_counted", "event_sections.cc",
            "PutCounted(lane.slicer.counted, writer);", "PutCounted({}, writer);"),
    durable("a_file_may_have_another_size_than_the_manifest_says", "sectioned_file.cc",
            "expected.value_or(written)", "written"),
    durable("memory_is_taken_before_the_size_is_compared", "sectioned_file.cc",
            "CheckSize(read, bytes, expected)", "Status(Ok{})"),
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
    # Several runners.
    jobs("two_runs_of_a_job_are_under_way", "run_queue.cc",
         "!IsUnderWay(run.job->settings.name)", "true"),
    jobs("an_advance_is_reported_before_its_runs_have_ended", "job_scheduler.h",
         "!tickets_.empty() && tickets_.front()->outstanding == 0", "!tickets_.empty()"),
    jobs("a_run_does_not_wait_for_its_baseline_window", "run_queue.cc",
         "if (IsHeld(run)) return true;", ""),
    jobs("a_result_is_compared_with_a_newer_one", "kept_scores.cc",
         "BehindEnd(found->second, end)", "found->second.end()"),
    slide("a_waiting_run_loses_its_baseline", "jobs/registered_jobs.cc",
          "std::ranges::copy(queue_.EndsOf(other), std::back_inserter(needs.ends));", ""),
    jobs("a_triggered_run_is_part_of_a_baseline", "registered_jobs.cc",
         "if (next.is_triggered() || !HasScores(run.result->parameters)) return nullptr;", ""),
    jobs("almost_equal_scores_have_another_rank", "rounded_score.cc",
         "if (is_near) place = std::ranges::lower_bound(limits, RoundedScore(score));", ""),
    jobs("memory_is_reserved_for_one_run", "job_scheduler.cc",
         "most_runs_ - queue_.under_way(RunPlace::kHere)", "std::size_t{1}"),
    # Live jobs.
    slide("a_live_job_runs_on_advances", "jobs/job_scheduler.cc",
          "!IsLive(job.settings) && !job.status.paused", "!job.status.paused"),
    slide("a_live_result_is_final", "slide/live_advance.cc",
          "about.cut = OffsetsOfCut(engine, live);", ""),
    slide("a_live_job_runs_again_on_the_same_cut", "slide/live_jobs.cc",
          "if (standing.last == now) return;", ""),
    slide("a_paused_live_job_runs", "slide/live_jobs.cc",
          "live.is_free", "true"),
    slide("the_copy_of_a_live_view_has_no_weights", "store/live_copy.cc",
          "edges.weights.Set(i, ends[i].weight);", ""),
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
    jobs("a_result_on_an_earlier_window_reaches_the_sink_after_the_stop", "run_delivery.cc",
         "closed_ = true;", ""),
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
    slices("what_waits_for_slices_is_called_before_they_are_durable", "slice_export.cc",
           "pending_.front().added <= durable_", "pending_.front().added <= added_"),
    slices("a_slice_that_is_there_is_written_again", "known_slices.h",
           "until_ && end <= *until_", "until_ && end < *until_"),
    slices("a_table_without_a_manifest_stays", "slice_folder.cc",
           "table && !known.contains(SliceTextName(*table))", "table && known.empty()"),
    slices("a_duplicate_is_not_marked", "slice_table.cc",
           "facts.duplicates = task.slice.logs->duplicates.size();", ""),
    ingest("an_event_forgets_its_place_in_the_record", "partition_log.h",
           "event.edges_before = chunk.places[i].edges_before;", "event.edges_before = 0;"),
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
    # Plug-ins.
    program("letters_come_in_the_order_of_ids", "supersteps.h",
            "wanted.by_key = !kPulls;", "wanted.by_key = false;"),
    program("letters_arrive_in_each_later_superstep_again", "mailboxes.h",
            "    sent_[block].clear();\n", ""),
    program("the_last_of_several_failures_counts", "supersteps.h",
            "if (all.failure.empty()) all.failure = each.failure;",
            "if (!each.failure.empty()) all.failure = each.failure;"),
    plugin("a_plugin_may_give_nan", "plugin_answer.cc", "!std::isfinite(scores[v])",
           "std::isinf(scores[v])"),
    plugin("a_plugin_may_give_too_few_values", "plugin_answer.cc", "count != limit",
           "count > limit"),
    plugin("a_plugin_may_name_ids_beyond_the_window", "plugin_answer.cc",
           "if (HasEdge(view_, v)) continue;", "if (v < 4) continue;"),
    plugin("a_lost_run_is_forgotten", "lost_runs.cc", "run.job == job", "run.job.empty()"),
    plugin("lists_of_several_runs_lose_the_first", "plugin_lists.cc",
           "batch.ids.insert(batch.ids.end(), begun, begun + length);",
           "batch.ids.resize(batch.ids.size() + length);"),
    isolation("a_process_may_name_a_vertex_beyond_the_window", "answer_stream.cc",
              "place >= vertices.size()", "place > vertices.size()"),
    isolation("a_process_may_say_any_length", "answer_stream.cc",
              "header.bytes > MostBytes(header.kind)",
              "header.bytes > (std::uint64_t{1} << 62)"),
    isolation("a_process_is_left_after_its_run", "child_process.cc", "Kill();", ";"),
    isolation("the_process_of_a_plugin_loses_types", "read_task.cc",
              "edges.types.Set(place, types[at]);", "edges.types.Set(place, kNoType);"),
    # Earlier windows.
    slide("history_forgets_a_window_too_late", "slide/window_history.cc",
          "ForgetBefore(past.end - retain_);", "ForgetBefore(past.end - 2 * retain_);"),
    slide("an_earlier_window_shows_the_newest_slices", "store/slice_archive.cc",
          "slices_.end() - static_cast<std::ptrdiff_t>(newest_ - newest)",
          "slices_.end() - static_cast<std::ptrdiff_t>(0 * newest)"),
    slide("an_archived_removal_is_an_edge", "store/archived_slice.cc",
          "slice->operations[place] = Operation::kRemove;",
          "slice->operations[place] = Operation::kAdd;"),
    slide("an_archived_removal_ends_edges_of_every_type", "store/archived_slice.cc",
          "slice->types.Set(place, removed_types_[i]);", ";"),
    store("what_entered_has_an_edge_several_times",
          ("archived_slice.cc", "if (targets_.size() == edges_) return slice;", "return slice;")),
    store("history_rounds_the_sum_of_each_slice",
          ("archived_slice.cc", "TellSumsApart(folded);", "")),
    slide("an_earlier_window_does_not_keep_its_ids", "slide/publisher.cc",
          "windows_.SetPin(newest ? std::move(newest) : lives_.Pin())",
          "(void)newest, windows_.SetPin(nullptr)"),
    slide("history_holds_the_rewind_point", "slide/retained_slices.cc",
          "std::min(count, published)", "std::max(count, published)"),
    # Shards.
    slide("a_partition_belongs_to_two_shards", "ingest/stream_shard.h",
          "partition % of + 1 == number", "partition % of + 1 <= number"),
    slide("counts_of_a_shard_join_its_next_slice", "ingest/waiting_counts.cc",
          "    closed_apart_ = TakeApart();\n    return;", ""),
    slide("an_idle_shard_does_not_follow_the_others", "ingest/watermark.cc",
          "return others.until;", "return std::nullopt;"),
    slide("a_shard_reads_closed_slices_again", "slide/lane.cc",
          "windows_.has_filters() || slicer_.dedupes() || members().empty()",
          "windows_.has_filters() || slicer_.dedupes()"),
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
             "} else if (!whole_since_ || facts.begin >= *whole_since_) {", "} else {"),)),
    SeededBug("a_lost_slice_of_a_shard_leaves_the_others_whole", SHARDS, (
        Edit("connectors/export/slices/shard_merge.cc",
             "if (begin >= lost.from) slice.gap = true;", ""),)),
    SeededBug("rows_of_shards_come_shard_by_shard", SHARDS, (
        Edit("connectors/export/slices/slice_reader.cc",
             "return run.rows->pair;", "return run.part;"),)),
    SeededBug("a_restarted_shard_tells_counts_that_slices_have", KEEPING, (
        Edit("daemon/pipeline/shard_keeping.cc",
             "if (facts.closed_until >= parts_.slices.known_until()) "
             "parts_.manifest.Publish(facts);", "parts_.manifest.Publish(facts);"),)),
    # Live windows.
    ingest("a_tail_is_read_past_its_published_length", "slice_tail.h",
           "if (next < count) visit(events_[next], next);", "visit(events_[next], next);"),
    ingest("an_open_event_is_shown_with_its_old_filters", "slicer.cc",
           "HideOpen();", ""),
    slide("a_live_removal_ends_the_edges_after_it", "store/live_fold.cc",
          "place == nullptr || *place < ended->place", "place == nullptr || true"),
    slide("a_removed_vertex_keeps_its_edges_in_the_live_base", "store/live_fold.cc",
          "return !removes_vertices_ || !parts_.RemovalOf(neighbour);", "return true;"),
    slide("a_live_sum_counts_the_newer_copies_twice", "store/live_fold.cc",
          "is_merged_[static_cast<std::size_t>(adds.data() - adds_.data())] = true;", ""),
    slide("a_live_window_shows_slices_that_have_aged_out", "slide/live_publisher.cc",
          "base.AgeTo(begin);", "base.KeepNewest(window.slice_count());"),
    slide("a_live_window_shows_open_slices_before_its_begin", "slide/live_publisher.cc",
          "tail.begin < begin || tail.begin >= *end", "tail.begin >= *end"),
    slide("a_live_window_shows_duplicates_of_edges_in_closed_slices", "ingest/open_ids.cc",
          "closed_->Newest(id, closed_slices_)", "std::optional<IdentifiedEdge>()"),
    slide("duplicates_in_open_slices_follow_the_order_of_arrival", "ingest/open_ids.cc",
          "std::ranges::sort(copies, {}, &Copy::place);", ""),
    slide("an_edge_that_counted_after_the_cut_makes_duplicates_before_it", "ingest/counted_ids.cc",
          "entries_[place].slice > slices", "false"),
    slide("what_counted_before_a_window_was_live_is_not_known", "ingest/slicer.cc",
          "std::make_shared<CountedIds>(deduplicator_->State())",
          "std::make_shared<CountedIds>(std::vector<IdentifiedEdge>())"),
    slide("a_live_window_by_events_says_the_times_of_closed_slices_alone",
          "slide/live_advance.cc", "times.Take(event.time);", ""),
    slide("a_duplicate_wakes_a_live_window", "store/live_fold.cc",
          "if (open_ids->Counts(first_open + i, *number)) return false;", "return false;"),
    slide("a_live_window_does_not_keep_its_ids", "slide/live_publisher.cc",
          "cut->ids = lives_.Pin();", ""),
    slide("a_slice_that_closed_after_the_cut_is_listed_twice", "slide/live_slices.cc",
          "std::min(end, live.closed_until)", "end"),
    slide("an_open_slice_is_listed_in_the_order_of_arrival", "store/open_slice.cc",
          "std::ranges::sort(events, {}, &PlacedEvent::place);", ";"),
    slide("an_open_slice_lists_what_the_filter_keeps_out", "store/open_slice.cc",
          "parts.Passes(event)", "true"),
    slide("a_live_window_misses_the_slice_that_closed", "slide/lane.cc",
          "member.live_base->Note(retained);", ";"),
    # Members of sets, and vectors of earlier results.
    kept("a_page_of_members_begins_with_the_last_of_the_page_before", "key_page.cc",
         "keys_.TextOf(vertex) > *text", "keys_.TextOf(vertex) >= *text"),
    kept("a_page_of_members_keeps_the_last_keys", "key_page.cc",
         "!less(vertex, first_.front())", "less(vertex, first_.front())"),
    answers("a_worker_may_give_a_pair_twice", "external_answer.cc",
            "if (found == order.end()) return std::nullopt;", "return std::nullopt;"),
    answers("a_worker_may_name_ids_beyond_the_snapshot", "external_answer.cc",
            "if (id < vertices) continue;", "if (id <= vertices) continue;"),
    answers("rows_by_id_are_not_those_of_keys", "kinds/external.cc",
            "answer.by_place ? by_place[given] : given", "given"),
    work("a_worker_whose_lease_has_ended_goes_on",
         "if (work.is_taken) return found->second;", "return found->second;"),
    kept("a_vector_stays_after_its_time", "result_history.cc", "i < too_old", "i + 1 < too_old"),
    kept("a_freed_vector_is_still_counted", "result_history.cc",
         "bytes_ -= BytesOf(job.results[i].vector);", ""),
    leases("a_lease_outlives_its_time", "if (held->second.hold->until() > now) continue;",
           "if (held->second.hold->until() >= now) continue;"),
    leases("an_expired_lease_is_read_until_it_is_ended",
           "if (clock_.Steady() < found->second.hold->until()) return &found->second;",
           "return &found->second;"),
    SeededBug("a_download_goes_on_after_its_lease", LEASES, (
        Edit("connectors/export/leases/lease_reader.cc",
             "!kept || clock_.Steady() >= kept->until()", "!kept"),)),
    SeededBug("fresh_work_is_done_first", CONNECTIONS, (
        Edit("daemon/http/work_queue.cc", "if (oldest_ == nullptr) Fetch();", "Fetch();"),)),
    leases("each_lease_of_a_snapshot_counts_its_bytes",
           "snapshots[{held.about.window, held.about.folder}] = held.about.bytes;",
           "snapshots[{held.about.window, id}] = held.about.bytes;"),
    leases("a_lease_of_another_snapshot_is_free",
           "if (bytes <= bounds_.bytes) return std::nullopt;",
           "if (BytesHeld(nullptr) <= bounds_.bytes) return std::nullopt;"),
    SeededBug("a_plugin_that_is_cut_off_is_mapped", LIBRARIES, (
        Edit("daemon/plugins/plugin_library.cc",
             "if (const auto why = WhyNotLoadable(file)) return not_loaded(*why);", ""),)),
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
    stored("an_edge_that_was_moved_is_on_time_again", "slide/event_intake.cc",
           "event.time < batch.pane->begin", "event.time < EventTime::min()"),
    stored("a_lost_slice_is_no_gap", "slide/window_engine.cc",
           "if (batch.pane->lost_before) partitions_.NoteGap(batch.pane->begin);", ";"),
    stored("late_records_of_a_stored_slice_are_not_counted", "ingest/slicer.cc",
           "account.late += late;", "(void)late;"),
    stored("a_stored_slice_stays_open", "slide/window_engine.cc",
           "closer_.Reach(batch.pane->end);", "(void)batch.pane->end;"),
    tables("a_level_is_neither_0_nor_1", "unpacked_numbers.cc",
           "if (width < 32 && number >> width != 0) return false;", ""),
    tables("a_page_may_state_any_number_of_rows", "column_cursor.cc",
           "std::min(rows_left_, kMostPageRows)", "rows_left_"),
    tables("a_row_without_a_value_takes_one", "column_cursor.h",
           "is_null_ ? 0 : 1", "is_null_ ? 1 : 1"),
    tables("a_changed_file_is_read", "parquet_table.cc",
           "if (checksum == written.checksum) return Ok{};",
           "if (checksum != 0) return Ok{};"),
]
