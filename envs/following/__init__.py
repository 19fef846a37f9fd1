"""Following instructions: revised, ranked, quoted and self-referring ones, and schemas."""
