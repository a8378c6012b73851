"""Laws of consistency: every pair compared, any order, more context, incremental = afresh."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from conll_texts import tables
from every_pair import varied
from hypothesis import example, given, settings
from hypothesis import strategies as st
from treelens.consistency.groups import VariationGroup, ordered, rank
from treelens.consistency.index import Index
from treelens.consistency.options import ConsistencyOptions, ContextSides, VariationKind
from treelens.consistency.outermost import largest
from treelens.consistency.table import groups
from treelens.session.document import Document, document
from treelens.trees.forest import Symbols
from trees import sentences

TABLE_KINDS: tuple[VariationKind, ...] = (
    "texts", "tags", "tags:xpos", "tags:feats", "tags:lemma", "relations"
)  # fmt: skip
TREE_KINDS: tuple[VariationKind, ...] = ("texts", "tags", "brackets")
FEW = st.lists(st.sampled_from(("the", "dog", "saw", "_", "-LRB-", "(")), min_size=1, max_size=5)


@st.composite
def some_tables(draw: st.DrawFn) -> list[str]:
    words = draw(st.lists(FEW, min_size=1, max_size=3))
    return [draw(tables(draw(st.sampled_from(words)))) for _ in range(draw(st.integers(1, 7)))]


@st.composite
def some_trees(draw: st.DrawFn) -> list[str]:
    words = [
        [w for w in one if w != "("] or ["a"] for one in draw(st.lists(FEW, min_size=1, max_size=3))
    ]
    return [
        draw(sentences(draw(st.sampled_from(words)))) + "\n" for _ in range(draw(st.integers(1, 7)))
    ]


corpora = st.one_of(
    st.tuples(st.just(TABLE_KINDS), some_tables()), st.tuples(st.just(TREE_KINDS), some_trees())
)


def read(texts: list[str], symbols: Symbols | None = None) -> Document:
    return document("".join(texts).encode("utf-8", "surrogatepass"), symbols or Symbols())


def found(texts: list[str], options: ConsistencyOptions) -> list[VariationGroup]:
    read_ = read(texts)
    return groups(read_.forest(range(len(read_))), options)


def as_pairs(one: VariationGroup) -> set[Any]:
    key = tuple(word or "" for word in one.key)
    return {(key, place.label, (place.sentence, place.words)) for place in one.occurrences}


@given(corpora)
@settings(deadline=None)
def test_groups_are_every_pair_of_occurrences_compared(
    corpus: tuple[tuple[VariationKind, ...], list[str]],
) -> None:
    kinds, texts = corpus
    everything = found(texts, ConsistencyOptions(kinds))
    for kind in kinds:
        if kind != "texts":
            mine = {
                tuple(w or "" for w in g.key): as_pairs(g) for g in everything if g.kind == kind
            }
            assert mine == varied(read(texts), kind), kind


def contents(found: list[VariationGroup]) -> Counter[Any]:
    """Groups without where their sentences are."""
    return Counter((one.kind, one.tier, one.key, one.labels) for one in found)


@given(corpora, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_sentences_makes_no_difference(
    corpus: tuple[tuple[VariationKind, ...], list[str]], chance: random.Random
) -> None:
    kinds, texts = corpus
    shuffled = list(texts)
    chance.shuffle(shuffled)
    options = ConsistencyOptions(kinds)
    one, other = found(texts, options), found(shuffled, options)
    assert contents(one) == contents(other)
    assert [g.key for g in ordered(one)] == [g.key for g in ordered(other)]


@given(corpora)
@settings(deadline=None)
def test_counts_are_of_the_occurrences_and_deviants_are_never_the_majority_alone(
    corpus: tuple[tuple[VariationKind, ...], list[str]],
) -> None:
    kinds, texts = corpus
    everything = found(texts, ConsistencyOptions(kinds))
    for one in everything:
        counts = Counter(place.label for place in one.occurrences)
        assert dict(one.labels) == counts
        assert len(counts) > 1
        most = max(counts.values())
        deviants = {place.label for place in one.occurrences if place.deviant}
        below = {label for label, count in counts.items() if count < most}
        assert deviants == (below or set(counts))
    kept = [id(one) for one in largest(everything)]
    held = (
        any(holds(outer, one) for outer in everything if outer is not one) for one in everything
    )
    assert kept == [id(one) for one, is_held in zip(everything, held, strict=True) if not is_held]
    assert bool(kept) == bool(everything)


def holds(outer: VariationGroup, inner: VariationGroup) -> bool:
    """Whether all places of one group are inside places of the other, which have more words."""
    kinds = (outer.kind, inner.kind)
    if kinds not in {("brackets", "brackets"), ("texts", "brackets"), ("texts", "relations")}:
        return False
    there = {(place.sentence, place.words[0], place.words[-1]) for place in outer.occurrences}
    if outer.kind == "texts":
        there = {(sentence, -1, len(outer.key)) for sentence, _, _ in there}
    return all(
        any(
            sentence == place.sentence
            and low <= place.words[0]
            and place.words[-1] <= high
            and (low, high) != (place.words[0], place.words[-1])
            for sentence, low, high in there
        )
        for place in inner.occurrences
    )


@given(corpora)
@settings(deadline=None)
def test_more_context_never_adds_a_pair_that_disagrees(
    corpus: tuple[tuple[VariationKind, ...], list[str]],
) -> None:
    kinds, texts = corpus
    kinds = tuple(kind for kind in kinds if kind in ("tags", "relations", "brackets"))
    pairs = {context: disagreeing(texts, kinds, context) for context in ("both", "left", "right")}
    assert pairs["both"] <= pairs["left"] & pairs["right"]


def disagreeing(
    texts: list[str], kinds: tuple[VariationKind, ...], context: ContextSides
) -> set[Any]:
    return {
        (one.kind, frozenset([(a.sentence, a.words), (b.sentence, b.words)]))
        for one in found(texts, ConsistencyOptions(kinds, context))
        for a in one.occurrences
        for b in one.occurrences
        if a.label != b.label
    }


@given(some_tables())
@settings(deadline=None)
def test_a_label_renamed_everywhere_makes_as_many_groups(texts: list[str]) -> None:
    renamed = [text.replace("\tNOUN\t", "\tN\t").replace("\tobj\t", "\to\t") for text in texts]
    options = ConsistencyOptions(TABLE_KINDS)
    kinds = [Counter(one.kind for one in found(some, options)) for some in (texts, renamed)]
    assert kinds[0] == kinds[1]


@given(some_tables())
@settings(deadline=None)
def test_words_tagged_as_the_majority_are_no_group_any_more(texts: list[str]) -> None:
    options = ConsistencyOptions(("tags",))
    for one in found(texts, options):
        most = one.labels[0][0]
        rows = [text.split("\n") for text in texts]
        for place in one.occurrences:
            at = [k for k, row in enumerate(rows[place.sentence]) if _is_word(row)][place.words[0]]
            fields = rows[place.sentence][at].split("\t")
            fields[3] = str(most)
            rows[place.sentence][at] = "\t".join(fields)
        mended = found(["\n".join(lines) for lines in rows], options)
        assert one.key not in {other.key for other in mended}


def _is_word(row: str) -> bool:
    return row.split("\t")[0].isdigit()


@st.composite
def edits(draw: st.DrawFn) -> tuple[tuple[VariationKind, ...], list[list[str]], list[Any]]:
    """Files, and what happens to them: a sentence is replaced, added, taken away; a file goes."""
    kinds, texts = draw(corpora)
    source = some_tables() if kinds == TABLE_KINDS else some_trees()
    files = [texts, draw(source)]
    steps = draw(
        st.lists(
            st.tuples(
                st.integers(0, 1),
                st.sampled_from(("replace", "insert", "delete", "remove", "put")),
                st.integers(0, 9),
                source,
            ),
            min_size=1,
            max_size=5,
        )
    )
    return kinds, files, steps


def the_the_the(heads: str, more: str = "") -> str:
    words = ["the", "the", "the", *more.split()]
    return "".join(
        f"{number}\t{word}\t_\tX\t_\t_\t{head}\tdep\t_\t_\n"
        for number, (word, head) in enumerate(zip(words, heads, strict=True), 1)
    ) + "\n"  # fmt: skip


# A file goes; what it has the words of stands elsewhere too, and at the start of something longer.
SAME_AND_LONGER = [the_the_the("011"), the_the_the("200"), the_the_the("0111", more="dog")]


@given(edits())
@example((TABLE_KINDS, [SAME_AND_LONGER[:2], SAME_AND_LONGER], [(0, "remove", 0, [])]))
@example((TABLE_KINDS, [SAME_AND_LONGER * 4, SAME_AND_LONGER], [(0, "delete", 1, [])]))
@settings(deadline=None)
def test_an_edited_index_is_the_one_made_afresh(
    case: tuple[tuple[VariationKind, ...], list[list[str]], list[Any]],
) -> None:
    kinds, files, steps = case
    options, symbols = ConsistencyOptions((*kinds, "rare"), most=3), Symbols()
    texts = {f"f{number}": list(file) for number, file in enumerate(files)}
    known = {name: read(file, symbols) for name, file in texts.items()}
    index = Index(options, dict(reversed(known.items())))
    for file, what, at, new in steps:
        name = f"f{file}"
        step(index, texts, name, what, at, new, symbols)
        # (The numbers of sentences are the index's own: by place they are the same.)
        afresh = Index(options, {one: read(file, symbols) for one, file in texts.items() if file})
        assert shown(index) == shown(afresh)
        for one in index.names:
            for sentence in range(len(index.document(one))):
                mine = {(g.kind, g.key) for g in index.of_sentence(one, sentence)}
                assert mine == {(g.kind, g.key) for g in afresh.of_sentence(one, sentence)}


def step(
    index: Index, texts: dict[str, list[str]], name: str, what: str, at: int, new: list[str],
    symbols: Symbols,
) -> None:  # fmt: skip
    lines = texts.get(name) or []
    if what == "remove":
        texts[name] = []
        index.remove(name)
        return
    if what == "put" or not lines:
        texts[name] = list(new)
        index.put(name, read(new, symbols))
        return
    at %= len(lines)
    start = len("".join(lines[:at]).encode())
    end = start + len(lines[at].encode())
    put = {"replace": new[:1], "insert": [*new[:2], lines[at]], "delete": []}[what]
    edited, change = index.document(name).edit(start, end, "".join(put).encode())
    lines[at : at + 1] = put
    texts[name] = lines
    index.edited(name, edited, change)


def shown(index: Index) -> dict[Any, Any]:
    return {
        (one.kind, one.key, one.occurrences[0].label if one.kind == "rare" else ""): (
            one.tier,
            one.score,
            one.labels,
            [(index.place(p.sentence), p.words, p.label, p.deviant) for p in one.occurrences],
        )
        for one in index.groups.values()
    }


def test_what_an_edit_changed_is_said() -> None:
    row = "1\tthe\t_\t{}\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    symbols = Symbols()
    index = Index(
        ConsistencyOptions(), {"a": read([row.format("DET"), row.format("DET")], symbols)}
    )
    assert not index.groups
    text = index.document("a").text()
    at = text.index(b"DET")
    changed = index.edited("a", *index.document("a").edit(at, at + 3, b"PRON"))
    assert [(kind, index.groups[kind, key].labels) for kind, key in changed] == [
        ("tags", (("DET", 1), ("PRON", 1)))
    ]
    changed |= index.edited("a", *index.document("a").edit(at, at + 4, b"DET"))
    assert not index.groups
    assert len(changed) == 1


@pytest.mark.parametrize("context", ["left", "right", "between"])
def test_an_index_with_less_context_is_kept_too(context: ContextSides) -> None:
    row = "1\tthe\t_\t{}\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t0\t{}\t_\t_\n\n"
    symbols = Symbols()
    texts = [row.format("DET", "root"), row.format("DET", "x"), "1\tthe" + "\t_" * 8 + "\n\n"]
    options = ConsistencyOptions(context=context)
    index = Index(options, {"a": read(texts[:1], symbols)})
    index.put("b", read(texts[1:], symbols))
    at = index.document("b").text().index(b"DET")
    index.edited("b", *index.document("b").edit(at, at + 3, b"PRON"))
    texts[1] = texts[1].replace("DET", "PRON")
    both = {"a": read(texts[:1], symbols), "b": read(texts[1:], symbols)}
    assert shown(index) == shown(Index(options, both))
    assert index.groups or context == "between"


_ANY_WORDS = st.lists(st.none() | st.text(st.characters(), max_size=3), max_size=4)


@given(_ANY_WORDS, _ANY_WORDS)
@example(["a", "b"], ["ab"])
@example(["a\0"], ["a", None])
@example(["\3"], ["\2", ""])
def test_groups_stand_in_the_order_of_their_words(one: list[Any], other: list[Any]) -> None:
    def ranked(words: list[Any]) -> Any:
        labels = (("N", 1), ("V", 1))
        return rank(VariationGroup("tags", "A", (), tuple(words), labels, ()))

    def in_words(words: list[Any]) -> list[tuple[bool, str]]:
        return [(word is not None, word or "") for word in words]

    assert (ranked(one) < ranked(other)) == (in_words(one) < in_words(other))
