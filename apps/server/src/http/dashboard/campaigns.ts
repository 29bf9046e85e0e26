import {
  listWays,
  reachAudience,
  sampleAudience,
} from "../../broadcasts/audience/audience-reach.ts";
import { scheduleBroadcast } from "../../broadcasts/record/change-broadcast.ts";
import { findBroadcast } from "../../broadcasts/record/find-broadcast.ts";
import { pageOfBroadcasts } from "../../broadcasts/record/list-broadcasts.ts";
import { presentRecord } from "../../broadcasts/record/present-record.ts";
import { startBroadcast } from "../../broadcasts/record/start-broadcast.ts";
import { findTestPeople } from "../../broadcasts/record/test-people.ts";
import { replaceDraft } from "../../broadcasts/record/update-broadcast.ts";
import { broadcastReport } from "../../broadcasts/report/broadcast-report.ts";
import { listRecipients } from "../../broadcasts/report/list-recipients.ts";
import { instantOf } from "../../lib/time-zone.ts";
import { segmentChoices } from "../../segments/segment-choices.ts";
import { listSegments } from "../../segments/list-segments.ts";
import { listTemplates } from "../../templates/list-templates.ts";
import type { BroadcastStatus } from "../../wire/words.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { recipientShown, rowOf, showCampaign, templateOf, wayOf } from "./campaign-shown.ts";
import type { CAMPAIGN_FILTERS, campaigns } from "./contract/campaigns.ts";
import type { Handlers } from "./handlers.ts";

/** The states behind each filter of the list. */
const STATUSES = {
  draft: ["DRAFT"],
  scheduled: ["SCHEDULED"],
  running: ["QUEUED", "RUNNING"],
  paused: ["PAUSED"],
  finished: ["COMPLETED", "CANCELLED", "FAILED"],
} as const satisfies Readonly<
  Record<(typeof CAMPAIGN_FILTERS)[number], readonly BroadcastStatus[]>
>;

const PAGE = 50;

/** Campaigns (contract/campaigns.ts), over the operations of broadcasts/. */
export const campaignHandlers: Handlers<typeof campaigns> = {
  async listCampaigns(context, { caller, query: { show, cursor, limit = PAGE } }) {
    const page = { statuses: show ? STATUSES[show] : [], before: cursor, limit };
    const { items, next } = await pageOfBroadcasts(context, caller.workspaceId, page);
    return { items: items.map(rowOf), nextCursor: next };
  },

  async campaignChoices(context, { caller: { workspaceId } }) {
    const [ways, segments, { attributes }, workspace] = await Promise.all([
      listWays(context, workspaceId),
      listSegments(context, workspaceId),
      segmentChoices(context, workspaceId),
      findWorkspace(context, workspaceId),
    ]);
    return {
      ways: ways.map(wayOf),
      segments: segments.map(({ id, name, cachedCount }) => ({
        id,
        name,
        contactCount: cachedCount,
      })),
      attributes: attributes.map(({ key }) => key),
      timeZone: workspace?.timeZone ?? "UTC",
    };
  },

  async campaignTemplates(context, { caller, query: { channelId } }) {
    const templates = await listTemplates(context, caller.workspaceId, { channelId });
    return { templates: templates.map(templateOf) };
  },

  async reachAudience(context, { caller, body: { segmentId = null, channelId = null } }) {
    const question = { segmentId, channelId };
    return { reach: await reachAudience(context, caller.workspaceId, question) };
  },

  async sampleAudience(context, { caller, body: { segmentId = null, channelId = null } }) {
    const question = { segmentId, channelId };
    const found = await sampleAudience(context, caller.workspaceId, question);
    const people = found?.map(({ id, name, address, skip }) => ({
      contactId: id,
      name,
      address,
      skipped: skip,
    }));
    return { people: people ?? null };
  },

  async findTestPeople(context, { caller, query: { search } }) {
    return { people: await findTestPeople(context, caller.workspaceId, search) };
  },

  async readCampaign(context, { caller, params }) {
    return showCampaign(context, await findBroadcast(context, caller.workspaceId, params.id));
  },

  async replaceCampaign(context, { caller: { actor, workspaceId }, params: { id }, body, match }) {
    const written = await replaceDraft(actor, context, workspaceId, id, body, {
      match: (current) => match(presentRecord(current)),
    });
    return showCampaign(context, written);
  },

  async startCampaign(context, { caller: { actor, workspaceId }, params }) {
    return showCampaign(context, await startBroadcast(actor, context, workspaceId, params.id));
  },

  async scheduleCampaign(context, { caller: { actor, workspaceId }, params: { id }, body }) {
    const { timeZone } = await findBroadcast(context, workspaceId, id);
    const at = new Date(instantOf(timeZone, Date.parse(`${body.wall}:00Z`)));
    return showCampaign(context, await scheduleBroadcast(actor, context, workspaceId, id, at));
  },

  async campaignReport(context, { caller, params }) {
    const report = await broadcastReport(context, caller.workspaceId, params.id);
    const { statusReason, skipped, failed, unknownCount, funnel } = report;
    return { statusReason, skipped, failed, unknownCount, funnel };
  },

  async listRecipients(context, { caller: { workspaceId }, params: { id }, query }) {
    const { status, reason, cursor, limit = PAGE } = query;
    const broadcast = await findBroadcast(context, workspaceId, id);
    const filter = { status, reason, after: cursor, limit };
    const { items, next } = await listRecipients(context, workspaceId, id, filter);
    return { items: items.map((one) => recipientShown(one, broadcast)), nextCursor: next };
  },
};
