"""Processor time, as this machine spends it."""

from time import process_time


def count_to_millions():
    """CPU seconds for what takes a tenth of one on a machine that has nothing else to do; a busy
    one takes longer for everything.
    """
    start = process_time()
    sum(range(5_000_000))
    return max(process_time() - start, 0.1)
