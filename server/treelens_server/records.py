"""What Treelens's own clients and the server say to each other beyond LSP: every message a record.

The one place where these are decoded and checked; ``vscode-extension/src/protocol.ts`` and
``src/picture/records.ts`` are written from here (``make protocol``), docstrings included. A field
of what a client sends may be left out wherever there is a default; ``Raw`` is a record that is
kept as JSON. One list, longer than other modules are, as the written file is one: what one side
says is found where the other side's is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from lsprotocol.types import Position, Range
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from treelens_server.limits import LONGEST_LIST
from treelens_server.meant import with_places

PictureLayout = Literal["overlaid", "beside", "own"]
Operation = Literal["relabel", "delete", "raise", "lower", "wrap", "attach", "relation", "head"]
NodeKind = Literal["constituent", "word", "arc", "enhanced"]
NodeSide = Literal["gold", "system", "both"]
Reviewed = Literal["gold", "system"]
ReviewState = Literal["todo", "checked", "question", "changed"]
WorklistOrder = Literal["score", "mismatches", "suspects", "worse", "file"]
WorklistShown = Literal["all", "todo", "question", "changed", "checked"]
WorklistBy = Literal["nothing", "class", "labels", "kind", "state"]
WorklistStep = Literal["worst", "next", "previous"]
VariationsBy = Literal["nothing", "kind", "structure", "file"]
RenamingScope = Literal["sentence", "file", "compared", "workspace"]

_BOUNDED = Meta(max_length=LONGEST_LIST)

WorkspaceEdit = dict[str, Any]
"""As LSP has it, in plain data."""


class Record(Struct, frozen=True, rename="camel"):
    """Plain data with the names that JSON has for it."""


class Nothing(Record, frozen=True):
    """A message that has nothing to say but that it came."""


# --- what is seen, and what it adds up to -----------------------------------------------------


class PlaceArgument(Record, frozen=True):
    uri: str
    position: Position


class VariationArgument(Record, frozen=True):
    """Something that varies: its kind and the keys of its words, as whole numbers are written;
    ``labels``: those that it had when it was looked at, as they are written down."""

    kind: str
    identity: list[str]
    labels: list[str]


class OthersArgument(PlaceArgument, frozen=True):
    """The other places of what varies at one, to be annotated as it is there."""

    kind: str
    identity: list[str]
    as_of: str
    """Where it was offered, the states of the texts that it is about."""


class VariationsParams(Record, frozen=True):
    """What varies in the folder: the groups of a section, or where ``section`` is null, all."""

    by: VariationsBy = "nothing"
    section: str | None = None
    limit: int = 100


class VariationSpot(Record, frozen=True):
    """A place of a group; ``words``: what is annotated in brackets, in its context."""

    uri: str
    range: Range
    label: str
    deviant: bool
    words: str


class Variation(Record, frozen=True):
    """The same words in the same context, annotated in several ways; ``labels`` with counts."""

    kind: str
    identity: list[str]
    tier: str
    title: str
    labels: str
    spots: Sequence[VariationSpot]


class VariationSection(Record, frozen=True):
    title: str
    variations: int


class Variations(Record, frozen=True):
    """files: how many were read; null where nothing was looked for yet."""

    files: int | None
    total: int
    tier: str
    sections: Sequence[VariationSection]
    variations: Sequence[Variation]
    more: int


class VisibleParams(Record, frozen=True):
    """Lenses and such are computed for what can be seen, not for forty thousand sentences."""

    uri: str
    ranges: Annotated[tuple[Range, ...], _BOUNDED]


class FileParams(Record, frozen=True):
    uri: str


class PackedParams(Record, frozen=True):
    """A packed file, by its own name or by ours for its text."""

    uri: str


class Unpacked(Record, frozen=True):
    """What a packed file holds, or why that cannot be shown."""

    text: str = ""
    refused: str | None = None


class PairStatus(Record, frozen=True):
    gold: str
    system: str
    name: str
    """The system's, as short as tells it from others of the same gold."""
    score: str
    """Ready to show, such as "F1 80.91", or "F1 80.91, +0.31" once it has moved."""
    detail: str
    """Markdown."""
    sentences: int
    mismatches: int
    doubt: str
    """Why these are hardly two files to compare, and what to do; empty of most."""
    counted_only: bool
    """Whether the differences that no score counts are left out."""


class AdjudicationStatus(Record, frozen=True):
    """Two annotators' files and where it is settled who is right; empty where nowhere yet."""

    first: str
    second: str
    adjudicated: str
    score: str
    """Ready to show, such as "anna/boris F1 91.20 · κ 0.87 · 14 open"."""
    detail: str
    """Markdown."""
    open: int | None
    """Null while it is being counted."""
    settled: int


class ConfiguredParams(Record, frozen=True):
    """Of which files it is asked what adjudications they are in."""

    uris: Annotated[Sequence[str], _BOUNDED]


class ConfiguredAdjudication(Record, frozen=True):
    """What a configuration says; adjudicated may not be there yet, and is empty where none is
    named."""

    first: str
    second: str
    adjudicated: str


class AdjudicationsParams(Record, frozen=True):
    adjudications: Sequence[AdjudicationStatus]


class StatusParams(Record, frozen=True):
    golds: Sequence[str]
    """The gold files that this is about: those of which something has changed."""
    pairs: Sequence[PairStatus]
    """All that there are of these files; those of others are as they were."""
    busy: str | None
    """What the server is busy with, or null."""


class GuidelinesStatus(Record, frozen=True):
    """How far a file keeps to the guidelines that are checked."""

    uri: str
    text: str
    """Ready to show, such as "UD 5 ✓" or "UD 2 of 5"."""
    detail: str


class GuidelinesParams(Record, frozen=True):
    files: Sequence[GuidelinesStatus]


class CheckedParams(Record, frozen=True):
    """What has come of a check of the corpus."""

    message: str


# --- two files beside each other ----------------------------------------------------------------


class Answering(Record, frozen=True):
    """What answers in another file to a place in one."""

    uri: str
    range: Range
    whole: Range
    """All that it stands for: a constituent, a word's line."""
    kind: Literal["same", "other label", "nearest"]
    closing: Range | UnsetType = UNSET
    """The bracket that closes a constituent."""


class AbreastParams(Record, frozen=True):
    uri: str
    range: Range


class AbreastStop(Record, frozen=True):
    here: Position
    there: Position


class Abreast(Record, frozen=True):
    """Another file, and which of its places stand beside those here; both ascend."""

    uri: str
    stops: Sequence[AbreastStop]


# --- pictures -----------------------------------------------------------------------------------


class Place(Record, frozen=True):
    """Where a node is written: the whole constituent or row, and what of it the cursor selects."""

    uri: str
    range: Range
    selection: Range
    given: Range
    """What a new label, tag or relation replaces."""
    as_of: str
    """The state of the text that was drawn, open or not."""


class PictureNode(Record, frozen=True):
    id: str
    kind: NodeKind
    side: NodeSide
    label: str
    state: str
    """matched, missing, wrong-head, …"""
    description: str
    parent: str | None
    first: str | None
    next: str | None
    """The neighbours to the right and to the left, as drawn."""
    previous: str | None
    foldable: bool
    folded: bool
    places: Sequence[Place | Raw]
    """The asked document's place comes first."""


class Partner(Record, frozen=True):
    uri: str
    name: str
    active: bool


class Picture(Record, frozen=True):
    version: int | None
    """Of the document that was asked about."""
    sentence: int
    """From 0."""
    title: str
    svg: str
    message: str | None
    """Why a sentence is not drawn; null where it is."""
    mirrored: bool
    nodes: Sequence[PictureNode]
    at: str | None
    partners: Sequence[Partner]
    latex: str | None
    """The same in LaTeX, where it was asked for."""
    gold: str
    """What gold is called: that, an annotator's name, a revision."""
    system: str


class Choice(Record, frozen=True, kw_only=True):
    """What a user chose about how sentences are drawn."""

    layout: PictureLayout = "overlaid"
    partner: str | None = None
    folded: tuple[str, ...] = ()
    """Nodes that are drawn as a triangle."""
    all: bool = False
    """Nothing is folded but those."""


class TextDocument(Record, frozen=True):
    uri: str


class VersionedDocument(Record, frozen=True):
    uri: str
    version: int | UnsetType | None = UNSET
    """None of a file that is not open."""
    as_of: str | None = None
    """The state of its text, as it was told; without one the version is looked at, and without
    either the text is meant as it is now."""


class PictureParams(Choice, frozen=True, kw_only=True):
    text_document: TextDocument
    position: Position
    latex: bool = False
    """Whether the picture is wanted in LaTeX, too."""


class BesideParams(PictureParams, frozen=True, kw_only=True):
    """``other``: in another sentence of the folder, which is drawn below."""

    other: PlaceArgument


class EditNodeParams(Record, frozen=True):
    text_document: VersionedDocument
    range: Range
    operation: Operation
    argument: str | None = None
    target: Range | None = None


class EditMade(Record, frozen=True):
    edit: WorkspaceEdit


class Refused(Record, frozen=True):
    refused: str


# --- the worklist -------------------------------------------------------------------------------


class PairNames(Record, frozen=True):
    gold: str
    system: str


class WorklistFilter(Record, frozen=True):
    query: str = ""
    """Words, an ID, a label, a tag or a relation."""
    show: WorklistShown = "all"
    least: int = 0
    """Mismatches that a sentence has at least."""
    low: float | None = None
    high: float | None = None
    worse: bool | None = None
    """Only those that got worse since the version that the system file is held against."""


class WorklistOptions(Record, frozen=True, kw_only=True):
    pair: PairNames | None = None
    """Without it, the pair that the file is in."""
    uri: str | None = None
    reviewed: Reviewed = "system"
    """Whose sentences have the states."""
    order: WorklistOrder = "score"
    by: WorklistBy = "nothing"
    filter: WorklistFilter = WorklistFilter()


class WorklistParams(WorklistOptions, frozen=True, kw_only=True):
    group: str | None = None
    """The key of a group: its sentences."""
    again: bool | None = None
    """Begin again what was cancelled."""
    offset: int = 0
    limit: int = 100


class WorklistStepParams(WorklistOptions, frozen=True, kw_only=True):
    to: WorklistStep
    group: str | None = None
    at: PlaceArgument | None = None


class WorklistGroupParams(Record, frozen=True, kw_only=True):
    pair: PairNames | None = None
    uri: str | None = None
    at: PlaceArgument


class WorklistTooltipParams(Record, frozen=True, kw_only=True):
    pair: PairNames | None = None
    uri: str | None = None
    reviewed: Reviewed = "system"
    group: int


class WorklistSection(Record, frozen=True):
    key: str
    title: str
    sentences: int
    left: int
    errors: int


class WorklistEntry(Record, frozen=True):
    group: int
    uri: str
    range: Range
    place: Position
    """Where to go: the first mismatch."""
    sentence: int
    name: str
    words: str
    score: str
    errors: int
    summary: str
    state: ReviewState


class Worklist(Record, frozen=True, kw_only=True):
    pair: PairNames | None
    pairs: Sequence[PairNames]
    busy: str | None
    reviewed: str = ""
    headline: str = ""
    since: str = ""
    """What the version is called that the system file is held against; empty without one."""
    total: int = 0
    checked: int = 0
    questions: int = 0
    changed: int = 0
    left: int = 0
    listed: int = 0
    incomplete: bool = False
    groups: Sequence[WorklistSection] | UnsetType = UNSET
    entries: Sequence[WorklistEntry | Raw] | UnsetType = UNSET
    offset: int | UnsetType = UNSET
    more: int | UnsetType = UNSET


class ReviewParams(Record, frozen=True, kw_only=True):
    pair: PairNames | None = None
    reviewed: Reviewed = "system"
    at: PlaceArgument
    state: ReviewState | None = None
    """Without it nothing is changed."""
    note: str | None = None


class NodeNoteParams(Record, frozen=True):
    """The note on the node, or the word, at a place."""

    at: PlaceArgument
    note: str | None = None
    """What it is to say, empty to delete it; without it nothing is changed."""


class Review(Record, frozen=True, kw_only=True):
    """What is said of a sentence, and the edit that says otherwise; or why there can be none."""

    refused: str | UnsetType = UNSET
    state: ReviewState | UnsetType = UNSET
    note: str | UnsetType = UNSET
    about: str | UnsetType = UNSET
    """Of a note on a node: what that is."""
    sentence: int | UnsetType = UNSET
    edit: WorkspaceEdit | UnsetType | None = UNSET


# --- renaming -----------------------------------------------------------------------------------


class Renaming(Record, frozen=True):
    """What can be renamed at a place, and how often it is used."""

    name: str
    kind: str
    sentence: int
    file: int
    compared: int


# --- arguments of commands ------------------------------------------------------------------------


class PairArgument(Record, frozen=True):
    gold: str
    system: str


class KeepArgument(PlaceArgument, frozen=True):
    as_of: str | None = None
    """Where it was offered, the state of the text."""


class UnpairArgument(Record, frozen=True):
    uri: str
    other: str | None = None
    """Of one pair by hand the other file, where it is over as no tab shows either."""


class AdjudicateArgument(Record, frozen=True):
    first: str
    second: str
    adjudicated: str | None = None


class SinceArgument(Record, frozen=True):
    """What is new in a system file since another file, ``old``, or since a text that it was
    before; with neither, since it was opened."""

    gold: str
    system: str
    called: str
    """What that is called, such as "the last commit"; empty to mark nothing as new any longer."""
    old: str | None = None
    text: str | None = None


class ByHand(Record, frozen=True):
    """What was said by hand and holds. The server says so whenever that is something else; a client
    says it to a server that follows another one, once its documents are open there. What is over by
    then stays so, and the server says what is left."""

    pairs: list[PairArgument]
    alone: list[str]
    """Files that are compared with nothing."""
    since: list[SinceArgument]
    together: dict[str, list[list[str]]]
    """Files that belong together otherwise, such as those that are adjudicated."""


class RenameArgument(Record, frozen=True):
    uri: str
    position: Position
    new_name: str
    scope: RenamingScope


class ReviewArgument(Record, frozen=True):
    """For editors that know of commands only."""

    uri: str
    position: Position
    state: ReviewState
    note: str | None = None


class ApplyArgument(Record, frozen=True):
    """What an action that was offered would do."""

    uri: str
    recipe: list[Any]
    as_of: str = ""
    """The state of all that it follows from."""


# --- the messages ---------------------------------------------------------------------------------


class Message(NamedTuple):
    """A method of ours: what comes with it, and what is answered; None of a notification.

    ``constant`` is what TypeScript calls it.
    """

    method: str
    params: Any
    result: Any = None
    constant: str = ""


class Command(NamedTuple):
    """A command: its one argument is a record; ``constant`` is the extension's name for it."""

    name: str
    argument: Any
    constant: str = ""


VISIBLE = Message("treelens/visible", VisibleParams, None, "visible")
UNPACK = Message("treelens/unpack", PackedParams, Unpacked, "unpack")
STATUS = Message("treelens/status", StatusParams, None, "status")
PAIRS = Message("treelens/pairs", FileParams, list[PairNames], "pairs")
"""The pairs that a file is in, also those of which there are no scores yet."""
ADJUDICATIONS = Message("treelens/adjudications", AdjudicationsParams, None, "adjudications")
BY_HAND = Message("treelens/byHand", ByHand, None, "byHand")
CONFIGURED = Message(
    "treelens/configured", ConfiguredParams, list[ConfiguredAdjudication], "configured"
)
GUIDELINES = Message("treelens/guidelines", GuidelinesParams, None, "guidelines")
CHECKED = Message("treelens/checked", CheckedParams, None, "checked")
CORPUS_CHANGED = Message("treelens/corpusChanged", Nothing, None, "corpusChanged")
"""A check of the corpus would find something else now."""
ANSWERING = Message("treelens/answering", PlaceArgument, list[Answering], "answering")
ABREAST = Message("treelens/abreast", AbreastParams, list[Abreast], "abreast")
PICTURE = Message("treelens/picture", PictureParams, Picture | None, "picture")
"""The sentence at a place, drawn; null where there is none."""
EDIT_NODE = Message("treelens/editNode", EditNodeParams, EditMade | Refused, "editNode")
"""What is done to a node of a picture, as an edit of its text; or why it cannot be done."""
WORKLIST = Message("treelens/worklist", WorklistParams, Worklist | None, "worklist")
WORKLIST_STEP = Message(
    "treelens/worklistStep", WorklistStepParams, WorklistEntry | None, "worklistStep"
)
"""The entry to go to; null at the end of the list, or of the group."""
WORKLIST_GROUP = Message("treelens/worklistGroup", WorklistGroupParams, int | None, "worklistGroup")
"""The group that a place is in."""
WORKLIST_TOOLTIP = Message(
    "treelens/worklistTooltip", WorklistTooltipParams, str | None, "worklistTooltip"
)
"""Markdown."""
NOTE = Message("treelens/note", NodeNoteParams, Review | None, "note")
REVIEW = Message("treelens/review", ReviewParams, Review | None, "review")
WORKLIST_CHANGED = Message("treelens/worklistChanged", Nothing, None, "worklist")
"""Something of the worklist is another; what, has to be asked."""
VARIATIONS = Message("treelens/variations", VariationsParams, Variations, "variations")
BESIDE = Message("treelens/pictureBeside", BesideParams, Picture | None, "beside")
ELSEWHERE = Message("treelens/elsewhere", PlaceArgument, PlaceArgument | None, "elsewhere")
"""A place that is annotated otherwise than what varies at one."""
VARIATIONS_CHANGED = Message("treelens/variationsChanged", Nothing, None, "variationsChanged")
"""Something else varies now; what, has to be asked."""
RENAMING = Message("treelens/renaming", PlaceArgument, Renaming | None, "renaming")

PAIR = Command("treelens.pair", PairArgument, "pair")
UNPAIR = Command("treelens.unpair", UnpairArgument, "unpair")
SINCE = Command("treelens.since", SinceArgument, "since")
SHOW_COUNTERPART = Command("treelens.showCounterpart", PlaceArgument, "showCounterpart")
NEXT_MISMATCH = Command("treelens.nextMismatch", PlaceArgument, "nextMismatch")
PREVIOUS_MISMATCH = Command("treelens.previousMismatch", PlaceArgument, "previousMismatch")
TAKE_GOLD = Command("treelens.takeGold", PlaceArgument, "takeGold")
ACCEPT_SYSTEM = Command("treelens.acceptSystem", PlaceArgument, "acceptSystem")
ADJUDICATE = Command("treelens.adjudicate", AdjudicateArgument, "adjudicate")
TAKE_FIRST = Command("treelens.takeFirst", PlaceArgument, "takeFirst")
TAKE_SECOND = Command("treelens.takeSecond", PlaceArgument, "takeSecond")
KEEP = Command("treelens.keepAdjudicated", KeepArgument, "keepAdjudicated")
RENAME = Command("treelens.rename", RenameArgument, "rename")
RENUMBER = Command("treelens.renumber", PlaceArgument, "renumber")
CHECK_CORPUS = Command("treelens.checkCorpus", Nothing)
CONSISTENCY = Command("treelens.consistency", Nothing, "consistency")
NEXT_VARIATION = Command("treelens.nextVariation", PlaceArgument, "nextVariation")
PREVIOUS_VARIATION = Command("treelens.previousVariation", PlaceArgument, "previousVariation")
OTHER_PLACE = Command("treelens.otherPlace", PlaceArgument, "otherPlace")
OTHERS_AS_HERE = Command("treelens.othersAsHere", OthersArgument)
VARIES_RIGHTLY = Command("treelens.variesRightly", VariationArgument)
SET_REVIEW = Command("treelens.review", ReviewArgument)
APPLY = Command("treelens.apply", ApplyArgument)


def decoded(value: Any, type_: Any) -> Any:
    """A message's parameters, or a command's argument, as the record that they are.

    :raises ValueError: they are none; the message says where, and what was expected.
    """
    return msgspec.convert(with_places(value), type_, strict=False)


def encoded(record: Record) -> dict[str, Any]:
    """A record as plain data."""
    found: dict[str, Any] = msgspec.to_builtins(record)
    return found


def as_json(value: Any) -> bytes:
    """Records and plain data as JSON.

    Half of a surrogate pair, which an editor's text may have and UTF-8 has not, is escaped.
    """
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return json.dumps(value, default=_plain, separators=(",", ":")).encode()


def _plain(value: object) -> Any:
    if isinstance(value, Raw):
        return json.loads(bytes(value))
    if isinstance(value, Struct):
        names = {one.name: one.encode_name for one in msgspec.structs.fields(value)}
        found = {told: getattr(value, name) for name, told in names.items()}
        return {told: one for told, one in found.items() if one is not UNSET}
    return msgspec.to_builtins(value)
