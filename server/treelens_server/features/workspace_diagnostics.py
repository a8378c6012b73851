"""Diagnostics of the whole corpus: for clients that ask for them, and by command for the others.

Files that are open are told about as ever; here, the others are.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from treelens.present.names import counted

from treelens_server import corpus
from treelens_server.background import Task
from treelens_server.corpus import Checked, Report
from treelens_server.features import Feature
from treelens_server.files import name_of

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

CHECK_CORPUS = "treelens.checkCorpus"
TITLE = "checking the corpus"

_Reports = (
    types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport
)


def pull(
    workbench: Workbench, params: types.WorkspaceDiagnosticParams
) -> Coroutine[Any, Any, types.WorkspaceDiagnosticReport]:
    """All reports; with a token for partial results, each as soon as it is there."""
    known = {name_of(one.uri): one.value for one in params.previous_result_ids}
    return _pulled(workbench, known, params.partial_result_token, params.work_done_token)


async def _pulled(
    workbench: Workbench,
    known: Mapping[str, str],
    partial: types.ProgressToken | None,
    token: types.ProgressToken | None,
) -> types.WorkspaceDiagnosticReport:
    items, seen = _of_open(workbench, known), {*workbench.open}
    async for found in _checked(workbench, known, token):
        seen |= {one.name for one in found.reports}
        items += [
            _encoded(workbench, one) for one in found.reports if one.name not in workbench.open
        ]
        if partial is not None:
            workbench.client.partial(partial, types.WorkspaceDiagnosticReportPartialResult(items))
            items = []
    # What is no part of the corpus any more has nothing wrong.
    items += [_encoded(workbench, Report(name, "", [])) for name in known if name not in seen]
    return types.WorkspaceDiagnosticReport(items)


def _of_open(workbench: Workbench, known: Mapping[str, str]) -> list[_Reports]:
    reports: list[_Reports] = []
    for name, opened in workbench.open.items():
        snapshot = workbench.session.snapshot(name)
        if snapshot is None:
            continue
        result_id, items = workbench.publisher.report(snapshot)
        told = None if known.get(name) == result_id else items
        reports.append(_encoded(workbench, Report(name, result_id, told), opened.version))
    return reports


def _encoded(workbench: Workbench, report: Report, version: int | None = None) -> _Reports:
    uri = workbench.uri(report.name)
    if report.items is None:
        return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, report.result_id, version)
    return types.WorkspaceFullDocumentDiagnosticReport(
        uri, report.items, version=version, result_id=report.result_id
    )


def check(workbench: Workbench, argument: Any) -> Coroutine[Any, Any, None]:
    """The whole corpus, for clients that do not ask: its reports are published."""
    if workbench.told is None:
        workbench.told = {}
    return _published(workbench, workbench.told, said=True)


def opened(workbench: Workbench, uri: str) -> None:
    """What is open is told about by others."""
    name = name_of(uri)
    if workbench.told and workbench.told.pop(name, None) and workbench.client.pulls:
        workbench.client.publish(workbench.uri(name), [])


def again(workbench: Workbench) -> None:
    """Files have changed, or are open no longer: what was said of the corpus is brought up to
    date."""
    workbench.outdated = True
    if workbench.told is not None:
        if not workbench.following:
            workbench.following = True
            workbench.background.begin(_followed(workbench, workbench.told))
    elif workbench.checked:
        workbench.client.corpus_changed()


async def _followed(workbench: Workbench, told: dict[str, str]) -> None:
    """However often files change, one check at a time."""
    try:
        while workbench.outdated:
            workbench.outdated = False
            await _published(workbench, told, said=False)
    finally:
        workbench.following = False


async def _published(workbench: Workbench, told: dict[str, str], *, said: bool) -> None:
    seen: set[str] = set()
    async for found in _checked(workbench, dict(told), None, said=said):
        for name, result_id, items in found.reports:
            seen.add(name)
            if items is not None and name not in workbench.open:
                workbench.client.publish(workbench.uri(name), items)
                told[name] = result_id
    for name in told.keys() - seen - workbench.open.keys():
        workbench.client.publish(workbench.uri(name), [])
        del told[name]


async def _checked(
    workbench: Workbench,
    known: Mapping[str, str],
    token: types.ProgressToken | None,
    *,
    said: bool = False,
) -> AsyncIterator[Checked]:
    """The whole corpus, a group of files at a time, and what is said of it in the end."""
    task, every = Task(TITLE), []
    with workbench.background.shown(task, token):
        pairs = await corpus.find(workbench, task)
        async for found in corpus.check(workbench, task, pairs, known):
            every.append(found._replace(reports=()))
            yield found
    workbench.watch_corpus(name for links in pairs.groups for link in links for name in link[:2])
    message = _summary(every, complete=pairs.complete)
    workbench.client.checked(message)
    if said:
        workbench.client.tell(message)


def _summary(every: list[Checked], *, complete: bool) -> str:
    pairs = sum(one.pairs for one in every)
    if not pairs:
        return (
            "No file of this folder is compared with another. Name pairs like x.gold.mrg and "
            "x.system.mrg, or say in treelens.toml what belongs together"
        )
    differing, problems = sum(one.differing for one in every), sum(one.problems for one in every)
    found = [f"{counted(differing, 'sentence')} with mismatches"]
    if problems:
        found.append(counted(problems, "error"))
    message = f"{counted(pairs, 'pair')} checked: {', '.join(found)}"
    if not complete:
        message += f". Only the first {corpus.MOST_FILES:,} files of a folder were looked at"
    return message


COMMANDS = {CHECK_CORPUS: check}
FEATURES = (Feature(types.WORKSPACE_DIAGNOSTIC, pull, empty=types.WorkspaceDiagnosticReport([])),)
