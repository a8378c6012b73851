"""What holds for any trees, and where the closed forms are Zhang & Shasha's distance.

Longer than other modules are: all laws are of the same trees.
"""

from __future__ import annotations

import itertools

import pytest
import zss
from hypothesis import given
from hypothesis import strategies as st
from tedeval_trees import PROTECTED, searchable, searched, trees, written
from treelens.tedeval.algebra import (
    WILDCARD,
    Crossing,
    crossed,
    generalise_by_subsumption,
    generalise_multi_function,
    unify,
    unify_labels,
)
from treelens.tedeval.distance import (
    FreeLabels,
    additions_and_deletions,
    distance,
    with_relabelling,
)
from treelens.tedeval.evaluation import Errors, TedEvalOptions, WordAnchors, corpus, evaluate, mean
from treelens.tedeval.segments import Segment, by_token, common
from treelens.tedeval.trees import (
    Chains,
    FunctionTree,
    bracketed,
    chains,
    expanded,
    multi_function,
    size,
)
from treelens.tedeval.versions import VERSIONS

lengths = st.integers(1, 5)
versions = st.sampled_from(list(VERSIONS.values()))


@st.composite
def several(draw: st.DrawFn, most: int = 3, labels: str = "abc") -> list[FunctionTree]:
    """Trees over the same words."""
    words = draw(lengths)
    return [draw(trees(words, labels)) for _ in range(draw(st.integers(1, most)))]


@st.composite
def two(draw: st.DrawFn, labels: str = "abc") -> tuple[FunctionTree, FunctionTree]:
    words = draw(lengths)
    return draw(trees(words, labels)), draw(trees(words, labels))


# --- Zhang & Shasha ------------------------------------------------------------------------


def at_unit_cost(one: str, other: str) -> int:
    return int(one != other)


def never(one: str, other: str) -> int:
    return 2  # as much as deleting the one and adding the other


@given(two())
def test_additions_and_deletions_are_zhang_and_shashas_if_words_are_protected(
    pair: tuple[FunctionTree, FunctionTree],
) -> None:
    found = distance(*(chains(value.nodes) for value in pair), additions_and_deletions)
    assert found == searched(*pair, never)


@given(two())
def test_with_relabelling_too(pair: tuple[FunctionTree, FunctionTree]) -> None:
    found = distance(*(chains(value.nodes) for value in pair), with_relabelling(FreeLabels()))
    assert found == searched(*pair, at_unit_cost)


@given(two(labels="abc*"))
def test_with_labels_that_replace_each_other_freely_too(
    pair: tuple[FunctionTree, FunctionTree],
) -> None:
    free = FreeLabels({("b", "c")})
    found = distance(*(chains(value.nodes) for value in pair), with_relabelling(free))
    assert found == searched(*pair, lambda a, b: int(not free.replaces(a, b)))


@given(two())
def test_unlabelled_is_zhang_and_shashas_with_free_relabelling(
    pair: tuple[FunctionTree, FunctionTree],
) -> None:
    options = TedEvalOptions(VERSIONS["2011"], labelled=False)
    assert evaluate(pair[0], [pair[1]], options).edits == searched(*pair, lambda a, b: 0)


@given(two())
def test_words_that_may_be_added_and_deleted_never_make_it_more(
    pair: tuple[FunctionTree, FunctionTree],
) -> None:
    found = distance(*(chains(value.nodes) for value in pair), additions_and_deletions)
    assert searched(*pair, never, protected=False) <= found


def test_words_that_may_be_added_and_deleted_make_it_less_here() -> None:
    # Why "words are protected" must be said: the second a may go down into the other a's place
    # if b is deleted and added again.
    one, other = written("(R (A (A (A a b))))"), written("(R (A (A (A a)) b))")
    found = distance(chains(one.nodes), chains(other.nodes), additions_and_deletions)
    assert found == searched(one, other, never) == 4
    assert searched(one, other, never, protected=False) == 2


def test_nodes_may_only_be_kept_above_kept_words() -> None:
    # A free search maps the A's although they share no word: the other known exception.
    one, other = written("(R (A p1 p2))"), written("(R (A g1))")
    assert evaluate(one, [other], TedEvalOptions(VERSIONS["2012b"])).edits == 5


@st.composite
def segmented(draw: st.DrawFn) -> tuple[FunctionTree, FunctionTree, WordAnchors]:
    """Two trees over segments of the same tokens, from a small alphabet, so that some agree."""
    found: list[FunctionTree] = []
    tokens: list[list[int]] = []
    for _ in range(2):
        sizes = draw(st.lists(st.integers(1, 3), min_size=2, max_size=2))
        tokens.append([token for token, size in enumerate(sizes) for _ in range(size)])
        value = draw(trees(sum(sizes)))
        words = tuple(draw(st.sampled_from("xyz")) for _ in value.words)
        found.append(value._replace(words=words))
    return found[0], found[1], WordAnchors(*tokens)


def anchored(value: FunctionTree, kept: list[int], side: str) -> zss.Node:
    """A tree whose kept words are numbered alike on both sides, whose other words are like none
    there, and whose nodes above no kept word are neither."""
    words = [
        str(kept.index(word)) if word in kept else f"{side}{word}"
        for word in range(len(value.words))
    ]
    nodes = [
        node
        if any(node.first <= word < node.last for word in kept)
        else node._replace(label=f"{side}{at}")
        for at, node in enumerate(value.nodes)
    ]
    return searchable(value._replace(words=tuple(words), nodes=tuple(nodes)))


@given(segmented())
def test_anchored_segments_are_zhang_and_shashas_if_kept_ones_are_protected(
    drawn: tuple[FunctionTree, FunctionTree, WordAnchors],
) -> None:
    one, other, anchors = drawn
    items = [[(word.encode(), "") for word in value.words] for value in (one, other)]
    pairs = by_token(items[0], anchors.parse, items[1], anchors.gold)
    kept = [here for here, _ in pairs], [there for _, there in pairs]

    def alone(node: zss.Node) -> int:
        return PROTECTED if node.label[0] == "word" and node.label[1].isdigit() else 1

    def changed(a: zss.Node, b: zss.Node) -> int:
        return 0 if a.label == b.label else PROTECTED

    found = evaluate(one, [other], TedEvalOptions(VERSIONS["2012b"]), anchors=anchors)
    swapped = WordAnchors(anchors.gold, anchors.parse)
    assert evaluate(other, [one], TedEvalOptions(VERSIONS["2012b"]), anchors=swapped) == found
    roots = anchored(one, kept[0], "one"), anchored(other, kept[1], "other")
    expected = zss.distance(*roots, zss.Node.get_children, alone, alone, changed)
    assert found.edits == expected


segments = st.lists(st.sampled_from([(b"x", "X"), (b"y", "X"), (b"x", "Y")]), max_size=6)


@given(segments, segments)
def test_common_segments_are_as_many_as_can_be_and_leftmost(
    one: list[Segment], other: list[Segment]
) -> None:
    def every(here: int, there: int) -> list[list[tuple[int, int]]]:
        if here == len(one) or there == len(other):
            return [[]]
        rest = every(here + 1, there) + every(here, there + 1)
        if one[here] == other[there]:
            rest += [[(here, there), *more] for more in every(here + 1, there + 1)]
        return rest

    one, other = sorted((one, other))
    candidates = every(0, 0)
    longest = max(map(len, candidates))
    found = min(pairs for pairs in candidates if len(pairs) == longest)
    assert common(one, other) == found
    assert common(other, one) == [(there, here) for here, there in found]


@given(st.lists(st.sampled_from("ab*"), max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_chains_with_wildcards_against_a_plain_recursion(one: list[str], other: list[str]) -> None:
    free = FreeLabels({("b", "c")})

    def plain(left: list[str], right: list[str]) -> int:
        if not left or not right:
            return len(left) + len(right)
        same = 0 if free.replaces(left[0], right[0]) else 1
        return min(
            plain(left[1:], right) + 1,
            plain(left, right[1:]) + 1,
            plain(left[1:], right[1:]) + same,
        )

    assert with_relabelling(free)(tuple(one), tuple(other)) == plain(one, other)
    assert with_relabelling(free)(tuple(other), tuple(one)) == plain(one, other)


# --- scores --------------------------------------------------------------------------------


@given(several(2), versions, st.booleans())
def test_scores_are_symmetric_and_in_range(
    drawn: list[FunctionTree], version: object, labelled: bool
) -> None:
    options = TedEvalOptions(version, labelled)  # type: ignore[arg-type]
    one, other = drawn[0], drawn[-1]
    found = evaluate(one, [other], options)
    assert found == evaluate(other, [one], options)
    assert 0 <= found.edits <= found.nodes
    assert 0 <= found.score <= 1


@given(several(2, labels="abc"), versions)
def test_no_edits_iff_the_trees_are_the_same(drawn: list[FunctionTree], version: object) -> None:
    options = TedEvalOptions(version)  # type: ignore[arg-type]
    one, other = drawn[0], drawn[-1]
    same = [chains(value.nodes) for value in (one, other)]
    if options.version.sets:
        same = [multi_function(value) for value in same]
    assert (evaluate(one, [other], options).edits == 0) == (same[0] == same[1])


def flat(value: FunctionTree) -> FunctionTree:
    """The tree with one node a span, as dependencies have: there the paper defines everything."""
    return expanded(value.words, value.tags, single(chains(value.nodes)))


def single(found: Chains) -> Chains:
    return {span: chain[:1] for span, chain in found.items()}


@given(several(4, labels="ab*"), st.sampled_from(["2011", "2012a"]), st.booleans())
def test_the_native_gold_is_perfect_however_many_there_are(
    golds: list[FunctionTree], version: str, labelled: bool
) -> None:
    options = TedEvalOptions(VERSIONS[version], labelled)
    if not options.version.sets:
        golds = [flat(gold) for gold in golds]
    for gold in golds:
        assert evaluate(gold, golds, options, native=gold).edits == 0


@given(several(4, labels="ab*"), st.data(), st.sampled_from(["2011", "2012a"]))
def test_a_native_gold_never_makes_a_parse_worse(
    golds: list[FunctionTree], data: st.DataObject, version: str
) -> None:
    options = TedEvalOptions(VERSIONS[version])
    parse = data.draw(trees(len(golds[0].words)))
    alone = evaluate(parse, golds, options)
    found = evaluate(parse, golds, options, native=golds[0])
    assert 0 <= found.edits <= alone.edits
    assert found.nodes == alone.nodes


def test_nothing_to_get_wrong_is_right() -> None:
    nothing = written("(R w)")
    for version in ("2011", "2012a"):
        found = evaluate(nothing, [nothing], TedEvalOptions(VERSIONS[version]))
        assert found == Errors(0, 0)
        assert found.score == 1
    assert mean([]) == corpus([]).score == 1


def test_the_corpus_is_the_sum_and_not_the_mean() -> None:
    errors = [Errors(1, 2), Errors(0, 8), Errors(0, 0)]
    assert corpus(errors).score == 1 - 1 / 10
    assert mean([found.score for found in errors]) == (0.5 + 1 + 1) / 3


# --- generalisation and unification --------------------------------------------------------


@st.composite
def golds_in_orders(draw: st.DrawFn) -> tuple[list[Chains], list[Chains]]:
    golds = [chains(value.nodes) for value in draw(several(4, labels="ab*"))]
    return golds, draw(st.permutations(golds))


@given(golds_in_orders())
def test_generalisation_does_not_depend_on_the_order(
    golds: tuple[list[Chains], list[Chains]],
) -> None:
    assert generalise_by_subsumption(golds[0]) == generalise_by_subsumption(golds[1])
    assert generalise_multi_function(golds[0]) == generalise_multi_function(golds[1])


@given(several(1, labels="ab*"))
def test_generalising_a_tree_with_itself_changes_nothing(drawn: list[FunctionTree]) -> None:
    found = chains(drawn[0].nodes)
    assert generalise_by_subsumption([found, found]) == found
    assert generalise_multi_function([found, found]) == multi_function(found)


@given(several(4, labels="ab*"))
def test_pair_by_pair_is_all_at_once_where_spans_have_one_node(drawn: list[FunctionTree]) -> None:
    golds = [single(chains(value.nodes)) for value in drawn]
    one_by_one = golds[0]
    for gold in golds[1:]:
        one_by_one = generalise_by_subsumption([one_by_one, gold])
    assert one_by_one == generalise_by_subsumption(golds)


def test_pairwise_equality_with_the_wildcard_would_depend_on_the_order() -> None:
    # a = * and * = b, but a is not b: only with * above all labels is there one answer.
    golds: list[Chains] = [{(0, 1): ("a",)}, {(0, 1): (WILDCARD,)}, {(0, 1): ("b",)}]
    for order in itertools.permutations(golds):
        assert generalise_by_subsumption(order) == {}


@given(several(4, labels="ab*"))
def test_all_trees_say_what_their_generalisation_says(drawn: list[FunctionTree]) -> None:
    golds = [chains(value.nodes) for value in drawn]
    general = generalise_by_subsumption(golds)
    # Each node of it is one of every gold's, under a label that * may stand for.
    for gold in golds:
        for span, chain in general.items():
            assert size({span: chain}) <= len(gold[span])
            unnamed = [label for label in chain if label not in gold[span]]
            assert len(unnamed) <= gold[span].count(WILDCARD)
    sets = generalise_multi_function(golds)
    assert all(set(chain) <= set(gold[span]) for gold in golds for span, chain in sets.items())


@given(several(3))
def test_unification_says_all_or_says_what_crosses(drawn: list[FunctionTree]) -> None:
    found = [multi_function(chains(value.nodes)) for value in drawn]
    both = unify(found)
    spans = [span for value in found for span in value]
    crossing = [
        (one, other)
        for one, other in itertools.combinations(set(spans), 2)
        if one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]
    ]
    if isinstance(both, Crossing):
        assert {both.first, both.second} <= {span for pair in crossing for span in pair}
        assert both.first[0] < both.second[0] < both.first[1] < both.second[1]
        return
    assert not crossing
    assert crossed(list(both)) is None
    for value in found:
        assert all(set(chain) <= set(both[span]) for span, chain in value.items())
    assert size(both) == len(
        {(span, label) for value in found for span in value for label in value[span]}
    )


@given(several(3))
def test_unifying_labels_keeps_the_first_trees_spans(drawn: list[FunctionTree]) -> None:
    found = [multi_function(chains(value.nodes)) for value in drawn]
    enriched = unify_labels(found)
    assert enriched.keys() == found[0].keys()
    assert all(set(found[0][span]) <= set(chain) for span, chain in enriched.items())


@given(several(1))
def test_what_is_written_is_read_again(drawn: list[FunctionTree]) -> None:
    assert written(bracketed(drawn[0])).nodes == drawn[0].nodes
    again = expanded(drawn[0].words, drawn[0].tags, multi_function(chains(drawn[0].nodes)))
    assert written(bracketed(again)).nodes == again.nodes


# --- words that differ ---------------------------------------------------------------------


@given(two(), st.booleans())
def test_a_lost_word_costs_itself_and_what_is_over_it_alone(
    pair: tuple[FunctionTree, FunctionTree], labelled: bool
) -> None:
    one, other = pair
    renamed = one._replace(words=("other", *one.words[1:]))
    options = TedEvalOptions(VERSIONS["2012b"], labelled)
    plain, found = evaluate(one, [other], options), evaluate(renamed, [other], options)
    assert found.nodes == plain.nodes
    assert found.segment_edits == 2
    assert found.edits >= 2


@pytest.mark.parametrize("version", VERSIONS)
def test_a_parse_that_is_missing_has_only_errors(version: str) -> None:
    gold = written("(R (s (a x) (b y)))")
    found = evaluate(FunctionTree((), (), ()), [gold], TedEvalOptions(VERSIONS[version]))
    assert found.edits == found.nodes > 0


def test_leftmost_segments_are_kept_where_several_would_do() -> None:
    gold = written("(R (a x) x)")
    parse = written("(R (a x))")
    found = evaluate(
        parse, [gold], TedEvalOptions(VERSIONS["2012b"]), anchors=WordAnchors((1,), (1, 1))
    )
    assert found.edits == 1  # the second x only; with the second one kept, a would be lost too


def test_segments_are_not_kept_across_tokens() -> None:
    gold, parse = written("(R x y)"), written("(R x y)")
    options = TedEvalOptions(VERSIONS["2012b"])
    assert evaluate(parse, [gold], options, anchors=WordAnchors((1, 2), (1, 2))).edits == 0
    assert evaluate(parse, [gold], options, anchors=WordAnchors((1, 1), (1, 2))).edits == 2
