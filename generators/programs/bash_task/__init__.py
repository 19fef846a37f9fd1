"""Tasks on file trees: the steps of a script, and trees on which wrong scripts fail."""
