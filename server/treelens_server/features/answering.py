"""Of our own extension: what answers in the other files to a place, to be lit up there."""

from __future__ import annotations

from treelens.present.answering import Answer
from treelens.present.answering import answering as answers_to

from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import ranges
from treelens_server.records import ANSWERING, Answering, PlaceArgument


def answering(context: Context[None], params: PlaceArgument) -> list[Answering]:
    at = context.locate(params.uri, params.position)
    return [_encoded(context, one) for one in answers_to(*at)] if at else []


def _encoded(context: Context[None], answer: Answer) -> Answering:
    document = context.document(answer.name)
    assert document is not None, "what a snapshot is compared with is there"
    spans = [(answer.start, answer.end), (answer.whole_start, answer.whole_end)]
    spans += [answer.closing] if answer.closing else []
    range_, whole, *closing = ranges(document, spans, context.encoding)
    uri = context.uri(answer.name)
    return Answering(uri, range_, whole, answer.kind, *closing)


FEATURE = Feature((Handler(ANSWERING.method, answering, empty=[], params=ANSWERING.params),))
