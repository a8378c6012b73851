"""Differences in words, given what the two sides are called.

The only place where a finding becomes English. What a kind of difference is called and what is
said of it stand in its record, as phrases with slots; here they are filled. Operands are put in
as they are and never read as phrases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from treelens.compare.attachments import NOTHING
from treelens.compare.sides import Side
from treelens.differences.difference import Difference, Finding, Noun
from treelens.differences.lookalikes import told_apart
from treelens.differences.marks import Mark
from treelens.differences.parts import FIELDS, apart
from treelens.differences.table import BY_CODE, PARTS, Kind
from treelens.trees.forest import DEPREL, DEPS, FEATS, FORM, HEAD, LEMMA, MISC, UPOS, XPOS

_MORE, _LESS = "{they} has {there} for {words} too", "{they} has no {here} for {words}"
"""Of fields where one side has all that the other has, and more."""
_NO = {
    FORM: "no form",
    LEMMA: "no lemma",
    UPOS: "no tag",
    XPOS: "no second tag",
    FEATS: "no features",
    HEAD: "no head",
    DEPREL: "no relation",
    DEPS: "no DEPS",
    MISC: "no MISC",
}
"""What is said of a field of a table's line that says nothing."""
_SHOWN = 32
"""Characters of the text that a title quotes."""


class SideNames(NamedTuple):
    """What to call the two sides: as they are, or two annotators' names, or revisions."""

    gold: str = "gold"
    system: str = "system"

    def of(self, side: Side) -> str:
        return self.gold if side is Side.GOLD else self.system


ROLES = SideNames()

_OWNERS = (Side.GOLD, None, Side.SYSTEM)
_ORDER = {
    one.code: (PARTS[one.code], _OWNERS.index(one.owner), place)
    for place, one in enumerate(BY_CODE.values())
}
"""Family by family: what gold has, what both have, what system has."""


def quoted(words: Sequence[str]) -> str:
    """Words in quotation marks."""
    return f"“{' '.join(words)}”"


def written(difference: Difference, mark: Mark | None) -> str:
    """What a side has at a mark, in a word or two; empty without one."""
    if mark is None:
        return ""
    fields = mark.written.split(FIELDS)
    if len(fields) == len(mark.columns):
        named = zip(fields, mark.columns, strict=True)
        # (A line that is no word's may have more fields than there are columns.)
        nothing = {at: _NO.get(at, "nothing") for at in mark.columns}
        return FIELDS.join(nothing[at] if field in ("", NOTHING) else field for field, at in named)
    return difference.blank.get(mark.written, mark.written)


def _is_blank(mark: Mark | None) -> bool:
    """Whether a side has nothing at its mark."""
    if mark is None or not mark.columns:
        return mark is None or not mark.written
    return {*mark.written.split(FIELDS)} <= {"", NOTHING}


def _lacks(difference: Difference, mark: Mark) -> bool:
    """Whether what a side has at its mark is said to be none, or to begin with none: no tag."""
    if mark.columns:
        return mark.written.split(FIELDS)[0] in ("", NOTHING)
    # (A bracket without a label is something.)
    return not mark.written and difference.blank.get("", "").startswith("no ")


class Said(NamedTuple):
    """A phrase, and what stands in its slots but for what the sides are called."""

    phrase: str
    slots: Mapping[str, str]


def say(said: Said, names: SideNames = ROLES) -> str:
    """The phrase with its slots filled; what is put in is never read as a phrase."""
    return said.phrase.format_map({**names._asdict(), **said.slots})


def message(finding: Finding, side: Side, names: SideNames = ROLES) -> str:
    """What is said at a finding's mark on a side: ``system has NX here, not NP``."""
    return say(phrase_of(finding, side), names)


def phrase_of(finding: Finding, side: Side) -> Said:
    """The same with the sides yet to be named."""
    difference = BY_CODE[finding.code]
    own, other = finding.at(side), finding.at(side.other)
    phrases = difference.phrases
    phrase = phrases.at_gold if side is Side.GOLD else phrases.at_system
    if other is None and phrases.alone:
        phrase = phrases.alone
    if other and phrases.lacking and _lacks(difference, other):
        phrase = phrases.lacking
    if own and _lacks(difference, own):
        for said in ("not {here}", "not to {here}"):  # (“not no tag” says little.)
            phrase = phrase.replace(said, "{here} here")
    if difference.listed and own and other and own.written and other.written:
        parts = apart(written(difference, own), written(difference, other))
        own, other = (
            mark._replace(written=part, columns=())
            for mark, part in zip((own, other), parts, strict=True)
        )
        phrase = phrase if all(parts) else _MORE if parts[1] else _LESS
    (here, words), (there, their_words) = _shown(difference, own, other)
    slots = {"here": here, "there": there, "words": words, "their_words": their_words}
    slots["counts"] = _counts(finding)
    if phrase and not difference.counted:
        phrase = f"{phrase}; not counted by {difference.uncounted_by}"
    return Said(phrase.replace("{they}", f"{{{side.other.value}}}"), slots)


def _shown(difference: Difference, *marks: Mark | None) -> tuple[tuple[str, str], tuple[str, str]]:
    """What two sides have and the words of each, for reading: with the names of what tells them
    apart where they look alike."""
    sides = [(written(difference, mark), " ".join(mark.words if mark else ())) for mark in marks]
    one, other = ((there, f"“{words}”") for there, words in sides)
    if None in marks:
        return one, other
    apart = [told_apart(*pair) for pair in zip(*sides, strict=True)]
    back = [told_apart(*pair) for pair in zip(*reversed(sides), strict=True)]
    return (one[0] + apart[0], one[1] + apart[1]), (other[0] + back[0], other[1] + back[1])


def summary(finding: Finding, names: SideNames = ROLES) -> str:
    """What is said of a finding as a whole: at gold's mark, or at system's if there is none."""
    return message(finding, Side.GOLD if finding.gold else Side.SYSTEM, names)


def _counts(finding: Finding) -> str:
    """How many words stand against how many, gold's first; empty where they are as many."""
    gold, system = finding.gold, finding.system
    if gold is None or system is None or gold.size == system.size:
        return ""
    return f" ({_words(gold.size)} against {_words(system.size)})"


def _words(count: int) -> str:
    return "1 word" if count == 1 else f"{count} words"


# --- files of two kinds --------------------------------------------------------------------

#: In what such files are the same that have no differences.
SHARED = " in words and tags"
ALL_SHARED = f"{SHARED}, all that can be compared here"

# --- titles --------------------------------------------------------------------------------


def counts_in_words(findings: Iterable[Finding], names: SideNames = ROLES) -> list[str]:
    """How many findings of which kind, always in one order: ``["2 missing", "2 labels"]``; and
    last what is not counted: ``"1 not counted: function tag"``, ``"2 not counted by LAS: DEPS"``
    (which other scores of the same files may count)."""
    tallies: dict[bool, Counter[Noun]] = {True: Counter(), False: Counter()}
    codes = Counter(finding.code for finding in findings)
    for code in sorted(codes, key=_ORDER.__getitem__):
        tallies[BY_CODE[code].counted][BY_CODE[code].tally] += codes[code]
    said = [f"{count} {_tallied(noun, count, names)}" for noun, count in tallies[True].items()]
    uncounted = ", ".join(_tallied(noun, count, names) for noun, count in tallies[False].items())
    by = " by LAS" if any(BY_CODE[code].uncounted_by == "LAS" for code in codes) else ""
    return [*said, f"{tallies[False].total()} not counted{by}: {uncounted}"] if uncounted else said


def _tallied(noun: Noun, count: int, names: SideNames) -> str:
    return (noun.many if count > 1 else noun.one).format_map(names._asdict())


def heading(difference: Difference, names: SideNames = ROLES) -> str:
    """Above a list of such differences: ``Missing Brackets``."""
    called = {side.value: names.of(side)[:1].upper() + names.of(side)[1:] for side in Side}
    return difference.heading.format_map(called)


def title(kind: Kind, names: SideNames = ROLES) -> str:
    """``NP→ADJP``, ``PP missing``, ``nsubj→obj``, ``head of nmod``."""
    has = {"gold_has": kind.gold or "–", "system_has": kind.system or "–"}
    return kind.difference.kind.format_map({**names._asdict(), **has})


def brief(finding: Finding, side: Side) -> str:
    """What a side has, short enough for a title; of words, these."""
    difference, mark = BY_CODE[finding.code], finding.at(side)
    if mark is None or difference.family == "sentence":
        return ""
    text = (
        quoted(mark.words) if difference.family in ("words", "trace") else written(difference, mark)
    )
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


# --- what is done about them ----------------------------------------------------------------


def taking(finding: Finding, into: Side, names: SideNames = ROLES) -> str:
    """To make one side's file as the other is: ``Take gold’s label NP``."""
    difference, giver = BY_CODE[finding.code], names.of(into.other)
    lacking, removes = finding.at(into.other), _takes_nothing(finding, into)
    whole = difference.replaceable and not difference.listed
    if removes and whole and lacking and _lacks(difference, lacking):
        return f"Remove {_thing(finding, into)}: {giver} has {written(difference, lacking)}"
    if difference.owner is into or removes:
        return f"Remove {_thing(finding, into)}, which {giver} does not have"
    return f"Take {giver}’s {_named(finding, into.other)}"


def accepting(finding: Finding, names: SideNames = ROLES) -> str:
    """To make gold as a system is: ``Accept label NX into gold``."""
    difference = BY_CODE[finding.code]
    if difference.owner is Side.GOLD or _takes_nothing(finding, Side.GOLD):
        thing = _thing(finding, Side.GOLD)
        return f"Remove {thing} from {names.gold}, as in {names.system}"
    return f"Accept {_named(finding, Side.SYSTEM)} into {names.gold}"


def _named(finding: Finding, side: Side) -> str:
    """What a side has, with what that is: ``label NP``."""
    noun, text = BY_CODE[finding.code].noun.one, brief(finding, side)
    return text if text.endswith(noun) else f"{noun} {text}".rstrip()


def _takes_nothing(finding: Finding, into: Side) -> bool:
    """Whether a side only loses what it has, though what differs is in both: a field, a label."""
    if BY_CODE[finding.code].owner is not None or not finding.at(into):
        return False
    return _is_blank(finding.at(into.other)) and not _is_blank(finding.at(into))


def _thing(finding: Finding, side: Side) -> str:
    if BY_CODE[finding.code].replaceable:  # (It is only something of what it stands at.)
        return _named(finding, side)
    return brief(finding, side) or "this sentence"


def taking_everywhere(finding: Finding, into: Side, names: SideNames = ROLES) -> str | None:
    """The same for all findings like one; None of what is not taken everywhere."""
    difference, giver = BY_CODE[finding.code], names.of(into.other)
    if not difference.everywhere:
        return None
    mine, theirs = (written(difference, finding.at(side)) for side in (into, into.other))
    if difference.owner is None:
        noun = difference.noun.one
        return f"Take {giver}’s {noun} at every {mine} → {theirs} in this file"
    if difference.owner is into:
        return f"Remove every {mine} in this file that {giver} does not have"
    return f"Take {giver}’s {difference.noun.one} at every missing {theirs} in this file"


def taking_sentence(count: int, names: SideNames = ROLES) -> str:
    """To take what gold has for all mismatches of a sentence."""
    return f"Take {names.gold}’s at all {count} mismatches of this sentence"


def taking_tree(into: Side, names: SideNames = ROLES) -> str:
    """To take the whole tree that the other side has."""
    if into is Side.GOLD:
        return f"Accept {names.system}’s whole tree into {names.gold}"
    return f"Take {names.gold}’s whole tree"


def taking_file(names: SideNames = ROLES) -> str:
    """To take all that gold has."""
    return f"Take {names.gold}’s for the whole file"


# --- drawn under words ----------------------------------------------------------------------


class LineNote(NamedTuple):
    """What is said at a line under words, and in brief what that is about."""

    label: str
    detail: str


def drawn(finding: Finding, names: SideNames = ROLES, *, twin: bool = False) -> LineNote:
    """``NP missing``, ``head “a” → “b”``; ``twin``: under system's text where gold's has it too."""
    sign, slots = BY_CODE[finding.code].sign, _drawing(finding, names)
    label = (sign.twin if twin else sign.label).format_map(slots)
    return LineNote(label, sign.detail.format_map(slots) if finding.gold else "")


def _drawing(finding: Finding, names: SideNames) -> dict[str, str]:
    difference = BY_CODE[finding.code]
    slots = names._asdict()
    shown = _shown(difference, finding.gold, finding.system)
    for side, (has, words) in zip(Side, shown, strict=True):
        slots |= {f"{side.value}_has": has, f"{side.value}_words": words}
    return slots
