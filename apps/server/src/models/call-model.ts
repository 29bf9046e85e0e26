import type { Context } from "../context.ts";
import { createGate, type Gate } from "../lib/gate.ts";
import { httpFor } from "../lib/check-address.ts";
import { askProvider } from "./ask-provider.ts";
import type { ModelOutcome, ModelProfile, ModelRequest } from "./model.ts";
import { restsOf } from "./model-rests.ts";
import { NO_TOKENS } from "./provider-protocol.ts";

/** Calls in flight for one workspace in one process, so that a provider that hangs holds up no one else. */
const AT_ONCE = 8;
const WAITING = 200;
const gates = new Map<string, { readonly gate: Gate; users: number }>();

type CallContext = Pick<Context, "clock" | "providerHttp" | "guardedHttp">;

/** Asks a workspace's model. One that failed five times within a minute is not asked for a minute. Never throws. */
export async function callModel<T>(
  context: CallContext,
  workspaceId: string,
  profile: ModelProfile,
  request: ModelRequest<T>,
): Promise<ModelOutcome<T>> {
  const rests = restsOf(context);
  const unasked = (detail: string) =>
    ({ kind: "unreachable", detail, tokens: NO_TOKENS, ms: 0, tries: 0 }) as const;
  const entry = gates.get(workspaceId) ?? {
    gate: createGate({ atOnce: AT_ONCE, waiting: WAITING, retryAfterSeconds: 5 }),
    users: 0,
  };
  entry.users++;
  gates.set(workspaceId, entry);
  try {
    return await entry.gate.run(async () => {
      if (rests.rests(workspaceId, profile)) return unasked("rests");
      const outcome = await askProvider(httpFor(context, profile), profile, request);
      rests.note(workspaceId, profile, outcome);
      return outcome;
    });
  } catch {
    return unasked("too_many_calls");
  } finally {
    if (--entry.users === 0) gates.delete(workspaceId);
  }
}
