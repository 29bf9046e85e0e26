import { createHash } from "node:crypto";
import { borders, HOLDOUT, type Drawn } from "./split-draw.ts";

/** The same draw as in the statement. */
export function variantOf(broadcast: Drawn, address: string): number | null {
  if (broadcast.variants.length === 0) return null;
  const hash = createHash("md5").update(`${broadcast.id}:${address}`).digest();
  const lot = hash.readUInt32BE(0) / 2 ** 32;
  const { holdout, ends } = borders(broadcast);
  if (lot < holdout) return HOLDOUT;
  const place = ends.findIndex((end) => lot < end);
  return place === -1 ? ends.length - 1 : place;
}
