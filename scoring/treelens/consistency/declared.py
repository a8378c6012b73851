"""What a folder's corpus is and what is looked for in it: ``[consistency]`` of ``treelens.toml``.

.. code-block:: toml

    [consistency]
    files = ["ewt/*.conllu"]        # a pattern or several; else the folder's tables and trees
    kinds = ["texts", "relations"]  # as treelens consistency --kinds has them
    on = "form"                     # or lower, lemma
    tier = "A"                      # or B, C
    against = "release/*.conllu"    # what varies among the files and these
    digests = true                  # treelens.consistent has no words of the texts
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from treelens.consistency.options import KINDS, TIERS, ConsistencyOptions, On, Tier
from treelens.session.patterns import matched
from treelens.session.toml import read_toml

DEFAULT = ConsistencyOptions()
_KEYS = ("files", "kinds", "on", "tier", "against", "digests")


@dataclass(frozen=True, slots=True)
class ConsistencyCheck:
    """What is looked for. Patterns are of paths below the folder; one without a slash is of files
    in any folder. digests: what is right both ways is written without the words."""

    files: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    options: ConsistencyOptions = DEFAULT
    tier: Tier = "A"
    digests: bool = False

    def has(self, path: str) -> bool:
        """Whether a pattern of ``files`` means a path."""
        return fits(path, self.files)

    def is_reference(self, path: str) -> bool:
        return fits(path, self.against)


def fits(path: str, patterns: Sequence[str]) -> bool:
    return any(matched(one if "/" in one else f"**/{one}", path) is not None for one in patterns)


def read_wanted(text: str) -> tuple[ConsistencyCheck | None, list[tuple[str, str]]]:
    """What a ``treelens.toml`` wants, None if it says nothing of consistency; and what it says
    wrongly, by key, which is left out."""
    table = read_toml(text).data.get("consistency")
    if table is None:
        return None, []
    if not isinstance(table, dict):
        wrong = "consistency is a table: write [consistency] above its lines"
        return ConsistencyCheck(), [("consistency", wrong)]
    problems = [
        (key, f"“{key[:60]}” is not known in [consistency]: {', '.join(_KEYS)} are")
        for key in table
        if key not in _KEYS
    ]
    one_of = _Choice(table, problems)
    kinds = one_of.several("kinds", KINDS)
    options = ConsistencyOptions(
        kinds=tuple(kind for kind in KINDS if kind in kinds) or DEFAULT.kinds,
        on=one_of.one("on", get_args(On)) or DEFAULT.on,
    )
    wanted = ConsistencyCheck(
        one_of.several("files"),
        one_of.several("against"),
        options,
        one_of.one("tier", TIERS) or "A",
        one_of.flag("digests"),
    )
    return wanted, problems


@dataclass(frozen=True, slots=True)
class _Choice:
    """A table's values, each one of those that there are."""

    table: dict[str, Any]
    problems: list[tuple[str, str]]

    def one(self, key: str, known: Sequence[Any]) -> Any:
        value = self.table.get(key)
        if value is None or value in known:
            return value
        wrong = f"{key} in [consistency] is one of {', '.join(known)}; left out"
        self.problems.append((key, wrong))
        return None

    def flag(self, key: str) -> bool:
        value = self.table.get(key, False)
        if not isinstance(value, bool):
            self.problems.append((key, f"{key} in [consistency] is true or false; left out"))
        return value is True

    def several(self, key: str, known: Sequence[str] | None = None) -> tuple[str, ...]:
        value = self.table.get(key, [])
        listed = value if isinstance(value, list) else [value]
        right = [one for one in listed if isinstance(one, str) and (not known or one in known)]
        if len(right) < len(listed):
            what = f"of {', '.join(known)}" if known else "a pattern or several"
            wrong = f"{key} in [consistency]: {what}; the others are left out"
            self.problems.append((key, wrong))
        return tuple(right)
