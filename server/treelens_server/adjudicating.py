"""Which files are adjudicated: what was said by hand, else ``[[adjudication]]`` in a configuration.

What :mod:`treelens_server.features.adjudicating` stands on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from functools import partial

from treelens.adjudication.adjudication import AdjudicationTask
from treelens.adjudication.adjudications import AdjudicationOverlay, Adjudications, links_of
from treelens.adjudication.rules import adjudicated, read_adjudications
from treelens.session.session import Link

from treelens_server.documents import Documents
from treelens_server.files import name_of, uri_of

_SECTION = "adjudication"


class AdjudicatedFiles:
    """A :class:`~treelens_server.link_sources.LinkSource`."""

    name = _SECTION

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._pairing = documents.pairing
        self._pairing.sections[_SECTION] = read_adjudications
        self._by_hand: list[AdjudicationTask] = []
        self._wanted: list[AdjudicationTask] = []
        self.known = Adjudications(documents.session, documents.reviewing.reviewed)

    def adjudicate(self, first: str, second: str, third: str = "") -> None:
        """By hand: two annotators' files, and the one in which it is settled who is right."""
        names = self._say(first, second, third)
        self._documents.relink()
        self._documents.complain(filter(None, names))

    def _say(self, first: str, second: str, third: str) -> tuple[str, str, str]:
        task = AdjudicationTask(name_of(first), name_of(second), name_of(third) if third else "")
        self._pairing.alone -= {*task[:3]}
        others = [one for one in self._by_hand if {*one[:2]} != {*task[:2]}]
        self._by_hand = [*others, task]
        return task[:3]

    def links(self, names: Collection[str]) -> Sequence[Sequence[Link]]:
        found = [task for task in self._by_hand if not {*task[:3]}.isdisjoint(names)]
        by_hand = {name for task in found for name in task[:3]}
        configured = [
            task
            for name in names
            if name not in by_hand | self._pairing.alone
            for task in self._tasks_of(name, names)
        ]
        found += sorted(configured, key=lambda task: task[:3])  # (whatever was opened first)
        self._wanted = list(dict.fromkeys(found))
        return [links_of(task) for task in self._wanted]

    def settle(self, unread: Set[str]) -> None:
        self.known.put(task for task in self._wanted if unread.isdisjoint(task[:3]))

    def speaks_of(self, name: str, names: Collection[str]) -> bool:
        by_hand = any(name in task[:3] for task in self._by_hand)
        return by_hand or bool(self.known.tasks or self._tasks_of(name, names))

    def unpair(self, name: str) -> bool:
        before = self._by_hand
        self._by_hand = [task for task in before if name not in task[:3]]
        return self._by_hand != before

    def said(self) -> list[list[str]]:
        return [[*task[:3]] for task in self._by_hand]

    def say_again(self, said: Sequence[Sequence[str]]) -> None:
        for names in said:
            if len(names) == len({*names}) == 3:
                self._say(*names)

    def overlay(self, name: str) -> AdjudicationOverlay | None:
        return self.known.overlay(name)

    def configured(self, names: Sequence[str]) -> list[AdjudicationTask]:
        """Those that configurations say some files are in, open or not; the adjudicated file is
        the one that is named, there or not."""
        found = (task for name in names for task in self._tasks_of(name, (), begun=False))
        return list(dict.fromkeys(found))

    def _tasks_of(
        self, name: str, opened: Collection[str], *, begun: bool = True
    ) -> list[AdjudicationTask]:
        """Those that configurations say one document is in; where ``begun``, an adjudicated file
        that is not there is none."""
        return self._pairing.guarded(name, partial(self._configured, name, opened, begun), [])

    def _configured(
        self, name: str, opened: Collection[str], begun: bool
    ) -> list[AdjudicationTask]:
        pairing, found = self._pairing, []
        for folder, path, rules in pairing.said_above(name, _SECTION):
            for *paths, options in adjudicated(rules, path.relative_to(folder).as_posix()):
                names = [uri_of(folder / one) if one else "" for one in paths]
                there = [
                    one in opened or pairing.is_there(folder / relative, path)
                    for one, relative in zip(names, paths, strict=True)
                    if one
                ]
                if all(there[:2]):
                    third = names[2] if not begun or all(there[2:]) else ""
                    scored = pairing.scored_by(folder, options), options.metrics
                    found.append(AdjudicationTask(names[0], names[1], third, *scored))
        return found
