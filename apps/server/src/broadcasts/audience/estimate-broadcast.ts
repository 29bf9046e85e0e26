import type { Context } from "../../context.ts";
import { notInState } from "../../errors.ts";
import { countSegments } from "../../sms/segments.ts";
import { usageSummary } from "../../usage/usage-summary.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { audienceOf } from "./audience-of.ts";
import { sumOf } from "./audience-reach.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { paceToKeep } from "../send/pace-warning.ts";
import { placesPerMinute } from "../send/pace.ts";
import { audienceCounts, selectCandidates, type AudienceCount } from "../text/preview-store.ts";
import { mistypedPlaces } from "../text/placeholders.ts";
import { armsOf, splitRendering } from "./split.ts";
import { reachedPace } from "./reached-pace.ts";
import { planBroadcast, type NoPlan, type SendPlan } from "../send/plan-sending.ts";

/** What a start would do now. */
export interface BroadcastEstimate {
  /** "12,400 recipients, 10,000 slots left", and anything else that is short. */
  readonly summary: string;
  /** Why it could not run now. */
  readonly cannotRun: string | null;
  readonly recipients: number;
  /** Places in its bodies that are filled with nothing of a contact: the first `MOST_PLACES`, each once. */
  readonly unknownPlaceholders: readonly string[];
  /** Contacts of the audience that would be skipped, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Of this month's allowance; null: unlimited. */
  readonly slotsLeft: number | null;
  /** SMS: the parts of all texts, from the average of 200 of them, and the credits left (null: not counted). */
  readonly credits: { readonly needed: number; readonly left: number | null } | null;
  /** Whether slots and credits cover all recipients. */
  readonly covered: boolean;
  /** At the campaign's pace, or at what earlier campaigns reached here where that is less; quiet hours and the contacts' own times are not counted in. */
  readonly seconds: number;
}

const TIMEOUT_MS = 20_000;
const SAMPLE = 200;
const ESTIMATED: readonly string[] = ["DRAFT", "SCHEDULED"];

/**
 * Counts the audience of a draft or scheduled campaign as it would be stored now, and compares it with the
 * allowance. Reads every contact, apart from the pool that requests use. Errors: `BROADCAST_NOT_FOUND`;
 * `NOT_ALLOWED_IN_STATE` once it has an audience (its report counts that).
 */
export async function estimateBroadcast(
  context: Context,
  workspaceId: string,
  id: string,
): Promise<BroadcastEstimate> {
  const broadcast = await findBroadcast(context, workspaceId, id);
  if (!ESTIMATED.includes(broadcast.status)) {
    const explanation = `a ${broadcast.status} campaign is not estimated: its report counts its recipients`;
    throw notInState(broadcast.status, ESTIMATED, explanation);
  }
  return estimatePrepared(context, broadcast);
}

/** As `estimateBroadcast`, for a campaign that need not be stored. */
export async function estimatePrepared(
  context: Context,
  broadcast: Broadcast,
): Promise<BroadcastEstimate> {
  const { workspaceId } = broadcast;
  const now = context.clock.now();
  const audience = await audienceOf(context, broadcast);
  const plan = await planBroadcast(context, broadcast);
  const rendering = splitRendering(broadcast);
  const counts =
    audience === null
      ? []
      : await context.db.slowQuery<AudienceCount>(
          audienceCounts(broadcast, audience, rendering, now),
          TIMEOUT_MS,
          "planned each time",
        );
  const { recipients, skipped } = sumOf(counts);
  const { limits, usage } = await usageSummary(context, workspaceId);
  const slotsLeft = limits.messages === null ? null : Math.max(0, limits.messages - usage.messages);
  const credits =
    broadcast.kind === "SMS" && audience !== null
      ? {
          needed: Math.ceil(recipients * (await partsPerText(context, broadcast, audience, plan))),
          left: (await findWorkspace(context, workspaceId))?.smsCredits ?? null,
        }
      : null;
  const taken = "fill" in plan ? plan.most : undefined;
  const rate = Math.min(await paceToKeep(context, broadcast), taken ?? Infinity);
  const perMinute = Math.min(
    placesPerMinute(rate),
    (await reachedPace(context, broadcast)) ?? Infinity,
  );
  const seconds = Math.ceil((Math.max(0, recipients - 1) * 60) / perMinute);
  const enoughSlots = slotsLeft === null || recipients <= slotsLeft;
  const enoughCredits = credits === null || credits.left === null || credits.needed <= credits.left;
  return {
    summary: [
      `${figure(recipients)} recipient${recipients === 1 ? "" : "s"}`,
      slotsLeft === null ? "unlimited slots" : `${figure(slotsLeft)} slots left`,
      ...(credits?.left === null || credits === null
        ? []
        : [`${figure(credits.needed)} credits of ${figure(credits.left)} needed`]),
    ].join(", "),
    cannotRun: audience === null ? "SEGMENT_GONE" : "stop" in plan ? plan.stop : null,
    recipients,
    unknownPlaceholders: placesIn(broadcast),
    skipped,
    slotsLeft,
    credits,
    covered: enoughSlots && enoughCredits,
    seconds,
  };
}

/** The average number of SMS parts over the first texts of the audience; 1 when it is empty. */
async function partsPerText(
  context: Context,
  broadcast: Broadcast,
  audience: NonNullable<Awaited<ReturnType<typeof audienceOf>>>,
  plan: SendPlan | NoPlan,
): Promise<number> {
  const rendering = splitRendering(broadcast);
  const options = { limit: SAMPLE, now: context.clock.now() };
  const sample = await selectCandidates(context.db, broadcast, audience, rendering, options);
  const parts = sample.flatMap(({ skip, shown, variant }) => {
    const rendered = skip === null ? rendering.render(variant, shown ?? []) : null;
    if (rendered === null || !("text" in rendered)) return [];
    const parts = "fill" in plan ? plan.fill(rendered, variant).parts : undefined;
    return [parts ?? countSegments(rendered.text).segments];
  });
  return parts.length === 0 ? 1 : parts.reduce((sum, one) => sum + one, 0) / parts.length;
}

const figure = (count: number): string => count.toLocaleString("en-US");

/** Whoever has corrected so many reads the next ones. */
const MOST_PLACES = 20;

function placesIn(broadcast: Broadcast): string[] {
  const places = armsOf(broadcast).flatMap(({ body }) => mistypedPlaces(body ?? ""));
  return [...new Set(places)].slice(0, MOST_PLACES);
}
