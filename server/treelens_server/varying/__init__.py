"""What varies in the workspace: its corpora read and kept up, marks, and what can be done."""
