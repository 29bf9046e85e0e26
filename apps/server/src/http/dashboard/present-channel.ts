import type { ChannelPaceReport } from "../../broadcasts/send/set-channel-pace.ts";
import { ANY_ORIGIN } from "../../channels/adapters/web/origins.ts";
import type { Channel } from "../../channels/channel.ts";
import { scriptTag } from "../../channels/web-channel.ts";
import { logoAddress } from "../../channels/web-logo.ts";
import type { Context } from "../../context.ts";
import { tryPage } from "../../sandbox/try-page.ts";
import type { ChannelDetail, WebLookJson } from "./contract/channels.ts";

type Facts = Pick<Context, "clock" | "config">;

/** How fast campaigns may send on a number. */
export const presentPace = ({ most, ceiling }: ChannelPaceReport): ChannelDetail["pace"] => ({
  most,
  ceiling,
});

/** How a chat window looks and who may show it. */
export function presentWebLook(context: Facts, { id, settings }: Channel): WebLookJson {
  const origins = settings["allowedOrigins"] ?? ANY_ORIGIN;
  const textOf = (name: string) => settings[name] ?? null;
  return {
    scriptTag: scriptTag(context, id),
    tryPage: tryPage(context.config, id),
    origins: origins === ANY_ORIGIN ? [] : origins.split(" "),
    title: textOf("title"),
    logo: logoAddress(context.config, id, settings["logo"]),
    ask: textOf("ask"),
    askWhen: textOf("askWhen"),
    greeting: textOf("greeting"),
    color: textOf("color"),
    position: textOf("position"),
    locale: textOf("locale"),
    maxFileBytes: textOf("maxFileBytes"),
  };
}
