"""The only memory: documents that change by edits, and pairs of them; snapshots are frozen."""
