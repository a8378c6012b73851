"""Which files belong together: ``treelens.toml``, and what file names say where there is none.

Pure: text and relative paths in, rules and paths out; whether a file exists is for others to
see. Paths have ``/`` between their parts, on every system.

.. code-block:: toml

    [[pairs]]
    gold = "*.gold.mrg"                         # what * stands for is the same in both; a list
                                                # where there are several annotators' golds
    system = ["*.collins.mrg", "*.bikel.mrg"]   # one pattern, or several
    parameters = "COLLINS.prm"                  # an evalb parameter file
    ignore_case = true                          # and unicode, escapes, quotes: see Spelling
    equivalences = "equal-words.txt"            # words that are equal share a line
    contractions = "en"                         # a language's, or a file of them
    metrics = ["standard", "leaf-ancestor"]     # names as treelens score --list has them
    heads = "collins"                           # a table by name, or a file in SParseval's format

    [[adjudication]]
    first = "anna/*.conllu"                     # two annotators' files, and the one in which it is
    second = "boris/*.conllu"                   # settled who of them is right
    adjudicated = "gold/*.conllu"               # may be missing; the options above are known here

What ``[labels]`` declares is :mod:`treelens.session.declared`'s.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from treelens.metrics.table import METRICS, choose, no_metric
from treelens.rules.spelling import DEFAULT, Spelling
from treelens.session.declared import declared
from treelens.trees.forest import Problem

FILE_NAME = "treelens.toml"


@dataclass(frozen=True, slots=True)
class Options:
    """How a pair is scored: lists are named by their paths."""

    parameters: str | None = None
    spelling: Spelling = DEFAULT
    equivalences: str | None = None
    contractions: str | None = None
    """Or a language."""
    metrics: tuple[str, ...] = ()
    """Names; none are the standard ones."""
    heads: str | None = None
    """Or the name of a table."""


PLAIN = Options()


@dataclass(frozen=True, slots=True)
class Rule:
    """One ``[[pairs]]`` of the file."""

    gold: str
    systems: tuple[str, ...]
    options: Options = PLAIN


@dataclass(frozen=True, slots=True)
class AdjudicationRule:
    """One ``[[adjudication]]`` of the file; ``adjudicated`` is empty where none is named."""

    first: str
    second: str
    adjudicated: str = ""
    options: Options = PLAIN

    @property
    def patterns(self) -> tuple[str, str, str]:
        return self.first, self.second, self.adjudicated


class Candidate(NamedTuple):
    """Two paths that belong together if they exist; a pattern where a name is still open."""

    gold: str
    system: str
    options: Options = PLAIN


def read_config(text: str) -> tuple[tuple[Rule, ...], list[Problem]]:
    """Read a ``treelens.toml``: the rules that can be followed, and what is wrong with the rest.

    Offsets of problems are characters of the text.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        start, end = _place(text, str(error))
        return (), [Problem("toml", f"not TOML: {error}; no rule is used", start, end)]
    problems = [
        Problem("toml", f"“{key}” is not known here: {_KNOWN_TABLES} are", *_line_of(text, key))
        for key in data
        if key not in ("pairs", "adjudication", "labels", "consistency")
    ]
    problems += [Problem("toml", wrong, *_line_of(text, key)) for key, wrong in declared(data)[1]]
    rules = []
    for table, at in _tables(text, data, "pairs", problems):
        found, wrong = _rules(table)
        problems += [Problem("toml", message, *at) for message in wrong]
        rules += found
    return tuple(rules), problems


def read_adjudications(text: str) -> tuple[tuple[AdjudicationRule, ...], list[Problem]]:
    """The ``[[adjudication]]`` of a ``treelens.toml``, and what is wrong with them. What is
    wrong with the rest is :func:`read_config`'s to say."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return (), []
    problems: list[Problem] = []
    rules = []
    for table, at in _tables(text, data, "adjudication", problems):
        rule, wrong = _adjudication(table)
        problems += [Problem("toml", message, *at) for message in wrong]
        rules += [rule] if rule else []
    return tuple(rules), problems


_KNOWN_TABLES = "[[pairs]], [[adjudication]], [labels] and [consistency]"


def _tables(
    text: str, data: dict[str, Any], key: str, problems: list[Problem]
) -> Iterator[tuple[dict[str, Any], tuple[int, int]]]:
    """The tables of a list, and where each is written."""
    tables = data.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        message = f"{key} is a list of tables: write [[{key}]] above each"
        problems.append(Problem("toml", message, *_line_of(text, key)))
        return
    headings = [*re.finditer(rf"^[ \t]*\[\[[ \t]*{key}[ \t]*\]\]", text, re.MULTILINE)]
    for number, table in enumerate(tables):
        yield table, headings[number].span() if number < len(headings) else (0, 0)


def candidates(rules: tuple[Rule, ...], path: str) -> list[Candidate]:
    """What the rules pair a path with, as gold or as system; relative to the rules' folder."""
    return list(dict.fromkeys(_by_rules(rules, path)))


def adjudicated(
    rules: tuple[AdjudicationRule, ...], path: str
) -> list[tuple[str, str, str, Options]]:
    """The two annotators' and the adjudicated path of each rule that a path fits, as any of
    them; relative to the rules' folder."""
    found = []
    for rule in rules:
        for pattern in filter(None, rule.patterns):
            values = _matched(pattern, path)
            if values is not None:
                paths = [_filled(one, values) if one else "" for one in rule.patterns]
                found.append((paths[0], paths[1], paths[2], rule.options))
    return list(dict.fromkeys(found))


def conventional(path: str) -> list[Candidate]:
    """What a file's name and folders suggest: ``x.gold.mrg`` and ``x.system.mrg``, and so on."""
    *folders, name = path.split("/")
    found = [
        Candidate("/".join([*folders, gold]), "/".join([*folders, system]))
        for gold, system in _counterparts(name.split("."), ".", _GOLD_OF)
    ]
    found += [
        Candidate(f"{gold}/{name}", f"{system}/{name}")
        for gold, system in _counterparts(folders, "/", _GOLD_FOLDER_OF)
    ]
    return list(dict.fromkeys(found))


# --- rules ---------------------------------------------------------------------------------


_KNOWN = ("gold", "system", "parameters", "ignore_case", "unicode", "escapes", "quotes")
_ADJUDICATION = ("first", "second", "adjudicated")
_LISTS = ("equivalences", "contractions", "metrics", "heads")
_FORMS = ("as-is", "nfc", "nfkc")


def _rules(table: dict[str, Any]) -> tuple[list[Rule], list[str]]:
    """A rule for each gold."""
    golds, systems = _texts(table.get("gold")), _texts(table.get("system"))
    problems = [
        f"“{key}” is not known in [[pairs]]: {', '.join((*_KNOWN, *_LISTS))} are; left out"
        for key in table
        if key not in (*_KNOWN, *_LISTS)
    ]
    if not golds or not systems:
        wrong = '[[pairs]] needs gold = "…" and system = "…" (or lists); the pair is left out'
        return [], [*problems, wrong]
    options, wrongs = _options(table)
    problems += wrongs
    named = (options.parameters, options.equivalences, options.contractions, options.heads)
    for path in (*golds, *systems, *filter(None, named)):
        if not _stays_inside(path):
            wrong = f"“{path}” leads out of the folder of {FILE_NAME}; the pair is left out"
            return [], [*problems, wrong]
    rules = []
    for gold in golds:
        fitting = tuple(path for path in systems if _wildcards(gold) in (0, _wildcards(path)))
        problems += [
            f"“{gold}” and “{system}” do not have the same number of *; left out"
            for system in systems
            if system not in fitting
        ]
        if fitting:
            rules.append(Rule(gold, fitting, options))
    return rules, problems


def _adjudication(table: dict[str, Any]) -> tuple[AdjudicationRule | None, list[str]]:
    known = (*_ADJUDICATION, *_KNOWN[2:], *_LISTS)
    problems = [
        f"“{key}” is not known in [[adjudication]]: {', '.join(known)} are; left out"
        for key in table
        if key not in known
    ]
    first, second, adjudicated = (table.get(key, "") for key in _ADJUDICATION)
    paths = [path for path in (first, second, adjudicated) if path != ""]
    if not first or not second or not all(isinstance(path, str) for path in paths):
        wrong = (
            '[[adjudication]] needs first = "…" and second = "…", and may have adjudicated = "…"; '
            "it is left out"
        )
        return None, [*problems, wrong]
    options, wrongs = _options(table)
    problems += wrongs
    named = (options.parameters, options.equivalences, options.contractions, options.heads)
    for path in (*paths, *filter(None, named)):
        if not _stays_inside(path):
            wrong = f"“{path}” leads out of the folder of {FILE_NAME}; the adjudication is left out"
            return None, [*problems, wrong]
    if len({_wildcards(path) for path in paths}) > 1:
        named_paths = ", ".join(f"“{path}”" for path in paths)
        wrong = f"{named_paths} do not have the same number of *; the adjudication is left out"
        return None, [*problems, wrong]
    if len({_plain(path) for path in paths}) < len(paths):
        wrong = "two of the three files are the same; the adjudication is left out"
        return None, [*problems, wrong]
    return AdjudicationRule(first, second, adjudicated, options), problems


def _options(table: dict[str, Any]) -> tuple[Options, list[str]]:
    problems = []

    def path(key: str, what: str) -> str | None:
        value = table.get(key)
        if value is None or isinstance(value, str):
            return value
        problems.append(f"{key} is the path of {what}; left out")
        return None

    def flag(key: str, default: bool) -> bool:
        value = table.get(key, default)
        if isinstance(value, bool):
            return value
        problems.append(f"{key} is true or false; left out")
        return default

    unicode = table.get("unicode", DEFAULT.unicode)
    if unicode not in _FORMS:
        problems.append(f"unicode is one of {', '.join(_FORMS)}; left out")
        unicode = DEFAULT.unicode
    spelling = Spelling(
        flag("escapes", DEFAULT.escapes),
        unicode,
        flag("quotes", DEFAULT.quotes),
        flag("ignore_case", DEFAULT.ignore_case),
    )
    options = Options(
        path("parameters", "an evalb parameter file"),
        spelling,
        path("equivalences", "a list of equal words"),
        path("contractions", "a list of contractions, or a language"),
        _metrics(table.get("metrics", []), problems),
        path("heads", "a head table, or the name of one"),
    )
    return options, problems


def _metrics(value: object, problems: list[str]) -> tuple[str, ...]:
    """The names that there are; others are told."""
    names = _texts(value)
    if value and not names:
        problems.append("metrics is a list of names; left out")
    unknown = choose(names, METRICS).unknown
    problems += [f"{no_metric(name)}; left out" for name in unknown]
    return tuple(name for name in names if name not in unknown)


def _texts(value: object) -> list[str]:
    """A text or a list of texts; empty if it is neither."""
    values = value if isinstance(value, list) else [value]
    texts = [text for text in values if isinstance(text, str)]
    return texts if len(texts) == len(values) else []


def _stays_inside(path: str) -> bool:
    absolute = path.startswith(("/", "\\", "~")) or re.match(r"[A-Za-z]:", path)
    return not absolute and ".." not in re.split(r"[/\\]", path) and "\0" not in path


def _by_rules(rules: tuple[Rule, ...], path: str) -> Iterator[Candidate]:
    for rule in rules:
        as_gold = _matched(rule.gold, path)
        for system in rule.systems:
            if as_gold is not None:
                yield Candidate(path, _filled(system, as_gold), rule.options)
            as_system = _matched(system, path)
            if as_system is not None:
                gold = _filled(rule.gold, as_system) if _wildcards(rule.gold) else rule.gold
                yield Candidate(gold, path, rule.options)


_WILDCARD = re.compile(r"\*\*/|\*+|\?")
_MEANINGS = {"**/": "((?:[^/]+/)*)", "?": "([^/])"}


def _wildcards(pattern: str) -> int:
    return len(_WILDCARD.findall(pattern))


def _matched(pattern: str, path: str) -> tuple[str, ...] | None:
    """What each wildcard stands for; None if the path is none that the pattern means."""
    parts = _WILDCARD.split(_plain(pattern))
    wildcards = _WILDCARD.findall(_plain(pattern))
    regex = re.escape(parts[0]) + "".join(
        _MEANINGS.get(wildcard, "([^/]*)") + re.escape(part)
        for wildcard, part in zip(wildcards, parts[1:], strict=True)
    )
    match = re.fullmatch(regex, path)
    return match.groups() if match else None


def _filled(pattern: str, values: tuple[str, ...]) -> str:
    """The pattern with its wildcards filled in; one that gold does not have stays open."""
    if not values:
        return _plain(pattern)
    remaining = iter(values)
    return _WILDCARD.sub(lambda _: next(remaining), _plain(pattern))


def _plain(path: str) -> str:
    return path.removeprefix("./")


def _place(text: str, message: str) -> tuple[int, int]:
    """The line that a message of tomllib names; without one, the end of the text."""
    named = re.search(r"line (\d+)", message)
    lines = text.splitlines(keepends=True)
    line = min(int(named[1]), len(lines)) - 1 if named else len(lines) - 1
    start = sum(map(len, lines[: max(line, 0)]))
    return start, start + (len(lines[line].rstrip()) if lines else 0)


def _line_of(text: str, key: str) -> tuple[int, int]:
    """Where a key is first written."""
    match = re.search(rf"^[ \t\[]*[\"']?({re.escape(key)})\b", text, re.MULTILINE)
    return match.span(1) if match else (0, 0)


# --- conventions ---------------------------------------------------------------------------

_SYSTEMS = ("system", "sys", "auto", "pred")
_GOLD_OF = {**dict.fromkeys(_SYSTEMS, "gold"), "tst": "gld"}
_GOLD_FOLDER_OF = dict.fromkeys(_SYSTEMS, "gold")


def _counterparts(
    parts: list[str], separator: str, gold_of: dict[str, str]
) -> Iterator[tuple[str, str]]:
    """Gold's and system's spelling, for each part that says which of the two this is."""

    def spelled(at: int, word: str) -> str:
        return separator.join([*parts[:at], word, *parts[at + 1 :]])

    here = separator.join(parts)
    for at, part in enumerate(parts):
        if part in gold_of:
            yield spelled(at, gold_of[part]), here
        for system, gold in gold_of.items():
            if part == gold:
                yield here, spelled(at, system)
