"""Worker processes that can be killed, for work that may hang."""
