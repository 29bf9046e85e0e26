import type { Config } from "../config.ts";
import type { ChannelType } from "./adapter.ts";

/** Where a channel's platform calls in (contract §3). */
export function hookUrlOf(
  config: Pick<Config, "publicUrl">,
  type: ChannelType,
  channelId: string,
): string {
  return `${config.publicUrl}/hooks/${type.toLowerCase()}/${channelId}`;
}
