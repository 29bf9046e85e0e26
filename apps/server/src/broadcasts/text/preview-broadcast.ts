import type { Context } from "../../context.ts";
import { spellingsOf } from "../../contacts/identity/other-spelling.ts";
import { sql } from "../../db/sql.ts";
import { invalid } from "../../errors.ts";
import { audienceOf } from "../audience/audience-of.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { namedContacts } from "./named-contacts.ts";
import { selectCandidates, type Candidate } from "./preview-store.ts";
import type { SkipReason } from "../audience/recipient.ts";
import { splitRendering } from "../audience/split.ts";
import { planBroadcast } from "../send/plan-sending.ts";

/** What one contact would get now, or why it would get nothing. */
export interface Preview {
  readonly contactId: string;
  readonly name: string | null;
  readonly address: string | null;
  /** The words as the inbox will show them; null when it is skipped or the campaign cannot run. */
  readonly text: string | null;
  readonly headerText: string | null;
  readonly buttons: readonly { readonly index: number; readonly text: string }[];
  /** Why it would be skipped; `not_in_audience`: it was named and does not belong to the audience. */
  readonly skipped: SkipReason | "not_in_audience" | null;
}

export interface BroadcastPreview {
  /** Why the campaign could not run now: template, channel, gateway. */
  readonly cannotRun: string | null;
  readonly contacts: readonly Preview[];
}

/** Whose texts to show: these contacts', or those of the first `count` of the audience. */
interface PreviewInput {
  readonly contactIds?: readonly string[] | undefined;
  readonly count?: number | undefined;
}

const MOST_PREVIEWED = 100;

/**
 * The texts that real contacts would get now: the first of the audience, or named ones. Nothing is stored and
 * nothing is sent. When two shown contacts share an address the second is skipped, as in the campaign.
 */
export async function previewBroadcast(
  context: Context,
  workspaceId: string,
  id: string,
  input: PreviewInput = {},
): Promise<BroadcastPreview> {
  return previewPrepared(context, await findBroadcast(context, workspaceId, id), input);
}

/** As `previewBroadcast`, for a campaign that need not be stored. */
export async function previewPrepared(
  context: Context,
  broadcast: Broadcast,
  input: PreviewInput = {},
): Promise<BroadcastPreview> {
  const { workspaceId } = broadcast;
  const { contactIds, count = 5 } = input;
  if (!Number.isInteger(count) || count < 1 || count > MOST_PREVIEWED)
    throw invalid("count", `must be 1 to ${MOST_PREVIEWED}`);
  const named =
    contactIds && (await namedContacts(context, workspaceId, contactIds, MOST_PREVIEWED));
  const audience = await audienceOf(context, broadcast);
  if (audience === null) return { cannotRun: "SEGMENT_GONE", contacts: [] };
  const rendering = splitRendering(broadcast);
  const plan = await planBroadcast(context, broadcast);
  const among = named ? sql`(${audience}) and c.id = any (${named}::uuid[])` : audience;
  const found = await selectCandidates(context.db, broadcast, among, rendering, {
    limit: named?.length ?? count,
    now: context.clock.now(),
  });
  const addresses = new Set<string>();
  const show = (one: Candidate): Preview => {
    const { id: contactId, name, address } = one;
    const nothing = { contactId, name, address, text: null, headerText: null, buttons: [] };
    if (one.skip !== null) return { ...nothing, skipped: one.skip };
    if (spellingsOf(address ?? "").some((spelling) => addresses.has(spelling)))
      return { ...nothing, skipped: "duplicate_address" };
    addresses.add(address ?? "");
    const rendered = rendering.render(one.variant, one.shown ?? []);
    if (rendered === null) return { ...nothing, skipped: "missing_variable" };
    const text = "send" in plan ? plan.fill(rendered, one.variant).text : null;
    if (!("parameters" in rendered)) return { ...nothing, text, skipped: null };
    const { headerText, buttons } = rendered;
    return { ...nothing, text, headerText, buttons, skipped: null };
  };
  const contacts = found.map(show);
  const missing = (named ?? []).filter((one) => !contacts.some((shown) => shown.contactId === one));
  const bare = { name: null, address: null, text: null, headerText: null, buttons: [] };
  return {
    cannotRun: "stop" in plan ? plan.stop : null,
    contacts: [
      ...contacts,
      ...missing.map((contactId): Preview => ({ ...bare, contactId, skipped: "not_in_audience" })),
    ],
  };
}
