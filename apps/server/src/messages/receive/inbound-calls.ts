import { Count } from "../../lib/counts.ts";
import { CHANNEL_TYPES } from "../../wire/words.ts";

/**
 * Calls of platforms and gateways. `stored`: what it says is in the database, also an answer to a poll. `unreadable`: it
 * was signed, and is kept for a person. `unsigned`, `unknown`, `too_long`: refused. `again`: there was no room or no
 * database, so the platform sends it again.
 */
export const inboundCalls = new Count(
  "parley_inbound_calls_total",
  "Calls of platforms and SMS gateways, by platform and result",
  {
    platform: [...CHANNEL_TYPES, "SMS"],
    result: ["stored", "unreadable", "unsigned", "unknown", "too_long", "again"],
  },
);
