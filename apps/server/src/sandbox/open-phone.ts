import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type {
  FaultSwitch,
  PhoneAction,
  PhoneEntry,
  Said,
  SayInput,
  SandboxLine,
} from "../lib/sandbox-slot.ts";
import { findPhone } from "./list-lines.ts";
import { reachSandbox } from "./sandbox-client.ts";

/** How many entries of one customer are read. Each message has at most a few ticks. */
const LOOKED_THROUGH = 500;
const SHOWN = 100;

export interface ShownMessage {
  readonly id: string;
  readonly by: "business" | "customer";
  readonly text: string | null;
  readonly type: string;
  readonly at: string;
  readonly tick: "delivered" | "read" | null;
  /** The texts of the buttons that the customer can press. */
  readonly buttons: readonly string[];
}
/** What one customer's phone shows. */
export interface ShownPhone {
  readonly messages: readonly ShownMessage[];
  readonly typing: boolean;
  /** How many faults wait for sends of the channel. */
  readonly faults: number;
}

/** The phones of one sandbox channel, whichever process runs it. Throws as `SandboxLine` does. */
export interface PhoneInHand {
  show(customer: string): Promise<ShownPhone>;
  say(input: SayInput): Promise<Said>;
  act(customer: string, action: PhoneAction): Promise<void>;
  /** Returns how many faults are set now. */
  setFault(fault: FaultSwitch): Promise<number>;
  clearFaults(): Promise<void>;
}

type OpenContext = Parameters<typeof findPhone>[0] &
  Parameters<typeof reachSandbox>[0] &
  Pick<Context, "sandbox">;

/**
 * Opens the phones of a workspace's sandbox channel. Throws NOT_FOUND for a channel of another workspace and for a
 * web chat, OVERLOADED when no process runs the sandbox yet.
 */
export async function openPhone(
  context: OpenContext,
  workspaceId: string,
  id: string,
): Promise<PhoneInHand> {
  const phone = await findPhone(context, id);
  if (phone.workspaceId !== workspaceId) throw new AppError("NOT_FOUND");
  const line = context.sandbox.desk?.line(id);
  return line ? here(line) : elsewhere(context, id);
}

function here(line: SandboxLine): PhoneInHand {
  return {
    show: async (customer) =>
      screenOf(line.thread({ customer, limit: LOOKED_THROUGH }), line.faultCount),
    say: (input) => line.say(input),
    act: async (customer, action) => line.act(customer, action),
    setFault: async (fault) => {
      line.setFault(fault);
      return line.faultCount;
    },
    clearFaults: async () => line.clearFaults(),
  };
}

async function elsewhere(context: OpenContext, id: string): Promise<PhoneInHand> {
  const client = await reachSandbox(context, id).catch(() => {
    throw new AppError("OVERLOADED", { retryAfterSeconds: 1 });
  });
  // The answers come from another process of ours (http/sandbox/routes.ts), so their form is known.
  const call = async <T>(method: "GET" | "POST" | "DELETE", path: string, body?: object) => {
    const answer = await client.call(method, path, body).catch((error: unknown) => {
      throw error instanceof AppError
        ? error
        : new AppError("OVERLOADED", { retryAfterSeconds: 1 });
    });
    return answer as T;
  };
  const waiting = async () => (await call<{ waiting: number }>("GET", "/faults")).waiting;
  return {
    async show(customer) {
      const query = new URLSearchParams({ customer, limit: String(LOOKED_THROUGH) });
      const { messages } = await call<{ messages: PhoneEntry[] }>(
        "GET",
        `/thread?${query.toString()}`,
      );
      return screenOf(messages, await waiting());
    },
    say: ({ file, ...input }) => {
      const { bytes, ...named } = file ?? {};
      const sent = bytes && { file: { ...named, base64: bytes.toString("base64") } };
      return call<Said>("POST", "/say", { ...input, ...sent });
    },
    act: (customer, action) => call("POST", "/act", { customer, ...action }),
    setFault: async (fault) => (await call<{ waiting: number }>("POST", "/faults", fault)).waiting,
    clearFaults: () => call("DELETE", "/faults"),
  };
}

/** What the screen shows after one customer's entries (oldest first). */
function screenOf(entries: readonly PhoneEntry[], faults: number): ShownPhone {
  const messages = new Map<string, ShownMessage>();
  let typing = false;
  for (const entry of entries) {
    if (entry.kind === "typing") typing = entry.active;
    else if (entry.kind === "tick") {
      const ticked = messages.get(entry.messageId);
      if (ticked && ticked.tick !== "read")
        messages.set(ticked.id, { ...ticked, tick: entry.status });
    } else {
      const { messageId, by, text, type, at, buttons = [] } = entry;
      if (by === "business") typing = false;
      messages.set(messageId, { id: messageId, by, text, type, at, tick: null, buttons });
    }
  }
  return { messages: [...messages.values()].slice(-SHOWN), typing, faults };
}
