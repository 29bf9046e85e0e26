// The GSM 03.38 basic set, and the extension whose characters cost two septets.
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
const EXTENDED = new Set("^{}\\[~]|€\f");

/**
 * How many parts a text has when it is sent: GSM-7 160 or 153 septets, UCS-2 70 or 67 units; no pair is split over
 * two parts.
 */
export function countParts(text: string): number {
  const characters = Array.from(text);
  const gsm = characters.every((c) => BASIC.has(c) || EXTENDED.has(c));
  const sizes = characters.map((c) => (gsm ? (EXTENDED.has(c) ? 2 : 1) : c.length));
  const [single, part] = gsm ? [160, 153] : [70, 67];
  if (sizes.reduce((sum, size) => sum + size, 0) <= single) return 1;
  let parts = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > part) {
      parts += 1;
      used = 0;
    }
    used += size;
  }
  return parts;
}

/** A text sent as GSM-7, as a phone shows it: characters that the alphabet lacks become question marks. */
export function shownAsGsm(text: string): string {
  return Array.from(text, (c) => (BASIC.has(c) || EXTENDED.has(c) ? c : "?")).join("");
}
