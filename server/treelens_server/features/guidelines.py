"""The guidelines of Universal Dependencies, behind the typing: where ``treelens.toml`` has a
``[validate]``, what their validator says of the sentences that changed.

A file that has rested is looked at a sentence at a time, what is in view first; who types waits
for nothing. A system's file is not looked at: it is nobody's to mend.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field

from lsprotocol import types
from treelens.cli.ud_workers import NoValidator
from treelens.present.guidelines import detail, diagnostics, status
from treelens.present.names import short_name
from treelens.session.document import Document
from treelens.session.guidelines import Checks, FileBefore, Incident, Validated
from treelens.session.view import BEGINNING

from treelens_server.background import Task
from treelens_server.context import Context, Feature
from treelens_server.records import GUIDELINES, GuidelinesParams, GuidelinesStatus
from treelens_server.reports import encoded
from treelens_server.validator import Validator

_LOG = logging.getLogger("treelens")

_REST = 0.3
"""Seconds without a key before a sentence is looked at."""
_AT_ONCE = 8
"""Sentences between two looks at what is typed."""
_MANY = 100
"""Sentences from which on there is a bar."""
_NOT_UNIVERSAL = (".conllx", ".conll", ".conll06", ".conll07")


@dataclass(slots=True)
class _Memory:
    wanted: dict[str, Checks] = field(default_factory=dict)
    """What is checked of which open document."""
    configured: object = None
    """What says so, as it was when files had last changed."""
    kept: dict[str, Validated] = field(default_factory=dict)
    validators: dict[Checks, Validator] = field(default_factory=dict)
    trouble: set[Checks] = field(default_factory=set)
    """What there is no validator for, or no more; said once."""
    tired: set[str] = field(default_factory=set)
    """Documents that the user wants no more of looked at."""
    going: bool = False
    shown: dict[str, object] = field(default_factory=dict)
    last: GuidelinesParams = field(default_factory=lambda: GuidelinesParams([]))


_Context = Context[_Memory]


def turned(context: _Context) -> None:
    """After each turn of work: begin to look at what has changed, and mark what is in view now."""
    memory = context.memory
    if not memory.wanted and not memory.last.files:
        return
    if not memory.going and _open(context):
        memory.going = True
        context.background.begin(_look(context))
    _announce(context)


def opened(context: _Context, name: str) -> None:
    checks = context.checks(name)
    if checks is None or name.lower().endswith(_NOT_UNIVERSAL):
        closed(context, name)
    elif context.memory.wanted.get(name) != checks:
        closed(context, name)
        context.memory.wanted[name] = checks
        context.memory.kept[name] = Validated(checks)


def closed(context: _Context, name: str) -> None:
    memory = context.memory
    memory.tired.discard(name)
    if memory.wanted.pop(name, None) is not None:
        del memory.kept[name]
        if memory.shown.pop(name, None) is not None:
            context.report_besides(name, "guidelines", [])


def files_changed(context: _Context) -> None:
    """The configuration may be another one."""
    before, context.memory.configured = context.memory.configured, context.configured
    if context.memory.configured != before:
        for name in context.opened:
            opened(context, name)


# --- looking -----------------------------------------------------------------------------------


def _open(context: _Context) -> list[str]:
    """Documents with sentences to look at, or that have changed since."""
    memory = context.memory
    systems = {link.system for link in context.links if link.marked and link.called is None}
    return [
        name
        for name, checks in memory.wanted.items()
        if checks not in memory.trouble and name not in memory.tired | systems
        if (document := _table(context, name)) is not None
        if memory.kept[name].document is not document or memory.kept[name].left
    ]


def _table(context: _Context, name: str) -> Document | None:
    document = context.document(name)
    is_table = document is not None and document.format.annotation == "dependencies"
    return document if is_table else None


async def _look(context: _Context) -> None:
    """Look at all there is to look at, each file once it has rested."""
    memory = context.memory
    try:
        rested: list[Document | None] = []
        while names := _open(context):
            now = [context.document(name) for name in names]
            if any(all(one is not old for old in rested) for one in now):
                rested = now
                await asyncio.sleep(_REST)
            else:
                await _look_at(context, names[0])
    except NoValidator as problem:
        context.client.tell(f"UD guidelines: {problem}", types.MessageType.Warning)
    except Exception:
        _LOG.exception("checking guidelines failed")
        memory.trouble |= {*memory.wanted.values()}
    finally:
        memory.going = False


async def _look_at(context: _Context, name: str) -> None:
    """Look at a document's sentences until it is another one."""
    memory = context.memory
    validated, document = memory.kept[name], context.document(name)
    assert document is not None, "it was there"
    validated.follow(document)
    task, left = Task(f"checking {short_name(name)}"), validated.left
    with context.background.shown(task) if left > _MANY else contextlib.nullcontext():
        while context.document(name) is document and memory.kept.get(name) is validated:
            snapshot = context.snapshot_of(name)
            todo = validated.wanting(snapshot.visible if snapshot else BEGINNING, _AT_ONCE)
            if not todo:
                break
            if task.cancelled:
                memory.tired.add(name)
                break
            validated.take(document, await _found(context, validated, document, todo))
            context.background.report(task, 1 - validated.left / left)
            _announce(context)
    _announce(context)


async def _found(
    context: _Context, validated: Validated, document: Document, sentences: list[int]
) -> dict[int, tuple[FileBefore, tuple[Incident, ...]]]:
    checks, memory = validated.checks, context.memory
    validator = memory.validators.setdefault(checks, Validator(checks))
    found = {}
    try:
        for sentence in sentences:
            before = validated.before(sentence)
            found[sentence] = before, await validator.incidents(*validated.text(sentence), before)
    except NoValidator:
        memory.trouble.add(checks)
        raise
    return found


# --- saying ------------------------------------------------------------------------------------


def _announce(context: _Context) -> None:
    """Mark what is in view of documents that have rested, where that is anything new; and say how
    far all of them keep to the guidelines."""
    memory = context.memory
    for name, validated in memory.kept.items():
        snapshot = context.snapshot_of(name)
        if snapshot is None or snapshot.document is not validated.document:
            continue
        now = validated.changes, snapshot.visible
        if memory.shown.get(name) != now:
            memory.shown[name] = now
            found = [*diagnostics(snapshot.document, validated, snapshot.visible)]
            context.report_besides(name, "guidelines", encoded(name, found, context.names))
    said = GuidelinesParams([*_status(context)])
    if said != memory.last:
        memory.last = said
        context.client.say(GUIDELINES, said)


def _status(context: _Context) -> Iterator[GuidelinesStatus]:
    for name, validated in context.memory.kept.items():
        if validated.document is not None:
            summary, level = validated.summary(), validated.checks.level
            text = status(summary, level), detail(summary, level)
            yield GuidelinesStatus(context.uri(name), *text)


FEATURE = Feature(
    memory=_Memory, turned=turned, opened=opened, closed=closed, files_changed=files_changed
)
