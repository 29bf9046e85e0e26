import type { Tx } from "../../db/database.ts";
import { popEarlyStatuses } from "../receive/early-status-store.ts";
import type { MessageProgress } from "./message.ts";
import {
  isInFlight,
  PART_NOT_SENT,
  readCorrelation,
  rollUp,
  type MessagePart,
} from "../send/message-part.ts";
import { applyReport, byTime } from "./message-status.ts";
import { providerKeyOf } from "./message-store.ts";
import { selectParts, updateParts } from "../send/part-store.ts";
import type { Settlement } from "./settle-messages.ts";

/**
 * The next step of the outbox row of a message in parts. `resume`: its next part may go; `over`: no part is left.
 * Absent: a part is under way.
 */
export type Onward = "resume" | "over";

/**
 * Applies reports about messages in parts to their parts. A report names its part by number or by the platform's id;
 * otherwise it means the part under way. Each list of reports is replaced by what the parts then say of the whole
 * message. The messages must be locked. `taken`: provider ids that messages have. Gives the next step of each outbox
 * row.
 */
export async function settleParts(
  tx: Tx,
  messages: ReadonlyMap<string, MessageProgress>,
  reports: Map<string, Settlement[]>,
  taken: ReadonlySet<string>,
): Promise<Map<string, Onward>> {
  const onward = new Map<string, Onward>();
  const split = [...reports]
    .filter(([key, list]) => list.length > 0 && (messages.get(key)?.partCount ?? null) !== null)
    .flatMap(([key]) => messages.get(key) ?? []);
  if (split.length === 0) return onward;
  const parts = new Map<string, MessagePart[]>();
  for (const part of await selectParts(tx, split)) {
    const key = `${part.workspaceId}/${part.messageId}`;
    parts.set(key, [...(parts.get(key) ?? []), part]);
  }
  const before = new Map(parts);
  for (const [key, rows] of parts) parts.set(key, take(rows, reports.get(key) ?? [], taken));
  await applyParked(tx, parts, before);

  const written: MessagePart[] = [];
  for (const [key, rows] of parts) {
    const list = reports.get(key) ?? [];
    const settled = rows.some(({ status }) => status === "failed") ? rows.map(giveUp) : rows;
    const old = before.get(key) ?? [];
    written.push(...settled.filter((row, index) => row !== old[index]));
    reports.set(key, wholeOf(settled, list));
    if (settled.some(isInFlight)) continue;
    onward.set(key, settled.some(({ status }) => status === "waiting") ? "resume" : "over");
  }
  await updateParts(tx, written);
  return onward;
}

function take(
  rows: readonly MessagePart[],
  list: readonly Settlement[],
  taken: ReadonlySet<string>,
): MessagePart[] {
  const parts = [...rows];
  for (const one of list.toSorted(byTime)) {
    const number = readCorrelation(one.messageId)?.part ?? null;
    const id = one.providerMessageId;
    let at = parts.findIndex((part) => part.number === number);
    if (at < 0 && id !== null) at = parts.findIndex((part) => part.providerMessageId === id);
    if (at < 0) at = parts.findIndex(isInFlight);
    // The message was given up between two parts (after a restore): the next part is not begun.
    if (at < 0 && number === null && id === null && one.status === "failed")
      at = parts.findIndex(({ status }) => status === "waiting");
    const part = parts[at];
    if (!part) continue;
    parts[at] = applyTo(part, one);
    // A provider id belongs to one part.
    const free =
      id !== null &&
      part.providerMessageId === null &&
      !parts.some((other) => other.providerMessageId === id) &&
      !taken.has(providerKeyOf({ ...part, providerMessageId: id }));
    if (free) parts[at] = { ...applyTo(part, one), providerMessageId: id };
  }
  return parts;
}

function applyTo(
  part: MessagePart,
  one: Pick<Settlement, "status" | "at" | "errorCode" | "errorMessage">,
): MessagePart {
  // The table of moves has no `waiting`. A waiting part counts as sent there, so that evidence of it counts.
  const status = part.status === "waiting" ? "sent" : part.status;
  const { row, moved } = applyReport({ ...part, status }, one);
  return moved || row.sentAt !== part.sentAt ? { ...part, ...row } : part;
}

/** Applies the reports that waited for the platform's ids that are stored now. */
async function applyParked(
  tx: Tx,
  parts: Map<string, MessagePart[]>,
  before: ReadonlyMap<string, readonly MessagePart[]>,
): Promise<void> {
  const keys = [...parts].flatMap(([key, rows]) =>
    rows.flatMap(({ workspaceId, channelId, providerMessageId }, index) =>
      providerMessageId !== null && before.get(key)?.[index]?.providerMessageId === null
        ? [{ workspaceId, channelId, providerMessageId }]
        : [],
    ),
  );
  if (keys.length === 0) return;
  const parked = (await popEarlyStatuses(tx, keys)).toSorted(byTime);
  for (const [key, rows] of parts) {
    parts.set(
      key,
      rows.map((row) =>
        parked
          .filter(
            (one) =>
              one.workspaceId === row.workspaceId &&
              one.channelId === row.channelId &&
              one.providerMessageId === row.providerMessageId,
          )
          .reduce(applyTo, row),
      ),
    );
  }
}

const giveUp = (part: MessagePart): MessagePart =>
  part.status === "waiting"
    ? {
        ...part,
        status: "failed",
        errorCode: PART_NOT_SENT,
        errorMessage: "A part before it failed.",
      }
    : part;

/** What the parts say of the whole message, as reports about it. */
function wholeOf(parts: readonly MessagePart[], list: readonly Settlement[]): Settlement[] {
  const [first] = parts;
  const last = list.toSorted(byTime).at(-1);
  if (!first || !last) return [];
  const scope = list.find((one) => one.scope !== undefined)?.scope;
  return rollUp(parts, last.at).map((report) => ({
    ...report,
    workspaceId: first.workspaceId,
    messageId: first.messageId,
    channelId: first.channelId,
    providerMessageId: report.status === "failed" ? null : first.providerMessageId,
    ...(scope !== undefined && { scope }),
  }));
}
