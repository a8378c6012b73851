"""Which documents belong together: what the user said, else ``treelens.toml``, else the names."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from lsprotocol import types
from treelens.present.revisions import revision
from treelens.rules.contractions import LANGUAGES
from treelens.rules.contractions import contractions as language_contractions
from treelens.rules.heads import TableProblem
from treelens.rules.parameters import (
    HEADS,
    PRESETS,
    Heads,
    ParameterProblem,
    Parameters,
    read_parameters,
)
from treelens.rules.spelling import Contraction, ListProblem, read_contractions, read_equivalences
from treelens.session.adjudication import Three
from treelens.session.config import (
    FILE_NAME,
    AdjudicationRule,
    Candidate,
    Options,
    Rule,
    adjudicated,
    candidates,
    conventional,
    read_adjudications,
    read_config,
)
from treelens.session.declared import ANY, Labels, read_labels
from treelens.session.document import document
from treelens.session.session import Link
from treelens.session.sidecar import ENDING
from treelens.trees.forest import Problem, Symbols, decode, encode

from treelens_server import files
from treelens_server.client import Client
from treelens_server.files import Stamp, path_of, uri_of
from treelens_server.positions import ranges

_LOG = logging.getLogger("treelens")
_Value = TypeVar("_Value")
_Read = TypeVar("_Read")

_MOST_SYSTEMS = 16
"""Systems for one gold file that a pattern may find: all of them are compared at each key."""


def is_config(name: str) -> bool:
    return name.rsplit("/", 1)[-1] == FILE_NAME


class _Config(NamedTuple):
    rules: tuple[Rule, ...]
    adjudications: tuple[AdjudicationRule, ...]
    problems: list[Problem]
    labels: Labels


class _Cached(Generic[_Value]):
    """Small files, read again when they have been written since."""

    def __init__(self, interpret: Callable[[Path, str], _Value]) -> None:
        self._interpret = interpret
        self._known: dict[Path, tuple[Stamp, _Value]] = {}

    def get(self, path: Path) -> _Value | None:
        """None if there is no such file."""
        stamp = files.stamp(path)
        if stamp is None:
            if self._known.pop(path, None) is not None:
                self._interpret(path, "")
            return None
        known = self._known.get(path)
        if known is None or known[0] != stamp:
            try:
                text = decode(files.read(path))
            except files.ReadError as problem:
                _LOG.warning("%s", problem)
                text = ""
            known = self._known[path] = (stamp, self._interpret(path, text))
        return known[1]


class Pairing:
    """Links for open documents. What was said by hand sets aside what files and names say."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.roots: list[Path] = []
        self._by_hand: list[tuple[str, str]] = []
        self._alone: set[str] = set()
        self._adjudicated: list[Three] = []
        self._configs = _Cached(self._read_config)
        self._parameters = _Cached(self._read_parameters)
        self._equivalences = _Cached(self._read_equivalences)
        self._contractions = _Cached(self._read_contractions)
        self._heads = _Cached(self._read_heads)
        self._missing: set[Path] = set()

    def pair(self, gold: str, system: str) -> None:
        """By hand: these two, whatever files and names say; of a file's revisions, the last."""
        self._alone -= {gold, system}
        pairs = [pair for pair in self._by_hand if {*pair} != {gold, system}]
        if revision(gold):
            pairs = [pair for pair in pairs if pair[1] != system or not revision(pair[0])]
        self._by_hand = [*pairs, (gold, system)]

    def unpair(self, name: str) -> None:
        """By hand: this one with none."""
        self._by_hand = [pair for pair in self._by_hand if name not in pair]
        self._adjudicated = [three for three in self._adjudicated if name not in three[:3]]
        self._alone.add(name)

    def adjudicate(self, three: Three) -> None:
        """By hand: two annotators' files, and where it is settled who is right."""
        self._alone -= {*three[:3]}
        others = [one for one in self._adjudicated if {*one[:2]} != {*three[:2]}]
        self._adjudicated = [*others, three]

    def adjudications(self, names: Collection[str]) -> list[Three]:
        """All that documents which are open are in; what was said by hand goes first."""
        found = [three for three in self._adjudicated if not {*three[:3]}.isdisjoint(names)]
        by_hand = {name for three in found for name in three[:3] if name}
        for name in names:
            if name not in by_hand | self._alone:
                found += self._configured(name, names)
        return list(dict.fromkeys(found))

    def _configured(self, name: str, opened: Collection[str]) -> Iterator[Three]:
        path = path_of(name)
        for folder in self._folders(path) if path is not None else ():
            config = self._configs.get(folder / FILE_NAME)
            if config is None or path is None:
                continue
            here = path.relative_to(folder).as_posix()
            for *paths, options in adjudicated(config.adjudications, here):
                names = [uri_of(folder / one) if one else "" for one in paths]
                there = [
                    one in opened or (folder / relative).is_file()
                    for one, relative in zip(names, paths, strict=True)
                    if one
                ]
                if all(there[:2]):
                    third = names[2] if len(there) > 2 and there[2] else ""
                    parameters = self._scored_by(folder, options)
                    yield Three(names[0], names[1], third, parameters, options.metrics)

    def links(self, names: Collection[str]) -> list[Link]:
        """All links of the documents that are open."""
        by_hand = [
            # What is no file, such as one as it was committed, is there while it is open.
            pair
            for pair in self._by_hand
            if all(name in names or path_of(name) is not None for name in pair)
        ]
        chosen = {name for pair in by_hand for name in pair} | self._alone
        found = [Link(*pair) for pair in by_hand if not {*pair}.isdisjoint(names)]
        for name in names:
            if name not in chosen:
                automatic = self._automatic(name, names)
                found += [link for link in automatic if chosen.isdisjoint(link[:2])]
        return list(dict.fromkeys(found))

    def labels(self, name: str) -> Labels:
        """What the nearest configuration that says anything about labels declares."""
        path = path_of(name)
        folders = self._folders(path) if path else []
        configs = (self._configs.get(folder / FILE_NAME) for folder in folders)
        return next((one.labels for one in configs if one and one.labels != ANY), ANY)

    def look(self) -> None:
        """Read configurations again that have changed, also where no file is open."""
        for root in self.roots:
            self._configs.get(root / FILE_NAME)

    def watchers(
        self, names: Iterable[str], patterns_besides: Iterable[str] = ()
    ) -> list[types.FileSystemWatcher]:
        """What the client should watch: configurations, the given files, and what fits patterns."""
        patterns: list[types.Pattern | types.RelativePattern] = [
            f"**/{FILE_NAME}",
            "**/*.prm",
            f"**/*{ENDING}",
            *patterns_besides,
        ]
        relative = self._client.can("workspace.did_change_watched_files.relative_pattern_support")
        for path in filter(None, map(path_of, sorted(names))):
            pattern = re.sub(r"([][{}*?])", r"[\1]", path.name)
            patterns.append(
                types.RelativePattern(uri_of(path.parent), pattern) if relative else f"**/{pattern}"
            )
        return [types.FileSystemWatcher(pattern) for pattern in patterns]

    def _automatic(self, name: str, opened: Collection[str]) -> list[Link]:
        path = path_of(name)
        if path is None:
            return []
        for folder in self._folders(path):
            config = self._configs.get(folder / FILE_NAME)
            found = candidates(config.rules, path.relative_to(folder).as_posix()) if config else []
            if found:
                return [*self._existing(folder, found, opened)]
        root = self._folders(path)[-1]
        return [*self._existing(root, conventional(path.relative_to(root).as_posix()), opened)]

    def _folders(self, path: Path) -> list[Path]:
        """From a file's folder up to its workspace's; only its own outside of any."""
        above = list(path.parents)
        inside = [above.index(root) for root in self.roots if root in above]
        return above[: max(inside) + 1] if inside else above[:1]

    def _existing(
        self, folder: Path, found: list[Candidate], opened: Collection[str]
    ) -> Iterator[Link]:
        for candidate in found:
            parameters = self._scored_by(folder, candidate.options)
            gold = uri_of(folder / candidate.gold)
            for system in self._systems(folder, candidate.system):
                names = gold, uri_of(system)
                paths = folder / candidate.gold, system
                if all(
                    name in opened or path.is_file()
                    for name, path in zip(names, paths, strict=True)
                ):
                    yield Link(*names, parameters, candidate.options.metrics)

    @staticmethod
    def _systems(folder: Path, pattern: str) -> list[Path]:
        if not re.search(r"[*?]", pattern):
            return [folder / pattern]
        return list(islice(sorted(folder.glob(pattern)), _MOST_SYSTEMS))

    def _scored_by(self, folder: Path, options: Options) -> Parameters:
        parameters = self._named(self._parameters, folder, options.parameters)
        equivalences = self._named(self._equivalences, folder, options.equivalences)
        language = options.contractions
        contractions = (
            language_contractions(language)
            if language in LANGUAGES
            else self._named(self._contractions, folder, language)
        )
        spelling = replace(
            options.spelling, equivalences=equivalences or (), contractions=contractions or ()
        )
        heads = HEADS.get(options.heads or "") or self._named(self._heads, folder, options.heads)
        return replace(parameters or PRESETS["default"], spelling=spelling, heads=heads)

    def _named(self, cached: _Cached[_Read], folder: Path, name: str | None) -> _Read | None:
        """What a file says that a configuration names; None, and a message, without the file."""
        if name is None:
            return None
        path = folder / name
        found = cached.get(path)
        if found is None and path not in self._missing:
            self._missing.add(path)
            self._client.tell(
                f"{FILE_NAME} names {name}, which does not exist: scored without it",
                types.MessageType.Warning,
            )
        return found

    def _read_parameters(self, path: Path, text: str) -> Parameters:
        return self._told(path, read_parameters(text, path.stem))

    def _read_equivalences(self, path: Path, text: str) -> tuple[tuple[str, ...], ...]:
        return self._told(path, read_equivalences(text))

    def _read_contractions(self, path: Path, text: str) -> tuple[Contraction, ...]:
        return self._told(path, read_contractions(text))

    def _read_heads(self, path: Path, text: str) -> Heads:
        found = Heads(path.name, text)
        return self._told(path, (found, found.problems))

    def _told(
        self,
        path: Path,
        read: tuple[_Read, Sequence[ListProblem | ParameterProblem | TableProblem]],
    ) -> _Read:
        self._missing.discard(path)
        found, problems = read
        for problem in problems:
            _LOG.warning("%s, line %d: %s", path, problem.line, problem.message)
        return found

    def _read_config(self, path: Path, text: str) -> _Config:
        """Read a configuration, and show what is wrong with it where it is written."""
        rules, problems = read_config(text)
        adjudications, more = read_adjudications(text)
        config = _Config(rules, adjudications, problems + more, read_labels(text))
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
