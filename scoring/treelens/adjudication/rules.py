"""The ``[[adjudication]]`` of a ``treelens.toml``::

[[adjudication]]
first = "anna/*.conllu"          # two annotators' files, and the one in which it is settled
second = "boris/*.conllu"        # who of them is right
adjudicated = "gold/*.conllu"    # may be missing; what [[pairs]] knows besides is known here
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treelens.session.config import (
    KEYS,
    MOST_RULES,
    PLAIN,
    PairOptions,
    Wrong,
    bounded,
    options_of,
    outside,
    problem,
    tables,
    too_many,
    written,
)
from treelens.session.patterns import filled, matched, plain, wildcards
from treelens.session.toml import read_toml
from treelens.trees.forest import Problem


@dataclass(frozen=True, slots=True)
class AdjudicationRule:
    """One ``[[adjudication]]`` of the file; ``adjudicated`` is empty where none is named."""

    first: str
    second: str
    adjudicated: str = ""
    options: PairOptions = PLAIN

    @property
    def patterns(self) -> tuple[str, str, str]:
        return self.first, self.second, self.adjudicated


_KEYS = ("first", "second", "adjudicated")


def read_adjudications(text: str) -> tuple[tuple[AdjudicationRule, ...], list[Problem]]:
    """The ``[[adjudication]]`` of a ``treelens.toml``, and what is wrong with them. What is
    wrong with the rest is :func:`read_config`'s to say."""
    problems: list[Problem] = []
    rules: list[AdjudicationRule] = []
    for table, path in tables(text, read_toml(text).data, "adjudication", problems):
        rule, wrongs = _adjudication(table)
        if rule and len(rules) == MOST_RULES:
            rule, wrongs = None, [((), too_many("adjudications"))]
        problems += [problem(text, (*path, *key), message) for key, message in wrongs]
        rules += [rule] if rule else []
    return tuple(rules), bounded(problems)


def adjudicated(
    rules: tuple[AdjudicationRule, ...], path: str
) -> list[tuple[str, str, str, PairOptions]]:
    """The two annotators' and the adjudicated path of each rule that a path fits, as any of
    them; relative to the rules' folder."""
    found = []
    for rule in rules:
        for pattern in filter(None, rule.patterns):
            values = matched(pattern, path)
            if values is not None:
                paths = [filled(one, values) if one else "" for one in rule.patterns]
                found.append((paths[0], paths[1], paths[2], rule.options))
    return list(dict.fromkeys(found))


def _adjudication(table: dict[str, Any]) -> tuple[AdjudicationRule | None, list[Wrong]]:
    options, problems = options_of(table, "[[adjudication]]", (*_KEYS, *KEYS[2:]))
    first, second, adjudicated = (table.get(key, "") for key in _KEYS)
    paths = [path for path in (first, second, adjudicated) if path != ""]
    if not first or not second or not all(isinstance(path, str) for path in paths):
        wrong = (
            '[[adjudication]] needs first = "…" and second = "…", and may have adjudicated = "…"; '
            "it is left out"
        )
        no_paths = [key for key in _KEYS if not isinstance(table.get(key), str)]
        return None, [*problems, (written(table, no_paths), wrong)]
    elsewhere = outside([(key, [table[key]]) for key in _KEYS if table.get(key)], options)
    if elsewhere:
        return None, [*problems, (elsewhere[0], f"{elsewhere[1]}; the adjudication is left out")]
    if len({wildcards(path) for path in paths}) > 1:
        named_paths = ", ".join(f"“{path}”" for path in paths)
        wrong = f"{named_paths} do not have the same number of *; the adjudication is left out"
        return None, [*problems, ((), wrong)]
    if len({plain(path) for path in paths}) < len(paths):
        wrong = "two of the three files are the same; the adjudication is left out"
        return None, [*problems, ((), wrong)]
    return AdjudicationRule(first, second, adjudicated, options), problems
