import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { traceEvents, type TracedEvent } from "../../webhooks/trace-events.ts";
import { findMessage } from "../record/find-message.ts";
import type { Message } from "../record/message.ts";
import type { MessagePart } from "./message-part.ts";
import { selectOutboxRow, type WaitingReply } from "./outbox-store.ts";
import { selectParts } from "./part-store.ts";

/** Something that happened to a message, or that it waits for. */
export interface MessageStep {
  /** Null where only the fact is stored, not its time. */
  readonly at: Date | null;
  readonly step: string;
  /** Ids, codes and counts; never what the message says. */
  readonly detail: string;
}

/** A message from its acceptance to the receivers of its events. */
export interface MessageTrace {
  readonly id: string;
  readonly workspaceId: string;
  readonly conversationId: string | null;
  readonly channelId: string | null;
  readonly direction: Message["direction"];
  readonly status: Message["status"];
  readonly source: Message["source"];
  readonly author: string | null;
  readonly broadcastId: string | null;
  readonly providerMessageId: string | null;
  /** In the order of time; what has no time is at the end. */
  readonly steps: readonly MessageStep[];
  /** False when more events followed than are looked at. */
  readonly allEvents: boolean;
}

/**
 * Everything that is stored about one message: when it was accepted, where it waits, what the platform said, and which
 * receiver got which event of it. Throws NOT_FOUND.
 */
export async function traceMessage(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  id: string,
): Promise<MessageTrace> {
  const message = await findMessage(context, workspaceId, id);
  if (!message) throw new AppError("NOT_FOUND", { explanation: `there is no message ${id}` });
  const key = { workspaceId, id };
  const [waiting, parts, { events, lookedAtAll }] = await Promise.all([
    selectOutboxRow(context.db, key, context.clock.now()),
    selectParts(context.db, [key]),
    traceEvents(context, workspaceId, { id, since: message.createdAt }),
  ]);
  const steps = [
    ...ownSteps(message),
    ...parts.flatMap(partSteps),
    ...(waiting ? [waitingStep(waiting)] : []),
    ...events.flatMap(eventSteps),
  ];
  return {
    id,
    workspaceId,
    conversationId: message.conversationId,
    channelId: message.channelId,
    direction: message.direction,
    status: message.status,
    source: message.source,
    author: message.author,
    broadcastId: message.broadcastId,
    providerMessageId: message.providerMessageId,
    steps: steps.toSorted((a, b) => timeOf(a) - timeOf(b)),
    allEvents: lookedAtAll,
  };
}

const timeOf = ({ at }: MessageStep): number => at?.getTime() ?? Number.POSITIVE_INFINITY;

type Progress = Pick<Message, "sentAt" | "deliveredAt" | "readAt" | "errorCode" | "errorMessage">;

function ownSteps(message: Message): MessageStep[] {
  const { createdAt, direction, source, author, providerMessageId } = message;
  if (direction === "inbound")
    return [{ at: createdAt, step: "received", detail: `platform id ${providerMessageId ?? "–"}` }];
  const accepted = {
    at: createdAt,
    step: "accepted",
    detail: `${source}, ${author ?? "no author"}`,
  };
  return [accepted, ...progressSteps(message, "", providerMessageId)];
}

const partSteps = (part: MessagePart): MessageStep[] =>
  progressSteps(part, `part ${part.number} `, part.providerMessageId);

function progressSteps(of: Progress, what: string, platformId: string | null): MessageStep[] {
  const steps: MessageStep[] = [];
  const { sentAt, deliveredAt, readAt, errorCode, errorMessage } = of;
  if (sentAt)
    steps.push({ at: sentAt, step: `${what}sent`, detail: `platform id ${platformId ?? "–"}` });
  if (deliveredAt) steps.push({ at: deliveredAt, step: `${what}delivered`, detail: "" });
  if (readAt) steps.push({ at: readAt, step: `${what}read`, detail: "" });
  if (errorCode !== null)
    steps.push({
      at: null,
      step: `${what}failed`,
      detail: `${errorCode} ${errorMessage ?? ""}`.trim(),
    });
  return steps;
}

function waitingStep({
  state,
  attempts,
  availableAt,
  leaseUntil,
  unknownUntil,
  ahead,
  nextAhead,
  throttledUntil,
}: WaitingReply): MessageStep {
  const tried = `${attempts} ${attempts === 1 ? "try" : "tries"} so far`;
  switch (state) {
    case "waiting":
      if (nextAhead !== null)
        return {
          at: null,
          step: "waits behind others of its conversation",
          detail: `${ahead === 1_000 ? "at least 1000" : ahead} ahead, the next is ${nextAhead}; ${tried}`,
        };
      if (throttledUntil !== null)
        return {
          at: throttledUntil,
          step: "waits until the platform takes calls of its channel again",
          detail: tried,
        };
      return { at: availableAt, step: "waits for its next try", detail: tried };
    case "claimed":
      return {
        at: null,
        step: "claimed, the call is about to begin",
        detail: `lease until ${iso(leaseUntil)}`,
      };
    case "calling":
      return { at: null, step: "the platform is called", detail: `lease until ${iso(leaseUntil)}` };
    case "unknown":
      return {
        at: null,
        step: "outcome unknown",
        detail: `the platform may report it until ${iso(unknownUntil)}`,
      };
  }
}

const iso = (at: Date | null): string => at?.toISOString() ?? "–";

function eventSteps({ at, type, eventId, sequence, deliveries }: TracedEvent): MessageStep[] {
  return [
    { at, step: `event ${type}`, detail: `${eventId}, number ${sequence}` },
    ...deliveries.map(({ endpointId, state, attempts, attemptedAt, statusCode, failure }) => ({
      at: attemptedAt,
      step: `event ${type} ${state}`,
      detail: `endpoint ${endpointId}, ${attempts} attempts, ${failure ?? statusCode ?? "not tried yet"}`,
    })),
  ];
}
