"""``treelens tedeval``: the TedEval family with the original program's options, and more.

``treelens tedeval convert`` and ``combine`` write function trees. Longer than other modules are:
half of it are the options, and what goes with what.
"""

from __future__ import annotations

import argparse
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from treelens import __version__
from treelens.cli import CannotContinue, files, output
from treelens.cli.progress import Progress
from treelens.cli.several import Set, sets
from treelens.cli.tedeval_files import (
    EachErrors,
    Reading,
    Remarks,
    count,
    read_arcs,
    read_map,
    read_treebank,
)
from treelens.cli.tedeval_trees import combine, convert
from treelens.formats.lattice import LatticeArc
from treelens.render.width import clean, shortened
from treelens.rules.spelling import ListProblem
from treelens.tedeval.convert import LabelReading
from treelens.tedeval.evaluation import (
    Errors,
    TedEvalOptions,
    WordAnchors,
    corpus,
    evaluate,
    mean,
)
from treelens.tedeval.segments import states
from treelens.tedeval.treebank import FORMATS, Remark, Treebank
from treelens.tedeval.trees import FunctionTree
from treelens.tedeval.versions import VERSIONS, Version
from treelens.trees.forest import Forest, decode

_EXAMPLES = """\
simple        treelens tedeval -g gold.conll -p parse.conll -format conll -o out
              treelens tedeval -g gold.mrg -p a.mrg -p b.mrg -format ptb -o a -o b
              treelens tedeval -g gold/ -p parses/ -o out
joint         treelens tedeval -g gold.ptb -sg gold.map -p parse.ptb -sp parse.map -o out
cross-        treelens tedeval -p1 d.parse.ftrees -g1 d.gold.ftrees -o1 d \\
framework                      -p2 c.parse.ptb -g2 c.gold.ptb -format2 ptb -o2 c
function      treelens tedeval convert gold.conll gold.ftrees
trees         treelens tedeval combine --tl-unify gold.ptb other.conll -o enriched.ftrees

Experiments (-p1 -g1 -o1 -format1, -p2 …): every parse is scored against what all golds have in
common; what that leaves out of the parse's own gold is no error.

With -o OUT, OUT.ted has a line for each sentence (number, score, edits, nodes) and a last one
that starts with "AVG:". The n-th sentence of a file is compared with the n-th of the others; for
files with other sentences use 'treelens score'. Exit status: 0, or 2 if nothing can be scored."""


class ParseJob(NamedTuple):
    """One parse to be scored: against all golds, one of which may be its own."""

    parse: Treebank
    name: str
    out: str | None
    native: int | None
    segments: Forest | None


class TedEvalPlan(NamedTuple):
    """Everything that was asked for, read."""

    golds: list[Treebank]
    gold_names: list[str]
    jobs: list[ParseJob]
    segments: Forest | None
    arcs: list[tuple[LatticeArc, ...]]
    options: TedEvalOptions
    signature: str
    arithmetic: bool
    most: int | None


def run(arguments: list[str]) -> int:
    if arguments[:1] == ["convert"]:
        return convert(arguments[1:])
    if arguments[:1] == ["combine"]:
        return combine(arguments[1:])
    numbered, rest = _numbered(arguments)
    options = _parser().parse_args(rest)
    _check(options, numbered)
    found = [] if numbered else _of_folders(options)
    if len(found) > 1:
        output.write(_folders(found, options))
        return 0
    plan = _read(_with_names(options, found[0]) if found else options, numbered)
    output.write(line for job in plan.jobs for line in _scored(job, plan))
    output.write([plan.signature])
    return 0


def _read(options: argparse.Namespace, numbered: dict[int, dict[str, str]]) -> TedEvalPlan:
    plan = _plan(options, numbered)
    for name, gold in zip(plan.gold_names, plan.golds, strict=True):
        Remarks(name, gold.remarks(), plan.most).say()
    return plan


def _of_folders(options: argparse.Namespace) -> list[Set]:
    """Files that belong together, of folders, patterns and lists: golds, parses, their maps."""
    maps = [options.sg, *options.sp] if options.sg else []
    found = sets([*options.g, *options.p, *maps])
    if len(found) > 1 and options.lattice:
        raise CannotContinue("--lattice is of one file, not of many")
    return found


def _with_names(options: argparse.Namespace, one: Set) -> argparse.Namespace:
    """The options for files that belong together."""
    golds, parses = len(options.g), len(options.p)
    maps = one.names[golds + parses :]
    given = argparse.Namespace(**vars(options))
    given.g, given.p = [*one.names[:golds]], [*one.names[golds : golds + parses]]
    given.sg, given.sp = maps[0] if maps else None, [*maps[1:]]
    return given


def _folders(found: Sequence[Set], options: argparse.Namespace) -> Iterator[str]:
    """Many files, one after the other: a row for each, and what all come to."""
    totals = [EachErrors() for _ in options.p]
    plan = None
    for one in found:
        given = _with_names(options, one)
        given.o = []
        try:
            plan = _read(given, {})
        except CannotContinue as problem:
            output.say(f"note: {problem}; left out")
            continue
        for job, total in zip(plan.jobs, totals, strict=True):
            here = _all_sentences(job, plan)
            total.extend(here)
            yield f"{corpus(here).score:.4f}  {len(here):>6}  {clean(files.shown(job.name))}"
    if plan is None:
        raise CannotContinue("none of the files can be scored")
    yield ""
    for at, (name, total) in enumerate(zip(options.p, totals, strict=True)):
        if at < len(options.o):
            _write(options.o[at], total, plan)
        yield from _said(options.g, name, total, plan)
    yield plan.signature


# --- what is asked for ---------------------------------------------------------------------

_NUMBERED = re.compile(r"--?(p|g|o|format)(\d{1,3})")


def _numbered(arguments: list[str]) -> tuple[dict[int, dict[str, str]], list[str]]:
    """Options such as ``-p2 FILE``, by number and name, and what is left of the arguments."""
    found: dict[int, dict[str, str]] = {}
    rest = []
    waiting = iter(arguments)
    for argument in waiting:
        match = _NUMBERED.fullmatch(argument)
        if match is None:
            rest.append(argument)
            continue
        value = next(waiting, None)
        if value is None:
            raise CannotContinue(f"a file is expected behind {argument}")
        found.setdefault(int(match[2]), {})[match[1]] = value
    return dict(sorted(found.items())), rest


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens tedeval",
        description="Score parses by the edits that turn them into gold (Tsarfaty, Nivre & "
        "Andersson 2011, 2012a, 2012b), across annotation schemes and segmentations.",
        epilog=_EXAMPLES,
    )
    add = parser.add_argument
    add(
        "-g",
        action="append",
        default=[],
        metavar="GOLD",
        help="gold: a file (-: standard input), folder, pattern or list; several are generalised",
    )
    add("-p", action="append", default=[], metavar="PARSE", help="a parse; several are allowed")
    add("-o", action="append", default=[], metavar="OUT", help="OUT.ted gets the n-th -p's scores")
    add("-sg", metavar="MAP", help="mapping or segmentation file of gold")
    add("-sp", action="append", default=[], metavar="MAP", help="the same, of the n-th -p")
    add("-format", choices=("auto", *FORMATS), default="auto", help="by name and content if auto")
    add("-unlabeled", "--unlabelled", action="store_true", help="labels and tags are free")
    add(
        "-micro",
        "--mean",
        action="store_true",
        help="AVG is the mean of the sentences' scores (the original's name for it is -micro), "
        "not the score of all edits and nodes",
    )
    add(
        "--version",
        choices=tuple(VERSIONS),
        help="2011 (default for dependencies, function trees and several -g), 2012a (default for "
        "experiments with a gold each), 2012b (default for brackets and with mapping files)",
    )
    add(
        "--labels",
        choices=("functions", "categories"),
        help="of brackets: what follows the dash (default but for 2012b), or what precedes it",
    )
    add("--head", metavar="LABEL", help="head daughters' label; default * (2011), hd (others)")
    add("--free", metavar="FILE", help="2011: two labels a line that replace each other freely")
    add("--lattice", metavar="FILE", help="2012b: segments are the same if they are the same arcs")
    add("--all-problems", action="store_true", help="not only the first of a file's problems")
    return parser


def _plan(options: argparse.Namespace, numbered: dict[int, dict[str, str]]) -> TedEvalPlan:
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    readings = _readings(options, numbered)
    version = _version(options, numbered, [reading.format for reading in readings])
    _check_version(
        options, version, len(options.g) or sum("g" in found for found in numbered.values())
    )
    head = options.head or version.head_label
    labels = _labels(options, version)
    banks = {reading.name: read_treebank(reading, labels, head, most) for reading in readings}
    golds, jobs = _jobs(options, numbered, banks, most)
    scoring = TedEvalOptions(version, not options.unlabelled, _free_pairs(options.free))
    return TedEvalPlan(
        [banks[name] for name in golds],
        golds,
        jobs,
        read_map(options.sg, most) if options.sg else None,
        read_arcs(options.lattice, most) if options.lattice else [],
        scoring,
        _signature(scoring, options, banks.values(), head, len(golds), bool(numbered)),
        options.mean,
        most,
    )


def _readings(options: argparse.Namespace, numbered: dict[int, dict[str, str]]) -> list[Reading]:
    """The files with trees, each once."""
    formats = dict.fromkeys([*options.g, *options.p], options.format)
    for found in numbered.values():
        named = [found[key] for key in "gp" if key in found]
        formats |= dict.fromkeys(named, found.get("format", options.format))
    if bad := set(formats.values()) - {"auto", *FORMATS}:
        known = ", ".join(("auto", *FORMATS))
        raise CannotContinue(f"'{clean(min(bad))}' is no format; there are {known}")
    # (What is gold of several experiments is one file.)
    golds = {*options.g, *(found["g"] for found in numbered.values() if "g" in found)}
    parses = {*options.p, *(found["p"] for found in numbered.values() if "p" in found)}
    others = [options.sg, *options.sp, options.lattice, options.free]
    files.only_one_stdin([*golds, *parses, *filter(None, others)])
    return [Reading.of(name, format_name) for name, format_name in formats.items()]


def _check(options: argparse.Namespace, numbered: dict[int, dict[str, str]]) -> None:
    """Whether the options go together."""
    if numbered and (options.g or options.p or options.o or options.sg or options.sp):
        raise CannotContinue("either -g and -p, or experiments with -g1, -p1, …, not both")
    if numbered:
        if not any("g" in found for found in numbered.values()):
            raise CannotContinue("gold is missing: -g1 FILE")
        if not any("p" in found for found in numbered.values()):
            raise CannotContinue("a parse is missing: -p1 FILE")
        return
    if not options.g or not options.p:
        missing = "gold (-g FILE)" if not options.g else "a parse (-p FILE)"
        raise CannotContinue(f"{missing} is missing (see 'treelens tedeval --help')")
    if len(options.o) > len(options.p):
        raise CannotContinue("there are more -o than -p")
    if bool(options.sg) != bool(options.sp) or len(options.sp) not in (0, len(options.p)):
        raise CannotContinue("mapping files are needed for gold (-sg) and for each -p (-sp)")


def _check_version(options: argparse.Namespace, version: Version, golds: int) -> None:
    """Whether the version has what the options ask for."""
    if golds > 1 and version.generalise is None:
        raise CannotContinue(
            f"version {version.name} compares with one gold; 2011 and 2012a generalise several"
        )
    if options.free and version.name != "2011":
        raise CannotContinue("--free is for --version 2011: the others relabel nothing")
    if (options.lattice or options.sg) and not version.lexemes:
        option = "--lattice" if options.lattice else "-sg"
        raise CannotContinue(f"{option} is for --version 2012b: the others have no segments")


def _version(
    options: argparse.Namespace, numbered: dict[int, dict[str, str]], formats: Iterable[str]
) -> Version:
    if options.version:
        return VERSIONS[options.version]
    if len(numbered) > 1:
        return VERSIONS["2012a"]
    joint = options.sg or options.lattice or set(formats) <= {"ptb", "bracketed"}
    return VERSIONS["2012b" if joint and len(options.g) < 2 else "2011"]


def _labels(options: argparse.Namespace, version: Version) -> LabelReading:
    if options.labels:
        return LabelReading(options.labels)
    return LabelReading.CATEGORIES if version.lexemes else LabelReading.FUNCTIONS


def _jobs(
    options: argparse.Namespace,
    numbered: dict[int, dict[str, str]],
    banks: dict[str, Treebank],
    most: int | None,
) -> tuple[list[str], list[ParseJob]]:
    """The golds' names, and what is to be scored."""
    if not numbered:
        return options.g, [
            ParseJob(
                banks[name],
                name,
                options.o[at] if at < len(options.o) else None,
                None,
                read_map(options.sp[at], most) if options.sp else None,
            )
            for at, name in enumerate(options.p)
        ]
    golds = [found["g"] for found in numbered.values() if "g" in found]
    return golds, [
        ParseJob(
            banks[found["p"]],
            found["p"],
            found.get("o"),
            golds.index(found["g"]) if "g" in found else None,
            None,
        )
        for found in numbered.values()
        if "p" in found
    ]


def _free_pairs(name: str | None) -> frozenset[tuple[str, str]]:
    """Pairs of labels, two a line; other lines are told and left out."""
    pairs, problems = set(), list[ListProblem]()
    lines = decode(files.read_bytes(name)).splitlines() if name else []
    for number, line in enumerate(lines, 1):
        labels = [] if line.startswith("#") else line.split()
        if len(labels) == 2:
            pairs.add((labels[0], labels[1]))
        elif labels:
            message = f"two labels are expected, found {len(labels)}; left out"
            problems.append(ListProblem(number, message))
    files.say_lines(str(name), problems)
    return frozenset(pairs)


def _signature(
    scoring: TedEvalOptions,
    options: argparse.Namespace,
    banks: Iterable[Treebank],
    head: str,
    golds: int,
    experiments: bool,
) -> str:
    """Everything that the numbers depend on: two equal signatures are comparable."""
    pairs = zlib.crc32(repr(sorted(scoring.free_pairs)).encode()) if scoring.free_pairs else 0
    if not scoring.version.lexemes:
        alignment = "words"
    else:
        alignment = "lattice" if options.lattice else "tokens" if options.sg else "own"
    labels = {bank.labels.value if bank.labels else "relations" for bank in banks}
    joint = options.sg or options.lattice
    fields = {
        "v": __version__,
        "metric": "tedeval",
        "version": scoring.version.name,
        "costs": scoring.version.costs,
        "free": f"{len(scoring.free_pairs)}#{pairs:08x}" if pairs else "none",
        "labels": "+".join(sorted(labels)) if scoring.labelled else "none",
        "head": head.replace("|", "_"),
        "golds": str(golds),
        "average": "mean" if options.mean else "global",
        "alignment": alignment,
        "scenario": "cross-framework" if experiments else "joint" if joint else "simple",
    }
    return "treelens|" + "|".join(f"{key}:{value}" for key, value in fields.items())


# --- scoring -------------------------------------------------------------------------------


def _scored(job: ParseJob, plan: TedEvalPlan) -> Iterator[str]:
    """Score one parse, write its file, and say the corpus's numbers."""
    found = _all_sentences(job, plan)
    if job.out:
        _write(job.out, found, plan)
    yield from _said(plan.gold_names, job.name, found, plan)


def _all_sentences(job: ParseJob, plan: TedEvalPlan) -> EachErrors:
    """A parse's sentences, scored; what is to be said of them is said."""
    _say_lengths(job, plan)
    remarks = Remarks(job.name, job.parse.remarks(), plan.most)
    found = EachErrors()
    with Progress(shortened(clean(files.shown(job.name)), 40)) as progress:
        found.extend(_sentences(job, plan, remarks, progress))
    remarks.say()
    return found


def _said(golds: Sequence[str], parse: str, found: EachErrors, plan: TedEvalPlan) -> Iterator[str]:
    total = corpus(found)
    yield f"gold       {', '.join(clean(files.shown(name)) for name in golds)}"
    yield f"parse      {clean(files.shown(parse))}"
    yield f"sentences  {len(found)}"
    yield f"TedEval    {total.score:.4f}  ({count(total.edits, 'edit')}, {total.nodes} nodes)"
    yield _mean_line(mean(errors.score for errors in found))
    if plan.options.version.lexemes:
        yield (
            f"SegEval    {total.segment_score:.4f}  "
            f"({count(total.segment_edits, 'edit')}, {total.segment_nodes} segments)"
        )
        yield _mean_line(mean(errors.segment_score for errors in found))
    yield ""


def _mean_line(score: float) -> str:
    return f"           {score:.4f}  (mean of the sentences' scores)"


def _sentences(
    job: ParseJob, plan: TedEvalPlan, remarks: Remarks, progress: Progress
) -> Iterator[Errors]:
    total = max(len(plan.golds[0]), len(job.parse))
    for sentence in range(total):
        progress(sentence / total)
        parse = job.parse.tree(sentence)
        golds = [gold.tree(sentence) for gold in plan.golds]
        native = None if job.native is None else golds[job.native]
        anchors = None
        if plan.options.version.lexemes:
            anchors = _anchors(job, plan, sentence, parse, golds[0], remarks)
        yield evaluate(parse, golds, plan.options, native, anchors)


def _anchors(
    job: ParseJob,
    plan: TedEvalPlan,
    sentence: int,
    parse: FunctionTree,
    gold: FunctionTree,
    remarks: Remarks,
) -> WordAnchors | None:
    """How this sentence's segments are known to be the same; None: by the text."""
    if plan.arcs:
        arcs = plan.arcs[sentence] if sentence < len(plan.arcs) else ()
        paths = [states(tree.words, tree.tags, arcs) for tree in (parse, gold)]
        if paths[0] is not None and paths[1] is not None:
            return WordAnchors(paths[0], paths[1], are_states=True)
        missing = "gold" if paths[1] is None else "the parse"
        text = f"the lattice has no path for {missing}; segments are aligned"
        remarks.add(Remark(job.parse.line(sentence), text, sentence))
    if plan.segments is not None and job.segments is not None:
        tokens = [
            _tokens(forest, sentence, len(tree.words))
            for forest, tree in ((job.segments, parse), (plan.segments, gold))
        ]
        if tokens[0] is not None and tokens[1] is not None:
            return WordAnchors(tokens[0], tokens[1])
        missing = "gold" if tokens[1] is None else "the parse"
        text = (
            f"the mapping of {missing} has not as many segments as its tree; they are aligned by "
            "the text"
        )
        remarks.add(Remark(job.parse.line(sentence), text, sentence))
        return None
    both = job.parse.tokens(sentence), plan.golds[0].tokens(sentence)
    if both[0] and both[1] and _surfaces(both[0]) == _surfaces(both[1]):
        return WordAnchors(both[0][0], both[1][0])
    return None


def _tokens(forest: Forest, sentence: int, words: int) -> list[int] | None:
    """The tokens of a mapping file's segments; None if these are not the tree's."""
    if forest.anchors is None or sentence >= len(forest):
        return None
    rows = slice(forest.first_leaf[sentence], forest.first_leaf[sentence + 1])
    tokens: list[int] = forest.anchors.token[rows].tolist()
    return tokens if len(tokens) == words else None


def _surfaces(tokens: tuple[Sequence[int], Sequence[bytes]]) -> dict[int, bytes]:
    return dict(zip(*tokens, strict=True))


def _say_lengths(job: ParseJob, plan: TedEvalPlan) -> None:
    """Files with other numbers of sentences are compared as far as they go; the rest is errors."""
    named = clean(files.shown(job.name))
    for name, gold in zip(plan.gold_names, plan.golds, strict=True):
        if len(gold) != len(job.parse):
            output.say(
                f"note: {clean(files.shown(name))} has {count(len(gold), 'tree')}, {named} "
                f"{len(job.parse)}; what has no counterpart counts as wrong"
            )
    for segments, bank, which in (
        (plan.segments, plan.golds[0], "-sg"),
        (job.segments, job.parse, "-sp"),
    ):
        if segments is not None and len(segments) != len(bank):
            output.say(
                f"note: {which} has {count(len(segments), 'sentence')}, its treebank {len(bank)}"
            )


def _average(found: EachErrors, plan: TedEvalPlan) -> float:
    if plan.arithmetic:
        return mean(errors.score for errors in found)
    return corpus(found).score


def _write(name: str, found: EachErrors, plan: TedEvalPlan) -> None:
    """OUT.ted. The original's layout is not known but for the line with ``AVG:``."""
    path = name if name.endswith(".ted") else f"{name}.ted"
    with output.file(path) as file:
        for number, errors in enumerate(found, 1):
            file.write(f"{number}\t{errors.score:.6f}\t{errors.edits}\t{errors.nodes}\n")
        file.write(f"AVG:\t{_average(found, plan):.6f}\n")
