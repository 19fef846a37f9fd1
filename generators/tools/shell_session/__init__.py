"""Requests for a state of a tree of files, which a player brings about in a shell."""
