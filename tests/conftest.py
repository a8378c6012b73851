"""Property tests: no deadlines (time is for the benchmarks), more examples where asked for.

The profile `ci` draws the same examples every time, so that a change is judged by what it changed;
new examples are drawn by everybody's own `make test`.
"""

import os

from hypothesis import settings

settings.register_profile("default", deadline=None, max_examples=100)
settings.register_profile("ci", deadline=None, max_examples=100, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
