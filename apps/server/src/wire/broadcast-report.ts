import { Type } from "typebox";
import { BroadcastJson } from "./broadcast.ts";
import { count, nullableText, nullableTime, ref, type Shown } from "./schema.ts";

export const FunnelJson = Type.Object(
  {
    total: count("Everybody in the audience."),
    skipped: count("Opted out, without an address, or left out for another reason."),
    pending: count("Waiting."),
    sending: count("With a worker or the provider."),
    failed: count("Failed."),
    sent: count("The platform took it."),
    delivered: count("It arrived."),
    read: count("It was read."),
    replied: count("The customer answered."),
    optedOut: count("The customer opted out because of it."),
  },
  {
    $id: "Funnel",
    description:
      "How far the recipients came: each step includes those that went further. At every instant `total` = pending + sending + sent + failed + skipped.",
  },
);
export type FunnelJson = Shown<typeof FunnelJson>;

const byReason = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });

export const BroadcastReportJson = Type.Object(
  {
    broadcast: ref(BroadcastJson),
    statusReason: nullableText("Why the engine paused or failed it."),
    startedAt: nullableTime("When it started."),
    completedAt: nullableTime("When its last recipient was settled."),
    pendingCount: count("Recipients that wait."),
    sendingCount: count("Recipients with a worker or the provider."),
    skipped: byReason("Contacts skipped, by reason."),
    failed: byReason("Recipients failed, by the platform's code."),
    unknownCount: count("Recipients whose message may or may not have arrived."),
    funnel: ref(FunnelJson),
  },
  {
    $id: "BroadcastReport",
    description: "Where every recipient of a campaign stands, all of one instant.",
  },
);
export type BroadcastReportJson = Shown<typeof BroadcastReportJson>;
