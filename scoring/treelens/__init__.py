"""Treelens: pair, align and score treebank files.

The pure core: text in, values out. Importing it loads neither nltk nor pygls, nor even numpy:
the names below come from :mod:`treelens.api` when they are first used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treelens.api import (
        AgreementResult,
        Error,
        Finding,
        Mark,
        Problem,
        Result,
        Sentences,
        agreement,
        score,
        significance,
        summary,
    )
    from treelens.exchange import from_nltk, to_nltk
    from treelens.rules.parameters import HEADS, PRESETS, Heads, Parameters, read_parameters

__version__ = "0.1.0"

_API = (
    "AgreementResult",
    "Error",
    "Finding",
    "Mark",
    "Problem",
    "Result",
    "Sentences",
    "agreement",
    "score",
    "significance",
    "summary",
)

__all__ = [
    "HEADS",
    "PRESETS",
    "AgreementResult",
    "Error",
    "Finding",
    "Heads",
    "Mark",
    "Parameters",
    "Problem",
    "Result",
    "Sentences",
    "__version__",
    "agreement",
    "from_nltk",
    "read_parameters",
    "score",
    "significance",
    "summary",
    "to_nltk",
]

_HOMES = {
    **dict.fromkeys(_API, "treelens.api"),
    **dict.fromkeys(("from_nltk", "to_nltk"), "treelens.exchange"),
    **dict.fromkeys(
        ("HEADS", "PRESETS", "Heads", "Parameters", "read_parameters"), "treelens.rules.parameters"
    ),
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'treelens' has no attribute '{name}'")
    import importlib

    return getattr(importlib.import_module(home), name)
