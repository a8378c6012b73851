"""Diagnostics of the whole corpus: for clients that ask for them, and by command for the others.

Files that are open are told about as ever; here, the others are.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types
from msgspec import UNSET
from treelens.render.numbers import number_of
from treelens.session.session import Link

from treelens_server import corpus
from treelens_server.answers import WorkspaceReport, WorkspaceReports
from treelens_server.background import Task
from treelens_server.context import Context, Feature, Handler
from treelens_server.corpus import Checked, FileReport
from treelens_server.files import name_of
from treelens_server.records import (
    CHECK_CORPUS,
    CHECKED,
    CORPUS_CHANGED,
    CheckedParams,
    Nothing,
)

TITLE = "checking the corpus"


@dataclass(slots=True)
class _Memory:
    """What is kept from one check to the next."""

    checked: dict[Link, Checked] = field(default_factory=dict)
    """What the last one has found, without the reports."""
    published: dict[str, str] | None = None
    """The ids of the reports about files that are not open which the client was sent, if it has
    asked for that."""
    following: bool = False
    """Whether they are being brought up to date."""
    outdated: bool = False
    """Whether there is need for that."""


def pull(
    context: Context[_Memory], params: types.WorkspaceDiagnosticParams
) -> Coroutine[Any, Any, WorkspaceReports]:
    """All reports; with a token for partial results, each as soon as it is there."""
    known = {name_of(one.uri): one.value for one in params.previous_result_ids}
    return _pulled(context, known, params.partial_result_token, params.work_done_token)


async def _pulled(
    context: Context[_Memory],
    known: Mapping[str, str],
    partial: types.ProgressToken | None,
    token: types.ProgressToken | None,
) -> WorkspaceReports:
    items, seen = _of_open(context, known), {*context.opened}
    async for found in _checked(context, known, token):
        seen |= {one.name for one in found.reports}
        items += [_encoded(context, one) for one in found.reports if one.name not in context.opened]
        if partial is not None:
            context.client.partial(partial, WorkspaceReports(items))
            items = []
    # What is no part of the corpus any more has nothing wrong.
    items += [_encoded(context, FileReport(name, "", [])) for name in known if name not in seen]
    return WorkspaceReports(items)


def _of_open(context: Context[_Memory], known: Mapping[str, str]) -> list[WorkspaceReport]:
    reports: list[WorkspaceReport] = []
    for name in context.opened:
        snapshot = context.snapshot_of(name)
        if snapshot is None:
            continue
        result_id, items = context.report(snapshot)
        news = None if known.get(name) == result_id else items
        reports.append(_encoded(context, FileReport(name, result_id, news), context.version(name)))
    return reports


def _encoded(
    context: Context[_Memory], report: FileReport, version: int | None = None
) -> WorkspaceReport:
    uri = context.uri(report.name)
    kind, items = ("unchanged", UNSET) if report.items is None else ("full", report.items)
    return WorkspaceReport(
        uri=uri, version=version, kind=kind, result_id=report.result_id, items=items
    )


def check(context: Context[_Memory], argument: Any) -> Coroutine[Any, Any, None]:
    """The whole corpus, for clients that do not ask: its reports are published."""
    if context.memory.published is None:
        context.memory.published = {}
    return _published(context, context.memory.published, said=True)


def opened(context: Context[_Memory], name: str) -> None:
    """What is open is told about by others."""
    published = context.memory.published
    if published and published.pop(name, None) and context.client.pulls:
        context.client.publish(context.uri(name), [])


def again(context: Context[_Memory], name: str = "") -> None:
    """Files have changed, or are open no longer: what was said of the corpus is brought up to
    date."""
    memory = context.memory
    memory.outdated = True
    if memory.published is not None:
        if not memory.following:
            memory.following = True
            context.background.begin(_followed(context, memory.published))
    elif memory.checked:
        context.client.say(CORPUS_CHANGED, Nothing())


async def _followed(context: Context[_Memory], published: dict[str, str]) -> None:
    """However often files change, one check at a time."""
    try:
        while context.memory.outdated:
            context.memory.outdated = False
            await _published(context, published, said=False)
    finally:
        context.memory.following = False


async def _published(context: Context[_Memory], published: dict[str, str], *, said: bool) -> None:
    seen: set[str] = set()
    async for found in _checked(context, dict(published), None, said=said):
        for name, result_id, items in found.reports:
            seen.add(name)
            if items is not None and name not in context.opened:
                context.client.publish(context.uri(name), items)
                published[name] = result_id
    for name in published.keys() - seen - {*context.opened}:
        context.client.publish(context.uri(name), [])
        del published[name]


async def _checked(
    context: Context[_Memory],
    known: Mapping[str, str],
    token: types.ProgressToken | None,
    *,
    said: bool = False,
) -> AsyncIterator[Checked]:
    """The whole corpus, a group of files at a time, and what is said of it in the end."""
    task, every = Task(TITLE), []
    with context.background.shown(task, token):
        pairs = await corpus.find(context, task)
        async for found in corpus.check(context, task, pairs, known, context.memory.checked):
            every.append(found._replace(reports=()))
            yield found
    context.watch_corpus([name for links in pairs.groups for link in links for name in link[:2]])
    message = _summary(every, complete=pairs.complete)
    context.client.say(CHECKED, CheckedParams(message))
    if said:
        context.client.tell(message)


def _summary(every: list[Checked], *, complete: bool) -> str:
    pairs = sum(one.pairs for one in every)
    if not pairs:
        return (
            "No file of this folder is compared with another. Name pairs like x.gold.mrg and "
            "x.system.mrg, or say in treelens.toml what belongs together"
        )
    differing, problems = sum(one.differing for one in every), sum(one.problems for one in every)
    found = [f"{number_of(differing, 'sentence')} with mismatches"]
    if problems:
        found.append(number_of(problems, "error"))
    message = f"{number_of(pairs, 'pair')} checked: {', '.join(found)}"
    if not complete:
        message += f". Only the first {corpus.MOST_FILES:,} files of a folder were looked at"
    return message


FEATURE = Feature(
    (Handler(types.WORKSPACE_DIAGNOSTIC, pull, empty=types.WorkspaceDiagnosticReport([])),),
    ((CHECK_CORPUS, check),),
    memory=_Memory,
    opened=opened,
    closed=again,
    files_changed=again,
)
