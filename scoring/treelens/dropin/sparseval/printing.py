"""The report: rows, totals, and a summary in numbers of single precision."""

from __future__ import annotations

import math
import struct

from treelens.dropin.sparseval.comparison import Counts, Totals
from treelens.dropin.sparseval.settings import Settings

_RULE = "=================================  ===================  ==================="
_LINE = "-" * 38
_KINDS = {
    True: "                  Labeled                Labeled             Labeled       ",
    False: "                 Unlabeled              Unlabeled           Unlabeled     ",
}


def header(*, labelled: bool) -> str:
    """What stands above the first row, which is there even if no row is shown."""
    return (
        f"{_KINDS[labelled]}\n"
        " Sent. ---------- Brackets ------  ---- Head-depen ---  -- Open-class hh --\n"
        "  ID   match   gold   test  cross  match   gold   test  match   gold   test\n"
        f"{_RULE}\n"
    )


def row(number: int, counts: Counts) -> str:
    return f"{number:5d} {_numbers(counts)}"


def _numbers(counts: Counts) -> str:
    return " ".join(f"{each:6d}" for each in counts) + "\n"


def settings_shown(settings: Settings) -> str:
    """The parameters (``-z``), in the reverse of the file's order; words are not shown."""
    lines = ["Evaluation parameterizations:"]
    lines += [f"  DELETE_LABEL {each}" for each in reversed(settings.delete_labels)]
    lines += [f"  EMPTY_NODE {each}" for each in reversed(settings.empty_labels)]
    lines += [f"  EQ_LABEL {one} {other}" for one, other in reversed(settings.equal_labels)]
    lines += [f"  EDIT_LABEL {each}" for each in reversed(settings.edit_labels)]
    lines += [f"  CLOSED_CLASS {each}" for each in reversed(settings.closed_class)]
    return "".join(f"{line}\n" for line in [*lines, _RULE, ""])


def summary(totals: Totals, *, labelled: bool, bag: bool, verbose: bool) -> str:
    counts, count = totals.counts, totals.sentences
    kind = "Labeled" if labelled else "Unlabeled"
    lines = [_RULE] if verbose else []
    lines += [f"Total:{_numbers(counts)}", "Summary", _LINE]
    lines.append(f"Number of sentences:               {count:10d}")
    if not bag:
        lines += _scores(f"{kind} ", "Bracketing", 37, counts[:3])
        lines += [f"Complete match:                    {totals.complete:10d}", _LINE]
        for name, total in (
            ("Average Crossing Brackets:", counts.crossing),
            ("No Crossing Brackets:", 100 * totals.not_crossing),
            ("Two or less Crossing:", 100 * totals.at_most_two_crossing),
        ):
            lines.append(f"{name:37}{_shown(_divided(_single(total), _single(count)))}")
        lines.append(_LINE)
    lines += _scores(f"{kind} ", "Head-dependency", 38, counts[4:7])
    lines.append(_LINE)
    lines += _scores(f"{kind} ", "Open-class head-dependency", 38, counts[7:])
    return "".join(f"{line}\n" for line in lines)


def _scores(kind: str, what: str, width: int, counts: tuple[int, ...]) -> list[str]:
    matched = _single(100 * counts[0])
    recall, precision = (_divided(matched, _single(count)) for count in counts[1:])
    values = {
        "Recall": recall,
        "Precision": precision,
        "F-measure": _f_measure(recall, precision),
    }
    return [f"{kind}{f'{what} {name}:':{width}}{_shown(value)}" for name, value in values.items()]


def _f_measure(recall: float, precision: float) -> float:
    if precision == 0 and recall == 0:
        return 0.0
    product = _single(_single(2 * precision) * recall)
    return _divided(product, _single(precision + recall))


def _single(value: float) -> float:
    """The nearest number of single precision."""
    nearest: float = struct.unpack("f", struct.pack("f", value))[0]
    return nearest


def _divided(one: float, other: float) -> float:
    """Rounded once from double to single, which is as if it had been divided in single."""
    return _single(one / other) if other else math.nan


def _shown(value: float) -> str:
    """With two decimals. Nothing out of nothing is a NaN, whose sign bit is set on most
    machines, and glibc shows it."""
    return "    -nan" if math.isnan(value) else f"{value:8.2f}"
