"""Which documents belong together: what the user said, else ``treelens.toml``, else the names.

Longer than other modules are: whatever decides about it, and who has to ask again, is in one.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path, PurePath
from typing import Any, NamedTuple, TypeVar

from lsprotocol import types
from treelens.consistency.declared import read_wanted
from treelens.corpus.folders import unpacked
from treelens.corpus.sources import PACKED
from treelens.present.revisions import revision
from treelens.rules.parameters import (
    Parameters,
)
from treelens.session.config import (
    Candidate,
    PairOptions,
    PairRule,
    candidates,
    conventional,
    placed,
    read_config,
)
from treelens.session.declared import ANY, DeclaredLabels, read_labels, read_strict
from treelens.session.document import document
from treelens.session.guidelines import Checks, read_checks
from treelens.session.patterns import wildcards
from treelens.session.session import Link
from treelens.session.sidecar import ENDING
from treelens.session.toml import FILE_NAME
from treelens.trees.forest import Problem, Symbols, encode

from treelens_server import files
from treelens_server.cached import Cached
from treelens_server.client import Client
from treelens_server.files import path_of, uri_of
from treelens_server.named_lists import NamedLists
from treelens_server.positions import ranges
from treelens_server.sought import Sought

_LOG = logging.getLogger("treelens")
_Value = TypeVar("_Value")

LARGEST_CONFIG = 1 << 20
"""Bytes."""

_MOST_SYSTEMS = 16
"""Systems for one gold file that a pattern may find: all of them are compared at each key."""


_DEEPEST = 100
"""Folders above a file that are looked into for what it is compared with."""

_LONGEST_NAME = 255
"""Characters of a file's name, or a folder's, that a file system has room for."""


def is_config(name: str) -> bool:
    return name.rsplit("/", 1)[-1] == FILE_NAME


def _literally(name: str) -> str:
    """A client's pattern that fits a name alone."""
    return re.sub(r"([][{}*?])", r"[\1]", name)


def _placed(name: str) -> Path | None:
    """The file of a document, where it can have partners."""
    path = path_of(name)
    if path is None or len(path.parts) > _DEEPEST or max(map(len, path.parts)) > _LONGEST_NAME:
        return None
    return path


class _Config(NamedTuple):
    rules: tuple[PairRule, ...]
    problems: list[Problem]
    labels: DeclaredLabels
    strict: bool | None
    checks: Checks | None
    sections: dict[str, Any]
    """What else is read of it (:attr:`Pairing.sections`)."""


_Place = TypeVar("_Place", bound=PurePath)


def suggested(
    path: _Place, folders: Sequence[_Place], rules: Callable[[_Place], tuple[PairRule, ...]]
) -> tuple[_Place, list[Candidate], bool]:
    """What a file is compared with, if that is there: by the nearest folder's rules that speak of
    it, packed or not, else by its name; in which folder that is, and whether rules say so.

    folders: those it is in, from its own up to the last one that counts.
    """
    for folder in folders:
        known, inside = rules(folder), path.relative_to(folder).as_posix()
        spellings = dict.fromkeys((inside, unpacked(inside))) if known else ()
        if found := [one for spelling in spellings for one in candidates(known, spelling)]:
            return folder, found, True
    name = path.relative_to(folders[-1]).as_posix()
    return folders[-1], conventional(unpacked(name)), False


def _fits(folder: Path, pattern: str, name: str) -> bool:
    """Whether a pattern means a file, packed or not."""
    path = path_of(name)
    if path is None or not path.is_relative_to(folder):
        return False
    return files.fits(pattern, path.relative_to(folder).as_posix())


def _as_it_is(path: Path, asked: Path) -> Path:
    """A file, or the packed one that is there in its place; the one that is asked about first."""
    if unpacked(asked.as_posix()) == path.as_posix():
        return asked
    if files.stamp(path) is not None:
        return path
    packed = (path.with_name(path.name + ending) for ending in PACKED)
    return next((one for one in packed if files.stamp(one) is not None), path)


class Pairing:
    """Links for open documents. What was said by hand sets aside what files and names say."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.roots: dict[Path, None] = {}
        """In order."""
        self._by_hand: list[tuple[str, str]] = []
        self.alone: set[str] = set()
        """By hand: these with none."""
        self.endings: set[str] = set()
        """Of files that may be compared with what was asked about, whether they are there or not,
        and of those of a corpus."""
        self.sections: dict[str, Callable[[str], tuple[Any, list[Problem]]]] = {}
        """What else a configuration says, by name: read from its text, with what is wrong."""
        self._configs = Cached(LARGEST_CONFIG, self._read_config)
        self._lists = NamedLists(client)
        self._complained: set[object] = set()
        self._sought = Sought()
        self._with_patterns: set[str] = set()
        """Those that any file may be compared with."""

    def work_in(self, roots: Iterable[Path]) -> None:
        """The workspace has these folders now. What is wrong in configurations elsewhere is shown
        no longer, unless a file that is open asks for one."""
        self.roots = dict.fromkeys(roots)
        self._configs.forget(lambda path: self.roots.keys().isdisjoint(path.parents))

    def pair(self, gold: str, system: str) -> None:
        """By hand: these two, whatever files and names say; of a file's revisions, the last."""
        self.alone -= {gold, system}
        pairs = [pair for pair in self._by_hand if {*pair} != {gold, system}]
        if revision(gold):
            pairs = [pair for pair in pairs if pair[1] != system or not revision(pair[0])]
        self._by_hand = [*pairs, (gold, system)]

    @property
    def by_hand(self) -> list[tuple[str, str]]:
        """What was said so and holds."""
        return [*self._by_hand]

    def unpair(self, name: str) -> bool:
        """Whether a pair by hand is over: files and names say again what its files belong to."""
        return self._end(lambda pair: name in pair)

    def end(self, one: str, other: str) -> bool:
        """The same of one pair."""
        return self._end(lambda pair: {*pair} == {one, other})

    def closed(self, name: str, opened: Collection[str]) -> bool:
        """A document was closed. Whether a pair by hand is over: none of the two is open."""
        self._sought.forget(name)
        self._with_patterns.discard(name)
        return self._end(lambda pair: name in pair and not any(one in opened for one in pair))

    def _end(self, is_over: Callable[[tuple[str, str]], bool]) -> bool:
        before = self._by_hand
        self._by_hand = [pair for pair in before if not is_over(pair)]
        return self._by_hand != before

    @property
    def changes(self) -> int:
        """How often a configuration, or what one names, was found to be another one."""
        return self._configs.changes + self._lists.changes

    def sought_by(self, name: str) -> set[str]:
        """The documents that a file, or what is in a folder, may be compared with."""
        path = path_of(name)
        return self._with_patterns | self._sought.by(path) if path is not None else set()

    def is_elsewhere(self, name: str) -> bool:
        """Whether there are folders of the workspace, and a file is in none of them, as its name
        has it: links may lead to it by another name."""
        path = path_of(name)
        return bool(self.roots) and path is not None and self.roots.keys().isdisjoint(path.parents)

    def is_spoken_of(self, name: str) -> bool:
        """Whether something was said by hand about a document."""
        said = (*self._by_hand, self.alone)
        return any(name in names for names in said)

    def said_above(self, name: str, section: str) -> Iterator[tuple[Path, Path, Any]]:
        """What the configurations above a file say in one of :attr:`sections`: of each the folder,
        the file, and what was read."""
        path = _placed(name)
        for folder in self._folders(path) if path is not None else ():
            config = self._config(folder)
            if config is not None and path is not None:
                yield folder, path, config.sections[section]

    def links(self, names: Collection[str]) -> list[Link]:
        """All links of the documents that are open."""
        by_hand = [
            # What is no file, such as one as it was committed, is there while it is open.
            pair
            for pair in self._by_hand
            if all(name in names or path_of(name) is not None for name in pair)
        ]
        chosen = {name for pair in by_hand for name in pair} | self.alone
        found = [Link(*pair) for pair in by_hand if not {*pair}.isdisjoint(names)]
        for name in names:
            if name not in chosen:
                automatic = self.links_of(name, names)
                found += [link for link in automatic if chosen.isdisjoint(link[:2])]
        return list(dict.fromkeys(found))

    def links_of(self, name: str, opened: Collection[str]) -> list[Link]:
        """Those that files and names say one document is in."""
        return self.guarded(name, partial(self._automatic, name, opened), [])

    def in_order(self, name: str, links: Sequence[Link]) -> list[Link]:
        """The links of one document: those that a configuration names as it lists them, then
        those of annotators as they are given, then the others by the other file's name. That files
        were opened one after the other says nothing: a server that is started later has to say the
        same."""
        nothing: list[tuple[Path, str]] = []
        patterns = self.guarded(name, partial(self._named, name), nothing)

        def place(numbered: tuple[int, Link]) -> tuple[int, int, str]:
            number, link = numbered
            other = link.system if link.gold == name else link.gold
            for at, (folder, pattern) in enumerate(patterns):
                if _fits(folder, pattern, other):
                    return 0, at, other
            return (1, number, "") if link.called is not None else (2, 0, other)

        return [link for _, link in sorted(enumerate(links), key=place)]

    def _named(self, name: str) -> list[tuple[Path, str]]:
        """With what a configuration pairs one document: patterns of paths below a folder."""
        path = _placed(name)
        folders = self._folders(path) if path is not None else []
        if path is None or not folders:
            return []
        folder, found, by_rules = suggested(path, folders, self._rules)
        own = {inside := path.relative_to(folder).as_posix(), unpacked(inside)}
        pairs = found if by_rules else []
        return [(folder, one.system if one.gold in own else one.gold) for one in pairs]

    def labels(self, name: str) -> DeclaredLabels:
        """What the nearest configuration that says anything about labels declares."""
        return self.guarded(name, partial(self._declared, name), ANY)

    def _declared(self, name: str) -> DeclaredLabels:
        path = _placed(name)
        configs = map(self._config, self._folders(path) if path else [])
        return next((one.labels for one in configs if one and one.labels != ANY), ANY)

    def checks(self, name: str) -> Checks | None:
        """What the nearest configuration that says so wants to have checked of a document."""
        return self.guarded(name, partial(self._checked, name), None)

    def _checked(self, name: str) -> Checks | None:
        path = _placed(name)
        configs = map(self._config, self._folders(path) if path else [])
        return next((one.checks for one in configs if one and one.checks), None)

    def guarded(self, name: str, find: Callable[[], _Value], nothing: _Value) -> _Value:
        """What is wrong about one document, by our fault, is not to cost the others theirs."""
        try:
            return find()
        except Exception as error:
            what = (name, type(error))
            if what not in self._complained:
                self._complained.add(what)
                _LOG.exception("what %s is compared with cannot be found out", name)
            return nothing

    def strict(self, name: str) -> bool:
        """Whether what no score counts is a difference, by the nearest configuration that says."""
        path = path_of(name)
        folders = self._folders(path) if path else []
        configs = (
            self._configs.get(folder / FILE_NAME, self._allowed(folder)) for folder in folders
        )
        return next((one.strict for one in configs if one and one.strict is not None), True)

    def look(self) -> None:
        """Read configurations again that have changed, also where no file is open, and what they
        name."""
        for root in self.roots:
            self.guarded(uri_of(root), partial(self._config, root), None)
        self.guarded(FILE_NAME, self._configs.look, None)
        self.guarded(FILE_NAME, self._lists.look, None)

    def _config(self, folder: Path) -> _Config | None:
        return self._configs.get(folder / FILE_NAME, self._allowed(folder))

    def _allowed(self, folder: Path) -> list[Path]:
        """Where links from a folder may lead to: into it, or to elsewhere in the workspace."""
        return [folder, *(one for one in (folder, *folder.parents) if one in self.roots)]

    def is_there(self, path: Path, beside: Path) -> bool:
        """Whether there is a file to compare another one with that is open."""
        if files.stamp(path) is None:
            if (folder := files.barred(path)) is not None:
                self._is_unread(folder)
            return False
        if files.is_inside(path, self._folders(beside)):
            return True
        if path not in self._complained:
            self._complained.add(path)
            _LOG.warning("%s is a link that leads out of the workspace: not followed", path)
        return False

    def _is_unread(self, folder: Path) -> None:
        """Say once that a folder may not be read or entered."""
        if folder not in self._complained:
            self._complained.add(folder)
            self._client.tell(
                f"The folder {folder.name} may not be read: nothing in it is compared with",
                types.MessageType.Warning,
            )

    def watchers(self, names: Iterable[str]) -> list[types.FileSystemWatcher]:
        """What the client should watch: configurations, the given files, and all with one of
        :attr:`endings`."""
        patterns: list[types.Pattern | types.RelativePattern] = [
            f"**/{FILE_NAME}",
            "**/*.prm",
            f"**/*{ENDING}",
            *(f"**/*{_literally(ending)}" for ending in sorted(self.endings)),
        ]
        relative = self._client.can("workspace.did_change_watched_files.relative_pattern_support")
        for path in filter(None, map(path_of, sorted(names))):
            pattern = _literally(path.name)
            patterns.append(
                types.RelativePattern(uri_of(path.parent), pattern) if relative else f"**/{pattern}"
            )
        return [types.FileSystemWatcher(pattern) for pattern in patterns]

    def _automatic(self, name: str, opened: Collection[str]) -> list[Link]:
        path = _placed(name)
        folders = self._folders(path) if path is not None else []
        if path is None or not folders:
            return []
        folder, found, _ = suggested(path, folders, self._rules)
        names = PurePath(path.name), *(PurePath(text) for one in found for text in one[:2])
        ends = {one.suffix or one.name for one in names}
        self.endings.update(end for end in ends if not wildcards(end))
        if name in opened:
            self._seek(name, folder, found)
        return [*self._existing(folder, found, path, opened)]

    def _seek(self, name: str, folder: Path, found: Iterable[Candidate]) -> None:
        wanted = {file for one in found for file in one[:2]}
        literal = {file for file in wanted if not wildcards(file)}
        self._sought.seek(name, [folder / file for file in literal])
        self._with_patterns.discard(name)
        if literal != wanted:
            self._with_patterns.add(name)

    def _rules(self, folder: Path) -> tuple[PairRule, ...]:
        config = self._config(folder)
        return config.rules if config else ()

    def _folders(self, path: Path) -> list[Path]:
        """From a file's folder up to its workspace's; only its own outside of any."""
        above = list(path.parents)
        inside = [at for at, one in enumerate(above) if one in self.roots]
        return above[: inside[-1] + 1] if inside else above[:1]

    def _existing(
        self, folder: Path, found: list[Candidate], path: Path, opened: Collection[str]
    ) -> Iterator[Link]:
        for candidate in found:
            parameters = self.scored_by(folder, candidate.options)
            gold = _as_it_is(folder / candidate.gold, path)
            for relative in self._systems(folder, candidate.system):
                paths = gold, _as_it_is(folder / relative, path)
                names = uri_of(paths[0]), uri_of(paths[1])
                if all(
                    name in opened or self.is_there(one, path)
                    for name, one in zip(names, paths, strict=True)
                ):
                    yield Link(*names, parameters, candidate.options.metrics)

    def _systems(self, folder: Path, pattern: str) -> list[str]:
        if not wildcards(pattern):
            return [pattern]
        return list(islice(sorted(files.fitting(folder, pattern, self._is_unread)), _MOST_SYSTEMS))

    def scored_by(self, folder: Path, options: PairOptions) -> Parameters:
        """How a pair is scored of which a configuration in a folder speaks."""
        return self._lists.scored_by(folder, options, self._allowed(folder))

    def _read_config(self, path: Path, text: str, unread: str | None) -> _Config:
        """Read a configuration, and show what is wrong with it where it is written."""
        rules, problems = read_config(text)
        sections = {name: read(text) for name, read in self.sections.items()}
        problems += [problem for _, wrong in sections.values() for problem in wrong]
        problems += placed(text, "consistency", read_wanted(text)[1])
        said = {name: found for name, (found, _) in sections.items()}
        labels, strict, checks = read_labels(text), read_strict(text), read_checks(text)
        config = _Config(rules, problems, labels, strict, checks, said)
        if unread is not None:
            config.problems.append(Problem("toml", f"{unread}; no rule is used", 0, 0))
        spans = [
            (len(encode(text[: problem.start])), len(encode(text[: problem.end])))
            for problem in config.problems
        ]
        # Only for its lines: whatever the text, it can be read as a document.
        where = ranges(document(encode(text), Symbols()), spans, self._client.encoding)
        self._client.publish(
            uri_of(path),
            [
                types.Diagnostic(
                    range_, problem.message, types.DiagnosticSeverity.Error, source="treelens"
                )
                for range_, problem in zip(where, config.problems, strict=True)
            ],
        )
        for problem in config.problems:
            _LOG.warning("%s: %s", path, problem.message)
        return config
