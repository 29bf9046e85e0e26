// The signs with which a formula begins (OWASP: CSV Injection), also in full-width form, which an East Asian
// edition of a spreadsheet may read as formulas.
const COMPUTED = String.raw`[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]`;
const TO_GUARD = new RegExp(`^'*${COMPUTED}`);
const TEXT_FORMULA = /^="([^"]*)"$/;
const GUARDED = new RegExp(`^'+${COMPUTED}`);

/**
 * A cell of CSV (RFC 4180). A cell that a spreadsheet would compute gets an apostrophe in front, which the import
 * removes.
 */
function csvCell(text: string): string {
  const guarded = TO_GUARD.test(text) ? `'${text}` : text;
  return /[",;\r\n\t]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/**
 * The text of a cell without the apostrophe that an export put before it. For the `="0096550"` of other programs,
 * which keeps the zeros of a number, the text between the quotes.
 */
export function unguarded(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : (TEXT_FORMULA.exec(cell)?.[1] ?? cell);
}

/** A line of CSV with its CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}
