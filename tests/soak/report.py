"""What a soak has found, as tables, from its journal."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from tests.soak.census import RESOURCES, Resource
from tests.soak.growth import Growth, growth, shares
from tests.soak.journal import Action, Entry, Rest, Told, Unclean, counts_between, read
from tests.soak.place import JOURNAL, STACKS, Place

HOUR = 3600.0
LISTED = 12
SUSPECT = 2.5  # standard errors from which an action is said to add something


class Grown(Struct, frozen=True):
    """How a resource has grown since the warm-up; None: too few rests."""

    resource: Resource
    growth: Growth | None

    @property
    def is_well(self) -> bool:
        limit = self.resource.limit
        return self.growth is None or limit is None or self.growth.total <= limit


class Report(Struct, frozen=True):
    """Of a journal. judged: whether there are enough rests after the warm-up to say that nothing grew."""

    entries: Sequence[Entry]

    @property
    def rests(self) -> list[Rest]:
        return [entry for entry in self.entries if isinstance(entry, Rest) and entry.warm]

    @property
    def unclean(self) -> list[Unclean]:
        return [entry for entry in self.entries if isinstance(entry, Unclean)]

    def grown(self) -> list[Grown]:
        rests = self.rests
        times = [rest.at / HOUR for rest in rests]
        return [Grown(r, growth(times, [rest.amounts[r.name] for rest in rests])) for r in RESOURCES]

    @property
    def judged(self) -> bool:
        return self.grown()[0].growth is not None

    @property
    def is_well(self) -> bool:
        return not self.unclean and self.judged and all(grown.is_well for grown in self.grown())

    def text(self) -> str:
        parts = [self._head(), self._resources(), self._actions(), self._types(), self._findings()]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _head(self) -> str:
        actions = [entry for entry in self.entries if isinstance(entry, Action)]
        every = [entry for entry in self.entries if isinstance(entry, Rest)]
        rests = self.rests
        span = (rests[-1].at - rests[0].at) / HOUR if rests else 0.0
        ran = max((entry.at for entry in self.entries), default=0.0) / HOUR
        said = f"{len(actions)} actions in {ran:.2f} h; {len(rests)} of {len(every)} rests after the warm-up, over {span:.2f} h"
        verdict = "clean" if self.is_well else "UNCLEAN" if self.judged or self.unclean else "too short to be judged"
        return f"{verdict}: {said}"

    def _resources(self) -> str:
        done = sum(sum(count.values()) for count in self._counts()) or 1
        lines = [f"{'resource':<15}{'first':>10}{'last':>10}{'growth':>10}{'per hour':>10}{'per 100':>10}{'limit':>9}"]
        for grown in self.grown():
            r, g = grown.resource, grown.growth
            if g is None:
                continue
            limit = "" if r.limit is None else f"{r.limit:g}"
            mark = "" if grown.is_well else "  GREW"
            lines.append(
                f"{r.name:<15}{g.first:>10.1f}{g.last:>10.1f}{g.total:>+10.2f}{g.rate:>+10.2f}{100 * g.total / done:>+10.3f}"
                f"{limit:>9} {r.unit}{mark}"
            )
        return "\n".join(lines) if len(lines) > 1 else ""

    def _counts(self) -> list[Counter[str]]:
        """Between the rests after the warm-up."""
        rests = [entry for entry in self.entries if isinstance(entry, Rest)]
        return [count for count, rest in zip(counts_between(list(self.entries)), rests, strict=True) if rest.warm]

    def _actions(self) -> str:
        """What adds to a resource, each time."""
        took: dict[str, list[float]] = defaultdict(list)
        for entry in self.entries:
            if isinstance(entry, Action):
                took[entry.name].append(entry.seconds)
        lines = [f"{'action':<18}{'times':>7}{'seconds':>9}   adds each time"]
        adds: dict[str, list[str]] = defaultdict(list)
        counts, rests = self._counts(), self.rests
        for resource in RESOURCES:
            unit, scale = ("kB", 1024.0) if resource.unit == "MB" else (resource.unit or resource.name, 1.0)
            for share in shares(counts, [rest.amounts[resource.name] for rest in rests]):
                if share.certain > SUSPECT and share.each * scale > 0.05:
                    adds[share.action].append(f"{resource.name} {share.each * scale:.2f} {unit} ({share.certain:.0f} sigma)")
        for name, times in sorted(took.items()):
            lines.append(f"{name:<18}{len(times):>7}{sum(times) / len(times):>9.2f}   {', '.join(adds[name])}")
        return "\n".join(lines)

    def _types(self) -> str:
        """Types of which there are more and more."""
        rests = self.rests
        times = [rest.at / HOUR for rest in rests]
        names = set().union(*(rest.types for rest in rests)) if rests else set()
        grown: list[tuple[float, str, Growth]] = []
        for name in names:
            if name not in rests[-1].types:
                continue
            g = growth(times, [float(rest.types.get(name, 0)) for rest in rests])
            if g is not None and g.total >= 20:
                grown.append((g.total, name, g))
        lines = [f"{'type':<60}{'first':>9}{'last':>9}{'per hour':>10}"]
        grown.sort(key=lambda one: -one[0])
        lines += [f"{name:<60}{g.first:>9.0f}{g.last:>9.0f}{g.rate:>+10.0f}" for _, name, g in grown[:LISTED]]
        return "\n".join(lines) if len(lines) > 1 else ""

    def _findings(self) -> str:
        told = Counter(entry.text for entry in self.entries if isinstance(entry, Told))
        lines = [f"warning, {count} times: {text[:150]}" for text, count in told.most_common(LISTED)]
        for entry in self.unclean:
            text = entry.text.replace("\n", "\n    ")
            lines.append(f"UNCLEAN at {entry.at:.0f} s, {entry.what}, in action {entry.action}\n    {text}")
        return "\n".join(lines)


def of(place: Place, died: str = "") -> Report:
    """Of a folder. died: how the window's process ended, where it did not as it should."""
    entries = list(read(place[JOURNAL]))
    if died:
        at = max((entry.at for entry in entries), default=0.0)
        last = next((f"{e.number} {e.name}" for e in reversed(entries) if isinstance(e, Action)), "none")
        entries.append(Unclean(at, f"after {last}", "the process ended", f"{died}\n{_text(place[STACKS])}".strip()))
    return Report(entries)


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""
