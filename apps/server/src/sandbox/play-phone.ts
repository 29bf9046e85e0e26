import type { Context } from "../context.ts";
import type { Actor } from "../actor.ts";
import type { FaultSwitch, PhoneAction, Said, SayInput } from "../lib/sandbox-slot.ts";
import { audit, type AuditEntry } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import { openPhone } from "./open-phone.ts";

type PlayContext = Parameters<typeof openPhone>[0] & Pick<Context, "ids" | "clock">;

/** A phone of an emulator is not a row of ours, so the audit is written after the act. */
const record = (actor: Actor, context: PlayContext, workspaceId: string, entry: AuditEntry) =>
  context.db.transaction((tx) => audit(actor, context, tx, workspaceId, entry));

/** Writes as a customer of a sandbox channel. Throws as `openPhone` and `SandboxLine` do. */
export const playCustomer = write(
  "sandbox.say",
  async (
    actor,
    context: PlayContext,
    workspaceId: string,
    channelId: string,
    input: SayInput,
  ): Promise<Said> => {
    const said = await (await openPhone(context, workspaceId, channelId)).say(input);
    const { messageId } = said;
    const facts = { messageId };
    await record(actor, context, workspaceId, {
      action: "sandbox.said",
      subject: channelId,
      facts,
    });
    return said;
  },
);

/** Does what else a customer can do: presses a button, sends a place. Throws as `playCustomer` does. */
export const actAsCustomer = write(
  "sandbox.act",
  async (
    actor,
    context: PlayContext,
    workspaceId: string,
    channelId: string,
    { customer, action }: { readonly customer: string; readonly action: PhoneAction },
  ): Promise<void> => {
    await (await openPhone(context, workspaceId, channelId)).act(customer, action);
    const facts = { act: action.action };
    await record(actor, context, workspaceId, {
      action: "sandbox.said",
      subject: channelId,
      facts,
    });
  },
);

/** Makes the next sends of a sandbox channel fail. Returns how many faults are set. Throws as `playCustomer` does. */
export const setChannelFault = write(
  "sandbox.set_fault",
  async (
    actor,
    context: PlayContext,
    workspaceId: string,
    channelId: string,
    fault: FaultSwitch,
  ): Promise<number> => {
    const waiting = await (await openPhone(context, workspaceId, channelId)).setFault(fault);
    const facts = { kind: fault.kind, next: fault.next };
    const entry: AuditEntry = { action: "sandbox.fault_set", subject: channelId, facts };
    await record(actor, context, workspaceId, entry);
    return waiting;
  },
);

/** Removes all faults of a sandbox channel. Throws as `playCustomer` does. */
export const clearChannelFaults = write(
  "sandbox.clear_faults",
  async (actor, context: PlayContext, workspaceId: string, channelId: string): Promise<void> => {
    await (await openPhone(context, workspaceId, channelId)).clearFaults();
    const entry: AuditEntry = { action: "sandbox.faults_cleared", subject: channelId };
    await record(actor, context, workspaceId, entry);
  },
);
