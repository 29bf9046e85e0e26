import { t } from "../../text/t.ts";
import type { EventEntry } from "../../api/shapes.ts";
import { memberName, type Names } from "./said.tsx";
import { momentTime } from "./times.ts";

/** What somebody did with the conversation, as one line in the middle. */
export function EventLine({ entry, names }: { entry: EventEntry; names: Names }) {
  return <p className="thread-event">{wordsOf(entry, names)}</p>;
}

function wordsOf(entry: EventEntry, names: Names): string {
  const who = actorName(entry, names);
  const mine = entry.by === `member:${names.bootstrap.member.id}` ? 1 : 0;
  const bot = entry.byName ?? t("thread.bot");
  switch (entry.what) {
    case "bot_began":
      return t("thread.event.botBegan", { bot });
    case "bot_handed_over":
      return t("thread.event.botHandedOver", {
        bot,
        reason: t(`thread.reason.${entry.reason ?? "asked"}`),
      });
    case "taken_over":
      return entry.by === "system"
        ? t("thread.event.tookOverPhone")
        : t("thread.event.tookOver", { who, mine });
    case "given_back":
      return t("thread.event.gaveBack", { who, mine });
    case "assigned":
      if (entry.assigneeId === null) return t("thread.event.unassigned", { who, mine });
      if (entry.by === `member:${entry.assigneeId}`) return t("thread.event.took", { who, mine });
      return entry.assigneeId === names.bootstrap.member.id
        ? t("thread.event.assignedToYou", { who })
        : t("thread.event.assignedTo", { who, mine, whom: memberName(entry.assigneeId, names) });
    case "labelled":
      return [
        entry.added.length > 0 &&
          t("thread.event.added", { who, mine, labels: entry.added.join(", ") }),
        entry.removed.length > 0 &&
          t("thread.event.removed", { who, mine, labels: entry.removed.join(", ") }),
      ]
        .filter(Boolean)
        .join(" · ");
    case "resolved":
      return t("thread.event.resolved", { who, mine });
    case "reopened":
      return t("thread.event.reopened", { who, mine });
    case "snoozed":
      return t("thread.event.snoozed", {
        who,
        mine,
        until: entry.until === null ? "–" : momentTime(entry.until),
      });
    case "snooze_ended":
      return t("thread.event.snoozeEnded");
    case "joined":
      return entry.assigneeId === null
        ? t("thread.event.joined")
        : t("thread.event.joinedFrom", { whom: memberName(entry.assigneeId, names) });
  }
}

/** The actor as the audit names it: `member:ID`, `key:ID`, `bot:ID`, `cli`, `system`. */
function actorName({ by, byName }: EventEntry, names: Names): string {
  const [kind = "", id = ""] = by.split(":");
  switch (kind) {
    case "member":
      return id === names.bootstrap.member.id ? t("thread.you") : memberName(id, names);
    case "key":
      return t("thread.api");
    case "bot":
      return byName ?? t("thread.bot");
    default:
      return t("thread.system");
  }
}
