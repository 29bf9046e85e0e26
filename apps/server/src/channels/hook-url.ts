import type { Config } from "../config.ts";
import { isIP } from "node:net";
import type { ChannelType } from "../wire/words.ts";

/** The address that a channel's platform calls (contract §3). */
export function hookUrlOf(
  config: Pick<Config, "publicUrl">,
  type: ChannelType,
  channelId: string,
): string {
  return `${config.publicUrl}/hooks/${type.toLowerCase()}/${channelId}`;
}

const OUR_OWN = /^(localhost|[^.]*|.*\.(localhost|local|internal|lan|home|test|example|invalid))$/;
const PRIVATE_4 =
  /^(0|10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

/**
 * Whether platforms can call this base address, as far as can be seen without name resolution: https, and a host
 * that does not belong to this machine or this network alone.
 */
export function isPublicHttps(publicUrl: string): boolean {
  const url = URL.parse(publicUrl);
  if (url === null || url.protocol !== "https:") return false;
  const host = url.hostname.replaceAll(/^\[|\]$/g, "");
  if (isIP(host) === 4) return !PRIVATE_4.test(host);
  // In IPv6 only 2000::/3 is allocated.
  if (isIP(host) === 6) return /^[23]/.test(host);
  return !OUR_OWN.test(host);
}
