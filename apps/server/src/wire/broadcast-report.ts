import { Type } from "typebox";
import { BroadcastJson } from "./broadcast.ts";
import { count, nullableText, nullableTime, ref, type Shown } from "./schema.ts";

export const FunnelJson = Type.Object(
  {
    total: count("Everybody in the audience."),
    skipped: count("Opted out, without an address, or left out for another reason."),
    pending: count("Waiting to be sent."),
    sending: count("Being sent by a worker or the provider."),
    failed: count("Failed."),
    sent: count("The platform took the message."),
    delivered: count("The message arrived."),
    read: count("The message was read."),
    replied: count("The customer answered."),
    optedOut: count("The customer opted out because of the message."),
  },
  {
    $id: "Funnel",
    description:
      "How far the recipients came. Each step includes the recipients that went further. At every instant `total` = pending + sending + sent + failed + skipped.",
  },
);
export type FunnelJson = Shown<typeof FunnelJson>;

const byReason = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });

export const BroadcastReportJson = Type.Object(
  {
    broadcast: ref(BroadcastJson),
    statusReason: nullableText("Why the campaign was paused or failed by itself."),
    startedAt: nullableTime("When it started."),
    completedAt: nullableTime("When its last recipient was settled."),
    pendingCount: count("Recipients that wait."),
    sendingCount: count("Recipients that are being sent to, by a worker or the provider."),
    skipped: byReason("Contacts skipped, by reason."),
    failed: byReason("Recipients failed, by the platform's code."),
    unknownCount: count("Recipients whose message may or may not have arrived."),
    funnel: ref(FunnelJson),
  },
  {
    $id: "BroadcastReport",
    description: "How far every recipient of a campaign is, all at one instant.",
  },
);
export type BroadcastReportJson = Shown<typeof BroadcastReportJson>;
