// GSM 03.38 in the order of its code points; 0x1B is the escape.
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ" +
  "ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const EXTENDED: ReadonlyMap<string, number> = new Map([
  ["\f", 0x0a],
  ["^", 0x14],
  ["{", 0x28],
  ["}", 0x29],
  ["\\", 0x2f],
  ["[", 0x3c],
  ["~", 0x3d],
  ["]", 0x3e],
  ["|", 0x40],
  ["€", 0x65],
]);
const CODES: ReadonlyMap<string, number> = new Map(
  Array.from(BASIC, (one, code): [string, number] => [one, code]).filter(
    ([one]) => one !== "\u001b",
  ),
);

/**
 * A part as submit_sm takes it: unpacked GSM-7 (data_coding 0) or UCS-2 (8), with a header when the text has
 * several parts.
 */
export interface SmppPart {
  readonly data_coding: 0 | 8;
  readonly esm_class: 0 | 0x40;
  readonly short_message: Buffer;
}

/**
 * Cuts a text into parts (channels §7.1, §7.8): 160 and 153 septets, or 70 and 67 units. No pair is split. Each of
 * several parts has the header `05 00 03 reference total number`. `ucs2` asks for UCS-2 even where GSM-7 would do.
 */
export function partsOf(text: string, reference: number, ucs2: boolean): SmppPart[] {
  const characters = Array.from(text.toWellFormed());
  const gsm = !ucs2 && characters.every((one) => CODES.has(one) || EXTENDED.has(one));
  const pieces = characters.map((one) => (gsm ? septets(one) : units(one)));
  const [single, many] = gsm ? [160, 153] : [140, 134];
  const data_coding = gsm ? 0 : 8;
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (total <= single) return [{ data_coding, esm_class: 0, short_message: Buffer.concat(pieces) }];
  const bodies: Buffer[][] = [[]];
  let used = 0;
  for (const piece of pieces) {
    if (used + piece.length > many) {
      bodies.push([]);
      used = 0;
    }
    bodies.at(-1)?.push(piece);
    used += piece.length;
  }
  return bodies.map((body, index) => ({
    data_coding,
    esm_class: 0x40,
    short_message: Buffer.concat([
      Buffer.of(5, 0, 3, reference, bodies.length, index + 1),
      ...body,
    ]),
  }));
}

function septets(one: string): Buffer {
  const extended = EXTENDED.get(one);
  return extended === undefined ? Buffer.of(CODES.get(one) ?? 0) : Buffer.of(0x1b, extended);
}

function units(one: string): Buffer {
  return Buffer.from(one, "utf16le").swap16();
}
