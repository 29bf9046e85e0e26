// What a spreadsheet computes begins with one of these (OWASP: CSV Injection), or with the full-width form of a sign, which
// an East Asian edition may take for it.
const COMPUTED = String.raw`[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]`;
const TO_GUARD = new RegExp(`^'*${COMPUTED}`);
const TEXT_FORMULA = /^="([^"]*)"$/;
const GUARDED = new RegExp(`^'+${COMPUTED}`);

/** A cell of CSV (RFC 4180); what a spreadsheet would compute starts with an apostrophe, which the import takes away. */
function csvCell(text: string): string {
  const guarded = TO_GUARD.test(text) ? `'${text}` : text;
  return /[",;\r\n\t]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/**
 * What an export wrote into a cell, without the apostrophe that it put before; of others' `="0096550"`, by which a
 * spreadsheet keeps the zeros of a number, the text.
 */
export function unguarded(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : (TEXT_FORMULA.exec(cell)?.[1] ?? cell);
}

/** A line of CSV with its CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}
