/** How a text is cut into SMS parts, and so what it costs. */
export interface Segments {
  readonly encoding: "GSM-7" | "UCS-2";
  /** Septets or UTF-16 units. */
  readonly units: number;
  readonly segments: number;
}

// GSM 03.38, the basic set: one septet each. The escape (0x1B) is not a character.
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡" +
    "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
// The extension table: an escape and a septet each.
const EXTENDED = new Set("\f^{}\\[~]|€");

const SIZES = {
  "GSM-7": { single: 160, part: 153 },
  "UCS-2": { single: 70, part: 67 },
} as const;

/**
 * Counts the SMS parts of a text (contract §5, OTP; channels §7.1): GSM-7 160 and 153, UCS-2 70 and 67. One
 * character outside GSM-7 turns the whole text to UCS-2. Neither an escape pair nor a surrogate pair is split over
 * two parts. An empty text is one part. `ucs2`: the text is sent as UCS-2 even where GSM-7 would do.
 */
export function countSegments(text: string, ucs2 = false): Segments {
  const characters = Array.from(text);
  const gsm = !ucs2 && characters.every((one) => BASIC.has(one) || EXTENDED.has(one));
  const encoding = gsm ? "GSM-7" : "UCS-2";
  const { single, part } = SIZES[encoding];
  let units = 0;
  let segments = 1;
  let inPart = 0;
  for (const one of characters) {
    const cost = gsm ? (EXTENDED.has(one) ? 2 : 1) : one.length;
    units += cost;
    if (inPart + cost > part) {
      segments++;
      inPart = 0;
    }
    inPart += cost;
  }
  return { encoding, units, segments: units <= single ? 1 : segments };
}
