import { addSandboxChannel, addSandboxWeb } from "../../sandbox/add-sandbox-channel.ts";
import { listPhones } from "../../sandbox/list-phones.ts";
import { openPhone } from "../../sandbox/open-phone.ts";
import { customerOf } from "../../sandbox/customer-of.ts";
import { SAMPLE_PLACE, sampleFile } from "../../sandbox/phone-samples.ts";
import {
  actAsCustomer,
  clearChannelFaults,
  playCustomer,
  setChannelFault,
} from "../../sandbox/play-phone.ts";
import { repairSandboxChannel } from "../../sandbox/repair-channel.ts";
import type { sandbox } from "./contract/sandbox.ts";
import type { Handlers } from "./handlers.ts";

/** The sandbox phone (contract/sandbox.ts), through the operations of sandbox/. */
export const sandboxHandlers: Handlers<typeof sandbox> = {
  async listPhones(context, { caller }) {
    const { phones, pages } = await listPhones(context, caller.workspaceId);
    return { phones, pages: pages.map(({ id, name, page }) => ({ id, name, page })) };
  },

  async addSandboxChannel(context, { caller, body }) {
    const { actor, workspaceId } = caller;
    const { type } = body;
    const { id } =
      type === "WEB"
        ? await addSandboxWeb(actor, context, workspaceId)
        : await addSandboxChannel(actor, context, workspaceId, { type });
    return { id };
  },

  async readPhone(context, { caller, params, query }) {
    const phone = await openPhone(context, caller.workspaceId, params.id);
    return phone.show(query.customer);
  },

  async sayOnPhone(context, { caller: { actor, workspaceId }, params, body }) {
    const { customer: from, name, text } = body;
    const said = await playCustomer(actor, context, workspaceId, params.id, { from, name, text });
    return { conversationId: said.conversationId };
  },

  readPhoneCustomer: (context, { caller, params }) =>
    customerOf(context, caller.workspaceId, params.id),

  async sendOnPhone(context, { caller: { actor, workspaceId }, params, body }) {
    const { customer, name, what } = body;
    if (what === "location") {
      const action = { action: "locate", ...SAMPLE_PLACE } as const;
      await actAsCustomer(actor, context, workspaceId, params.id, { customer, action });
      return { conversationId: null };
    }
    const said = { from: customer, name, file: await sampleFile(what) };
    const { conversationId } = await playCustomer(actor, context, workspaceId, params.id, said);
    return { conversationId };
  },

  async pressOnPhone(context, { caller: { actor, workspaceId }, params, body }) {
    const { customer, messageId, button } = body;
    const action = { action: "press", messageId, title: button, data: button } as const;
    await actAsCustomer(actor, context, workspaceId, params.id, { customer, action });
    return { conversationId: null };
  },

  async setPhoneFault(context, { caller: { actor, workspaceId }, params, body }) {
    const fault = { kind: body.kind, next: body.next ?? 1 };
    return { waiting: await setChannelFault(actor, context, workspaceId, params.id, fault) };
  },

  async repairSandboxChannel(context, { caller: { actor, workspaceId }, params }) {
    await repairSandboxChannel(actor, context, workspaceId, params.id);
    return { waiting: 0 };
  },

  async clearPhoneFaults(context, { caller: { actor, workspaceId }, params }) {
    await clearChannelFaults(actor, context, workspaceId, params.id);
    return { waiting: 0 };
  },
};
