"""What the shell completes: names of environments, categories and tags."""

import palaestra


def complete_name(incomplete: str) -> list[str]:
    """The environments whose name begins with a text. Their names alone are read, no code."""
    return [name for name in palaestra.names() if name.startswith(incomplete)]


def complete_category(incomplete: str) -> list[str]:
    """The categories that begin with a text."""
    categories = dict.fromkeys(name.partition("/")[0] for name in palaestra.names())
    return [category for category in categories if category.startswith(incomplete)]


def complete_tag(incomplete: str) -> list[str]:
    """The tags that begin with a text."""
    tags = {tag for card in palaestra.environments() for tag in card["tags"]}
    return sorted(tag for tag in tags if tag.startswith(incomplete))
