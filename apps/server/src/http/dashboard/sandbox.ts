import type { Shown } from "../../wire/schema.ts";
import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { addSandboxChannel } from "../../sandbox/add-sandbox-channel.ts";
import { listPhones } from "../../sandbox/list-phones.ts";
import { openPhone } from "../../sandbox/open-phone.ts";
import type { SandboxType } from "../../sandbox/platforms/platform.ts";
import type { PhoneFault, PhoneList, PhoneScreen, sandbox as faces } from "./contract/sandbox.ts";

interface Asked {
  readonly caller: { readonly workspaceId: string };
}
interface AskedByActor {
  readonly caller: Asked["caller"] & { readonly actor: Actor };
}
interface AskedOfOne extends Asked {
  readonly params: { readonly id: string };
}
type AnswerOf<Name extends keyof typeof faces> = Shown<(typeof faces)[Name]["answer"]>;

/** The phones of the one channel that a call names. */
const phoneOf = (context: Context, { caller, params }: AskedOfOne) =>
  openPhone(context, caller.workspaceId, params.id);

/** The sandbox phone (contract/sandbox.ts), over the operations of sandbox/. */
export const sandboxHandlers = {
  async listPhones(context: Context, { caller }: Asked): Promise<PhoneList> {
    const { phones, pages } = await listPhones(context, caller.workspaceId);
    return { phones, pages: pages.map(({ id, name, page }) => ({ id, name, page })) };
  },

  async addSandboxChannel(
    context: Context,
    { caller, body }: AskedByActor & { readonly body: { readonly type: SandboxType } },
  ): Promise<AnswerOf<"addSandboxChannel">> {
    const { id } = await addSandboxChannel(caller.actor, context, caller.workspaceId, body);
    return { id };
  },

  async readPhone(
    context: Context,
    call: AskedOfOne & { readonly query: { readonly customer: string } },
  ): Promise<PhoneScreen> {
    return (await phoneOf(context, call)).show(call.query.customer);
  },

  async sayOnPhone(
    context: Context,
    call: AskedOfOne & {
      readonly body: {
        readonly customer: string;
        readonly name?: string | undefined;
        readonly text: string;
      };
    },
  ): Promise<AnswerOf<"sayOnPhone">> {
    const { customer: from, name, text } = call.body;
    const said = await (await phoneOf(context, call)).say({ from, name, text });
    return { conversationId: said.conversationId };
  },

  async setPhoneFault(
    context: Context,
    call: AskedOfOne & {
      readonly body: { readonly kind: PhoneFault; readonly next?: number | undefined };
    },
  ): Promise<AnswerOf<"setPhoneFault">> {
    const { kind, next = 1 } = call.body;
    return { waiting: await (await phoneOf(context, call)).setFault({ kind, next }) };
  },

  async clearPhoneFaults(
    context: Context,
    call: AskedOfOne,
  ): Promise<AnswerOf<"clearPhoneFaults">> {
    await (await phoneOf(context, call)).clearFaults();
    return { waiting: 0 };
  },
};
