import type { LookupFault } from "../../../server/src/wire/lookup.ts";
import { t, type PlainKey } from "../text/t.ts";

const FAULTS = {
  timeout: "bots.lookup.timeout",
  refused: "bots.lookup.refused",
  unreachable: "bots.lookup.unreachable",
  too_long: "bots.lookup.too_long",
  not_json: "bots.lookup.not_json",
  unknown: "bots.lookup.unknown",
  arguments: "bots.lookup.arguments",
  not_set_up: "bots.lookup.not_set_up",
} as const satisfies Record<LookupFault, PlainKey>;

/** Why a look-up failed, in words. */
export const lookupFault = (fault: LookupFault): string => t(FAULTS[fault]);
