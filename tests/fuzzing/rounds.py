"""Rounds: a few files and what is done to them, drawn from one seed.

A *round* is a few files (one alone, a pair, two annotators' files and the adjudicated one, or a
gold file and three systems'; brackets or tables; one of the three ways to count characters) and
bursts of steps (:mod:`fuzzing.desk`). Steps are told by shares of a text's length, so that each
means something without the others: that is how a round that went wrong is made smaller.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from conll_texts import FRAGMENTS as TABLE_FRAGMENTS
from trees import FRAGMENTS as BRACKET_FRAGMENTS

from fuzzing.desk import DEEDS, Step

ENCODINGS = ("utf-16", "utf-8", "utf-32")
_MOST_TRIES = 60
"""Runs of smaller rounds at most, when one went wrong."""
_TYPED = 0.93
"""The share of steps that are typing."""
_LONGEST_BURST = {1: 5000, 2: 500, 3: 500, 4: 300}
"""Edits before what is said is looked at, by how many files there are (one that is compared with
nothing costs a fifth): from one to this, as often in the tens as in the hundreds, so that faults
show that the next edit would hide, and those that add up."""
_TREES = (
    "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n",
    "(S (NP (DT the) (JJ big) (NN dog)) (VP (VB saw) (NP (DT a) (NN 𝔸))))\n",
    "(S (NP-SBJ-1 (NNP Mary)) (VP (VB slept) (PP (IN in) (NP (NN Ünter)))) (. .))\n",
    "( (S (NP (PRP it)) (VP (VBZ rains) (-NONE- *T*-1))))\n",
    "(S\n  (NP (DT a))\n  (VP (VB saw)))\n",
    "(S\n(NP (DT a))\n(VP (VB saw))\n(. .))\n",
)
_TABLES = (
    "1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t0\troot\t_\t_\n\n",
    "# sent_id = a-1\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_\n"
    "2\tle\tle\tDET\t_\t_\t0\troot\t_\t_\n\n",
    "1\t𝔸𝔹\t_\tX\t_\t_\t0\troot\t_\t_\n1.1\tgone\tgo\tVERB\t_\t_\t_\t_\t0:root\t_\n"
    "2\t,\t,\tPUNCT\t_\t_\t1\tpunct\t_\t_\n3\tsees\tsee\tVERB\t_\tTense=Pres\t1\tconj\t_\t_\n\n",
)
_HALVES = ("\ud835", "\udd38")
"""Of a surrogate pair: editors have each alone for a moment."""
_UNREAD = ("(S (NP 0=I) (VP 1=see))\n", "# global.columns = ID PARSEME:MWE\n")
"""What makes a text one that is not read: in one round of ten, or few would be compared."""
_KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "mrg": (_TREES, (*BRACKET_FRAGMENTS, *_HALVES)),
    "conllu": (_TABLES, (*TABLE_FRAGMENTS, *_HALVES)),
}
"""Whole sentences, and parts; of any other file what it is follows from its text."""


_LEAF = re.compile(r"\([^\s()]+ ([^\s()]+)\)")
_LINE_ENDS = ("\n", "\n", "\n", "\n", "\r\n", "\r")
"""Of all of a round's files, but for what is typed by itself."""


class Round(NamedTuple):
    """Files (paths in the folder and texts), how characters are counted, bursts of steps."""

    encoding: str
    files: tuple[tuple[str, str], ...]
    bursts: tuple[tuple[Step, ...], ...]
    places: int
    """The seed of the places that are asked about."""


class Finding(NamedTuple):
    """What one server says and a fresh one does not, and how to have it again."""

    what: str
    edited: Any
    fresh: Any
    round: Round


def drawn(seed: str) -> Round:
    draw = random.Random(seed)
    kind = draw.choice((*_KINDS, *_KINDS, "txt"))
    whole, fragments = _KINDS.get(kind) or (
        (*_KINDS["mrg"][0], *_KINDS["conllu"][0]),
        (*_KINDS["mrg"][1], *_KINDS["conllu"][1]),
    )
    fragments = (*fragments, *(_UNREAD if draw.random() < 0.1 else ()))
    end = draw.choice(_LINE_ENDS)
    whole, fragments = ([one.replace("\n", end) for one in texts] for texts in (whole, fragments))
    names = draw.choices(
        (
            [f"x.{kind}"],
            [f"x.gold.{kind}", f"x.system.{kind}"],
            [f"{who}/x.{kind}" for who in ("anna", "boris", "settled")],
            # (Neither as they are named nor as a configuration lists them.)
            [f"x.{what}.{kind}" for what in ("zoe", "ref", "adam", "mia")],
        ),
        (2, 5, 3, 2),
    )[0]
    # (A text may be laid out in one way, or in several.)
    kinds = draw.sample(whole, draw.randrange(1, len(whole) + 1))
    on_a_line = draw.choice((0.5, 0.9, 1)) if kind != "conllu" and draw.random() < 0.15 else 0
    most = 150 if on_a_line else draw.choice((9, 9, 9, 30))
    start = [_varied(draw, draw.choice(kinds)) for _ in range(draw.randrange(1, most))]
    start = [_on_its_line(one, end) if draw.random() < on_a_line else one for one in start]
    recut = draw.random() < 0.15
    files = []
    for name in names:
        mine = _elsewhere(draw, [one for one in start if draw.random() < 0.9])
        files.append((name, "".join(_cut_otherwise(draw, mine, end) if recut else mine)))
    longest = _LONGEST_BURST[len(names)]
    bursts = tuple(
        tuple(_step(draw, len(files), whole, fragments) for _ in range(round(most)))
        for most in (longest ** draw.random() for _ in range(draw.randrange(1, 7)))
    )
    return Round(draw.choice(ENCODINGS), tuple(files), bursts, draw.randrange(1 << 30))


def _varied(draw: random.Random, sentence: str) -> str:
    """The sentence, mostly with words that few others have."""
    if draw.random() < 0.3:
        return sentence
    for word in ("dog", "Mary", "saw", "rains"):
        sentence = sentence.replace(word, f"{word}{draw.randrange(99)}")
    return sentence


def _on_its_line(tree: str, end: str) -> str:
    """The tree with the next one behind it."""
    return tree.replace(end, " ") if tree.startswith("(") else tree


def _elsewhere(draw: random.Random, sentences: list[str]) -> list[str]:
    """The sentences, in one of four files with some of them elsewhere, or there once more."""
    first, end = sorted(draw.randrange(len(sentences) + 1) for _ in range(2))
    block = sentences[first:end]
    kind = draw.random()
    if kind < 0.75:
        return sentences
    rest = sentences if kind < 0.9 else sentences[:first] + sentences[end:]
    at = draw.randrange(len(rest) + 1)
    return [*rest[:at], *block, *rest[at:]]


def _cut_otherwise(draw: random.Random, sentences: list[str], end: str) -> list[str]:
    """The words of some trees in flat trees of other lengths, some of them other words."""
    leaves = [leaf for one in sentences for leaf in _LEAF.findall(one)]
    found = []
    while leaves:
        size = draw.choice((1, 3, 5, 20))
        words = (w if draw.random() < 0.95 else "other" for w in leaves[:size])
        found.append(f"(S {' '.join(f'(X {word})' for word in words)}){end}")
        leaves = leaves[size:]
    return found or sentences


def _step(draw: random.Random, files: int, whole: Sequence[str], fragments: Sequence[str]) -> Step:
    kind = draw.random()
    if kind < 0.35:  # somebody types
        new, length = draw.choice("abcNPVS() \t\n1230_-=*𝔸é"), 0.0
    elif kind < 0.55:
        new, length = "", draw.choice((0.001, 0.003, 0.01, 0.1))
    elif kind < 0.65:
        new, length = draw.choice(whole), draw.choice((0.0, 0.0, 0.1, 1.0))
    else:
        new, length = draw.choice(fragments), draw.choice((0.0, 0.0, 0.002, 0.02))
    where = draw.choice((0.0, 1.0, draw.random(), draw.random(), draw.random(), draw.random()))
    if draw.random() < _TYPED:
        return Step(draw.randrange(files), where, length, new)
    deed = draw.choice([*DEEDS])
    return Step(draw.randrange(files), where, draw.random(), draw.choice(("", "X", new)), deed)


def smaller(run: Callable[[Round], Finding | None], finding: Finding) -> Finding:
    """The same kind of finding of a round with fewer steps."""
    tries = 0
    size = max(map(len, finding.round.bursts), default=0)
    while size and tries < _MOST_TRIES:
        flat = [step for burst in finding.round.bursts for step in burst]
        for start in range(0, len(flat), size):
            tries += 1
            left = (*flat[:start], *flat[start + size :])
            again = run(finding.round._replace(bursts=(left,)))
            if again is not None and again.what.split()[0] == finding.what.split()[0]:
                finding = again
                break
            if tries >= _MOST_TRIES:
                break
        else:
            size //= 2
    return finding


def told(finding: Finding) -> str:
    """The finding as text from which it can be had again (``make fuzz AGAIN=file``)."""
    return json.dumps(finding._asdict() | {"round": finding.round._asdict()}, indent=1)


def again(text: str) -> Round:
    data = json.loads(text)["round"]
    return Round(
        data["encoding"],
        tuple((name, source) for name, source in data["files"]),
        tuple(tuple(Step(*step) for step in burst) for burst in data["bursts"]),
        data["places"],
    )
