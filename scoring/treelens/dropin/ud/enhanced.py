"""ELAS and EULAS: labelled and unlabelled-by-subtype scores of enhanced graphs (IWPT 2020).

Every pair of a gold and a system dependency of an aligned word that agree in relation and head
counts, so a dependency that is listed twice counts twice. A dependency whose head is an empty
node is left out: the original wants empty nodes collapsed into paths (``3:conj>obl``) first.

``enhancements`` leaves kinds of enhancements out of both files, as in the original, quirks
included: 1 gapping, 2 shared parents of conjuncts, 3 shared dependents of conjuncts (this has no
effect there: it compares a word with the text of a number), 4 subjects of controlled verbs,
5 relative clauses (the head of the relative clause is compared with the number of the word
*before* the one in question), 6 case information in relations.
"""

from __future__ import annotations

from collections.abc import Iterator

from treelens.dropin.ud.alignment import Alignment
from treelens.dropin.ud.scores import Score, gold_of
from treelens.dropin.ud.treebank import Treebank
from treelens.rules.universal import universal_relation

_ROOT, _NO_HEAD = -1, -3
"""The root of DEPS; the head of a root in the basic tree, which equals nothing."""
_WITH_CASE = frozenset({"obl", "nmod", "conj", "advcl"})
_NO_CASE = frozenset({"pass", "relcl", "xsubj"})

Path = tuple[str, ...]
"""A relation; several where empty nodes were collapsed."""
Dependency = tuple[int, Path]
"""The head as an index of a word, and the path to it."""


def evaluate_enhanced(
    gold: Treebank, system: Treebank, alignment: Alignment, enhancements: str
) -> dict[str, Score]:
    mine, its = _graph(gold, enhancements), _graph(system, enhancements)
    partner = gold_of(alignment, system.words)
    totals = (sum(map(len, mine)), sum(map(len, its)))
    exact = plain = 0
    for one, other in zip(alignment.gold, alignment.system, strict=True):
        for head, path in mine[one]:
            for its_head, its_path in its[other]:
                if head != (_NO_HEAD if its_head == _NO_HEAD else partner[its_head]):
                    continue
                if head == _NO_HEAD:
                    continue
                exact += path == its_path
                plain += path == its_path or _plain(path) == _plain(its_path)
    return {"ELAS": Score(*totals, exact), "EULAS": Score(*totals, plain)}


def _plain(path: Path) -> Path:
    return tuple(map(universal_relation, path))


def _graph(bank: Treebank, enhancements: str) -> list[list[Dependency]]:
    """The dependencies of every word."""
    graph: list[list[Dependency]] = []
    for sentence in bank.sentences:
        for word in sentence.words:
            deps = list(_dependencies(bank.words.deps[word], sentence.words.start))
            for kind in sorted(set(enhancements) & _FILTERS.keys()):
                deps = _FILTERS[kind](deps, word, sentence.words, bank)
            graph.append(deps)
    return graph


def _dependencies(deps: str, first: int) -> Iterator[Dependency]:
    if deps in ("", "_"):
        return
    for dep in deps.split("|"):
        head, _, path = dep.partition(":")
        if "." not in head:
            number = int(head)
            yield first + number - 1 if number else _ROOT, tuple(path.split(">"))


def _basic(word: int, bank: Treebank) -> Dependency:
    parent = bank.words.parent[word]
    return (_NO_HEAD if parent < 0 else parent), (bank.words.relation[word],)


def _without_gapping(
    deps: list[Dependency], word: int, sentence: range, bank: Treebank
) -> list[Dependency]:
    """A path becomes the basic dependency."""
    found: list[Dependency] = []
    for dep in deps:
        if len(dep[1]) > 1:
            found.append(_basic(word, bank))
        elif dep not in found:
            found.append(dep)
    return found


def _without_shared_parents(
    deps: list[Dependency], word: int, sentence: range, bank: Treebank
) -> list[Dependency]:
    """Of a conjunct only the last dependency that says so is left."""
    conjuncts = [dep for dep in deps if len(dep[1]) == 1 and dep[1][0].startswith("conj")]
    return conjuncts[-1:] or deps


def _without_control(
    deps: list[Dependency], word: int, sentence: range, bank: Treebank
) -> list[Dependency]:
    """Subjects of open complements are left out."""
    return [
        (head, path)
        for head, path in deps
        if head < 0
        or bank.words.relation[head] != "xcomp"
        or not any(step.startswith("nsubj") for step in path)
    ]


def _without_relative_clauses(
    deps: list[Dependency], word: int, sentence: range, bank: Treebank
) -> list[Dependency]:
    """A reference becomes the basic dependency, the external argument is left out."""
    found = []
    for head, path in deps:
        if path[0] == "ref":
            found.append(_basic(word, bank))
            continue
        if head >= 0 and bank.words.relation[head].startswith("acl"):
            parent = bank.words.parent[head]
            number = parent - sentence.start + 1 if parent >= 0 else 0
            if number == word - sentence.start:
                continue
        found.append((head, path))
    return found


def _without_case(
    deps: list[Dependency], word: int, sentence: range, bank: Treebank
) -> list[Dependency]:
    return [(head, tuple(map(_cut_case, path))) for head, path in deps]


def _cut_case(relation: str) -> str:
    parts = relation.split(":")
    case = len(parts) == 2 and parts[0] in _WITH_CASE and parts[1] not in _NO_CASE
    return parts[0] if case else relation


_FILTERS = {
    "1": _without_gapping,
    "2": _without_shared_parents,
    "4": _without_control,
    "5": _without_relative_clauses,
    "6": _without_case,
}
