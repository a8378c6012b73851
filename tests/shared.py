"""Where the reference data is, if it is there: beside the repository, or as said."""

from __future__ import annotations

import os
from pathlib import Path

SHARED = Path(os.environ.get("TREELENS_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))
