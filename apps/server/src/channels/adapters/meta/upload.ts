import type { OutboundMedia } from "../../adapter.ts";
import { uploadForm, type Upload } from "../upload.ts";
import { bareType } from "./check-media.ts";

/**
 * The least time for an upload, and a second more for every 256 KiB. With the send it stays inside the lease of a
 * file.
 */
const LEAST_MS = 20_000;
const MOST_MS = 240_000;

/** How long an upload may take: a second for each 256 KiB, within bounds. */
export const uploadTimeoutMs = (bytes: number): number =>
  Math.min(MOST_MS, LEAST_MS + Math.ceil(bytes / (256 * 1024)) * 1000);

/** A form for Meta, which accepts only a bare type: `audio/ogg; codecs=opus` is refused. */
export function graphForm(
  fields: readonly (readonly [name: string, value: string])[],
  name: string,
  media: OutboundMedia,
): Upload {
  const { kind, fileName, size, url } = media;
  const mimeType = bareType(media.mimeType);
  return uploadForm(fields, name, {
    kind,
    mimeType,
    fileName,
    size,
    url,
    open: () => media.open(),
  });
}
