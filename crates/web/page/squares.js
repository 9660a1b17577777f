/** Squares, FEN board fields and their names in words. Knows no rules of movement. */

/** The side of a square and the baseline of its piece, as in the review page. */
export const SQUARE = 45,
  BASELINE = 38,
  SIDE = 8 * SQUARE;

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The glyphs of the review page: filled, for both colours, in text form. @type {Record<string, string>} */
export const GLYPHS = {
  p: "\u265F\uFE0E",
  n: "\u265E\uFE0E",
  b: "\u265D\uFE0E",
  r: "\u265C\uFE0E",
  q: "\u265B\uFE0E",
  k: "\u265A\uFE0E",
};

/** @type {Record<string, string>} */
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** All squares, a8 first, as White reads the board. */
export const SQUARES = [...Array(64).keys()].map((at) => "abcdefgh"[at % 8] + (8 - Math.floor(at / 8)));

/** @param {string} square @returns {[number, number]} file and rank from 0 */
export const coordinates = (square) => [square.charCodeAt(0) - 97, Number(square[1]) - 1];

/** @param {number} file @param {number} rank @returns {string|null} null beyond the edge */
export const squareAt = (file, rank) => (file < 0 || file > 7 || rank < 0 || rank > 7 ? null : "abcdefgh"[file] + (rank + 1));

/** The upper left corner on the drawing. @param {string} square @param {boolean} flipped @returns {[number, number]} */
export function corner(square, flipped) {
  const [file, rank] = coordinates(square);
  return flipped ? [(7 - file) * SQUARE, rank * SQUARE] : [file * SQUARE, (7 - rank) * SQUARE];
}

/** The middle of a square on the drawing. @param {string} square @param {boolean} flipped @returns {[number, number]} */
export function middle(square, flipped) {
  const [x, y] = corner(square, flipped);
  return [x + SQUARE / 2, y + SQUARE / 2];
}

/** The pieces of a FEN as square to letter. @param {string} fen @returns {Map<string, string>} */
export function piecesOf(fen) {
  const pieces = new Map();
  fen
    .split(" ")[0]
    .split("/")
    .forEach((row, down) => {
      let file = 0;
      for (const sign of row) {
        if (sign >= "1" && sign <= "8") {
          file += Number(sign);
          continue;
        }
        const square = squareAt(file, 7 - down);
        if (square) pieces.set(square, sign);
        file += 1;
      }
    });
  return pieces;
}

/** The board field of a FEN. @param {Map<string, string>} pieces */
export function boardField(pieces) {
  const rows = [];
  for (let rank = 7; rank >= 0; rank -= 1) {
    let row = "",
      empty = 0;
    for (let file = 0; file < 8; file += 1) {
      const sign = pieces.get(/** @type {string} */ (squareAt(file, rank)));
      if (!sign) {
        empty += 1;
        continue;
      }
      row += (empty || "") + sign;
      empty = 0;
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/");
}

/** @param {string} letter as in FEN @returns {"white"|"black"} */
export const colorOf = (letter) => (letter === letter.toLowerCase() ? "black" : "white");

/** "white pawn". @param {string} letter */
export const pieceName = (letter) => `${colorOf(letter)} ${NAMES[letter.toLowerCase()]}`;

/** "e4 white pawn", or "e4 empty". @param {string} square @param {string|undefined} letter */
export const squareName = (square, letter) => `${square} ${letter ? pieceName(letter) : "empty"}`;

/** The side to move. @param {string} fen @returns {"white"|"black"} */
export const turnOf = (fen) => (fen.split(" ")[1] === "b" ? "black" : "white");

/** The number of the coming move. @param {string} fen */
export const moveNumber = (fen) => Number(fen.split(" ")[5]) || 1;

/** A move in words: "knight g1 to f3, check". @param {string} san @param {string} uci @param {string|undefined} letter */
export function spoken(san, uci, letter) {
  const end = san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";
  if (san.startsWith("O-O-O")) return `castles queenside${end}`;
  if (san.startsWith("O-O")) return `castles kingside${end}`;
  const name = letter ? NAMES[letter.toLowerCase()] : "piece";
  const promotion = uci.length > 4 ? `, promotes to ${NAMES[uci[4]]}` : "";
  return `${name} ${uci.slice(0, 2)} ${san.includes("x") ? "takes" : "to"} ${uci.slice(2, 4)}${promotion}${end}`;
}
