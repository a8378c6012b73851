"""What varies in a corpus, written down: for people, for programs, for code review."""
