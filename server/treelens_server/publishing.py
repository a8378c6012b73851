"""What the client is told without asking: pushed diagnostics, requests to ask again, the status.

Called once after each turn of work. Nothing is sent that was sent before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types
from treelens.present.diagnostics import diagnostics
from treelens.present.status import adjudicated, status
from treelens.present.window import near
from treelens.session.session import Snapshot, links_of

from treelens_server.features.diagnostics import encoded

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


_THREE = ("first", "second", "adjudicated")


class Report(NamedTuple):
    """The diagnostics of one document, with an id that changes only when they do."""

    result_id: str
    items: list[types.Diagnostic]


class Publisher:
    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._reports: dict[str, tuple[Snapshot, Report]] = {}
        self._announced: dict[str, str] = {}
        self._shown: dict[str, range] = {}
        self._status: dict[str, Any] = {"pairs": [], "adjudications": [], "busy": None}
        self.unready: set[str] = set()
        """Documents of which it was asked what could not be said yet."""
        self.is_counting = False
        """Whether it is not known yet what is open in some adjudication."""
        self._serial = 0

    def report(self, snapshot: Snapshot) -> Report:
        """Diagnostics, worked out once for each state of a document and its partners."""
        known = self._reports.get(snapshot.name)
        if known is not None and known[0] is snapshot:
            return known[1]
        found = diagnostics(snapshot)
        items = encoded(snapshot.document, found, self._workbench.documents())
        if known is not None and known[1].items == items:
            report = known[1]
        else:
            self._serial += 1
            report = Report(str(self._serial), items)
        self._reports[snapshot.name] = (snapshot, report)
        return report

    def announce(self, touched: set[str]) -> None:
        """``touched`` are documents that the client changed, and asks about of its own accord."""
        client = self._workbench.client
        ready = {name for name in self.unready if not self._workbench.awaits_pairs(name)}
        self.unready -= ready
        refresh, folds = self._workbench.reviewing.has_news() or bool(ready), False
        for name, known in self._workbench.open.items():
            snapshot = self._workbench.session.snapshot(name)
            if snapshot is None:
                continue
            report = self.report(snapshot)
            scrolled = self._has_scrolled(snapshot, name in touched)
            changed = self._announced.get(name) != report.result_id
            self._announced[name] = report.result_id
            if changed and not client.pulls:
                client.publish(known.uri, report.items, known.version)
            folds = folds or scrolled
            refresh = refresh or scrolled or (changed and name not in touched)
        if refresh:
            client.refresh(folds=folds)
        self._announce_status()
        self._workbench.worklists.announce()

    def forget(self, name: str, uri: str) -> None:
        """A document was closed: what was pushed about it is taken back."""
        self._reports.pop(name, None)
        self._shown.pop(name, None)
        self.unready.discard(name)
        if self._announced.pop(name, None) and not self._workbench.client.pulls:
            self._workbench.client.publish(uri, [])

    def _has_scrolled(self, snapshot: Snapshot, asks_anyway: bool) -> bool:
        """Whether something is in view now that lenses and folds were not asked about."""
        visible, count = snapshot.visible, len(snapshot.document)
        shown = self._shown.get(snapshot.name)
        known = shown is None or (
            shown.start <= visible.start and min(visible.stop, count) <= shown.stop
        )
        if asks_anyway or shown is None or not known:
            self._shown[snapshot.name] = near(visible, count)
        return not (asks_anyway or known)

    def _announce_status(self) -> None:
        workbench = self._workbench
        pairs = []
        for link in workbench.session.links:
            pair = workbench.session.pair(link)
            if pair is not None:
                uris = {"gold": workbench.uri(link.gold), "system": workbench.uri(link.system)}
                pairs.append({**uris, **status(link, pair)._asdict()})
        adjudications = [*self._adjudications()]
        news = {
            "pairs": pairs,
            "adjudications": adjudications,
            "busy": workbench.background.busy,
        }
        if news != self._status:
            self._status = news
            workbench.client.status(news)

    def _adjudications(self) -> Iterator[dict[str, Any]]:
        session, uri = self._workbench.session, self._workbench.uri
        self.is_counting = False
        for three in session.adjudications:
            agreement = session.agreement(links_of(three)[0])
            if agreement is None:
                continue
            adjudication = session.adjudication(three)
            self.is_counting |= adjudication is not None and not adjudication.complete
            names = {
                key: uri(name) if name else "" for key, name in zip(_THREE, three[:3], strict=True)
            }
            yield names | adjudicated(three, agreement, adjudication)._asdict()
