import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { SayInput } from "../lib/sandbox-slot.ts";
import type { SandboxKeeper } from "./sandbox-keeper.ts";
import { reachSandbox } from "./sandbox-client.ts";

/** What the demo needs from the sandbox, which runs in this process or in another one. */
export interface DemoDesk {
  /** Resolves once these lines are served. */
  served(lineIds: readonly string[]): Promise<void>;
  /** Writes as a customer, and gives the conversation. */
  say(lineId: string, input: SayInput): Promise<string | null>;
  /** Gives the line's platform the customers that the database knows. */
  remember(lineId: string): Promise<void>;
}

/** For a sandbox in this process. */
export function deskHere(keeper: SandboxKeeper): DemoDesk {
  const lineOf = (id: string) => {
    const line = keeper.sandbox?.line(id);
    if (!line)
      throw new AppError("NOT_FOUND", { explanation: `no sandbox channel ${id} is served` });
    return line;
  };
  return {
    async served(lineIds) {
      await keeper.look();
      for (const id of lineIds) lineOf(id);
    },
    say: async (id, input) => (await lineOf(id).say(input)).conversationId,
    remember: (id) => lineOf(id).remember(),
  };
}

/** For a sandbox in another process, at its address. */
export function deskElsewhere(context: Context): DemoDesk {
  return {
    async served(lineIds) {
      for (const id of lineIds) await (await reachSandbox(context, id)).call("GET", "/faults");
    },
    async say(id, input) {
      const said = await (await reachSandbox(context, id)).call("POST", "/say", input);
      return (Object(said) as { conversationId?: string | null }).conversationId ?? null;
    },
    async remember(id) {
      await (await reachSandbox(context, id)).call("POST", "/remember", {});
    },
  };
}
