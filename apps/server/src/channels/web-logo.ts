import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";

/** A picture is scaled down in the owner's browser; this is more than such a picture needs. */
export const MOST_LOGO_BYTES = 48 * 1024;

/** The logo in the head of a chat window. */
export interface WebLogo {
  /** Of its bytes; part of its address. */
  readonly digest: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** Where everybody can read the channel's logo; null without one. Another picture has another address. */
export const logoAddress = (
  { publicUrl }: Context["config"],
  channelId: string,
  digest: string | undefined,
): string | null => (digest ? `${publicUrl}/chat/logo/${channelId}/${digest}` : null);

const TYPES: readonly (readonly [mimeType: string, isIt: (bytes: Buffer) => boolean])[] = [
  ["image/png", (bytes) => bytes.toString("latin1", 0, 8) === "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", (bytes) => bytes.toString("latin1", 0, 3) === "\xff\xd8\xff"],
  [
    "image/webp",
    (bytes) =>
      bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP",
  ],
];

/**
 * The logo in these bytes. Its type is what the first bytes say, whatever anybody named. Throws VALIDATION_FAILED for
 * anything but a PNG, JPEG or WebP picture of at most `MOST_LOGO_BYTES`.
 */
export function readLogo(bytes: Buffer): WebLogo {
  if (bytes.length > MOST_LOGO_BYTES)
    throw invalid("logo", `must be at most ${MOST_LOGO_BYTES} bytes, is ${bytes.length}`);
  const [mimeType] = TYPES.find(([, isIt]) => isIt(bytes)) ?? [];
  if (mimeType === undefined) throw invalid("logo", "must be a PNG, JPEG or WebP picture");
  return { digest: createHash("sha256").update(bytes).digest("hex").slice(0, 32), mimeType, bytes };
}
