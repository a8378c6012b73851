"""Tables of heads from the literature, for labels of the Penn Treebank.

The rules are facts, and written down here in our own order; how they are read, and what no
table of this form can say, stands beside each. Function tags are to be cut off, and traces to
be left out, before a table is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from treelens.rules.heads import HeadTable, Rule

_LEFT, _RIGHT = True, False


def _one_of(from_left: bool, labels: str = "") -> Rule:
    return Rule(from_left, frozenset(labels.split()))


def _in_order(from_left: bool, labels: str) -> tuple[Rule, ...]:
    """One rule a label, then any child."""
    return (*(_one_of(from_left, label) for label in labels.split()), _one_of(from_left))


_TAGS = (
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS RP SYM TO "
    "UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB # $"
)
_AUXILIARIES = "AUX AUXG BES HVS"
_PHRASES = (
    "ADJP ADVP CONJP FRAG INTJ LST NAC NML NP NX PRN PRT QP RRC S S1 SBAR SBARQ SINV SQ UCP VP "
    "WHADJP WHADVP WHNP WHPP X"
)

_NOUN_LIKE = (
    _one_of(_RIGHT, "NN NNP NNPS NNS PRP"),
    _one_of(_RIGHT, "ADJP CD FW JJ NP"),
)


def _itself_second(label: str) -> tuple[Rule, ...]:
    first, last = _NOUN_LIKE
    return first, _one_of(_RIGHT, label), last


CHARNIAK = HeadTable(
    rules=MappingProxyType(
        {
            "ADJP": (
                _one_of(_RIGHT, "JJ JJR JJS"),
                _one_of(_RIGHT, "ADJP"),
                _one_of(_RIGHT, "RB VBN"),
            ),
            "ADVP": (_one_of(_RIGHT, "RB RBB"), _one_of(_RIGHT, "ADVP")),
            "CONJP": (_one_of(_RIGHT, "CONJP"),),
            "FRAG": (_one_of(_RIGHT, "FRAG"),),
            "INTJ": (_one_of(_RIGHT, "INTJ"),),
            "LST": (_one_of(_RIGHT, "LS"), _one_of(_RIGHT, "LST")),
            "NAC": _itself_second("NAC"),
            "NML": _itself_second("NML"),
            "NX": _itself_second("NX"),
            "NP": (
                _one_of(_RIGHT, "NN NNP NNPS NNS POS PRP $"),
                _one_of(_RIGHT, "NP"),
                _one_of(_RIGHT, "ADJP CD JJ NX"),
            ),
            "PP": (_one_of(_LEFT, "IN RP TO"), _one_of(_RIGHT, "PP")),
            "PRN": (_one_of(_RIGHT, "PRN"),),
            "PRT": (_one_of(_RIGHT, "RP"), _one_of(_RIGHT, "PRT"), _one_of(_RIGHT, "IN RB")),
            "QP": (_one_of(_RIGHT, "QP"), _one_of(_RIGHT, "NN $")),
            "RRC": (_one_of(_RIGHT, "RRC"),),
            "S": (_one_of(_RIGHT, "VP"), _one_of(_RIGHT, "S"), _one_of(_RIGHT, "SBARQ SINV X")),
            "SBAR": (
                _one_of(_RIGHT, "IN WHNP"),
                _one_of(_RIGHT, "SBAR"),
                _one_of(_RIGHT, "WHADJP WHADVP WHPP"),
            ),
            "SBARQ": (
                _one_of(_RIGHT, "SQ VP"),
                _one_of(_RIGHT, "SBARQ"),
                _one_of(_RIGHT, "S SINV X"),
            ),
            "SINV": (_one_of(_RIGHT, "VP"), _one_of(_RIGHT, "SINV"), _one_of(_RIGHT, "SBAR")),
            "SQ": (_one_of(_RIGHT, "AUX BES HVS MD"), _one_of(_RIGHT, "SQ"), _one_of(_RIGHT, "VP")),
            "UCP": (_one_of(_RIGHT, "UCP"),),
            "VP": (
                _one_of(_RIGHT, f"{_AUXILIARIES} MD TO VB VBD VBG VBN VBP VBZ"),
                _one_of(_RIGHT, "VP"),
            ),
            "WHADJP": (_one_of(_RIGHT, "WRB"), _one_of(_RIGHT, "WHADJP")),
            "WHADVP": (_one_of(_RIGHT, "WRB"), _one_of(_RIGHT, "WHADVP")),
            "WHNP": (_one_of(_RIGHT, "WDT WP WP$"), _one_of(_RIGHT, "WHNP")),
            "WHPP": (_one_of(_RIGHT, "IN TO"), _one_of(_RIGHT, "WHPP")),
            "X": (_one_of(_RIGHT, "X"),),
        }
    ),
    default=(
        _one_of(_RIGHT, f"{_TAGS} {_AUXILIARIES}"),
        _one_of(_RIGHT, _PHRASES),
        _one_of(_RIGHT, "PP"),
        _one_of(_RIGHT, ". , : -RRB- -LRB- `` '' XX GW"),
        _one_of(_RIGHT),
    ),
)
"""Charniak, *A maximum-entropy-inspired parser*, NAACL 2000: the head information of that
parser, as it comes with SParseval (Roark et al., LREC 2006). Heads are functional: of ``has
gone`` it is ``has``, of a clause with ``that`` it is ``that``. Of a coordination of phrases of
one label it is the last one."""

_NP_OF_COLLINS = (
    _one_of(_RIGHT, "NN NNP NNPS NNS NX POS JJR"),
    _one_of(_LEFT, "NP"),
    _one_of(_RIGHT, "$ ADJP PRN"),
    _one_of(_RIGHT, "CD"),
    _one_of(_RIGHT, "JJ JJS RB QP"),
    _one_of(_RIGHT),
)

COLLINS = HeadTable(
    rules=MappingProxyType(
        {
            "ADJP": _in_order(
                _LEFT,
                "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB",
            ),
            "ADVP": _in_order(_RIGHT, "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
            "CONJP": _in_order(_RIGHT, "CC RB IN"),
            "FRAG": _in_order(_RIGHT, ""),
            "INTJ": _in_order(_LEFT, ""),
            "LST": _in_order(_RIGHT, "LS :"),
            "NAC": _in_order(_LEFT, "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
            "NML": _NP_OF_COLLINS,
            "NP": _NP_OF_COLLINS,
            "NX": _NP_OF_COLLINS,
            "PP": _in_order(_RIGHT, "IN TO VBG VBN RP FW"),
            "PRN": _in_order(_LEFT, ""),
            "PRT": _in_order(_RIGHT, "RP"),
            "QP": _in_order(_LEFT, "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
            "RRC": _in_order(_RIGHT, "VP NP ADVP ADJP PP"),
            "S": _in_order(_LEFT, "TO IN VP S SBAR ADJP UCP NP"),
            "SBAR": _in_order(_LEFT, "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
            "SBARQ": _in_order(_LEFT, "SQ S SINV SBARQ FRAG"),
            "SINV": _in_order(_LEFT, "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
            "SQ": _in_order(_LEFT, "VBZ VBD VBP VB MD VP SQ"),
            "UCP": _in_order(_RIGHT, ""),
            "VP": _in_order(_LEFT, "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
            "WHADJP": _in_order(_LEFT, "CC WRB JJ ADJP"),
            "WHADVP": _in_order(_RIGHT, "CC WRB"),
            "WHNP": _in_order(_LEFT, "WDT WP WP$ WHADJP WHPP WHNP"),
            "WHPP": _in_order(_RIGHT, "IN TO FW"),
        }
    ),
    default=(_one_of(_RIGHT, f"{_PHRASES} {_TAGS}"), _one_of(_RIGHT)),
)
"""Collins, *Head-driven statistical models for natural language parsing*, PhD thesis,
University of Pennsylvania 1999, appendix A (after Magerman 1995).

Not in the appendix: rules for NX and NML (here NP's) and for all other labels (here the last
child that is no punctuation). Not sayable in a table: that of a coordination ``Y CC Z`` with
head Z the head is moved to Y. That a final POS comes before all else in NP follows, since it is
the first from the right."""

TABLES: Mapping[str, HeadTable] = MappingProxyType({"charniak": CHARNIAK, "collins": COLLINS})
"""By name."""
