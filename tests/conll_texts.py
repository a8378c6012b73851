"""CoNLL text that property tests draw from: well-formed tables, pairs of them, and worse; and the
same of lattices."""

from __future__ import annotations

from hypothesis import strategies as st
from laws import sampled
from treelens.formats.table import CONLLUL, LATTICE, MAPPING, Format

FORMS = (
    "the",
    "dog",
    "barks",
    ",",
    "du",
    "l'",
    "Wörter",
    "𝔸𝔹",
    "x\u2028y",
    "לא",
    "_",
    "can",
    "not",
)
RELATIONS = ("nsubj", "obj", "nmod:poss", "punct", "_", "root")
FEATURES = ("_", "Number=Sing", "Case=Nom|Number=Plur", "odd", "A=B=C")

FRAGMENTS = (
    "1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n",
    "2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t0\troot\t_\t_\n",
    "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n",
    "1\tIt\tit\tPRON\t_\t_\t0\troot\t_\t_\n2\tis\tbe\tAUX\t_\t_\t1\tcop\t_\t_\n\n",
    "2.1\tgone\tgo\tVERB\t_\t_\t_\t_\t0:root\t_\n",
    "3\tdog\tdog\tNOUN\n",
    "1 a b c d e 0 root _ _\n",
    "1\tx\t_\tX\t_\t_\t1\tdep\t_\t_\n",
    "7\tfar\t_\tX\t_\t_\t99\tdep\t_\t_\n",
    "# sent_id = a-1\n",
    "# text = the dog\n",
    "#",
    "\n",
    "\n",
    "\n",
    "\t",
    " ",
    "_",
    "5",
    "\r\n",
    "\r",
    "  \n",
    "\ufeff",
    "\0",
    "\u2028",
    "𝔸",
    "\ud800",
    "(S (N x))\n",
)

hostile_tables = st.lists(sampled(FRAGMENTS), max_size=14).map("".join)
"""Tables as they are while somebody types, or worse."""


@st.composite
def tables(draw: st.DrawFn, words: list[str] | None = None, *, rich: bool = False) -> str:
    """One well-formed sentence, over the given forms or some of its own; ``rich``: with comments
    that are annotation, and more on the lines that are no words'."""
    if words is None:
        words = draw(st.lists(sampled(FORMS), min_size=1, max_size=7))
    order = draw(st.permutations(range(len(words))))
    heads = [0] * len(words)
    for place, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, place - 1))] + 1
    lines = draw(st.lists(sampled(("# sent_id = é1", "# text = x", "#")), max_size=2))
    if rich:
        lines += draw(st.lists(sampled(("# note = a", "#note =b", "# odd")), max_size=2))
    said = sampled(("_", "X=1") if rich else ("_",))
    token_end = 0
    for number, (word, head) in enumerate(zip(words, heads, strict=True), 1):
        if number > token_end and number < len(words) and draw(st.integers(0, 4)) == 0:
            token_end = number + 1
            lines.append(f"{number}-{token_end}\tab{word}" + "\t_" * 7 + f"\t{draw(said)}")
        tag = draw(sampled(("NOUN", "VERB", "_")))
        relation = "root" if not head else draw(sampled(RELATIONS))
        features = draw(sampled(FEATURES))
        edges = st.lists(sampled((f"{head}:x", "0:root", "1:x", "1.1:x")), max_size=2)
        deps = "|".join(draw(edges)) if rich else ""
        said_of = f"{word}\t{word}\t{tag}\tX\t{features}\t{head}\t{relation}\t{deps or '_'}\t_"
        lines.append(f"{number}\t{said_of}")
        if draw(st.integers(0, 9)) == 0:
            deps = "|".join(draw(edges)) if rich else ""
            lines.append(f"{number}.1\tgone" + "\t_" * 6 + f"\t{deps or '_'}\t{draw(said)}")
    return "\n".join(lines) + "\n\n"


@st.composite
def table_pairs(draw: st.DrawFn, most: int = 4, *, rich: bool = False) -> tuple[str, str]:
    """Gold and system, mostly over the same words, some cut into other words or sentences."""
    gold, system = [], []
    for _ in range(draw(st.integers(0, most))):
        words = draw(st.lists(sampled(FORMS), min_size=1, max_size=7))
        gold.append(draw(tables(words, rich=rich)))
        kind = draw(st.integers(0, 6))
        if kind == 0:
            continue
        if kind == 1 and len(words) > 1:
            cut = draw(st.integers(1, len(words) - 1))
            system += [draw(tables(part, rich=rich)) for part in (words[:cut], words[cut:])]
            continue
        if kind == 2:
            at = draw(st.integers(0, len(words) - 1))
            words = [*words[:at], "".join(words[at : at + 2]), *words[at + 2 :]]
        if kind == 3:
            words = words[:-1] or words
        system.append(draw(tables(words, rich=rich)))
    return "".join(gold), "".join(system)


@st.composite
def arcs(draw: st.DrawFn, words: list[str], format: Format) -> str:
    """One path of a lattice over the given forms, which are tokens or parts of them."""
    token, lines = 0, ["# odd"] if draw(st.booleans()) else []
    for state, word in enumerate(words):
        if not state or draw(st.integers(0, 3)):
            token += 1
            if format is CONLLUL:
                lines.append(f"{state}-{len(words)}\t{word}\t_")
        lemma, tag = draw(sampled(("_", "lé"))), draw(sampled(("N", "V")))
        more, features = draw(sampled(("_", "P", "Q"))), draw(sampled(FEATURES))
        rest = "_\t_" if format is CONLLUL else str(token)
        lines.append(f"{state}\t{state + 1}\t{word}\t{lemma}\t{tag}\t{more}\t{features}\t{rest}")
    return "\n".join(lines) + "\n\n"


@st.composite
def arc_pairs(draw: st.DrawFn) -> tuple[str, str, Format]:
    """Gold and system in one format of lattices, over the same words."""
    format = draw(sampled((LATTICE, MAPPING, CONLLUL)))
    gold, system = [], []
    for _ in range(draw(st.integers(0, 3))):
        words = draw(st.lists(sampled(FORMS), min_size=1, max_size=5))
        gold.append(draw(arcs(words, format)))
        system.append(draw(arcs(words, format)))
    return "".join(gold), "".join(system), format


def read_arcs(text: str) -> list[object]:
    """What lines of a lattice say: form, lemma, tags and features, and which token's they are."""
    found: list[object] = []
    token = 0
    for cells in (line.split("\t") for line in text.split("\n") if line[:1] not in {"#", ""}):
        token += len(cells) == 3
        if len(cells) > 3:
            features = {*cells[6].split("|")} - {"", "_"}
            found.append((cells[2:6], features, cells[7] if len(cells) == 8 else token))
    return [*found, "end"]


SEGMENT_FRAGMENTS = (
    "0\t1\tב\tב\tIN\tIN\t_\t1\n",
    "1\t3\tבית\tבית\tNN\tNN\tgen=M\t1\n",
    "0\t3\tבבית\t_\tNNP\tNNP\t_\t1\n",
    "4\t5\tx\t_\tX\tX\t_\t2\n",
    "5\t4\tx\t_\tX\tX\t_\t2\n",
    "0 1 a a N N _ 1\n",
    "0-2\tבבית\t_\n",
    "0\t1\tב\tב\tIN\tIN\t_\t_\t_\n",
    "\tB:H:GN\n",
    "\t.\n",
    "\t:\n",
    "# c\n",
    "\n",
    "\n",
    "\r\n",
    "\t",
    " ",
    "9",
    "\0",
    "\ud800",
)

hostile_segments = st.lists(sampled(SEGMENT_FRAGMENTS), max_size=14).map("".join)
"""Lattices, mappings and segmentations as they are while somebody types, or worse."""
