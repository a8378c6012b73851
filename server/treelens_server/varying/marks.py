"""Marks that follow what is typed: published when a document has rested for a turn of work."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from treelens.present.consistency import diagnostics

from treelens_server.records import VARIATIONS_CHANGED, Nothing
from treelens_server.reports import encoded
from treelens_server.varying import reading
from treelens_server.varying.folders import Context

_LOG = logging.getLogger("treelens")


def turned(context: Context) -> bool:
    """After each turn of work; whether there is more to do soon."""
    memory = context.memory
    if not memory.begun and context.client.begun:
        _begin(context)
    if memory.folders and not memory.turn.locked():
        if memory.stale:
            memory.stale = False
            begin(context, reading.look_again)
        elif memory.crowded:
            memory.crowded = False
            begin(context, reading.build_again)
    if not any(folder.views for folder in memory.folders):
        return False
    try:
        return _taken_in(context)
    except Exception:
        # Our mistake, which must not silence the others: what varies has to be looked for again.
        _LOG.exception("following what varies failed")
        memory.folders = []
        return False


def _begin(context: Context) -> None:
    """Look once for what the folders' configurations want without being asked."""
    context.memory.begun = True
    if any(reading.is_wished(root) for root in context.roots):
        begin(context, reading.find_unasked)


def begin(context: Context, work: Callable[[Context], Coroutine[Any, Any, None]]) -> None:
    """Have something read; the marks follow."""
    context.background.begin(followed(context, work))


async def followed(context: Context, work: Callable[[Context], Coroutine[Any, Any, None]]) -> None:
    async with context.memory.turn:
        try:
            await work(context)
        except Exception:
            _LOG.exception("%s failed", reading.TITLE)
    changed(context)


def _taken_in(context: Context) -> bool:
    """Documents that have changed are taken in once they have rested for a turn; what is right
    both ways, at once."""
    memory = context.memory
    news = False
    for folder in memory.folders:
        agreed = context.beside.text(folder.agreed_name)
        if agreed is not None and agreed != folder.agreed:
            folder.agree(agreed)
            news = True
    for name in context.opened:
        one, view = context.document(name), memory.view(name)
        if view is None:
            memory.waiting.discard(name)
        if one is None or view is None:
            continue
        if memory.seen.get(name) is not one:
            memory.seen[name] = one
            memory.waiting.add(name)
        elif name in memory.waiting and not memory.crowded:
            if reading.moved(view.index.document(name), one) > reading.MANY:
                memory.crowded = True
                continue
            memory.waiting.discard(name)
            view.index.put(name, one)
            news = True
    if news:
        changed(context)
    elif _has_scrolled(context):
        announce(context)
    return not memory.turn.locked() if memory.crowded else bool(memory.waiting)


def _has_scrolled(context: Context) -> bool:
    now = {}
    for name in context.opened:
        snapshot = context.snapshot_of(name)
        if snapshot is not None:
            now[name] = snapshot.visible
    scrolled = now != context.memory.shown
    context.memory.shown = now
    return scrolled


def changed(context: Context) -> None:
    """Something else varies now."""
    if announce(context):
        context.client.refresh_lenses()
    if context.memory.asked:
        context.client.say(VARIATIONS_CHANGED, Nothing())


def announce(context: Context) -> bool:
    """Publish the marks of what is open, where they are others than were published."""
    memory = context.memory
    news = False
    for name in context.opened:
        snapshot = context.snapshot_of(name)
        view = memory.ready(name, snapshot.document) if snapshot else None
        items = []
        if view is not None and snapshot is not None:
            found = [*diagnostics(view, name, snapshot.visible)]
            items = encoded(name, found, context.names._replace(document=view.index.document))
        elif memory.view(name) is not None:
            continue  # It says something of an earlier state; of what is in no corpus, nothing.
        written = [bytes(one) for one in items]
        if written != memory.published.get(name, []):
            memory.published[name] = written
            context.report_besides(name, "consistency", items)
            news = True
    return news


def opened(context: Context, name: str) -> None:
    """What is opened may be of the corpus without having been read."""
    if context.memory.folders and context.memory.view(name) is None:
        context.memory.stale = True


def closed(context: Context, name: str) -> None:
    """What is closed has no marks, and is what is on disk."""
    memory = context.memory
    memory.seen.pop(name, None)
    memory.waiting.discard(name)
    for folder in memory.folders:
        folder.stamps.pop(name, None)
        memory.stale = True
    if memory.published.pop(name, None):
        context.client.publish(context.uri(name), [])


def files_changed(context: Context) -> None:
    memory = context.memory
    left = reading.still_there(context, memory.folders)
    if len(left) < len(memory.folders):
        memory.folders = left
        changed(context)
    memory.begun, memory.stale = bool(memory.folders), bool(memory.folders)
