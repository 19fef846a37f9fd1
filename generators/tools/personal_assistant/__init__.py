"""A calendar, contacts, notes, messages, payments, to-dos and files of one person."""
