import type { Config } from "../config.ts";

/** The page on which anybody can be the visitor of a web chat. */
export const tryPage = ({ publicUrl }: Pick<Config, "publicUrl">, channelId: string): string =>
  `${publicUrl}/chat/try/${channelId}`;
