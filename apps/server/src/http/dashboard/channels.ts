import { channelPace, setChannelPace } from "../../broadcasts/send/set-channel-pace.ts";
import { selectUnfinishedOn } from "../../broadcasts/record/find-broadcast.ts";
import { accountFields } from "../../channels/account-form.ts";
import { changeAccount } from "../../channels/change-account.ts";
import { connectAccount } from "../../channels/connect-account.ts";
import { disconnectChannel } from "../../channels/disconnect-channel.ts";
import { isPublicHttps } from "../../channels/hook-url.ts";
import {
  findChannel,
  listChannels,
  selectSecretEnds,
  selectSecretTimes,
} from "../../channels/list-channels.ts";
import type { Channel } from "../../channels/channel.ts";
import { adapterFor, templateSourceFor } from "../../channels/registry.ts";
import { testChannel } from "../../channels/test-channel.ts";
import { connectWeb, updateWeb } from "../../channels/web-channel.ts";
import type { Context } from "../../context.ts";
import { countTemplates } from "../../templates/list-templates.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { limitsOf } from "../../workspaces/plan-limits.ts";
import { CHANNEL_TYPES } from "../../wire/words.ts";
import type { ChannelDetail, ChannelForm, ChannelJson, channels } from "./contract/channels.ts";
import type { Handlers } from "./handlers.ts";
import { requireProof } from "./member-door.ts";
import { presentChannel, presentPace, presentWebLook } from "./present-channel.ts";

/** Connected accounts (contract/channels.ts), through the operations that the command line calls too. */
export const channelHandlers: Handlers<typeof channels> = {
  async listChannels(context, { caller: { workspaceId } }) {
    const [all, ends, workspace] = await Promise.all([
      listChannels(context, workspaceId),
      selectSecretEnds(context.db, workspaceId),
      findWorkspace(context, workspaceId),
    ]);
    const gone = (status: string) => Number(status === "disconnected");
    return {
      channels: all
        .toSorted((one, other) => gone(one.status) - gone(other.status))
        .map((channel) => presentChannel(context, channel, ends.get(channel.id) ?? null)),
      forms: CHANNEL_TYPES.map(formOf),
      publicUrl: context.config.publicUrl,
      reachable: isPublicHttps(context.config.publicUrl),
      limit: workspace && limitsOf(workspace).channels,
      taken: all.filter(({ status }) => status !== "disconnected").length,
    };
  },

  async readChannel(context, { caller: { workspaceId }, params: { id } }) {
    const channel = await findChannel(context, workspaceId, id);
    const [pace, campaigns, times, listed] = await Promise.all([
      channelPace(context, workspaceId, id),
      selectUnfinishedOn(context.db, workspaceId, id),
      selectSecretTimes(context.db, workspaceId, id),
      countTemplates(context.db, workspaceId, id),
    ]);
    return {
      channel: presentChannel(context, channel, times?.endAt ?? null),
      pace: presentPace(pace),
      campaigns,
      templates: presentTemplates(channel, listed, times?.since ?? null),
      web: channel.type === "WEB" ? presentWebLook(context, channel) : null,
    };
  },

  async connectChannel(context, { caller: { actor, workspaceId }, body }) {
    const { type, name, fields, apiUrl } = body;
    if (type === "WEB") {
      const { allowedOrigins = "", ...look } = fields;
      const origins = allowedOrigins.split(/\s+/).filter((origin) => origin !== "");
      const made = await connectWeb(actor, context, workspaceId, { ...look, name, origins });
      return {
        channel: presentChannel(context, made, null),
        identitySecret: made.identitySecret ?? null,
      };
    }
    const channel = await connectAccount(actor, context, workspaceId, {
      type,
      name,
      fields,
      apiUrl,
    });
    return { channel: await presented(context, workspaceId, channel.id), identitySecret: null };
  },

  async changeChannel(context, { caller: { actor, workspaceId }, params: { id }, body }) {
    const { name, fields = {}, apiUrl } = body;
    await changeAccount(actor, context, workspaceId, id, {
      ...fields,
      ...(name !== undefined && { name }),
      ...(apiUrl !== undefined && { apiUrl }),
    });
    return presented(context, workspaceId, id);
  },

  async testChannel(context, { caller: { actor, workspaceId }, params: { id } }) {
    const { fault } = await testChannel(actor, context, workspaceId, id);
    return {
      channel: await presented(context, workspaceId, id),
      fault: fault && {
        field: fault.field,
        orField: fault.orField,
        reason: `${fault.code}: ${fault.detail}`,
      },
    };
  },

  async setChannelPace(context, { caller: { actor, workspaceId }, params: { id }, body }) {
    return presentPace(await setChannelPace(actor, context, workspaceId, id, body.most));
  },

  async disconnectChannel(context, { caller: { actor, workspaceId }, params: { id } }) {
    return presentChannel(context, await disconnectChannel(actor, context, workspaceId, id), null);
  },

  async changeWebChannel(context, { caller, params: { id }, body }) {
    const { actor, workspaceId } = caller;
    if (body.rotateIdentitySecret || body.rotateVisitorTokens) requireProof(context, caller);
    const { logo: picture, ...changes } = body;
    const bytes = picture === undefined ? undefined : Buffer.from(picture, "base64");
    const logo = bytes?.length === 0 ? null : bytes;
    const changed = await updateWeb(actor, context, workspaceId, id, { ...changes, logo });
    return {
      web: presentWebLook(context, changed),
      identitySecret: changed.identitySecret ?? null,
    };
  },
};

/** Templates that are older than the account's values are read again at once: those may name another account. */
function presentTemplates(
  { type, status, syncedAt, syncError }: Channel,
  listed: number,
  since: Date | null,
): ChannelDetail["templates"] {
  if (templateSourceFor(type) === null) return null;
  const older = syncedAt === null || (since !== null && syncedAt < since);
  return {
    count: listed,
    readAt: syncedAt?.toISOString() ?? null,
    due: older && status === "connected" && syncError === null,
  };
}

async function presented(context: Context, workspaceId: string, id: string): Promise<ChannelJson> {
  const [channel, times] = await Promise.all([
    findChannel(context, workspaceId, id),
    selectSecretTimes(context.db, workspaceId, id),
  ]);
  return presentChannel(context, channel, times?.endAt ?? null);
}

const formOf = (type: (typeof CHANNEL_TYPES)[number]): ChannelForm => ({
  type,
  defaultApiUrl: adapterFor(type).defaultApiUrl,
  // Generated by the server; a button in the designer of the window changes it.
  fields: accountFields(type).filter(
    ({ name }) => !["tokenVersion", "identitySecret", "logo"].includes(name),
  ),
});
