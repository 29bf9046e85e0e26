import type { BroadcastRecordJson } from "../../wire/broadcast-record.ts";
import { borders } from "../audience/split-draw.ts";
import type { Variant } from "../audience/split.ts";
import { presentBroadcast, type Broadcast } from "./broadcast.ts";

/** The campaign with everything that it is made of, in the form in which a draft takes it. */
export function presentRecord(broadcast: Broadcast): BroadcastRecordJson {
  const { quietFrom, quietUntil, variants, startedAt, completedAt } = broadcast;
  return {
    ...presentBroadcast(broadcast),
    ...storedText(broadcast),
    variants: variants.map((one) => {
      const { name, share, body, templateId } = one;
      return { name, share, body, templateId, ...storedText(one) };
    }),
    holdoutShare: variants.length === 0 ? 0 : borders(broadcast).holdout,
    segmentId: broadcast.segmentId,
    timeZone: broadcast.timeZone,
    localTime: broadcast.localTime,
    quietHours:
      quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil },
    replyDays: broadcast.replyDays,
    statusReason: broadcast.statusReason,
    parentId: broadcast.parentId,
    isTest: broadcast.contactIds !== null,
    startedAt: startedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
  };
}

function storedText({
  variables,
  headerText,
  headerMediaId,
  buttonTexts,
}: Variant | Broadcast): Pick<BroadcastRecordJson, "variables" | "header" | "buttons"> {
  const header = headerText !== null || headerMediaId !== null;
  return {
    variables: Object.fromEntries(variables.map((text, n) => [String(n + 1), text])),
    header: header ? { text: headerText, mediaId: headerMediaId } : null,
    buttons: Object.fromEntries(buttonTexts.map(({ index, text }) => [String(index), text])),
  };
}
