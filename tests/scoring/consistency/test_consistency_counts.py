"""What was measured on real treebanks, exactly; and the estimate of what is rare."""

from __future__ import annotations

import gzip
from collections import Counter

import pytest
from shared import SHARED
from treelens.consistency.groups import VariationGroup
from treelens.consistency.options import CONTEXTS, KINDS, ConsistencyOptions, ContextSides
from treelens.consistency.table import groups
from treelens.session.document import document
from treelens.trees.forest import Symbols

EWT = SHARED / "consistency" / "ewt-r2.12.conllu.gz"
ICEPAHC = SHARED / "parseval" / "icepahc2400" / "gold.txt"


def found(source: bytes, options: ConsistencyOptions) -> list[VariationGroup]:
    text = document(source, Symbols())
    return groups(text.forest(range(len(text))), options)


@pytest.mark.skipif(not EWT.exists(), reason="no shared reference data here")
def test_what_varies_in_english() -> None:
    everything = found(gzip.decompress(EWT.read_bytes()), ConsistencyOptions())
    assert Counter(one.kind for one in everything) == {"tags": 262, "texts": 26, "relations": 136}
    tiers = Counter((one.kind, one.tier) for one in everything)
    assert (tiers["tags", "A"], tiers["relations", "A"]) == (67, 54)
    clear = [one for one in everything if (one.kind, one.tier) == ("tags", "A")]
    assert sum(place.deviant for one in clear for place in one.occurrences) == 78


@pytest.mark.skipif(not ICEPAHC.exists(), reason="no shared reference data here")
def test_what_varies_in_icelandic() -> None:
    everything = found(ICEPAHC.read_bytes(), ConsistencyOptions(("brackets",)))
    assert len(everything) == 28


ROW = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n"


def test_what_is_rare_is_estimated_without_itself() -> None:
    usual = ROW.format(1, "a", "DET", 2, "det") + ROW.format(2, "b", "NOUN", 0, "root") + "\n"
    odd = usual.replace("\tdet\t", "\tobj\t")
    (one,) = found((usual * 8 + odd).encode(), ConsistencyOptions(("rare",), most=1))
    assert one.key == ("NOUN", "DET")
    assert one.labels == (("det", 8), ("obj", 1))
    assert one.score == pytest.approx((1 - 1 + 0.5) / (9 - 1 + 1))
    assert [(place.sentence, place.words, place.label) for place in one.occurrences] == [
        (8, (0,), "obj")
    ]
    # Of places that are too few to say anything, nothing is said.
    everything = found((usual * 4 + odd).encode(), ConsistencyOptions(("rare",)))
    assert not [one for one in everything if one.labels[-1][0] == "obj"]


@pytest.mark.parametrize("context", CONTEXTS)
def test_nothing_varies_where_there_is_no_word(context: ContextSides) -> None:
    for source in (b"(S (NP", b"(S (NP ))\n(S (NP ))\n", b"1\n\n1\n\n", b"# text\n\n"):
        assert not found(source, ConsistencyOptions(KINDS, context)), source


def test_a_bracket_is_rare_by_what_is_above_and_below_it() -> None:
    usual = "(S (NP (DT a) (NN b)) (VP (VB c)))\n"
    odd = "(S (VP (DT a) (NN b)) (VP (VB c)))\n"
    everything = found((usual * 8 + odd).encode(), ConsistencyOptions(("rare",), most=4))
    assert [(one.key, one.labels) for one in everything[:3]] == [
        (("VP",), (("VB", 9), ("DT NN", 1))),
        (("S",), (("NP VP", 8), ("VP VP", 1))),
        (("S", "DT", "NN"), (("NP", 8), ("VP", 1))),
    ]
    assert [one.score for one in everything[:3]] == pytest.approx([0.5 / 10, 0.5 / 9, 0.5 / 9])
    assert [(p.sentence, p.words) for p in everything[2].occurrences] == [(8, (0, 1))]
