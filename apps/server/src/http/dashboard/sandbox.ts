import { addSandboxChannel } from "../../sandbox/add-sandbox-channel.ts";
import { listPhones } from "../../sandbox/list-phones.ts";
import { openPhone } from "../../sandbox/open-phone.ts";
import type { Call } from "../edge/route.ts";
import type { sandbox } from "./contract/sandbox.ts";
import type { Handlers } from "./handlers.ts";
import type { MemberCaller } from "./member-door.ts";

/** The phones of the one channel that a call names. */
const phoneOf = ({
  context,
  principal,
  params,
}: Pick<Call<MemberCaller>, "context" | "principal" | "params">) =>
  openPhone(context, principal.workspaceId, params["id"] ?? "");

/** The sandbox phone (contract/sandbox.ts), over the operations of sandbox/. */
export const sandboxHandlers: Handlers<typeof sandbox> = {
  async listPhones({ context, principal }) {
    const { phones, pages } = await listPhones(context, principal.workspaceId);
    return { phones, pages: pages.map(({ id, name, page }) => ({ id, name, page })) };
  },

  async addSandboxChannel({ context, principal, actor, body }) {
    const { id } = await addSandboxChannel(actor, context, principal.workspaceId, body);
    return { id };
  },

  async readPhone(call) {
    return (await phoneOf(call)).show(call.query.customer);
  },

  async sayOnPhone(call) {
    const { customer: from, name, text } = call.body;
    const said = await (await phoneOf(call)).say({ from, name, text });
    return { conversationId: said.conversationId };
  },

  async setPhoneFault(call) {
    const { kind, next = 1 } = call.body;
    return { waiting: await (await phoneOf(call)).setFault({ kind, next }) };
  },

  async clearPhoneFaults(call) {
    await (await phoneOf(call)).clearFaults();
    return { waiting: 0 };
  },
};
