"""A seeded week of payments, hour by hour: the days are similar, but not the same.

Five thousand accounts stay; sessions come once and never again. At night there is nothing for two
hours. At noon a third of the hour comes within a minute. Hubs have thousands of neighbours for two
hours a day, and are removed whole in the middle of the second. Pairs come again, and are removed.
"""
import random
from typing import Iterator

HOUR_SECONDS = 3600
DAY_HOURS = 24
START_SECONDS = 1_767_225_600  # 2026-01-01T00:00:00Z
DISORDER_MS = 2000
SILENT_HOURS = (2, 3)
BURST_HOUR = 12
HUB_HOURS = (8, 9)
ACCOUNTS = 5000
RECENT = 2000


class WeekStream:
    """The same seed gives the same bytes. `edges_a_day` is about how many events a day has."""

    def __init__(self, seed: int, days: int, edges_a_day: int) -> None:
        self._seed = seed
        self._hours = days * DAY_HOURS
        self._edges_an_hour = edges_a_day // (DAY_HOURS - len(SILENT_HOURS))

    def hours(self) -> Iterator[list[bytes]]:
        """The lines of each hour, without line breaks, in their order of arrival."""
        chance = random.Random(self._seed)
        recent: list[tuple[str, str]] = []
        for hour in range(self._hours):
            silent = hour % DAY_HOURS in SILENT_HOURS
            yield [] if silent else self._lines(chance, hour, recent)
            del recent[:-RECENT]

    def _lines(self, chance: random.Random, hour: int,
               recent: list[tuple[str, str]]) -> list[bytes]:
        lines = []
        hub = f"hub-{hour // DAY_HOURS}" if hour % DAY_HOURS in HUB_HOURS else None
        for number, time in enumerate(self._times(chance, hour)):
            source, target, operation = self._event(chance, f"{hour}-{number}", hub, recent)
            if hour % DAY_HOURS == HUB_HOURS[-1] and number == self._edges_an_hour // 2:
                source, target, operation = hub, "", "remove_vertex"
            amount = f"{chance.randrange(1, 10**5)}" if chance.random() < 0.95 else \
                f"-{chance.randrange(10**4)}.{chance.randrange(100):02}"
            lines.append(f'{{"from":"{source}","to":"{target}","ts":{time},"amount":{amount},'
                         f'"op":"{operation}"}}'.encode())
        return lines

    def _times(self, chance: random.Random, hour: int) -> list[int]:
        """The times of an hour in milliseconds; some are out of order within the allowed disorder,
        a few are late."""
        span = HOUR_SECONDS * 1000
        places = [int(chance.random() * span) for _ in range(self._edges_an_hour)]
        if hour % DAY_HOURS == BURST_HOUR:
            for index in range(0, len(places), 3):
                places[index] = span // 2 + places[index] // 60
        begin = START_SECONDS * 1000 + hour * span
        times = []
        for place in sorted(places):
            lot = chance.random()
            back = int(lot * 10 * DISORDER_MS) if lot < 0.1 else 0
            times.append(begin + place - (100_000 if lot > 0.999 else back))
        return times

    def _event(self, chance: random.Random, unique: str, hub: str | None,
               recent: list[tuple[str, str]]) -> tuple[str, str, str]:
        lot = chance.random()
        if recent and lot < 0.06:
            return (*chance.choice(recent), "remove")
        if recent and lot < 0.0601:
            return chance.choice(recent)[0], "", "remove_vertex"
        if recent and lot < 0.26:
            return (*chance.choice(recent), "add")
        account, other = self._account(chance), self._account(chance)
        if hub and lot < 0.6:
            pair = (hub, other) if lot < 0.5 else (other, hub)
        elif lot < 0.75:
            session = f"session-{unique}-{chance.getrandbits(48):012x}"
            pair = (session, account) if lot < 0.65 else (account, session)
        else:
            pair = account, other
        recent.append(pair)
        return (*pair, "add")

    @staticmethod
    def _account(chance: random.Random) -> str:
        """Some accounts are much busier than others."""
        return f"account-{int(ACCOUNTS * chance.random() ** 3)}"
