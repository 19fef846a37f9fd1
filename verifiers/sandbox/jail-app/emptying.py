"""Removing what a hostile program has left, whatever it is: the jail and the judge both do."""

import os


def empty(folder: str) -> None:
    """Removes all that lies in a folder, never following a link.

    There is no recursion, and no path that grows: what lies in a directory is moved up to the
    folder before the directory goes.
    """
    moved = 0
    waiting = os.listdir(folder)
    while waiting:
        path = os.path.join(folder, waiting.pop())
        if unlinked(path):
            continue
        os.chmod(path, 0o700)
        for name in os.listdir(path):
            inner = os.path.join(path, name)
            if not unlinked(inner):
                os.chmod(inner, 0o700)  # or it could not be moved
                moved += 1
                waiting.append(f"moved-{os.urandom(8).hex()}-{moved}")
                os.rename(inner, os.path.join(folder, waiting[-1]))
        os.rmdir(path)


def unlinked(path: str) -> bool:
    """Removes anything but a directory; whether it was that."""
    try:
        os.unlink(path)
    except IsADirectoryError:
        return False
    return True
