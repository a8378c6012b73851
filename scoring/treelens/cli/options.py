"""Options that say what is counted, the same for every command that counts."""

from __future__ import annotations

import argparse
from dataclasses import replace

from treelens.cli import files, metrics
from treelens.rules.contractions import LANGUAGES
from treelens.rules.parameters import PRESETS, Parameters
from treelens.rules.spelling import DEFAULT, Spelling


def add_counted(parser: argparse.ArgumentParser) -> None:
    """The option to leave out the differences that no score counts."""
    parser.add_argument(
        "--counted",
        action="store_true",
        help="leave out what F1 and LAS do not count: function tags, indices, empty elements, "
        "punctuation, DEPS, MISC; relations count with their subtypes, as in “LAS with subtypes”",
    )


def add_names(parser: argparse.ArgumentParser) -> None:
    """The option to call two annotators, or two versions, by their names."""
    parser.add_argument(
        "--names",
        nargs=2,
        default=("gold", "system"),
        metavar=("GOLD", "SYSTEM"),
        help="what to call the two sides in words (default: gold system)",
    )


def add_common(parser: argparse.ArgumentParser, parameters_for: str = "") -> None:
    """The options that say what is counted, the same for every command that counts.

    parameters_for: what the parameters are about, where that is not all that the command tells.
    """
    parser.add_argument(
        "-p",
        "--parameters",
        default="default",
        metavar="FILE",
        help="what is left out and what is equal: one of evalb's parameter files, or "
        + ", ".join(PRESETS)
        + (f"; {parameters_for}" if parameters_for else ""),
    )
    parser.add_argument(
        "--unlabelled", action="store_true", help="a bracket's span must be right, not its label"
    )
    metrics.add_options(parser)
    parser.add_argument(
        "--align",
        choices=("own", "moved", "jp"),
        default="own",
        help="whose alignment of sentences and words: our own (default), the same with sentences "
        "that stand elsewhere compared all the same (moved), or jp-evalb's",
    )
    _add_spelling(parser)
    parser.add_argument(
        "--all-problems",
        action="store_true",
        help=f"every syntax problem of the files, not only the first {files.PROBLEMS_SHOWN}",
    )
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="auto: on a terminal, unless NO_COLOR is set",
    )


def _add_spelling(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("words that are the same but for how they are written")
    group.add_argument("--ignore-case", action="store_true", help="capital letters are small ones")
    group.add_argument(
        "--unicode",
        choices=("as-is", "nfc", "nfkc"),
        default=DEFAULT.unicode,
        help="compare words in this normal form (default: %(default)s)",
    )
    group.add_argument(
        "--escapes",
        action=argparse.BooleanOptionalAction,
        default=DEFAULT.escapes,
        help=r"-LRB- is (, \/ is /, and so on (default: they are, but between two tables)",
    )
    group.add_argument(
        "--quotes", action="store_true", help="all double quotes are one, and all single ones"
    )
    group.add_argument("--equivalences", metavar="FILE", help="words that are equal share a line")
    group.add_argument(
        "--contractions",
        metavar="FILE",
        help="lines such as “ca n't = can not”, or one of the lists here: " + ", ".join(LANGUAGES),
    )


def _spelling(options: argparse.Namespace) -> Spelling:
    equivalences = files.equivalences(options.equivalences) if options.equivalences else ()
    contractions = files.contractions(options.contractions) if options.contractions else ()
    return Spelling(
        options.escapes,
        options.unicode,
        options.quotes,
        options.ignore_case,
        equivalences,
        contractions,
    )


def with_options(parameters: Parameters, options: argparse.Namespace) -> Parameters:
    """The parameters with what the command line says besides."""
    spelling, heads = _spelling(options), metrics.heads(options.heads)
    parameters = replace(parameters, spelling=spelling, heads=heads, alignment=options.align)
    if options.unlabelled:
        parameters = replace(parameters, labelled=False)
    if getattr(options, "cutoff", None) is not None:
        parameters = replace(parameters, cutoff=options.cutoff)
    return parameters
