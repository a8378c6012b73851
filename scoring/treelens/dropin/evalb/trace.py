"""What DEBUG shows: 1 lists words and brackets after each row, 2 also tells every step."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from treelens.dropin.evalb.buffers import GOLD, TEST
from treelens.dropin.evalb.run import Run
from treelens.dropin.evalb.sentences import (
    LEFT_OUT,
    MATCHED,
    UNMATCHED,
    Bracket,
    Quote,
    Sentence,
    Terminal,
)


def show_tables(gold: Sentence, test: Sentence, run: Run) -> None:
    """The words and brackets of both sides, side by side."""
    show = run.world.print
    show(b"-<1>---(wn1=%3d, bn1=%3d)-           " % (len(gold.terminals), len(gold.brackets)))
    show(b"-<2>---(wn2=%3d, bn2=%3d)-\n" % (len(test.terminals), len(test.brackets)))
    for index, words in enumerate(zip_longest(gold.terminals, test.terminals)):
        left, right = (_terminal_cell(index, each) for each in words)
        show((left + b"      " if left else b" " * 40) + right + b"\n")
    show(b"\n")
    for index, brackets in enumerate(zip_longest(gold.brackets, test.brackets)):
        left, right = (_bracket_cell(index, each) for each in brackets)
        show((left + b"      " if left else b" " * 32) + right + b"\n")
    show(b"\n========\n")


def _terminal_cell(index: int, terminal: Terminal | None) -> bytes:
    # A terminal with an empty word is shown as none at all.
    if terminal is None or not terminal.word:
        return b""
    cells = (index, terminal.result, terminal.label, terminal.word)
    return b"%3d : %d : %-6s  %-16s" % cells


def _bracket_cell(index: int, bracket: Bracket | None) -> bytes:
    if bracket is None:
        return b""
    cells = (index, bracket.result, bracket.start, bracket.end, bracket.label)
    return b"%3d : %d : %3d  %3d  %-6s" % cells


def show_quotes(gold: Sequence[Quote], test: Sequence[Quote], run: Run) -> None:
    for pair in zip_longest(gold, test):
        for quote in pair:
            if quote is not None:
                run.world.print(b"%d: %s - %s\n" % (quote.index, quote.label, quote.word))


def show_reinsertion(quote: Quote, brackets: Sequence[Bracket], run: Run) -> None:
    run.world.print(b"bra=%d, ind=%d\n" % (quote.bracket, quote.index))
    for number, bracket in enumerate(brackets):
        run.world.print(b"bracket[%d]={%d,%d}\n" % (number, bracket.start, bracket.end))
    run.world.print(b"endslen=%d\n" % len(quote.around))


def match_brackets(gold: Sequence[Bracket], test: Sequence[Bracket], run: Run) -> int:
    """The same matching as ``comparison.match_brackets``, telling each comparison it makes."""
    matched = 0
    label_differs: set[int] = set()
    for first in gold:
        found = False
        for number, second in enumerate(test):
            _show_comparison(first, second, run)
            spans_differ = (first.start, first.end) != (second.start, second.end)
            if first.result == LEFT_OUT or second.result != UNMATCHED or spans_differ:
                continue
            found = True
            if run.settings.labeled == 0 or run.same_label(first.label, second.label):
                first.result = second.result = MATCHED
                matched += 1
                break
            _show_bracket(b"LABEL", first, GOLD, run)
            label_differs.add(number)
        if not found and first.result != LEFT_OUT:
            _show_bracket(b"BRACKET", first, GOLD, run)
    for number, second in enumerate(test):
        if second.result == UNMATCHED and number not in label_differs:
            _show_bracket(b"EXTRA", second, TEST, run)
    return matched


def _show_comparison(first: Bracket, second: Bracket, run: Run) -> None:
    run.world.print(
        b"1.res=%d, 2.res=%d, 1.start=%d, 2.start=%d, 1.end=%d, 2.end=%d\n"
        % (first.result, second.result, first.start, second.start, first.end, second.end)
    )


def _show_bracket(title: bytes, bracket: Bracket, side: int, run: Run) -> None:
    length = bracket.text_end - bracket.text_start
    text = run.leftovers.text(run.line - 1, side, bracket.text_start, length)
    run.world.print(b"  %s[%d-%d]: %s\n" % (title, bracket.start, bracket.end - 1, text))


def show_crossing(gold: Sequence[Bracket], test: Sequence[Bracket], run: Run) -> None:
    """For each test bracket the first gold bracket it crosses, if it is not the last one
    that was shown."""
    last: Bracket | None = None
    for second in test:
        if second.result == LEFT_OUT:
            continue
        for first in gold:
            if first.result != LEFT_OUT and _cross(first, second):
                if first is not last:
                    _show_bracket(b"CROSSING", first, GOLD, run)
                last = first
                break


def _cross(first: Bracket, second: Bracket) -> bool:
    return (
        first.start < second.start < first.end < second.end
        or second.start < first.start < second.end < first.end
    )
