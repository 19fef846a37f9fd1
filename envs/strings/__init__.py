"""Letters and words as material: changing, ordering and matching them one sign at a time."""
