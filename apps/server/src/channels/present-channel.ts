import type { Context } from "../context.ts";
import type { ChannelRecordJson, ProblemJson } from "../wire/channel.ts";
import type { Channel } from "./channel.ts";
import { channelProblems, type ChannelProblem } from "./channel-warnings.ts";
import { hookUrlOf } from "./hook-url.ts";

/** A channel as the doors show it: without secrets, with its faults as facts. */
export function presentChannel(
  context: Pick<Context, "clock" | "config">,
  channel: Channel,
  tokenEndsAt: Date | null,
): ChannelRecordJson {
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
