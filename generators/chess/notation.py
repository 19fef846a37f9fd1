"""Readers of chess moves: by squares as in UCI, in standard algebraic notation (SAN), and in words.

SAN is that of the Laws of Chess (FIDE, appendix C). A move by squares is ``e2e4`` or ``e7e8q``, in
one case, and ``e2-e4``, ``Ne2-e4`` and ``Rd1xd8`` in long algebraic notation. Signs for check,
checkmate and comment are dropped. A move in SAN fits one legal move, or it is refused. Moves in
words are ``knight to f3``, ``rook from a1 takes d1`` and ``castle kingside``.
"""

import re
from collections.abc import Iterator

from palaestra.generators.chess.moves import (
    NAMES,
    NO_RIGHTS,
    SQUARE_NUMBERS,
    Board,
    Move,
    Rights,
    castles,
    legal,
    legal_to,
)
from palaestra.task import InvalidAnswer

_SQUARES = re.compile(r"([a-h][1-8])[-x]?([a-h][1-8])=?([qrbn]?)[+#]?", re.ASCII)
_SAN = re.compile(
    r"([KQRBNP]?)([a-h]?)([1-8]?)([-x\u00d7:]?)([a-h][1-8])(?:=?([QRBN])|=?\(([QRBN])\))?"
    r"[+#\u2020\u2021!?]{0,4}"
)
_NUMBER = re.compile(r"\d{1,3}\s*+\.{1,3}\s*+")
_CASTLING = re.compile(r"[O0o]-?[O0o](?:-?[O0o])?[+#]?")
_PIECE = "king|queen|rook|bishop|knight|pawn"
_WORDS = re.compile(
    rf"(?:(?:i )?(?:move|play) )?(?:(?:the |my )?({_PIECE}) )?(?:(?:from |on |at )?([a-h][1-8]) )?"
    rf"(?:(?:moves |goes )?to |(?:takes|captures|x) (?:on )?(?:(?:the )?(?:{_PIECE}) (?:on |at ))?|"
    r"(?:->?|\u2192) )?([a-h][1-8])"
    r"(?:,? (?:and )?(?:promot(?:es?|ing|ed)|becom(?:es|ing)|=)(?: (?:to|into))?(?: an?)?"
    r" (queen|rook|bishop|knight))?(?:,? (?:with |is )?(?:check|checkmate|mate|en passant))?"
)
_CASTLING_WORDS = re.compile(
    r"(?:i )?castl(?:es?|ing)(?: on the)? (king|queen|short|long)(?:[- ]?side)?"
    r"|(king|queen|short|long)(?:[- ]?side)? castl(?:es?|ing)"
)
_LETTER = re.compile(r"^([KQRBNkqrn]) (?=[a-h1-8x])")
_PROMOTED = re.compile(r"(?<=[a-h][18])=?[qrbn](?=[+#]?$)")
LETTERS = {"king": "K", "queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "P"}
EXAMPLE = "e2e4"
_LONGEST = 80


def read_worded_move(text: str, pieces: Board, white: bool, rights: Rights = NO_RIGHTS) -> Move:
    """Read a move like :func:`read_move`, also in words and with a lowercase letter of a piece.

    >>> from palaestra.generators.chess.moves import board
    >>> start = board(["k.......", "........", ".K......", *["........"] * 4, "R......."])
    >>> str(read_worded_move("rook to d1", start, True)), str(read_worded_move("rd1", start, True))
    ('a1d1', 'a1d1')
    """
    body = " ".join(text.split()).strip(" .!*`")
    if len(body) > _LONGEST:
        raise InvalidAnswer(f"expected a move such as {EXAMPLE}")
    words = body.casefold()
    if castling := _CASTLING_WORDS.fullmatch(words):
        short = (castling[1] or castling[2]) in ("king", "short")
        return read_move("O-O" if short else "O-O-O", pieces, white, rights)
    if (named := _WORDS.fullmatch(words)) and (named[1] or named[2]):
        return _worded(named, pieces, white, rights)
    body = _PROMOTED.sub(lambda named: named[0].upper(), _LETTER.sub(r"\1", body))
    capital = body[:1].upper() + body[1:]
    if body[:1] in "kqrn" and _SAN.fullmatch(capital):
        body = capital
    return read_move(body, pieces, white, rights)


def _worded(named: "re.Match[str]", pieces: Board, white: bool, rights: Rights) -> Move:
    """The only legal move that fits a move in words."""
    piece = LETTERS.get(named[1] or "", "")
    promoted = LETTERS[named[4]].lower() if named[4] else ""
    fits = [
        move
        for move in legal(pieces, white, rights)
        if NAMES[move.end] == named[3]
        and move.promoted == promoted
        and piece in ("", pieces[move.start].upper())
        and named[2] in (None, NAMES[move.start])
    ]
    if len(fits) != 1:
        how_many = "several legal moves fit" if fits else "no legal move fits"
        raise InvalidAnswer(f"{how_many} {named[0]}; expected a move such as {EXAMPLE}")
    return fits[0]


def read_move(text: str, pieces: Board, white: bool, rights: Rights = NO_RIGHTS) -> Move:
    """Read a move of White, or of Black, on a board.

    A move by squares need not be legal. Raises :class:`InvalidAnswer` for any other text, and for
    a move in SAN that fits no legal move or several.

    >>> from palaestra.generators.chess.moves import board
    >>> start = board(["k.......", "........", ".K......", *["........"] * 4, "R......."])
    >>> str(read_move("Rd1", start, True)), str(read_move("a1d1", start, True))
    ('a1d1', 'a1d1')
    """
    body = text.strip().strip("*` ")
    body = _NUMBER.sub("", body, count=1)
    squares = _SQUARES.fullmatch(body.casefold())
    bishop_or_pawn = body[:1] == "B" and body != body.upper()
    if squares and not bishop_or_pawn:
        start, end, promoted = squares.groups()
        return Move(SQUARE_NUMBERS[start], SQUARE_NUMBERS[end], promoted)
    if _CASTLING.fullmatch(body):
        return _castling(body, pieces, white, rights)
    if not (san := _SAN.fullmatch(body)):
        raise InvalidAnswer(f"expected a move such as {EXAMPLE}")
    moves = [*_fitting(san, pieces, white, rights)]
    if squares:  # such as B2b4, of a bishop from rank 2 or of a piece on b2
        moves += [move for move in legal(pieces, white, rights) if str(move) == body.casefold()]
    if len(set(moves)) != 1:
        how_many = "several legal moves fit" if moves else "no legal move fits"
        raise InvalidAnswer(f"{how_many} {body}; expected a move such as {EXAMPLE}")
    return moves[0]


def _castling(text: str, pieces: Board, white: bool, rights: Rights) -> Move:
    """The castling move of one or two hyphens."""
    right = "Kk" if len(re.findall("[Oo0]", text)) == 2 else "Qq"
    allowed = "".join(letter for letter in right if letter in rights.castling)
    moves = castles(pieces, white, allowed)
    if (move := next(moves, None)) is None:
        state = "castling there is not legal" if rights.castling else "there is no castling"
        raise InvalidAnswer(f"{state}; expected a move such as {EXAMPLE}")
    return move


def _fitting(san: "re.Match[str]", pieces: Board, white: bool, rights: Rights) -> Iterator[Move]:
    """The legal moves that fit a move in SAN."""
    file, rank, capture, end = san.groups()[1:5]
    piece = san[1] or "P"
    promoted = (san[6] or san[7] or "").lower()
    sign, square = piece if white else piece.lower(), SQUARE_NUMBERS[end]
    for move in legal_to(pieces, sign, square, rights):
        start = NAMES[move.start]
        takes = pieces[square] != "." or (piece == "P" and start[0] != end[0])
        if (
            move.promoted == promoted
            and file in {"", start[0]}
            and rank in {"", start[1]}
            and (takes or capture in {"", "-"})
            and not (takes and capture == "-")
        ):
            yield move
