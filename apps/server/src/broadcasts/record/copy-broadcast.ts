import { write } from "../../write.ts";
import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { invalid, notInState } from "../../errors.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { audit, type AuditEntry } from "../../workspaces/write-audit.ts";
import { beginningOf } from "../../lib/beginning-of.ts";
import { audienceOf } from "../audience/audience-of.ts";
import { broadcastStatusEvent, NOT_STARTED, type Broadcast } from "./broadcast.ts";
import { insertBroadcast } from "./broadcast-store.ts";
import type { WithinOptions } from "./create-broadcast.ts";
import { findBroadcast } from "./find-broadcast.ts";
import { onChannel } from "./move-channel.ts";
import { namedContacts } from "../text/named-contacts.ts";
import { anyContact } from "../text/preview-store.ts";
import { withoutHoldout } from "../audience/split.ts";
import { startWithin } from "./start-broadcast.ts";

/** States in which a campaign is over for now: its failed recipients stay failed. */
const RESENDABLE = ["PAUSED", "COMPLETED", "CANCELLED"];
/** A test is for a few people who know of it. */
const MOST_TESTED = 20;

/**
 * A draft with the same text, audience, times of the day and pace (the present one, including halvings), and
 * without a scheduled time. Once it has a time, it follows each recipient's clock if the original did. Changes of
 * the template or segment meanwhile show when it is started.
 */
export const duplicateBroadcast = write(
  "broadcast.duplicate",
  async (
    actor,
    context: Context,
    workspaceId: string,
    id: string,
    options: WithinOptions & {
      readonly name?: string | undefined;
      /** Another channel than the campaign's. */
      readonly channelId?: string | undefined;
    } = {},
  ): Promise<Broadcast> => {
    const found = await findBroadcast(context, workspaceId, id);
    const name = nameOf(options.name ?? `${found.name} (copy)`);
    const { channelId } = options;
    const moved = channelId === undefined ? {} : await onChannel(context, found, channelId);
    return insertCopy(actor, context, found, { name, ...moved }, options);
  },
);

/**
 * A draft for the failed recipients of this campaign, with its text and linked to it. Numbers that accept no
 * message are left out unless `all`. Always left out are recipients that got it by another resend. Recipients with
 * an unknown outcome wait for `resendUnknown`. Only a cancelled campaign, which cannot run again, includes them
 * here when a person asks (`unknown`), and the audit log keeps the actor. Opted-out contacts are skipped as
 * always. Errors: `NOT_ALLOWED_IN_STATE` unless it is PAUSED, COMPLETED or CANCELLED; `VALIDATION_FAILED` when
 * nobody is left to send to.
 */
export const resendFailed = write(
  "broadcast.resend_failed",
  async (
    actor,
    context: Context,
    workspaceId: string,
    id: string,
    options: WithinOptions & {
      readonly all?: boolean | undefined;
      readonly unknown?: boolean | undefined;
      readonly name?: string | undefined;
    } = {},
  ): Promise<Broadcast> => {
    const found = await findBroadcast(context, workspaceId, id);
    if (!RESENDABLE.includes(found.status)) {
      const explanation = `a ${found.status} campaign cannot be resent: it must be ${RESENDABLE.join(", ")}`;
      throw notInState(found.status, RESENDABLE, explanation);
    }
    const parentUnknown = options.unknown ?? false;
    if (parentUnknown && found.status !== "CANCELLED") {
      const explanation = `a ${found.status} campaign sends to those itself: resend-unknown`;
      throw notInState(found.status, ["CANCELLED"], explanation);
    }
    const name = nameOf(options.name ?? `${found.name} (resend)`);
    const parentAll = options.all ?? false;
    const link = { parentId: id, parentAll, parentUnknown, contactIds: null };
    const audience = await audienceOf(context, { ...found, ...link });
    if (audience === null || !(await anyContact(context.db, workspaceId, audience)))
      throw invalid("id", "has no failed recipients that can be retried");
    const { variants } = withoutHoldout(found);
    return insertCopy(actor, context, found, { ...link, name, variants }, options);
  },
);

/**
 * Sends the campaign's message to chosen contacts now, as a linked campaign of its own: nothing of it counts in
 * the campaign's report, each message uses a slot, and it is sent as every message is. Quiet hours do not apply.
 * Errors: `VALIDATION_FAILED` (`contactIds`); those of `startBroadcast`.
 */
export const testBroadcast = write(
  "broadcast.test",
  async (
    actor,
    context: Context,
    workspaceId: string,
    id: string,
    contactIds: readonly string[],
    options: WithinOptions = {},
  ): Promise<Broadcast> => {
    const found = await findBroadcast(context, workspaceId, id);
    const named = await namedContacts(context, workspaceId, contactIds, MOST_TESTED);
    const test = copyOf(context, found, {
      name: nameOf(`${found.name} (test)`),
      parentId: id,
      contactIds: named,
      ...withoutHoldout(found),
      localTime: false,
      quietFrom: null,
      quietUntil: null,
    });
    // In one transaction: a refused start leaves no draft behind.
    return context.db.transaction(async (tx) => {
      await insertBroadcast(tx, test);
      await audit(actor, context, tx, workspaceId, {
        action: "broadcast.tested",
        subject: id,
        facts: { broadcastId: test.id },
      });
      const { broadcast, event } = await startWithin(actor, context, tx, test, options);
      await emitEvents(context, tx, [broadcastStatusEvent(test, null, test.createdAt), event]);
      return broadcast;
    });
  },
);

const LONGEST_NAME = 200;

function nameOf(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "") throw invalid("name", `must have 1 to ${LONGEST_NAME} characters`);
  return beginningOf(trimmed, LONGEST_NAME);
}

/**
 * A copy is a new campaign; a resend is recorded with the campaign that it sends again. `unknown`: some may get it
 * twice.
 */
function entryOf(found: Broadcast, copy: Broadcast): AuditEntry {
  if (copy.parentId === null)
    return { action: "broadcast.created", subject: copy.id, facts: { copyOf: found.id } };
  const action = copy.parentUnknown ? "broadcast.resend_unknown" : "broadcast.resend_failed";
  return { action, subject: found.id, facts: { broadcastId: copy.id } };
}

async function insertCopy(
  actor: Actor,
  context: Context,
  found: Broadcast,
  changes: Partial<Broadcast>,
  options: WithinOptions,
): Promise<Broadcast> {
  const copy = copyOf(context, found, changes);
  await context.db.transaction(async (tx) => {
    await insertBroadcast(tx, copy);
    await audit(actor, context, tx, copy.workspaceId, entryOf(found, copy));
    await options.within?.(tx, copy);
    await emitEvents(context, tx, [broadcastStatusEvent(copy, null, copy.createdAt)]);
  });
  return copy;
}

function copyOf(context: Context, found: Broadcast, changes: Partial<Broadcast>): Broadcast {
  return {
    ...found,
    status: "DRAFT",
    ...NOT_STARTED,
    scheduledAt: null,
    createdAt: context.clock.now(),
    ...changes,
    id: context.ids.next(),
  };
}
