"""What the comments above a sentence call it: ``# sent_id = weblog-001``."""

from __future__ import annotations

import re

from treelens.session.document import Document
from treelens.trees.forest import decode
from treelens.trees.other_lines import at_line_start

SENT_ID = re.compile(rb"%b[ \t]*sent_id[ \t]*=[ \t]*([^\r\n]*)" % at_line_start(b"#"))
_MOST = 200


def sent_id(document: Document, sentence: int) -> str:
    """As they say, but for the end of a very long one; empty if they do not."""
    found = SENT_ID.search(document.piece_text(sentence))
    return decode(found[1].strip())[:_MOST] if found else ""
