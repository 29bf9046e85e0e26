import type { AnswerOf } from "../api/call.ts";
import type { Bootstrap } from "../api/shapes.ts";
import { kindWord } from "../desk/words.ts";
import { channelWord } from "../kit/words.ts";
import type { IconName } from "../kit/icon.tsx";
import { t, type PlainKey } from "../text/t.ts";
import { actorText, sourceText } from "./actor-words.ts";
import { assignmentIn } from "./assignment.ts";
import { attributeText } from "./contact-words.tsx";
import { CHANNEL_TYPES } from "../../../server/src/wire/words.ts";

export type Happening = AnswerOf<"listContactTimeline">["items"][number];
type World = Pick<Bootstrap, "members" | "channels">;

/** One line of the timeline as it is shown. */
export interface TimelineLine {
  readonly icon: IconName;
  readonly title: string;
  /** The text of a message. */
  readonly text?: string;
  readonly side?: "in" | "out";
  readonly state?: { readonly text: string; readonly bad: boolean };
  readonly href?: string;
}

/** A number within a text of the other direction: it keeps its plus in front. */
const ltr = (number: string): string => `\u2066${number}\u2069`;

/** An event in words. Its facts depend on its kind (docs/privacy.md). */
export function lineOf({ kind, facts }: Happening, world: World): TimelineLine {
  const word = (key: string): string => textOf(facts[key]);
  const who = (): string => sourceText(word("source"), word("detail") || null, world.members);
  switch (kind) {
    case "created":
      return word("by") === "message"
        ? { icon: "user-plus", title: t("contacts.t.created.message") }
        : { icon: "user-plus", title: t("contacts.t.created.record") };
    case "merged":
      return {
        icon: "users-round",
        title: t("contacts.t.merged", { name: word("name") || t("contacts.unnamed") }),
      };
    case "identity":
    case "identity_retired": {
      const channel = channelName(word("channelId"), world);
      const id = facts["isNumber"] === true ? ltr(`+${word("externalId")}`) : word("externalId");
      return {
        icon: "at-sign",
        title: t(kind === "identity" ? "contacts.t.identity" : "contacts.t.identityRetired", {
          channel,
          id,
        }),
      };
    }
    case "opted_out":
      return { icon: "circle-alert", title: t("contacts.t.optedOut", { who: who() }) };
    case "opted_in":
      return { icon: "circle-check", title: t("contacts.t.optedIn", { who: who() }) };
    case "conversation_opened":
      return {
        icon: "message-square",
        title: t("contacts.t.opened", { channel: typeName(word("channelType")) }),
      };
    case "message":
      return messageLine(facts);
    case "campaign":
      return {
        icon: "megaphone",
        title: t("contacts.t.campaign", { name: word("name") }),
        text: saidIn(facts),
        state: stateOf(
          word("status") === "sent" ? word("messageStatus") || "sent" : word("status"),
        ),
        ...toConversation(facts),
      };
    case "campaign_replied":
      return { icon: "megaphone", title: t("contacts.t.replied") };
    case "passcode":
      return { icon: "timer", title: t("contacts.t.passcode"), state: stateOf(word("status")) };
    case "changed": {
      const by = sourceText(word("source"), word("ref") || null, world.members);
      const what = changesText(facts["changes"]);
      return { icon: "pencil", title: t("contacts.t.changed", { what, who: by }) };
    }
    default:
      return auditLine(facts, world);
  }
}

function messageLine(facts: Happening["facts"]): TimelineLine {
  const inbound = facts["direction"] === "inbound";
  const channel = typeName(textOf(facts["channelType"]));
  return {
    icon: "message-square",
    title: t(inbound ? "contacts.t.in" : "contacts.t.out", { channel }),
    text: saidIn(facts),
    side: inbound ? "in" : "out",
    ...(!inbound && { state: stateOf(textOf(facts["status"])) }),
    ...toConversation(facts),
  };
}

/** The text of a message, and how many files it has; else what it is. */
function saidIn(facts: Happening["facts"]): string {
  const files = Number(facts["files"] ?? 0);
  const said = [textOf(facts["text"]), files > 0 ? t("contacts.t.file", { count: files }) : ""]
    .filter((part) => part !== "")
    .join(" · ");
  return said === "" ? kindWord(textOf(facts["type"])) : said;
}

function toConversation(facts: Happening["facts"]): Pick<TimelineLine, "href"> {
  const conversation = textOf(facts["conversationId"]);
  return conversation === "" ? {} : { href: `/inbox/all/${conversation}` };
}

function auditLine(facts: Happening["facts"], world: World): TimelineLine {
  const action = textOf(facts["action"]);
  const who = actorText(textOf(facts["actor"]), world.members);
  switch (action) {
    case "conversation.resolved":
      return { icon: "circle-check", title: t("contacts.t.resolved", { who }) };
    case "conversation.open":
      return { icon: "inbox", title: t("contacts.t.openedAgain", { who }) };
    case "conversation.snoozed":
      return { icon: "alarm-clock", title: t("contacts.t.snoozed", { who }) };
    case "conversation.snooze_ended":
      return { icon: "alarm-clock", title: t("contacts.t.snoozeEnded") };
    case "conversation.joined":
      return { icon: "inbox", title: t("contacts.t.joined") };
    case "conversation.assigned": {
      const to = assignmentIn(facts, world.members);
      if (to === "none") return { icon: "user-plus", title: t("contacts.t.unassigned", { who }) };
      if (to === "self") return { icon: "user-plus", title: t("contacts.t.took", { who }) };
      const name = to.name ?? t("contacts.source.gone");
      return { icon: "user-plus", title: t("contacts.t.assigned", { to: name, who }) };
    }
    case "conversation.labelled":
      return {
        icon: "tag",
        title: t("contacts.t.labelled", {
          labels: plusMinus(facts["added"], facts["removed"]),
          who,
        }),
      };
    case "contact.number_passed_on":
      return { icon: "at-sign", title: t("contacts.t.passedOn") };
    default:
      return { icon: "ellipsis", title: t("contacts.t.other", { action, who }) };
  }
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

function channelName(id: string, { channels }: World): string {
  const channel = channels.find((one) => one.id === id);
  return channel ? channel.name || channelWord(channel.type) : "—";
}
function typeName(type: string): string {
  const known = CHANNEL_TYPES.find((one) => one === type);
  return known ? channelWord(known) : type || "SMS";
}

const STATES: Readonly<Record<string, PlainKey>> = {
  sent: "contacts.status.sent",
  delivered: "contacts.status.delivered",
  read: "contacts.status.read",
  failed: "contacts.status.failed",
  unknown: "contacts.status.unknown",
  skipped: "contacts.status.skipped",
};
const stateOf = (status: string): { readonly text: string; readonly bad: boolean } => ({
  text: t(STATES[status] ?? "contacts.status.pending"),
  bad: status === "failed" || status === "unknown",
});

const FIELDS: Readonly<Record<string, PlainKey>> = {
  name: "contacts.name",
  email: "contacts.email",
  phone: "contacts.phone",
  notes: "contacts.notes",
  channelType: "contacts.channel",
  externalId: "contacts.duplicates.externalId",
};

/** The changes of a contact: `Name: Sara → Sarah · Tags +vip`. */
function changesText(changes: unknown): string {
  const list: readonly unknown[] = Array.isArray(changes) ? changes : [];
  return list.map(changeText).join(" · ");
}

function changeText(change: unknown): string {
  if (typeof change !== "object" || change === null) return "";
  if ("omitted" in change) return t("contacts.t.change.more", { count: Number(change.omitted) });
  if ("added" in change && "removed" in change)
    return t("contacts.t.change.tags", { tags: plusMinus(change.added, change.removed) });
  const named = "attribute" in change ? textOf(change.attribute) : "";
  const plain = "field" in change ? textOf(change.field) : named;
  const key = FIELDS[plain];
  const field = named === "" && key ? t(key) : plain;
  const from = "from" in change ? attributeText(change.from) : "";
  const given = "to" in change ? attributeText(change.to) : "";
  const to = plain === "channelType" && given !== "" ? typeName(given) : given;
  if (to === "") return t("contacts.t.change.gone", { field });
  return from === ""
    ? t("contacts.t.change.set", { field, to })
    : t("contacts.t.change.move", { field, from, to });
}

function plusMinus(added: unknown, removed: unknown): string {
  const list = (given: unknown, sign: string): string[] =>
    Array.isArray(given) ? given.map((one) => sign + textOf(one)) : [];
  return [...list(added, "+"), ...list(removed, "−")].join(" ");
}
