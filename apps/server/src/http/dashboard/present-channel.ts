import type { ChannelPaceReport } from "../../broadcasts/send/set-channel-pace.ts";
import { ANY_ORIGIN } from "../../channels/adapters/web/origins.ts";
import type { Channel } from "../../channels/channel.ts";
import { channelProblems, type ChannelProblem } from "../../channels/channel-warnings.ts";
import { hookUrlOf } from "../../channels/hook-url.ts";
import { scriptTag } from "../../channels/web-channel.ts";
import { logoAddress } from "../../channels/web-logo.ts";
import type { Context } from "../../context.ts";
import { tryPage } from "../../sandbox/try-page.ts";
import type { ChannelDetail, ChannelJson, ProblemJson, WebLookJson } from "./contract/channels.ts";

type Facts = Pick<Context, "clock" | "config">;

/** A channel as the settings show it: without secrets, with its faults as facts. */
export function presentChannel(
  context: Facts,
  channel: Channel,
  tokenEndsAt: Date | null,
): ChannelJson {
  const now = context.clock.now();
  const { id, type, name, status, externalId, sandbox, settings, apiUrl, throttledUntil } = channel;
  const called = type !== "WEB" && settings["polling"] !== "true" && status !== "disconnected";
  const { tokenVersion: _version, ...shown } = settings;
  return {
    id,
    type,
    name,
    status,
    account: externalId,
    sandbox,
    settings: shown,
    apiUrl,
    hookUrl: called ? hookUrlOf(context.config, type, id) : null,
    throttledUntil: throttledUntil && throttledUntil > now ? throttledUntil.toISOString() : null,
    syncedAt: channel.syncedAt?.toISOString() ?? null,
    lastWebhookAt: channel.lastWebhookAt?.toISOString() ?? null,
    tokenEndsAt: tokenEndsAt?.toISOString() ?? null,
    problems: channelProblems(channel, now).map(presentProblem),
    createdAt: channel.createdAt.toISOString(),
  };
}

const NOTHING = { field: null, reason: null, calls: null, at: null, othersRight: false };

function presentProblem(problem: ChannelProblem): ProblemJson {
  switch (problem.kind) {
    case "error":
    case "not_set_up":
      return { ...NOTHING, kind: problem.kind, reason: problem.reason };
    case "wrong_signature": {
      const { kind, field, calls, since, othersRight } = problem;
      return { ...NOTHING, kind, field, calls, at: since.toISOString(), othersRight };
    }
    case "wrong_verify_token":
      return { ...NOTHING, ...problem, at: problem.at.toISOString() };
    case "silent":
      return { ...NOTHING, kind: "silent" };
    default:
      return problem satisfies never;
  }
}

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
