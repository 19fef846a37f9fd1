"""Zstandard: in the standard library from Python 3.14 on, in backports.zstd before."""

import sys

from palaestra.extras import needs

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError, compress
else:
    with needs("client", "backports.zstd"):
        from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError, compress

__all__ = ["DecompressionParameter", "ZstdDecompressor", "ZstdError", "compress"]
