"""System's brackets turned into gold's, step by step, each step the one that repairs the most.

The search of Kummerfeld, Hall, Curran and Klein (2012), "Parser Showdown at the Wall Street
Corral", EMNLP, section 3: a tree is repaired by relabelling a node, adding one, taking one out,
or moving a run of siblings to another parent, where a move may bring the node with it that gold
has around the run. Steps are taken greedily, by how many brackets each puts right; of equal ones
a relabelling comes before an addition, that before a removal, that before a move, and moves go
by where they start in the tree. Takes spans and names only: words, sentences and classes of
errors are for others to know. One search, and so one module, longer than others are.

Where this differs from the authors' program (berkeley-parser-analyser), and why:

* No step breaks a bracket that is right. Theirs may, and then counts a bracket that was never
  wrong; here every missing and every extra bracket is accounted for by exactly one step.
* A run at the edge of its parent can go up past any number of nodes that end where it ends.
  Theirs stops below the first node that is longer, so that what hangs two nodes too low takes
  two steps.
* The root can be a new parent; it is here above all trees of a group, and is no bracket.
* A node left with one child of its own label is dropped where that repairs something. Theirs
  is dropped in any case, which breaks treebanks that have such nodes.
* A move makes a missing bracket right. Theirs may only drop a node and add one.
* Nodes of the same words are in any order: PARSEVAL does not tell them apart.

Longer than other modules are: the search, its steps and what each costs are read together.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Literal, NamedTuple

StepKind = Literal["relabel", "add", "remove", "move"]
Site = Literal["above", "before", "behind"]
Key = tuple[int, int, int]
"""Start, end and number of the label: what makes two brackets the same."""

_WORK = 300_000
"""Nodes looked at before the search is given up: a hundred times what a sentence of forty words
takes, and about a second."""

_FAR = 64
"""Nodes that a move changes on its way, at most."""

_NO_LABEL = -1


class Span(NamedTuple):
    """A bracket; ``label`` is equal for labels that count as equal, ``name`` is to be shown."""

    start: int
    end: int
    label: int
    name: str


class ContextNode(NamedTuple):
    """A node as the context of a step names it; a leaf's name is its tag."""

    name: str
    leaf: bool
    start: int
    end: int


class Step(NamedTuple):
    """One repair, with what was around it before.

    A move's ``parts`` are the nodes moved, ``parent`` the one they hung on, ``new_parent`` the
    one that they are to hang on (the added node, if there is one), ``beside`` their neighbours
    in both places. Otherwise ``parts`` are the node's children, ``beside`` its neighbours.
    """

    operation: StepKind
    start: int
    end: int
    label: str
    """Of the node relabelled (its new label), added or removed; of the node a move adds."""
    was: str
    """Of a node relabelled, what it was."""
    parts: tuple[ContextNode, ...]
    parent: str
    new_parent: str
    place: Site | None
    """Of a move, where the new parent is, seen from the run."""
    inside: bool
    """Of a move, whether the new parent is below the old one."""
    left: tuple[ContextNode, ...]
    """The neighbours to the left; of a move in the old place and in the new one."""
    right: tuple[ContextNode, ...]
    changes: tuple[tuple[Key, int], ...]
    """How many brackets there are more of each kind after it."""
    missing: tuple[int, ...]
    """Which brackets of gold (places in what was given) are then there."""
    extra: tuple[int, ...]
    """Which brackets of system's are no longer wrong."""


class RepairSteps(NamedTuple):
    """The steps, and what they leave where the search was given up: places as in a step."""

    steps: tuple[Step, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]


def repair(cells: Sequence[str], gold: Sequence[Span], system: Sequence[Span]) -> RepairSteps:
    """How system's brackets become gold's.

    ``cells``: the tag of each word; spans are in these, half-open, not empty, parents before
    children, and no two of a side cross.
    """
    search = _Search(cells, gold, system)
    steps = tuple(search.steps())
    return RepairSteps(steps, *(tuple(sorted(chain(*ids.values()))) for ids in search.wrong))


class _Node:
    """A node of the tree that is being repaired; one without children is a leaf."""

    __slots__ = ("children", "end", "label", "name", "order", "parent", "start")

    def __init__(self, start: int, end: int, label: int, name: str, parent: _Node | None) -> None:
        self.start = start
        self.end = end
        self.label = label
        self.name = name
        self.parent = parent
        self.children: list[_Node] = []
        self.order = 0

    @property
    def key(self) -> Key:
        return self.start, self.end, self.label

    @property
    def part(self) -> ContextNode:
        return ContextNode(self.name, not self.children, self.start, self.end)


class _Move(NamedTuple):
    """A run of siblings, from one parent to another, and the nodes between that change."""

    old: _Node
    first: int
    last: int
    new: _Node
    shrinking: list[_Node]
    growing: list[_Node]
    place: Site

    @property
    def order(self) -> tuple[int, int, int, int]:
        """Which of equally good moves is taken: by what moves, then down, aside, up."""
        way = 0 if self.inside else 2 if self.place == "above" else 1
        return self.old.order, self.first, self.last, way

    @property
    def inside(self) -> bool:
        return not self.shrinking

    @property
    def run(self) -> list[_Node]:
        return self.old.children[self.first : self.last + 1]


class _Outcome(NamedTuple):
    """What a move leads to."""

    gain: int
    changes: dict[Key, int]
    collapses: bool
    """Whether the old parent, left with one child of its own label, goes."""
    added: Key | None
    """The node of gold that is then put around the run and others."""


class _Search:
    """The tree as it is by now, and what of it is not as in gold."""

    def __init__(self, cells: Sequence[str], gold: Sequence[Span], system: Sequence[Span]) -> None:
        self.gold = gold
        self.root = _tree(cells, system)
        self.wrong = _leftover(gold, system)
        self.missing, self.extra = self.wrong
        self.starts: dict[int, set[int]] = {}
        """Where missing brackets start that end at a place."""
        self.ends: dict[int, set[int]] = {}
        self.work = 0

    def steps(self) -> Iterator[Step]:
        while (self.missing or self.extra) and self.work < _WORK:
            relabelled = self.relabelling()
            move = self.best_move(2 if relabelled else 1)
            if move:
                yield self.moved(*move)
            elif relabelled:
                yield self.relabelled(*relabelled)
            else:
                yield self.added() or self.removed()

    # --- one node ---------------------------------------------------------------------------

    def relabelling(self) -> tuple[Key, Key] | None:
        """A missing bracket and an extra one of the same words."""
        spans: dict[tuple[int, int], Key] = {}
        for key in self.extra:
            spans.setdefault(key[:2], key)
        for key in self.in_text(self.missing):
            if key[:2] in spans:
                return key, spans[key[:2]]
        return None

    def relabelled(self, wanted: Key, wrong: Key) -> Step:
        node = next(node for node in self.nodes() if node.key == wrong)
        was, node.label, node.name = node.name, wanted[2], self.name(wanted)
        return self.step_of("relabel", node, Counter({wrong: -1, wanted: 1}), was)

    def added(self) -> Step | None:
        """With the first missing bracket that crosses none."""
        for key in self.in_text(self.missing):
            place = self.room(key)
            if place:
                node = self.insert(key, *place)
                return self.step_of("add", node, Counter({key: 1}))
        return None

    def removed(self) -> Step:
        """Without the first node that is too much."""
        first = self.in_text(self.extra)[0]
        node = next(node for node in self.nodes() if node.key == first)
        step = self.step_of("remove", node, Counter({node.key: -1}))
        _drop(node)
        return step

    def room(self, key: Key) -> tuple[_Node, int, int] | None:
        """The parent and the run of its children that a bracket would go around."""
        start, end, _ = key
        node = self.root
        while True:
            self.work += len(node.children)
            inner = _holding(node, start, end)
            if inner is None or not inner.children or (inner.start, inner.end) == (start, end):
                break
            node = inner
        starts = [child.start for child in node.children]
        ends = [child.end for child in node.children]
        if start in starts and end in ends:
            return node, starts.index(start), ends.index(end)
        return None

    def insert(self, key: Key, parent: _Node, first: int, last: int) -> _Node:
        start, end, label = key
        node = _Node(start, end, label, self.name(key), parent)
        node.children = parent.children[first : last + 1]
        for child in node.children:
            child.parent = node
        parent.children[first : last + 1] = [node]
        return node

    def in_text(self, keys: Iterable[Key]) -> list[Key]:
        """By where they start, the shorter first."""
        found = sorted(keys, key=lambda key: key[:2])
        self.work += len(found)
        return found

    def name(self, key: Key) -> str:
        return self.gold[self.missing[key][0]].name

    def step_of(
        self, operation: StepKind, node: _Node, changes: Counter[Key], was: str = ""
    ) -> Step:
        parent = node.parent
        assert parent is not None
        at = parent.children.index(node)
        return Step(
            operation,
            node.start,
            node.end,
            node.name,
            was,
            tuple(child.part for child in node.children),
            parent.name,
            "",
            None,
            False,
            _parts(parent.children[max(at - 1, 0) : at]),
            _parts(parent.children[at + 1 : at + 2]),
            *self.settle(changes),
        )

    # --- moves ------------------------------------------------------------------------------

    def best_move(self, floor: int) -> tuple[_Move, _Outcome] | None:
        """The move that repairs the most, if it is more than that many brackets."""
        nodes = list(self.nodes())
        for order, node in enumerate(nodes):
            node.order = order
        self.starts, self.ends = {}, {}
        for start, end, _ in self.missing:
            self.starts.setdefault(end, set()).add(start)
            self.ends.setdefault(start, set()).add(end)
        best: tuple[_Move, _Outcome] | None = None
        for node in nodes:
            if self.work >= _WORK:
                return best
            if node.key not in self.extra:
                continue
            for move in chain(self.out_of(node), self.into(node)):
                if self.work >= _WORK:
                    return best
                outcome = self.outcome(move)
                if outcome is None or outcome.gain <= floor:
                    continue
                if (
                    best is None
                    or outcome.gain > best[1].gain
                    or (outcome.gain == best[1].gain and move.order < best[0].order)
                ):
                    best = move, outcome
        return best

    def out_of(self, node: _Node) -> Iterator[_Move]:
        """Runs at an edge of a wrong node, up and to wrong nodes beside it."""
        last = len(node.children) - 1
        for at_start in (True, False):
            if at_start:
                runs = [(0, at) for at in range(last) if self.cuts(node.children[at].end)]
            else:
                runs = [(at + 1, last) for at in range(last) if self.cuts(node.children[at].end)]
            self.work += last
            if runs:
                for new, shrinking, growing, place in self.around(node, at_start):
                    for run in runs:
                        yield _Move(node, *run, new, shrinking, growing, place)

    def cuts(self, place: int) -> bool:
        """Whether a missing bracket starts or ends at a place: no other cut makes one right."""
        return place in self.starts or place in self.ends

    def around(
        self, node: _Node, at_start: bool
    ) -> Iterator[tuple[_Node, list[_Node], list[_Node], Site]]:
        """Where a run at one edge of a wrong node can go, and which nodes then change."""
        shrinking: list[_Node] = []
        below: _Node = node
        while below.parent and below.key in self.extra and len(shrinking) < _FAR:
            shrinking.append(below)
            yield below.parent, list(shrinking), [], "above"
            siblings = below.parent.children
            if siblings[0 if at_start else -1] is not below:
                at = bisect_left(siblings, below.start, key=_start) + (-1 if at_start else 1)
                way: Site = "before" if at_start else "behind"
                for growing in self.edge(siblings[at], at_start):
                    yield growing[-1], list(shrinking), growing, way
                return
            below = below.parent

    def into(self, node: _Node) -> Iterator[_Move]:
        """Runs beside a wrong node, into it and into wrong nodes at its edge."""
        parent = node.parent
        assert parent is not None
        siblings = parent.children
        at = bisect_left(siblings, node.start, key=_start)
        places: set[int] = set()
        for growing in self.edge(node, True):
            places.update(self.ends.get(growing[-1].start, ()))
            for end in sorted(places):
                to = bisect_left(siblings, end, at, key=_end)
                if at < to < len(siblings) and siblings[to].end == end:
                    yield _Move(parent, at + 1, to, growing[-1], [], growing, "before")
        places.clear()
        for growing in self.edge(node, False):
            places.update(self.starts.get(growing[-1].end, ()))
            for start in sorted(places):
                first = bisect_left(siblings, start, 0, at, key=_start)
                if first < at and siblings[first].start == start:
                    yield _Move(parent, first, at - 1, growing[-1], [], growing, "behind")

    def edge(self, node: _Node, at_end: bool) -> Iterator[list[_Node]]:
        """A node and those at its edge, as long as all are wrong: the first, two, three …"""
        found: list[_Node] = []
        while node.children and node.key in self.extra and len(found) < _FAR:
            found.append(node)
            self.work += 1
            yield list(found)
            node = node.children[-1 if at_end else 0]

    def outcome(self, move: _Move) -> _Outcome | None:
        """What a move repairs; None if it breaks anything or makes no missing bracket right."""
        self.work += 1 + len(move.shrinking) + len(move.growing)
        run = move.run
        start, end = run[0].start, run[-1].end
        changed = [(node.key, _changed(node, start, end, False)) for node in move.shrinking]
        changed += [(node.key, _changed(node, start, end, True)) for node in move.growing]
        if not any(now in self.missing for _, now in changed):
            return None
        changes: dict[Key, int] = {}
        for was, now in changed:
            changes[was] = changes.get(was, 0) - 1
            changes[now] = changes.get(now, 0) + 1
        collapsing = self.collapsing(move, start, end)
        collapses = collapsing is not None and self.surplus(collapsing, changes) > 0
        if collapsing is not None and collapses:
            changes[collapsing] = changes.get(collapsing, 0) - 1
        gain = 0
        for key, change in changes.items():
            before = self.surplus(key, {})
            after = before + change
            if after < min(before, 0):
                return None
            gain += abs(before) - abs(after)
        added = self.bringing(move, start, end, changes)
        return _Outcome(gain + (added is not None), changes, collapses, added)

    def surplus(self, key: Key, changes: dict[Key, int]) -> int:
        """How many brackets of a kind are too many; below zero, how many are missing."""
        there = len(self.extra.get(key, ())) - len(self.missing.get(key, ()))
        return there + changes.get(key, 0)

    def collapsing(self, move: _Move, start: int, end: int) -> Key | None:
        """The old parent, if it will have one child only, of its own label."""
        old = move.old
        if len(old.children) - (move.last - move.first + 1) != 1:
            return None
        child = old.children[0 if move.first else -1]
        if not child.children or child.label != old.label:
            return None
        return _changed(old, start, end, False) if move.shrinking else old.key

    def bringing(self, move: _Move, start: int, end: int, changes: dict[Key, int]) -> Key | None:
        """The shortest bracket of gold around the run that will have room in the new parent."""
        new = move.new
        whole = _changed(new, start, end, True)[:2] if move.growing else (new.start, new.end)
        best = None
        for key in self.missing:
            if not (key[0] <= start and end <= key[1]) or key[:2] in ((start, end), whole):
                continue
            if key[0] < whole[0] or key[1] > whole[1] or self.surplus(key, changes) >= 0:
                continue
            if best is not None and key[1] - key[0] >= best[1] - best[0]:
                continue
            self.work += len(new.children)
            if (key[0] == start or any(child.start == key[0] for child in new.children)) and (
                key[1] == end or any(child.end == key[1] for child in new.children)
            ):
                best = key
        return best

    def moved(self, move: _Move, outcome: _Outcome) -> Step:
        run, old, new = move.run, move.old, move.new
        start, end = run[0].start, run[-1].end
        left = old.children[max(move.first - 1, 0) : move.first]
        right = old.children[move.last + 1 : move.last + 2]
        was_old = old.name
        del old.children[move.first : move.last + 1]
        for nodes, grows in ((move.shrinking, False), (move.growing, True)):
            for node in nodes:
                node.start, node.end, _ = _changed(node, start, end, grows)
        at = sum(child.start < start for child in new.children)
        new.children[at:at] = run
        for node in run:
            node.parent = new
        left += new.children[max(at - 1, 0) : at]
        right += new.children[at + len(run) : at + len(run) + 1]
        lefts, rights = _parts(left), _parts(right)
        changes = Counter(outcome.changes)
        name, new_parent = "", new.name
        if outcome.collapses:
            _drop(old)
        if outcome.added:
            place = self.room(outcome.added)
            assert place is not None
            name = new_parent = self.insert(outcome.added, *place).name
            changes[outcome.added] += 1
        return Step(
            "move",
            start,
            end,
            name,
            "",
            _parts(run),
            was_old,
            new_parent,
            move.place,
            move.inside,
            lefts,
            rights,
            *self.settle(changes),
        )

    # --- what is wrong ----------------------------------------------------------------------

    def nodes(self) -> Iterator[_Node]:
        """All nodes but the root and leaves, parents first."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            self.work += 1
            if node is not self.root:
                yield node
            stack.extend(child for child in reversed(node.children) if child.children)

    def settle(
        self, changes: Counter[Key]
    ) -> tuple[tuple[tuple[Key, int], ...], tuple[int, ...], tuple[int, ...]]:
        """Count brackets as changed; which of gold's and of system's are right from now on.

        A wrong bracket that a step turns into another wrong one stays to be accounted for.
        """
        done = tuple((key, change) for key, change in changes.items() if change)
        hand = [self.take(self.extra, key) for key, change in done for _ in range(-change)]
        found = []
        for key, change in done:
            for _ in range(change):
                if key in self.missing:
                    found.append(self.take(self.missing, key))
                else:
                    self.extra.setdefault(key, []).append(hand.pop())
        return done, tuple(sorted(found)), tuple(sorted(hand))

    @staticmethod
    def take(ids: dict[Key, list[int]], key: Key) -> int:
        taken = ids[key].pop(0)
        if not ids[key]:
            del ids[key]
        return taken


def _changed(node: _Node, start: int, end: int, grows: bool) -> Key:
    """A node's key with a run at its edge, or without it."""
    if grows:
        return min(node.start, start), max(node.end, end), node.label
    if node.start == start:
        return end, node.end, node.label
    return node.start, start, node.label


def _start(node: _Node) -> int:
    return node.start


def _end(node: _Node) -> int:
    return node.end


def _parts(nodes: Iterable[_Node]) -> tuple[ContextNode, ...]:
    return tuple(node.part for node in nodes)


def _holding(node: _Node, start: int, end: int) -> _Node | None:
    """The child that holds a span."""
    for child in node.children:
        if child.start <= start and end <= child.end:
            return child
    return None


def _drop(node: _Node) -> None:
    """A node's children in its place."""
    parent = node.parent
    assert parent is not None
    at = parent.children.index(node)
    parent.children[at : at + 1] = node.children
    for child in node.children:
        child.parent = parent


def _leftover(
    gold: Sequence[Span], system: Sequence[Span]
) -> tuple[dict[Key, list[int]], dict[Key, list[int]]]:
    """Places of the brackets without a partner by key; the n-th is the n-th's partner."""
    sides: list[dict[Key, list[int]]] = []
    for spans in (gold, system):
        ids: dict[Key, list[int]] = {}
        for number, span in enumerate(spans):
            ids.setdefault(span[:3], []).append(number)
        sides.append(ids)
    counts = [{key: len(ids) for key, ids in side.items()} for side in sides]
    missing, extra = (
        {
            key: ids[theirs.get(key, 0) :]
            for key, ids in side.items()
            if theirs.get(key, 0) < len(ids)
        }
        for side, theirs in zip(sides, reversed(counts), strict=True)
    )
    return missing, extra


def _tree(cells: Sequence[str], spans: Sequence[Span]) -> _Node:
    root = _Node(0, len(cells), _NO_LABEL, "", None)
    at, open_ = 0, root
    for span in spans:
        while open_.parent is not None and open_.end <= span.start:
            at, open_ = _leaves(cells, open_, at, open_.end), open_.parent
        at = _leaves(cells, open_, at, span.start)
        node = _Node(*span, open_)
        open_.children.append(node)
        open_ = node
    while open_.parent is not None:
        at, open_ = _leaves(cells, open_, at, open_.end), open_.parent
    _leaves(cells, root, at, len(cells))
    return root


def _leaves(cells: Sequence[str], parent: _Node, at: int, end: int) -> int:
    """The cells from one place to another as leaves of a node; the place reached."""
    for cell in range(at, end):
        parent.children.append(_Node(cell, cell + 1, _NO_LABEL, cells[cell], parent))
    return max(at, end)
