"""JSON in replies: strict reading, comparison of documents, schemas."""
