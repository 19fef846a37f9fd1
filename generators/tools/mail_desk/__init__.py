"""A mailbox with contacts and newsletters, and the rules of an office."""
