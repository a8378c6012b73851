"""Pictures of sentences: how trees and arcs are laid out, and which ones a comparison makes."""
