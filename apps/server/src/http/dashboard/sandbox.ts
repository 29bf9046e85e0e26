import type { Context } from "../../context.ts";
import { addSandboxChannel } from "../../sandbox/add-sandbox-channel.ts";
import { listPhones } from "../../sandbox/list-phones.ts";
import { openPhone } from "../../sandbox/open-phone.ts";
import type { sandbox } from "./contract/sandbox.ts";
import type { Handlers } from "./handlers.ts";

interface OfOne {
  readonly caller: { readonly workspaceId: string };
  readonly params: { readonly id: string };
}
/** The phones of the one channel that a call names. */
const phoneOf = (context: Context, { caller, params }: OfOne) =>
  openPhone(context, caller.workspaceId, params.id);

/** The sandbox phone (contract/sandbox.ts), over the operations of sandbox/. */
export const sandboxHandlers: Handlers<typeof sandbox> = {
  async listPhones(context, { caller }) {
    const { phones, pages } = await listPhones(context, caller.workspaceId);
    return { phones, pages: pages.map(({ id, name, page }) => ({ id, name, page })) };
  },

  async addSandboxChannel(context, { caller, body }) {
    const { id } = await addSandboxChannel(caller.actor, context, caller.workspaceId, body);
    return { id };
  },

  async readPhone(context, call) {
    return (await phoneOf(context, call)).show(call.query.customer);
  },

  async sayOnPhone(context, call) {
    const { customer: from, name, text } = call.body;
    const said = await (await phoneOf(context, call)).say({ from, name, text });
    return { conversationId: said.conversationId };
  },

  async setPhoneFault(context, call) {
    const { kind, next = 1 } = call.body;
    return { waiting: await (await phoneOf(context, call)).setFault({ kind, next }) };
  },

  async clearPhoneFaults(context, call) {
    await (await phoneOf(context, call)).clearFaults();
    return { waiting: 0 };
  },
};
