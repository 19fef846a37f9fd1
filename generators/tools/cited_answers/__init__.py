"""Reports on questions, with a citation for each fact."""
