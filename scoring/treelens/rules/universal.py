"""Universal Dependencies' closed lists: tags, relations and which are of content words, features.

Source: Zeman et al. 2018, the CoNLL 2018 shared task, and the guidelines (version 2); relations
are compared up to the first colon, and of the features those that the guidelines call universal.
"""

from __future__ import annotations


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


CONTENT_RELATIONS = names("""
    nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod
    appos nummod acl amod conj fixed flat compound list parataxis orphan goeswith reparandum
    root dep
    """)

FUNCTIONAL_RELATIONS = names("aux cop mark det clf case cc")

UNIVERSAL_RELATIONS = CONTENT_RELATIONS | FUNCTIONAL_RELATIONS | {"punct"}

UNIVERSAL_TAGS = names("""
    ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X
    """)

UNIVERSAL_FEATURES = names("""
    PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm
    Mood Tense Aspect Voice Evident Polarity Person Polite
    """)


def universal_relation(relation: str) -> str:
    """A relation without its subtype: ``nsubj:pass`` is ``nsubj``."""
    return relation.split(":", 1)[0]
