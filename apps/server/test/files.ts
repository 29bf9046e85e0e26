/** Small files of each kind: real where that is short, else what their first bytes must be. */
export const FILES = {
  png: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
  jpeg: Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"),
  webp: Buffer.from("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==", "base64"),
  ogg: Buffer.concat([
    Buffer.from("OggS\0\x02"),
    Buffer.alloc(20),
    Buffer.from("\x01\x13OpusHead\x01\x01"),
  ]),
  mp4: Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypisom\0\0\x02\0isomiso2")]),
  pdf: Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n"),
} as const;
