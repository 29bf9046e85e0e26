import { createEndpoint } from "../../webhooks/create-endpoint.ts";
import { disableEndpoint } from "../../webhooks/disable-endpoint.ts";
import { enableEndpoint } from "../../webhooks/enable-endpoint.ts";
import { readRedelivery } from "../../webhooks/endpoints-by-program.ts";
import { findDelivery, listDeliveries } from "../../webhooks/list-deliveries.ts";
import { findEndpoint, listEndpoints } from "../../webhooks/list-endpoints.ts";
import { presentDelivery, presentEndpoint } from "../../webhooks/present-endpoint.ts";
import { redeliver } from "../../webhooks/redeliver.ts";
import { rotateSecret } from "../../webhooks/rotate-secret.ts";
import { sendTestEvent } from "../../webhooks/send-test-event.ts";
import { updateEndpoint } from "../../webhooks/update-endpoint.ts";
import { EVENT_KINDS } from "../../wire/words.ts";
import type { keys } from "./contract/keys.ts";
import type { Handlers } from "./handlers.ts";
import { requireProof } from "./member-door.ts";

type Names =
  | "listEndpoints"
  | "createEndpoint"
  | "readEndpoint"
  | "updateEndpoint"
  | "switchEndpoint"
  | "rotateSecret"
  | "testEndpoint"
  | "listDeliveries"
  | "readDelivery"
  | "redeliver";

/** Receivers of webhooks, their deliveries, and sending again. */
export const webhooksHandlers: Handlers<Pick<typeof keys, Names>> = {
  async listEndpoints(context, { caller }) {
    const items = await listEndpoints(context, caller.workspaceId);
    return { items: items.map(presentEndpoint), kinds: [...EVENT_KINDS] };
  },

  async createEndpoint(context, { caller, body }) {
    const made = await createEndpoint(caller.actor, context, caller.workspaceId, body);
    return { endpoint: presentEndpoint(made), secret: made.secret };
  },

  async readEndpoint(context, { caller, params }) {
    return presentEndpoint(await findEndpoint(context, caller.workspaceId, params.id));
  },

  async updateEndpoint(context, { caller, params, body }) {
    const { actor, workspaceId } = caller;
    if (body.url !== undefined) requireProof(context, caller);
    return presentEndpoint(await updateEndpoint(actor, context, workspaceId, params.id, body));
  },

  async switchEndpoint(context, { caller: { actor, workspaceId }, params, body }) {
    const turn = body.enabled ? enableEndpoint : disableEndpoint;
    return presentEndpoint(await turn(actor, context, workspaceId, params.id));
  },

  async rotateSecret(context, { caller: { actor, workspaceId }, params, body }) {
    const made = await rotateSecret(actor, context, workspaceId, params.id, body);
    return { endpoint: presentEndpoint(made), secret: made.secret };
  },

  async testEndpoint(context, { caller: { actor, workspaceId }, params }) {
    return presentDelivery(await sendTestEvent(actor, context, workspaceId, params.id));
  },

  async listDeliveries(context, { caller, params, query }) {
    const page = await listDeliveries(context, caller.workspaceId, params.id, query);
    return { items: page.items.map(presentDelivery), next: page.next };
  },

  async readDelivery(context, { caller, params }) {
    const { workspaceId } = caller;
    const found = await findDelivery(context, workspaceId, params.id, params.eventId);
    const { url, body } = found.request;
    return { delivery: presentDelivery(found), url, body };
  },

  async redeliver(context, { caller: { actor, workspaceId }, params, body }) {
    const which = readRedelivery(body);
    return { redelivered: await redeliver(actor, context, workspaceId, params.id, which) };
  },
};
