import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { invalid } from "../../errors.ts";
import { broadcasts } from "../../operations/broadcasts.ts";
import { PAGE_ITEMS } from "../../operations/page.ts";
import type { BroadcastRecordJson } from "../../wire/broadcast-record.ts";
import { keeping, perform, type Around, type Kept } from "../../write.ts";
import { resendUnknown } from "../send/resend-unknown.ts";
import { setPace } from "../send/set-pace.ts";
import { presentBroadcast, type Broadcast } from "./broadcast.ts";
import {
  cancelBroadcast,
  pauseBroadcast,
  scheduleBroadcast,
  unscheduleBroadcast,
} from "./change-broadcast.ts";
import { duplicateBroadcast, resendFailed, testBroadcast } from "./copy-broadcast.ts";
import { createBroadcast } from "./create-broadcast.ts";
import { deleteDraft } from "./delete-draft.ts";
import { pageOfBroadcasts } from "./list-broadcasts.ts";
import { presentRecord } from "./present-record.ts";
import { testedContact } from "./test-people.ts";
import { updateBroadcast } from "./update-broadcast.ts";

// Campaigns as programs write and send them: the operations of members, whose answer is kept with the effect.

const MOST_ITEMS = 200;

export const createBroadcastByProgram = perform(
  broadcasts.createBroadcast,
  (actor, context: Context, workspaceId, draft, { keep }) =>
    keptRecord(keep, (within) => createBroadcast(actor, context, workspaceId, draft, { within })),
);

/** Throws VERSION_MISMATCH beside the errors of `updateBroadcast`. */
export const updateBroadcastByProgram = perform(
  broadcasts.updateBroadcast,
  async (actor, context: Context, workspaceId, { id, ...changes }, { match }) =>
    presentRecord(
      await updateBroadcast(actor, context, workspaceId, id, changes, {
        match: (current) => match(presentRecord(current)),
      }),
    ),
);

export const deleteBroadcastByProgram = perform(
  broadcasts.deleteBroadcast,
  async (actor, context: Context, workspaceId, { id }, { match }) => {
    await deleteDraft(actor, context, workspaceId, id, (current) => match(presentRecord(current)));
    return {};
  },
);

export const duplicateBroadcastByProgram = perform(
  broadcasts.duplicateBroadcast,
  (actor, context: Context, workspaceId, { id, ...how }, { keep }) =>
    keptRecord(keep, (within) =>
      duplicateBroadcast(actor, context, workspaceId, id, { ...how, within }),
    ),
);

export const resendFailedByProgram = perform(
  broadcasts.resendFailed,
  (actor, context: Context, workspaceId, { id, ...how }, { keep }) =>
    keptRecord(keep, (within) => resendFailed(actor, context, workspaceId, id, { ...how, within })),
);

export const pauseBroadcastByProgram = perform(
  broadcasts.pauseBroadcast,
  (actor, context: Context, workspaceId, { id }, { keep }) =>
    keptRecord(keep, (within) => pauseBroadcast(actor, context, workspaceId, id, { within })),
);

export const cancelBroadcastByProgram = perform(
  broadcasts.cancelBroadcast,
  (actor, context: Context, workspaceId, { id }, { keep }) =>
    keptRecord(keep, (within) => cancelBroadcast(actor, context, workspaceId, id, { within })),
);

export const scheduleBroadcastByProgram = perform(
  broadcasts.scheduleBroadcast,
  (actor, context: Context, workspaceId, { id, scheduledAt }, { keep }) =>
    keptRecord(keep, (within) =>
      scheduleBroadcast(actor, context, workspaceId, id, new Date(scheduledAt), { within }),
    ),
);

export const unscheduleBroadcastByProgram = perform(
  broadcasts.unscheduleBroadcast,
  (actor, context: Context, workspaceId, { id }, { keep }) =>
    keptRecord(keep, (within) => unscheduleBroadcast(actor, context, workspaceId, id, { within })),
);

export const paceBroadcastByProgram = perform(
  broadcasts.paceBroadcast,
  (actor, context: Context, workspaceId, { id, rateLimitPerMinute: rate }, { keep }) =>
    keptRecord(keep, (within) => setPace(actor, context, workspaceId, id, rate, { within })),
);

/** Throws VALIDATION_FAILED unless the people are given in one way. */
export const testBroadcastByProgram = perform(
  broadcasts.testBroadcast,
  async (actor, context: Context, workspaceId, { id, contactIds, phone }, { keep }) => {
    if ((contactIds === undefined) === (phone === undefined))
      throw invalid("contactIds", "or phone must be given, and not both");
    const people = contactIds ?? [await testedContact(actor, context, workspaceId, phone ?? "")];
    return keptRecord(keep, (within) =>
      testBroadcast(actor, context, workspaceId, id, people, { within }),
    );
  },
);

export const resendUnknownByProgram = perform(
  broadcasts.resendUnknown,
  (actor, context: Context, workspaceId, { id }, { keep }) =>
    keptRecord(keep, (within) => resendUnknown(actor, context, workspaceId, id, { within })),
);

export const searchBroadcasts = perform(
  broadcasts.searchBroadcasts,
  async (
    _actor,
    context: Pick<Context, "db">,
    workspaceId,
    { status, cursor, limit = PAGE_ITEMS, createdAfter, createdBefore, ...filter },
    { keep },
  ) => {
    const { items, next } = await pageOfBroadcasts(context, workspaceId, {
      ...filter,
      statuses: status,
      ...(createdAfter !== undefined && { createdAfter: new Date(createdAfter) }),
      ...(createdBefore !== undefined && { createdBefore: new Date(createdBefore) }),
      before: cursor,
      limit: Math.min(limit, MOST_ITEMS),
    });
    const answer = { items: items.map(presentBroadcast), nextCursor: next };
    return context.db.transaction((tx) => keep(tx, answer));
  },
);

/** Runs an operation that gives its campaign within the transaction, where the answer is kept. */
const keptRecord = (
  keep: Around["keep"],
  run: (within: (tx: Tx, broadcast: Broadcast) => Promise<void>) => Promise<unknown>,
): Promise<Kept<BroadcastRecordJson>> => keeping(keep, presentRecord, run);
