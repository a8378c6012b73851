"""Property tests: no deadlines (time is for the benchmarks), more examples where asked for."""

import os

from hypothesis import settings

settings.register_profile("default", deadline=None, max_examples=100)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
