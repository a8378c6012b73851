"""A pair of sentences: are they comparable, which brackets match, which tags agree."""

from __future__ import annotations

from collections.abc import Sequence

from treelens.dropin.evalb import trace
from treelens.dropin.evalb.buffers import GOLD, TEST
from treelens.dropin.evalb.faults import length_fault, tell, word_fault
from treelens.dropin.evalb.run import Run
from treelens.dropin.evalb.sentences import (
    LEFT_OUT,
    MATCHED,
    UNMATCHED,
    Bracket,
    Quote,
    Sentence,
    Terminal,
    read_sentence,
)
from treelens.dropin.evalb.stretches import Stretch
from treelens.dropin.shared.rows import SKIPPED, UNPARSED, Tally


def score_pair(index: int, stretch: Stretch, run: Run) -> None:
    """Read a pair of lines and score it."""
    gold = read_sentence(stretch.gold.line(index), index, GOLD, run)
    test = read_sentence(stretch.test.line(index), index, TEST, run)
    compare(gold, test, run)
    if run.settings.debug >= 1:
        trace.show_tables(gold, test, run)


def compare(gold: Sentence, test: Sentence, run: Run) -> None:
    """Score one pair: report what is wrong with it, count it and print its row."""
    if run.settings.debug > 1:
        run.world.print(b"\n")
    if not test.terminals:
        run.result(_without_parse(gold, run))
        return
    if _comparable(gold, test, run):
        run.result(_score(gold, test, run))


def _without_parse(gold: Sentence, run: Run) -> Tally:
    """The gold side is not looked at, unless evalb_spmrl's -X lets its brackets count."""
    if not run.settings.counts_unparsed:
        run.status = SKIPPED
        return Tally(gold.length, SKIPPED)
    run.status = UNPARSED
    brackets = _count_without_parse(gold.brackets, run)
    return Tally(gold.length, UNPARSED, gold=brackets, words=len(gold.terminals))


def _count_without_parse(brackets: Sequence[Bracket], run: Run) -> int:
    """Known bug of the reference: each bracket counts once, and once more for every
    DELETE_LABEL that is not its own."""
    count = 0
    for bracket in brackets:
        bracket.result = UNMATCHED
        if bracket.start != bracket.end:
            run.cut_delete_labels()
            count += 1 + run.deletions_of_others(run.cut(bracket.label))
    return count


def _comparable(gold: Sentence, test: Sentence, run: Run) -> bool:
    """Whether the words are the same; when not, the error is told and its row printed."""
    if len(gold.terminals) != len(test.terminals):
        _fix_quotes(gold, test, run)
    if len(gold.terminals) != len(test.terminals):
        return _length_mismatch(gold, test, run)
    return _same_words(gold, test, run)


def _length_mismatch(gold: Sentence, test: Sentence, run: Run) -> bool:
    if run.dialect.counts_length_mismatch and len(gold.terminals) <= 1:
        # Counted here, and again below. (Meant to forgive what is no real sentence.)
        run.result(Tally(gold.length, run.status))
        return _same_words(gold, test, run)
    tell(length_fault(len(gold.terminals), len(test.terminals), run.dialect), gold.length, run)
    return False


def _same_words(gold: Sentence, test: Sentence, run: Run) -> bool:
    # Not strict: after evalb_spmrl's length mismatch gold has one word or none.
    for first, second in zip(gold.terminals, test.terminals, strict=False):
        if not run.same_word(first.word, second.word):
            tell(word_fault(first.word, second.word), gold.length, run)
            return False
    return True


def _score(gold: Sentence, test: Sentence, run: Run) -> Tally:
    gold_count = _count_brackets(gold.brackets, run)
    test_count = _count_brackets(test.brackets, run)
    if run.settings.debug > 1:
        matched = trace.match_brackets(gold.brackets, test.brackets, run)
        trace.show_crossing(gold.brackets, test.brackets, run)
    else:
        matched = match_brackets(gold.brackets, test.brackets, run)
    return Tally(
        gold.length,
        run.status,
        matched,
        gold_count,
        test_count,
        _count_crossing(gold.brackets, test.brackets),
        len(gold.terminals),
        _count_tags(gold.terminals, test.terminals, run),
    )


def _count_brackets(brackets: Sequence[Bracket], run: Run) -> int:
    """Cut the labels, leave out empty and deleted brackets, count the others.

    A label is cut *before* it is compared with DELETE_LABEL; that of an empty bracket stays
    as it is.
    """
    count = 0
    for bracket in brackets:
        bracket.result = LEFT_OUT
        if bracket.start != bracket.end:
            bracket.label = run.cut(bracket.label)
            run.cut_delete_labels()
            if not run.is_deleted(bracket.label):
                bracket.result = UNMATCHED
                count += 1
    return count


def match_brackets(gold: Sequence[Bracket], test: Sequence[Bracket], run: Run) -> int:
    """Give each gold bracket, in order, the first free test bracket that is the same.

    The labels of EQ_LABEL make this greedy: NP may take the X that another bracket needed.
    """
    free: dict[tuple[int, int], list[Bracket]] = {}
    for bracket in test:
        if bracket.result == UNMATCHED:
            free.setdefault((bracket.start, bracket.end), []).append(bracket)
    matched = 0
    for bracket in gold:
        if bracket.result == UNMATCHED:
            candidates = free.get((bracket.start, bracket.end), [])
            for place, candidate in enumerate(candidates):
                if run.settings.labeled == 0 or run.same_label(bracket.label, candidate.label):
                    bracket.result = candidate.result = MATCHED
                    matched += 1
                    del candidates[place]
                    break
    return matched


def _count_crossing(gold: Sequence[Bracket], test: Sequence[Bracket]) -> int:
    """The number of test brackets that overlap some gold bracket without nesting.

    Around a place between two words, remember the gold brackets that reach least far to the
    right and to the left: a test bracket crosses one that contains its start if the nearest
    end comes before its own end, and the same the other way round.
    """
    nearest_end: dict[int, int] = {}
    nearest_start: dict[int, int] = {}
    for start, end in {(each.start, each.end) for each in gold if each.result != LEFT_OUT}:
        for place in range(start + 1, end):
            nearest_end[place] = min(end, nearest_end.get(place, end))
            nearest_start[place] = max(start, nearest_start.get(place, start))
    return sum(
        nearest_end.get(each.start, each.end) < each.end
        or nearest_start.get(each.end, each.start) > each.start
        for each in test
        if each.result != LEFT_OUT
    )


def _count_tags(gold: Sequence[Terminal], test: Sequence[Terminal], run: Run) -> int:
    """Tags are compared whole by evalb, and with EQ_LABEL by both programs."""
    correct = 0
    for first, second in zip(gold, test, strict=False):
        if run.dialect.cuts_while_comparing:
            first.label, second.label = run.cut(first.label), run.cut(second.label)
        first.result = second.result = int(run.same_label(first.label, second.label))
        correct += first.result
    return correct


def _fix_quotes(gold: Sentence, test: Sentence, run: Run) -> None:
    """Where one side's quotation mark was deleted and the other's, tagged POS, was not, put
    the deleted one back. (Blaheta 2008. The numbers below are those before any was put back
    on the other side; only pairs at equal numbers are considered.)"""
    if run.settings.debug > 1:
        trace.show_quotes(gold.quotes, test.quotes, run)
    deleted = run.settings.delete_labels
    for number, second in enumerate(test.quotes):
        index = second.index
        for place, first in enumerate(gold.quotes):
            if first.index == index and first.label != second.label:
                if first.label in deleted and second.label not in deleted:
                    _reinsert(first, gold, run)
                    _renumber(gold.quotes[place:])
                elif second.label in deleted and first.label not in deleted:
                    _reinsert(second, test, run)
                    _renumber(test.quotes[number:])


def _renumber(quotes: Sequence[Quote]) -> None:
    for quote in quotes:
        quote.index += 1


def _reinsert(quote: Quote, sentence: Sentence, run: Run) -> None:
    """Put the terminal back: brackets opened after it move, those around it grow."""
    sentence.terminals.insert(quote.index, Terminal(quote.word, quote.label))
    if run.settings.debug > 1:
        trace.show_reinsertion(quote, sentence.brackets, run)
    for bracket in sentence.brackets[quote.bracket :]:
        bracket.start += 1
        bracket.end += 1
    for number in quote.around:
        sentence.brackets[number].end += 1
