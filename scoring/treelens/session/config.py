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

What ``[labels]`` declares is :mod:`treelens.session.declared`'s, and what ``[[adjudication]]`` says
:mod:`treelens.adjudication.rules`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple, TypeVar

from treelens.metrics.table import METRICS, choose, no_metric
from treelens.rules.spelling import DEFAULT, Spelling
from treelens.session.declared import declared
from treelens.session.guidelines import checks
from treelens.session.patterns import filled, matched, wildcards
from treelens.session.toml import FILE_NAME, read_toml
from treelens.session.toml_places import Path, key_places, place_of
from treelens.trees.forest import Problem

MOST_RULES = 1000
"""Pairs of a gold's and a system's pattern: each is asked about every file."""

_MOST_PROBLEMS = 100
_LONGEST_PATH = 1000

_Default = TypeVar("_Default")


@dataclass(frozen=True, slots=True)
class PairOptions:
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


PLAIN = PairOptions()


@dataclass(frozen=True, slots=True)
class PairRule:
    """One ``[[pairs]]`` of the file."""

    gold: str
    systems: tuple[str, ...]
    options: PairOptions = PLAIN


class Candidate(NamedTuple):
    """Two paths that belong together if they exist; a pattern where a name is still open."""

    gold: str
    system: str
    options: PairOptions = PLAIN


def read_config(text: str) -> tuple[tuple[PairRule, ...], list[Problem]]:
    """Read a ``treelens.toml``: the rules that can be followed, and what is wrong with the rest.

    Offsets of problems are characters of the text.
    """
    data, wrong = read_toml(text)
    if wrong is not None:
        return (), [wrong]
    problems = [
        problem(text, (key,), f"“{_short(key)}” is not known here: {_KNOWN_TABLES} are")
        for key in data
        if key not in _TABLES
    ]
    if "rules" in data:
        problems.append(problem(text, ("rules",), _NO_RULES))
    problems += placed(text, "labels", declared(data)[1])
    problems += placed(text, "validate", checks(data)[1])
    rules: list[PairRule] = []
    for table, path in tables(text, data, "pairs", problems):
        found, wrongs = _rules(table, MOST_RULES - sum(len(rule.systems) for rule in rules))
        problems += [problem(text, (*path, *key), message) for key, message in wrongs]
        rules += found
    return tuple(rules), bounded(problems)


def placed(text: str, table: str, wrong: Sequence[tuple[str, str]]) -> list[Problem]:
    """What is wrong with some keys of a table of a configuration, where they are written."""
    places = key_places(text) if wrong else {}
    paths = (((table, key) if (table, key) in places else (key,), said) for key, said in wrong)
    return bounded([problem(text, path, message) for path, message in paths])


def problem(text: str, path: Path, message: str) -> Problem:
    """Where a key is written, or what it should be written in."""
    return Problem("toml", message, *place_of(text, path))


def bounded(problems: list[Problem]) -> list[Problem]:
    more = len(problems) - _MOST_PROBLEMS
    if more <= 0:
        return problems
    last = problems[_MOST_PROBLEMS]
    rest = Problem("toml", f"{more:,} more problems in this file", last.start, last.end)
    return [*problems[:_MOST_PROBLEMS], rest]


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}…"


def too_many(what: str) -> str:
    return f"more than {MOST_RULES:,} {what} in this file; the rest is left out"


_NO_RULES = (
    "[rules] is kept for rules of your own, which this version cannot check yet: it is passed over"
)
_TABLES = ("pairs", "adjudication", "labels", "consistency", "validate", "rules", "strict")
_KNOWN_TABLES = "[[pairs]], [[adjudication]], [labels], [consistency], [validate] and strict"


def tables(
    text: str, data: dict[str, Any], key: str, problems: list[Problem]
) -> Iterator[tuple[dict[str, Any], Path]]:
    """The tables of a list, and the path of each."""
    found = data.get(key, [])
    if not isinstance(found, list) or not all(isinstance(table, dict) for table in found):
        message = f"{key} is a list of tables: write [[{key}]] above each"
        problems.append(problem(text, (key,), message))
        return
    for number, table in enumerate(found):
        yield table, (key, number)


def candidates(rules: tuple[PairRule, ...], path: str) -> list[Candidate]:
    """What the rules pair a path with, as gold or as system; relative to the rules' folder."""
    return list(dict.fromkeys(_by_rules(rules, path)))


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


KEYS = ("gold", "system", "parameters", "ignore_case", "unicode", "escapes", "quotes")
_LISTS = ("equivalences", "contractions", "metrics", "heads")
_FORMS = ("as-is", "nfc", "nfkc")
_MOST_METRICS = 100
_ENCODABLE = re.compile("[^\0\ud800-\udfff]*")


Wrong = tuple[tuple[str, ...], str]
"""What is wrong with a table, or with one of its keys."""


def _rules(table: dict[str, Any], most: int) -> tuple[list[PairRule], list[Wrong]]:
    """A rule for each gold; ``most`` pairs of patterns."""
    golds, systems = _texts(table.get("gold")), _texts(table.get("system"))
    options, problems = options_of(table, "[[pairs]]", KEYS)
    if not golds or not systems:
        wrong = '[[pairs]] needs gold = "…" and system = "…" (or lists); the pair is left out'
        no_paths = [key for key, found in (("gold", golds), ("system", systems)) if not found]
        return [], [*problems, (written(table, no_paths), wrong)]
    elsewhere = outside([("gold", golds), ("system", systems)], options)
    if elsewhere:
        return [], [*problems, (elsewhere[0], f"{elsewhere[1]}; the pair is left out")]
    if len(golds) * len(systems) > most:
        return [], [*problems, ((), too_many("pairs of patterns"))]
    fitting: dict[str, list[str]] = {}
    for gold, system in product(golds, systems):
        if wildcards(gold) in (0, wildcards(system)):
            fitting.setdefault(gold, []).append(system)
        else:
            wrong = f"“{gold}” and “{system}” do not have the same number of *; left out"
            problems.append((("system",), wrong))
    return [PairRule(gold, tuple(named), options) for gold, named in fitting.items()], problems


def written(table: dict[str, Any], keys: Sequence[str]) -> tuple[str, ...]:
    """The first of some keys that stands in a table."""
    return tuple(key for key in keys if key in table)[:1]


def options_of(
    table: dict[str, Any], heading: str, paths: Sequence[str]
) -> tuple[PairOptions, list[Wrong]]:
    """``paths`` are the keys that the heading knows besides."""
    known = (*paths, *_LISTS)
    problems: list[Wrong] = [
        ((key,), f"“{_short(key)}” is not known in {heading}: {', '.join(known)} are; left out")
        for key in table
        if key not in known
    ]

    def path(key: str, what: str) -> str | None:
        value = table.get(key)
        if value is None or isinstance(value, str):
            return value
        problems.append(((key,), f"{key} is the path of {what}; left out"))
        return None

    def flag(key: str, default: _Default) -> bool | _Default:
        value = table.get(key, default)
        if key not in table or isinstance(value, bool):
            return value
        problems.append(((key,), f"{key} is true or false; left out"))
        return default

    unicode = table.get("unicode", DEFAULT.unicode)
    if unicode not in _FORMS:
        problems.append((("unicode",), f"unicode is one of {', '.join(_FORMS)}; left out"))
        unicode = DEFAULT.unicode
    spelling = Spelling(
        flag("escapes", DEFAULT.escapes),
        unicode,
        flag("quotes", DEFAULT.quotes),
        flag("ignore_case", DEFAULT.ignore_case),
    )
    metrics, wrongs = _metrics(table.get("metrics", []))
    problems += [(("metrics",), wrong) for wrong in wrongs]
    options = PairOptions(
        path("parameters", "an evalb parameter file"),
        spelling,
        path("equivalences", "a list of equal words"),
        path("contractions", "a list of contractions, or a language"),
        metrics,
        path("heads", "a head table, or the name of one"),
    )
    return options, problems


def _metrics(value: object) -> tuple[tuple[str, ...], list[str]]:
    """The names that there are; others are told."""
    names = _texts(value)
    if value and not names:
        return (), ["metrics is a list of names; left out"]
    if len(names) > _MOST_METRICS:
        return (), [f"metrics names more than {_MOST_METRICS}; left out"]
    unknown = choose(names, METRICS).unknown
    wrongs = [f"{no_metric(_short(name))}; left out" for name in unknown]
    return tuple(name for name in names if name not in unknown), wrongs


def _texts(value: object) -> list[str]:
    """A text or a list of texts; empty if it is neither."""
    values = value if isinstance(value, list) else [value]
    texts = [text for text in values if isinstance(text, str)]
    return texts if len(texts) == len(values) else []


def outside(paths: Sequence[tuple[str, Sequence[str]]], options: PairOptions) -> Wrong | None:
    """What to say of the first path that leads elsewhere, or can be none; ``paths`` by key."""
    named = ("parameters", "equivalences", "contractions", "heads")
    lists = [(key, [getattr(options, key)]) for key in named if getattr(options, key)]
    for key, path in ((key, path) for key, each in (*paths, *lists) for path in each):
        if len(path) > _LONGEST_PATH or not _ENCODABLE.fullmatch(path):
            return (key,), f"“{_short(path)}” is no path that a file can have"
        absolute = path.startswith(("/", "\\", "~")) or re.match(r"[A-Za-z]:", path)
        if absolute or ".." in re.split(r"[/\\]", path):
            return (key,), f"“{path}” leads out of the folder of {FILE_NAME}"
    return None


def _by_rules(rules: tuple[PairRule, ...], path: str) -> Iterator[Candidate]:
    for rule in rules:
        as_gold = matched(rule.gold, path)
        for system in rule.systems:
            if as_gold is not None:
                yield Candidate(path, filled(system, as_gold), rule.options)
            as_system = matched(system, path)
            if as_system is not None:
                gold = filled(rule.gold, as_system) if wildcards(rule.gold) else rule.gold
                yield Candidate(gold, path, rule.options)


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
