"""The program: files in, the report out, and whatever is to be said of either."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple, NoReturn

from treelens.dropin.shared.world import Stop
from treelens.dropin.sparseval import alignment, comparison, dependencies, printing
from treelens.dropin.sparseval.alignment import Entry
from treelens.dropin.sparseval.arguments import PROGRAM, USAGE, Request, read_arguments
from treelens.dropin.sparseval.comparison import Counts, Totals
from treelens.dropin.sparseval.dependencies import Heads
from treelens.dropin.sparseval.edits import normalise
from treelens.dropin.sparseval.reading import (
    Misbracketing,
    Reader,
    Tree,
    take_out_deleted,
    tree_lines,
)
from treelens.dropin.sparseval.sequences import common
from treelens.dropin.sparseval.settings import Settings, lines, read_parameters
from treelens.dropin.sparseval.words import Words
from treelens.dropin.sparseval.world import World
from treelens.rules.head_tables import TABLES
from treelens.rules.heads import HeadTable, read_head_table


def main(arguments: Sequence[bytes], world: World) -> int:
    """Run the program; return its exit status: 0, or 1 if it had to end early."""
    output = _Output(world)
    try:
        request = read_arguments(arguments, world.complain, output.open)
    except Stop as stop:
        world.print(USAGE.encode())
        return stop.status
    try:
        if request.verbose:
            _say_request(request, world)
        if request.wrong or len(request.names) != _FILES:
            world.complain(USAGE.encode())
            return 1
        _Run(request, world, output).score()
    except Stop as stop:
        return stop.status
    finally:
        output.flush()
    return 0


_FILES = 2
_AT_ONCE = 1000
"""Rows of the report that are written together."""


class _Output:
    """The report, for a file or for standard output."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._name: bytes | None = None
        self._text: list[str] = []

    def open(self, name: bytes) -> None:
        """Empty a file that is to be written; if several are named, the last one is."""
        why = self._world.write(name, b"")
        if why:
            self._world.complain(_cannot_open(name, b"w", why))
            raise Stop(1)
        self._name = name

    def print(self, text: str) -> None:
        self._text.append(text)
        if len(self._text) == _AT_ONCE:
            self.flush()

    def flush(self) -> None:
        text = "".join(self._text).encode("latin-1")
        self._text.clear()
        if self._name is None:
            self._world.print(text)
        elif text:
            self._world.append(self._name, text)


def _cannot_open(name: bytes, mode: bytes, why: str) -> bytes:
    message = b'ERROR: could not open file %s in mode "%s"\n' % (name, mode)
    return message + b"%s: %s: %s\n" % (PROGRAM, name, why.encode())


def _say_request(request: Request, world: World) -> None:
    """What was asked for (``-v``)."""
    names = [*request.names[:_FILES], b"NOT PROVIDED", b"NOT PROVIDED"]
    switches = "".join(f" -{letter}" for letter in "ubcl" if letter in request.switches)
    aligned = b"own" if request.own_alignment else request.alignment or b""
    world.complain(
        b"  command: %s\n  arg1: %s\n  arg2: %s\n  params file:%s\n  switches:%s\n"
        b"  head percolation: %s\n  alignment: %s\n"
        % (
            *(PROGRAM, names[0], names[1], request.parameters or b""),
            *(switches.encode(), request.heads or b"", aligned),
        )
    )


def _bytes(message: str) -> bytes:
    """A message of ours with text of a file in it, which is one character a byte."""
    return b"".join(letter.encode("latin-1" if letter <= "\xff" else "utf-8") for letter in message)


class _Side(NamedTuple):
    """One of two files that are read side by side."""

    name: bytes
    trees: Iterator[tuple[int, str]]
    """Lines that are not blank, and their numbers."""
    reader: Reader

    def read(self, number: int, line: str, tree: Tree | None, run: _Run) -> Tree:
        try:
            return self.reader.read(line, tree)
        except Misbracketing as problem:
            place = b"%s:%d:%d" % (self.name, number, problem.column)
            run.stop(b"%s: misbracketing: %s" % (place, _bytes(problem.why)))

    def next_tree(self, run: _Run) -> Tree | None:
        """The next tree, or all that are left as one; None at the end of the file."""
        tree: Tree | None = None
        for number, line in self.trees:
            tree = self.read(number, line, tree, run)
            if not run.request.side:
                return tree
        return tree


class _Run:
    """A run, once its arguments are known."""

    def __init__(self, request: Request, world: World, output: _Output) -> None:
        self.request = request
        self.world = world
        self.output = output
        table = self._table()
        self.heads = None if table is None else Heads(table)
        self.settings = self._settings()
        self.words = Words(self.settings)
        self.totals = Totals()
        # Where gold's own words are the alignment, deleted ones are a part of it.
        perfect = not (request.bag or request.alignment is not None or request.own_alignment)
        self.gold = Reader(self.settings, "gU~l", drops_deleted=not perfect)
        self.test = Reader(self.settings, "tU~l", drops_deleted=not perfect)

    def stop(self, message: bytes) -> NoReturn:
        self.say(message)
        raise Stop(1)

    def say(self, message: bytes) -> None:
        self.world.complain(b"%s: %s\n" % (PROGRAM, message))

    def _warn(self, message: str) -> None:
        self.world.complain(message.encode("latin-1") + b"\n")

    def _open(self, name: bytes) -> BinaryIO:
        file = self.world.open(name)
        if isinstance(file, str):
            self.world.complain(_cannot_open(name, b"r", file))
            raise Stop(1)
        return file

    def _lines(self, name: bytes) -> list[str]:
        """All lines of a file that is no treebank."""
        with self._open(name) as file:
            return [*lines(file)]

    def _table(self) -> HeadTable | None:
        """The head table: a file, or else one of ours by that name."""
        name = self.request.heads
        if name is None:
            return None
        file = self.world.open(name)
        if isinstance(file, str):
            known = TABLES.get(name.decode("latin-1"))
            if known is None:
                choice = ", ".join(TABLES)
                self.world.complain(
                    _cannot_open(name, b"r", f"{file}, and our own tables are {choice}")
                )
                raise Stop(1)
            return known
        with file:
            table, problems = read_head_table("\n".join(lines(file)))
        for problem in problems:
            place = b"%s:%d: " % (name, problem.line) if problem.line else b"%s: " % name
            self.say(place + _bytes(problem.message))
        if any(problem.is_error for problem in problems):
            self.world.complain(b"misparse head file\n")
            raise Stop(1)
        return table

    def _settings(self) -> Settings:
        name = self.request.parameters
        if name is None:
            return Settings()
        settings, problems = read_parameters(self._lines(name))
        for problem in problems:
            self.say(b"%s:%d: %s" % (name, problem.line, _bytes(problem.message)))
        return settings

    def score(self) -> None:
        gold, test = self.request.names
        lists = self._lists() if self.request.lists else []
        if self.request.shows_settings:
            self.output.print(printing.settings_shown(self.settings))
        if self.request.lists:
            self._score_lists(lists)
        else:
            self._score_files(gold, test, self.request.alignment)
        labelled, bag = self.request.labelled, self.request.bag
        verbose = self.request.verbose
        self.output.print(
            printing.summary(self.totals, labelled=labelled, bag=bag, verbose=verbose)
        )

    def _lists(self) -> list[list[str]]:
        """The names of files of gold, of the test, and perhaps of alignments."""
        names = (*self.request.names, self.request.alignment)
        return [self._lines(name) for name in names if name is not None]

    def _score_lists(self, lists: list[list[str]]) -> None:
        names = (*self.request.names, self.request.alignment or b"")
        for at, _ in enumerate(lists[0]):
            for kind, name, files in zip((b"", b"", b" (align)"), names, lists, strict=False):
                if at >= len(files):
                    message = b"file length mismatch%s: %s %s\n"
                    self.world.complain(message % (kind, names[0], name))
                    sizes = names[0], len(lists[0]), name, at
                    self.stop(b"%s names %d files, %s only %d" % sizes)
            gold, test, *aligned = (files[at].encode("latin-1") for files in lists)
            self._score_files(gold, test, aligned[0] if aligned else None)

    def _score_files(self, gold: bytes, test: bytes, aligned: bytes | None) -> None:
        with self._open(gold) as gold_file, self._open(test) as test_file:
            sides = (
                _Side(gold, tree_lines(lines(gold_file)), self.gold),
                _Side(test, tree_lines(lines(test_file)), self.test),
            )
            self._score_sides(sides, None if aligned is None else self._alignment(aligned))

    def _score_sides(self, sides: tuple[_Side, _Side], entries: list[Entry] | None) -> None:
        gold, test = (side.name for side in sides)
        while (gold_tree := sides[0].next_tree(self)) is not None:
            test_tree = sides[1].next_tree(self)
            if test_tree is None:
                self.world.complain(b"file length mismatch (files): %s %s\n" % (gold, test))
                self.stop(b"%s has no tree for number %d of this run" % (test, self._number()))
            self._score_pair(gold_tree, test_tree, entries)
        surplus = next(sides[1].trees, None)
        if surplus is not None:
            self.say(
                b"%s:%d: gold has ended; this and what follows is not scored" % (test, surplus[0])
            )

    def _number(self) -> int:
        return self.totals.sentences + 1

    def _alignment(self, name: bytes) -> list[Entry]:
        try:
            entries = alignment.read_alignment(self._lines(name))
        except alignment.Disagreement as problem:
            self._warn(problem.message)
            self.stop(b"%s:%d: %s" % (name, problem.line, _bytes(problem.why)))
        if not entries:
            self._warn("no alignment data in file!\n")
            self.stop(b"%s is empty" % name)
        return entries

    def _score_pair(self, gold: Tree, test: Tree, entries: list[Entry] | None) -> None:
        normalise(gold)
        normalise(test)
        try:
            if self._align(gold, test, entries):
                counts = self._compare_aligned(gold, test)
            else:
                counts = self._compare_ordered(gold, test)
        except alignment.Unaligned as problem:
            self._warn(problem.message)
            self.stop(
                b"tree %d: there are more words in the %s tree than in the alignment, from '%s' on"
                % (self._number(), problem.side.encode(), problem.word.encode("latin-1"))
            )
        except dependencies.NoHead as problem:
            self.world.complain(b"Head rules with insufficient default conditions\n")
            phrase = f"({problem.label} {' '.join(problem.children)})"[:200].encode("latin-1")
            self.stop(b"tree %d: no head rule, nor a default, fits %s" % (self._number(), phrase))
        self.totals = self.totals.plus(counts)
        number = self.totals.sentences
        if number == 1:
            self.output.print(printing.header(labelled=self.request.labelled))
        if self.request.verbose:
            self.output.print(printing.row(number, counts))

    def _align(self, gold: Tree, test: Tree, entries: list[Entry] | None) -> bool:
        """Give words their places, if there is an alignment to give them any."""
        sentence = self.totals.sentences
        if self.request.own_alignment:
            self._align_here(gold, test)
        elif entries is not None:
            alignment.align_along(entries, gold, test, sentence, self._warn)
        elif self.request.bag:
            return False
        else:
            is_aligned = alignment.align_perfectly(gold, test, sentence, self._warn)
            take_out_deleted(gold)
            take_out_deleted(test)
            return is_aligned
        return True

    def _align_here(self, gold: Tree, test: Tree) -> None:
        nodes = gold.words(), test.words()
        texts = ([(node.word or "").encode("latin-1") for node in side] for side in nodes)
        for side, places in zip(nodes, self.world.align(*texts), strict=True):
            for node, (start, end) in zip(side, places, strict=True):
                node.start, node.end = start, end

    def _compare_aligned(self, gold: Tree, test: Tree) -> Counts:
        labelled = self.request.labelled
        sides = comparison.brackets(gold), comparison.brackets(test)
        counts = Counts(*comparison.compare_brackets(*sides, labelled=labelled))
        if self.heads is None:
            return counts
        one, other = (dependencies.placed(tree, self.heads) for tree in (gold, test))
        matched = comparison.compare_placed(one, other, self.words, labelled=labelled)
        heads = comparison.with_sizes(matched, one.values(), other.values())
        return Counts(*counts[:4], *heads)

    def _compare_ordered(self, gold: Tree, test: Tree) -> Counts:
        if self.heads is None:
            return Counts()
        one, other = (dependencies.ordered(tree, self.heads) for tree in (gold, test))
        matched = common(one, other, self.words, labelled=self.request.labelled)
        return Counts(0, 0, 0, 0, *comparison.with_sizes(matched, one, other))
