"""What kind of phrase a label is of, in the treebanks' names: the Penn treebanks', and SPMRL's.

Labels come without function tags. A name that is in no list is of no kind, and errors about it
fall into the classes that ask for none.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from treelens.errors.transform import ContextNode


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Penn (English, Chinese, Arabic, Hebrew) and IcePaHC; TIGER (German); FTB (French); Składnica
# (Polish). Coordinated phrases of TIGER are of their conjuncts' kind.
PP = _names("PP WHPP WPP CPP fpm")
NP = _names("NP WHNP WNP NX NAC NML CNP MPN PN fno")
QP = _names("QP NUMP NM")
VP = _names("VP VN VPinf VPpart CVP VZ CVZ fwe ff")
CLAUSE = _names("S SBAR SBARQ SINV SQ IP CP RRC SENT Sint Srel Ssub CS fzd zdanie")
MODIFIER = _names("ADJP ADVP WHADJP WHADVP WADJP WADVP AP AVP AdP CAP CAVP AA MTA fpt fps")
COORDINATION = _names("UCP CONJP COORD CO CAC CCP")
"""Phrases that are there for a coordination."""

MODIFIER_TAGS = _names("RB RBR RBS ADV ADJD PAV PROAV PTKNEG AB")
CONJUNCTION_TAGS = _names("CC CONJ CCONJ KON ++ conj")


def any_of(parts: Iterable[ContextNode], kind: frozenset[str]) -> bool:
    """Whether one of some nodes is a phrase of a kind."""
    return any(not part.leaf and part.name in kind for part in parts)


def conjunction(part: ContextNode) -> bool:
    """Whether a node is a coordinating conjunction, alone or with the conjunct behind it."""
    return part.name in (CONJUNCTION_TAGS if part.leaf else COORDINATION)


_LISTS = (PP, NP, QP, VP, CLAUSE, MODIFIER, COORDINATION, MODIFIER_TAGS, CONJUNCTION_TAGS)


@lru_cache(1 << 14)
def kinds_of(name: str) -> int:
    """All that there is to know of a name: a bit for each list that has it, and for having one."""
    return sum(1 << bit for bit, names in enumerate((*_LISTS, {""})) if name in names)
