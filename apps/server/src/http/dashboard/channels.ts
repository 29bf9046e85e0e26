import { channelPace } from "../../broadcasts/send/set-channel-pace.ts";
import { selectUnfinishedOn } from "../../broadcasts/record/find-broadcast.ts";
import { formOf } from "../../channels/channels-by-program.ts";
import { isPublicHttps } from "../../channels/hook-url.ts";
import {
  findChannel,
  listChannels,
  selectSecretEnds,
  selectSecretTimes,
} from "../../channels/list-channels.ts";
import type { Channel } from "../../channels/channel.ts";
import { presentChannel } from "../../channels/present-channel.ts";
import { templateSourceFor } from "../../channels/registry.ts";
import { updateWeb } from "../../channels/web-channel.ts";
import { countTemplates } from "../../templates/list-templates.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { limitsOf } from "../../workspaces/plan-limits.ts";
import { CHANNEL_TYPES } from "../../wire/words.ts";
import type { ChannelDetail, channels } from "./contract/channels.ts";
import type { Handlers } from "./handlers.ts";
import { requireProof } from "./member-door.ts";
import { presentPace, presentWebLook } from "./present-channel.ts";

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
