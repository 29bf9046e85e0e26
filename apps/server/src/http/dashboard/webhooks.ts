import { createEndpoint } from "../../webhooks/create-endpoint.ts";
import { disableEndpoint } from "../../webhooks/disable-endpoint.ts";
import { enableEndpoint } from "../../webhooks/enable-endpoint.ts";
import { listEndpoints } from "../../webhooks/list-endpoints.ts";
import { presentEndpoint } from "../../webhooks/present-endpoint.ts";
import { updateEndpoint } from "../../webhooks/update-endpoint.ts";
import { EVENT_KINDS } from "../../wire/words.ts";
import type { keys } from "./contract/keys.ts";
import type { Handlers } from "./handlers.ts";
import { requireProof } from "./member-door.ts";

type Names = "listEndpoints" | "createEndpoint" | "updateEndpoint" | "switchEndpoint";

/** Receivers of webhooks. */
export const webhooksHandlers: Handlers<Pick<typeof keys, Names>> = {
  async listEndpoints(context, { caller }) {
    const items = await listEndpoints(context, caller.workspaceId);
    return { items: items.map(presentEndpoint), kinds: [...EVENT_KINDS] };
  },

  async createEndpoint(context, { caller, body }) {
    const made = await createEndpoint(caller.actor, context, caller.workspaceId, body);
    return { endpoint: presentEndpoint(made), secret: made.secret };
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
};
