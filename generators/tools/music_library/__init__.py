"""A music library of a family with playlists, a queue, a history of changes, and rules."""
