import type { Tone } from "../kit/badge.tsx";
import type { PlainKey } from "../text/t.ts";
import type { BotRow } from "./bots-query.ts";

export const KINDS = {
  flow: "bots.kind.flow",
  ai: "bots.kind.ai",
  external: "bots.kind.external",
} as const satisfies Record<BotRow["kind"], PlainKey>;

export const STATES = {
  draft: ["plain", "bots.status.draft"],
  live: ["ok", "bots.status.live"],
  paused: ["warn", "bots.status.paused"],
  archived: ["plain", "bots.status.archived"],
} as const satisfies Record<BotRow["status"], readonly [Tone, PlainKey]>;
