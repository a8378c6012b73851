"""Of our own extension: what answers in the other files to a place, to be lit up there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from treelens.present.answering import Answer
from treelens.present.answering import answering as answers_to

from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

ANSWERING = "treelens/answering"


def answering(workbench: Workbench, params: Any) -> list[dict[str, Any]]:
    """``{uri, position}``: locations, each with ``whole``, ``kind`` and, of a bracket,
    ``closing`` (:class:`treelens.present.answering.Answer`)."""
    place = types.Position(params.position.line, params.position.character)
    at = workbench.locate(params.uri, place)
    return [_encoded(workbench, one) for one in answers_to(*at)] if at else []


def _encoded(workbench: Workbench, answer: Answer) -> dict[str, Any]:
    document = workbench.document(answer.name)
    assert document is not None, "what a snapshot is compared with is there"
    spans = [(answer.start, answer.end), (answer.whole_start, answer.whole_end)]
    spans += [answer.closing] if answer.closing else []
    range_, whole, *closing = ranges(document, spans, workbench.client.encoding)
    found = {"uri": workbench.uri(answer.name), "range": range_, "whole": whole}
    found["kind"] = answer.kind
    return {**found, "closing": closing[0]} if closing else found


FEATURES = (Feature(ANSWERING, answering, empty=[]),)
