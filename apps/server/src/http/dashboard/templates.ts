import { campaignsOfTemplate } from "../../broadcasts/record/campaigns-of-template.ts";
import type { Channel } from "../../channels/channel.ts";
import { findChannel, listChannels } from "../../channels/list-channels.ts";
import { templateSourceFor } from "../../channels/registry.ts";
import { AppError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { findTemplate } from "../../templates/list-templates.ts";
import { pageTemplates } from "../../templates/page-templates.ts";
import { editable, presentTemplate, type StoredTemplate } from "../../templates/template.ts";
import type { ListedTemplate, TemplateChannel, templates } from "./contract/templates.ts";
import type { Handlers } from "./handlers.ts";

/** Templates: those of the platform, and new ones for its review. */
export const templateHandlers: Handlers<typeof templates> = {
  async listTemplates(context, { caller: { workspaceId }, query }) {
    const { channel, cursor, limit, ...filter } = query;
    if (channel !== undefined && !isId(channel)) throw new AppError("NOT_FOUND");
    const [page, channels] = await Promise.all([
      pageTemplates(context, workspaceId, { ...filter, channelId: channel }, { cursor, limit }),
      listChannels(context, workspaceId),
    ]);
    return {
      templates: page.templates.map(presentListed),
      channels: channels
        .filter(({ type, status }) => templateSourceFor(type) && status !== "disconnected")
        .map(presentChannel),
      nextCursor: page.nextCursor,
    };
  },

  async readTemplate(context, { caller: { workspaceId }, params }) {
    const template = await findTemplate(context.db, workspaceId, params.id);
    if (!template) throw new AppError("NOT_FOUND");
    const [channel, campaigns] = await Promise.all([
      findChannel(context, workspaceId, template.channelId),
      campaignsOfTemplate(context, workspaceId, template.id),
    ]);
    return { listed: presentListed(template), channel: presentChannel(channel), campaigns };
  },
};

const presentListed = (template: StoredTemplate): ListedTemplate => ({
  template: presentTemplate(template),
  rejectedReason: template.rejectedReason,
  rejectionDetail: template.rejectionDetail,
  quality: template.quality,
  editable: editable(template),
});

const presentChannel = ({ id, name, status, syncedAt, syncError }: Channel): TemplateChannel => ({
  id,
  name,
  status,
  syncedAt: syncedAt?.toISOString() ?? null,
  syncError,
});
