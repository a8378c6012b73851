"""What the client is told without asking: pushed diagnostics, and requests to ask again.

Called once after each turn of work. Nothing is sent that was sent before.
"""

from __future__ import annotations

from treelens.present.window import near
from treelens.session.session import Snapshot
from treelens.session.view import View

from treelens_server.documents import Documents
from treelens_server.reports import Reports


class Publisher:
    """What the client was last told of each document."""

    def __init__(self, documents: Documents, reports: Reports) -> None:
        self._documents = documents
        self._reports = reports
        self._announced: dict[str, str] = {}
        self._shown: dict[str, View] = {}

    def announce(self) -> None:
        """Documents that the client changed it asks about of its own accord."""
        documents, client = self._documents, self._documents.client
        touched = documents.touched()
        reports = self._reports
        opened = {name for name in reports.unopened if name in documents.open}
        reports.unopened -= opened
        reports.unready |= opened
        ready = {name for name in reports.unready if not documents.awaits_pairs(name)}
        reports.unready -= ready
        refresh, folds = documents.reviewing.has_news() or bool(ready), False
        for name in documents.renewed:
            known, snapshot = documents.open.get(name), documents.session.snapshot(name)
            if known is None or snapshot is None:
                continue
            report = self._reports.report(snapshot)
            scrolled = self._has_scrolled(snapshot, name in touched)
            changed = self._announced.get(name) != report.result_id
            self._announced[name] = report.result_id
            if changed and not client.pulls:
                besides = self._reports.besides(name)
                client.publish(known.uri, [*report.items, *besides], known.version)
            folds = folds or scrolled
            refresh = refresh or scrolled or (changed and name not in touched)
        if refresh:
            client.refresh(folds=folds)

    def forget(self, name: str, uri: str) -> None:
        """A document was closed: what was pushed about it is taken back."""
        self._reports.forget(name)
        self._shown.pop(name, None)
        client = self._documents.client
        if self._announced.pop(name, None) and not client.pulls:
            client.publish(uri, [])

    def _has_scrolled(self, snapshot: Snapshot, asks_anyway: bool) -> bool:
        """Whether something is in view now that lenses and folds were not asked about."""
        visible, count = snapshot.visible, len(snapshot.document)
        shown = self._shown.get(snapshot.name)
        known = shown is None or all(one in shown for one in visible if one < count)
        if asks_anyway or shown is None or not known:
            self._shown[snapshot.name] = near(visible, count)
        return not (asks_anyway or known)
