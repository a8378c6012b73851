"""Heads of constituents by table: which child of a phrase is its head.

A table gives every label some rules. A rule is a class of labels and a direction; the first
rule that fits any child decides, and of several children that fit it, the first one in its
direction. So a class is a set (any of its labels will do), and an order of preference is
several rules. What no rule of a label fits is left to the default rules.

The format is SParseval's (Roark et al. 2006): a line ``NP (r NN NNS) (l NP) (r)`` for each
label; ``l`` looks from the left, ``r`` from the right; a class without labels takes any child;
the label ``*default*`` is for all others. Of two lines for one label the first counts.

Labels are compared as they are: cutting off function tags is for the caller. This module knows
neither trees nor files; tables from the literature are in ``head_tables``.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

DEFAULT = "*default*"
_BLANKS = " \t"


class Rule(NamedTuple):
    """Children that may be the head, and where to look first."""

    from_left: bool
    labels: frozenset[str]
    """Empty: any."""

    def find(self, children: Sequence[str], set_aside: Container[int] = ()) -> int | None:
        """The first child that fits; one that is set aside only where no other does."""
        order = range(len(children)) if self.from_left else range(len(children) - 1, -1, -1)
        last_resort = None
        for index in order:
            if self.labels and children[index] not in self.labels:
                continue
            if index not in set_aside:
                return index
            if last_resort is None:
                last_resort = index
        return last_resort


ANY_FROM_RIGHT = Rule(False, frozenset())


class HeadTable(NamedTuple):
    """The rules of each label, in their order."""

    rules: Mapping[str, tuple[Rule, ...]]
    default: tuple[Rule, ...]
    """For labels that have none, and where none of a label's own fits."""

    def find(
        self, label: str, children: Sequence[str], set_aside: Container[int] = ()
    ) -> int | None:
        """The place of the head among the labels of the children, from 0; None if no rule fits.

        ``set_aside`` are the places of children that should not be heads (edited speech,
        punctuation): one of them is, where of the children that a rule fits there is no other.
        """
        for rule in (*self.rules.get(label, ()), *self.default):
            found = rule.find(children, set_aside)
            if found is not None:
                return found
        return None

    def head(self, label: str, children: Sequence[str], set_aside: Container[int] = ()) -> int:
        """The same, and the last child where no rule fits. There has to be a child."""
        found = self.find(label, children, set_aside)
        return len(children) - 1 if found is None else found


class TableProblem(NamedTuple):
    """What is wrong with a line of a table, and what that means."""

    line: int
    """From 1; 0 for the table as a whole."""
    message: str
    is_error: bool
    """The line is no rules at all: it is left out here, and SParseval stops."""


class _NoRules(Exception):  # noqa: N818 — of one line, told as its problem
    """A line that is not written like a rule."""


def read_head_table(text: str) -> tuple[HeadTable, list[TableProblem]]:
    """Read a table in SParseval's format, whatever it is; problems in the order of lines."""
    rules: dict[str, tuple[Rule, ...]] = {}
    problems: list[TableProblem] = []
    for number, line in enumerate(text.split("\n"), start=1):
        label, rest = _label(line.rstrip("\r" + _BLANKS))
        if not label:
            continue
        try:
            found, warning = _rules(rest)
        except _NoRules as problem:
            problems.append(TableProblem(number, f"{problem}; the line is left out", True))
            continue
        if warning:
            problems.append(TableProblem(number, warning, False))
        if label in rules:
            message = f"'{label}' has a line already, and that one counts"
            problems.append(TableProblem(number, message, False))
        rules.setdefault(label, found)
    default = rules.pop(DEFAULT, ())
    if not default:
        message = f"there is no line for {DEFAULT}: labels without a line have no rule"
        problems.append(TableProblem(0, message, False))
    return HeadTable(rules, default), problems


def head_table_text(table: HeadTable) -> str:
    """A table in SParseval's format, to be read again or to be given to that program."""
    lines = [(DEFAULT, table.default), *table.rules.items()]
    return "".join(f"{label} {' '.join(map(_rule_text, rules))}\n" for label, rules in lines)


def _rule_text(rule: Rule) -> str:
    return f"({' '.join(['l' if rule.from_left else 'r', *sorted(rule.labels)])})"


def _label(line: str) -> tuple[str, str]:
    """The first field, which ends at a blank and nowhere else, and what follows."""
    line = line.lstrip(_BLANKS)
    end = min((place for place in map(line.find, _BLANKS) if place >= 0), default=len(line))
    return line[:end], line[end:]


def _rules(text: str) -> tuple[tuple[Rule, ...], str]:
    """All rules of a line, and what is strange about them. Without any, the last child is it."""
    rules: list[Rule] = []
    warning = ""
    rest = text.strip(_BLANKS)
    while rest:
        if not rest.startswith("("):
            raise _NoRules(f"a rule such as (r NN) is expected where “{rest[:20]}” is")
        inside, closed, rest = rest[1:].partition(")")
        if not closed:
            raise _NoRules(f"“({inside[:20]}” is not closed by a )")
        inside, rest = inside.lstrip(_BLANKS), rest.lstrip(_BLANKS)
        direction, labels = inside[:1], inside[1:].replace("\t", " ").split(" ")
        if direction not in ("l", "r") or labels[0]:
            warning = (
                f"“({inside[:20]})” starts with neither 'l ' nor 'r ': the first letter is "
                "the direction ('r' if it is not 'l'), and labels begin behind it"
            )
        rules.append(Rule(direction == "l", frozenset(filter(None, labels))))
    return tuple(rules) or (ANY_FROM_RIGHT,), warning
