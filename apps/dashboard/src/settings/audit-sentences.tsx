import type { ReactElement } from "react";
import { Link } from "react-aria-components";
import { CHANNEL_TYPES, SMS_PROVIDERS, TROUBLES } from "../../../server/src/wire/words.ts";
import type { AuditAction } from "../../../server/src/workspaces/audit-actions.ts";
import type { AnswerOf } from "../api/call.ts";
import { jobTitle } from "../contacts/jobs.tsx";
import type { Bootstrap } from "../api/shapes.ts";
import { channelWord } from "../kit/words.ts";
import { listOf, momentOf } from "../kit/format.ts";
import { PersonName } from "../kit/phone.tsx";
import { t, told, type KeyWith, type PlainKey } from "../text/t.ts";

type Page = AnswerOf<"listAudit">;
export type AuditEntry = Page["items"][number];

/** What is known of the records that entries name. */
export interface AuditWorld {
  readonly boot: Pick<Bootstrap, "members" | "channels" | "savedReplies" | "views">;
  readonly names: Page["names"];
}

/** An entry of the audit with the words for its parts. */
class Telling {
  readonly entry: AuditEntry;
  readonly world: AuditWorld;

  constructor(entry: AuditEntry, world: AuditWorld) {
    this.entry = entry;
    this.world = world;
  }

  /** Whoever did it. */
  get who(): ReactElement {
    const { actor, actorName } = this.entry;
    const kind = actor.split(":")[0];
    if (kind === "key") return told("audit.who.key", { name: named(actorName ?? actor) });
    if (actorName !== null) return named(actorName);
    if (kind === "member") return plain("audit.who.gone");
    if (kind === "bot") return plain("contacts.source.bot");
    if (actor === "cli") return plain("audit.who.operator");
    return plain(actor === "demo" ? "audit.who.demo" : "contacts.source.system");
  }

  /** Whether the member did it to themselves. */
  get own(): boolean {
    return this.entry.actor === `member:${this.entry.subject}`;
  }

  /** A fact that is a text; empty when there is none. */
  text(fact: string): string {
    const value = this.entry.facts[fact];
    return typeof value === "string" ? value : "";
  }
  number(fact: string): number {
    const value = this.entry.facts[fact];
    return typeof value === "number" ? value : 0;
  }
  list(fact: string): readonly string[] {
    const value = this.entry.facts[fact];
    return Array.isArray(value) ? value.map(String) : [];
  }
  is(fact: string): boolean {
    return this.entry.facts[fact] !== undefined && this.entry.facts[fact] !== null;
  }

  /** A record as a sentence names it, with a link to its page; one that is gone by the name that its entry kept. */
  the(thing: Thing, id: string = this.entry.subject): ReactElement {
    const name = this.#nameOf(thing, id);
    if (name !== undefined)
      return told(`audit.the.${thing}`, { name: linked(PAGES[thing](id), name) });
    const kept = id === this.entry.subject ? this.#keptName(thing) : "";
    return kept === ""
      ? plain(`audit.a.${thing}`)
      : told(`audit.the.${thing}`, { name: named(kept) });
  }

  #keptName(thing: Thing): string {
    const type = this.text("type");
    const name = this.text("name");
    return name === "" && thing === "channel" && isOneOf(CHANNEL_TYPES, type)
      ? channelWord(type)
      : name;
  }

  #nameOf(thing: Thing, id: string): string | undefined {
    const { channels, savedReplies, views } = this.world.boot;
    if (thing === "channel") {
      const channel = channels.find((one) => one.id === id);
      return channel && (channel.name || channelWord(channel.type));
    }
    if (thing === "saved_reply") return savedReplies.find((one) => one.id === id)?.title;
    if (thing === "desk_view") return views.find((one) => one.id === id)?.name;
    return this.world.names.find((one) => one.id === id && one.kind === thing)?.name;
  }

  /** The member that the entry, or a fact of it, names. */
  member(id: string = this.entry.subject): ReactElement {
    return this.#memberOr("audit.a.member", id);
  }

  /** The member that the entry is about, as its sentence begins. */
  get subject(): ReactElement {
    return this.#memberOr("audit.who.gone", this.entry.subject);
  }

  #memberOr(gone: PlainKey, id: string): ReactElement {
    const member = this.world.boot.members.find((one) => one.id === id);
    return member ? named(member.name) : plain(gone);
  }

  get template(): ReactElement {
    const name = this.text("name");
    return told("audit.the.template", { name: linked(`/templates/${this.entry.subject}`, name) });
  }

  get import(): ReactElement {
    return linked(`/contacts/import?run=${this.entry.subject}`, t("audit.the.import"));
  }

  get role(): string {
    return roleWord(this.text("role"));
  }

  /** The role before a change; empty in entries that do not tell. */
  get roleBefore(): string {
    return roleWord(this.text("from"));
  }

  get provider(): string {
    const name = this.text("provider");
    if (name === "http") return t("audit.gateway.http");
    return isOneOf(SMS_PROVIDERS, name) ? t(`sms.gateway.${name}`) : name;
  }
}

type Thing =
  | "channel"
  | "segment"
  | "broadcast"
  | "endpoint"
  | "contact"
  | "conversation"
  | "saved_reply"
  | "desk_view"
  | "bot"
  | "knowledge";

const PAGES: Readonly<Record<Thing, (id: string) => string>> = {
  channel: (id) => `/settings/channels/${id}`,
  segment: (id) => `/segments/${id}`,
  broadcast: (id) => `/campaigns/${id}`,
  endpoint: (id) => `/settings/webhooks/${id}`,
  contact: (id) => `/contacts/${id}`,
  conversation: (id) => `/inbox/all/${id}`,
  saved_reply: () => "/settings/saved-replies",
  desk_view: (id) => `/inbox/view-${id}`,
  bot: (id) => `/bots/${id}`,
  knowledge: (id) => `/knowledge/${id}`,
};

const plain = (key: PlainKey): ReactElement => <>{t(key)}</>;
const named = (name: string): ReactElement => <bdi className="audit-name">{name}</bdi>;
const linked = (href: string, name: string): ReactElement => (
  <Link className="audit-name" href={href}>
    <PersonName of={name} />
  </Link>
);

const ROLES = ["owner", "admin", "agent"] as const;
const TYPES = ["text", "number", "date", "boolean", "choice"] as const;
const CHANGES = ["tag", "untag", "set_attribute", "opt_out", "opt_in", "delete"] as const;

function isOneOf<T extends string>(list: readonly T[], text: string): text is T {
  return list.some((one) => one === text);
}

const roleWord = (role: string): string => (isOneOf(ROLES, role) ? t(`people.role.${role}`) : role);

const FIELDS: Readonly<Record<string, PlainKey>> = {
  name: "audit.field.name",
  email: "audit.field.email",
  plan: "audit.field.plan",
  smsCredits: "audit.field.smsCredits",
  timeZone: "audit.field.timeZone",
  country: "audit.field.country",
  locale: "audit.field.locale",
  limits: "audit.field.limits",
  suspended: "audit.field.suspended",
  twoFactorRequired: "audit.field.twoFactorRequired",
};

/** The changed fields: `name, country`. */
const fieldsText = (fields: readonly string[], of: Telling): string =>
  listOf(
    fields.map((field) => {
      if (field === "role")
        return of.roleBefore === ""
          ? t("audit.field.role", { role: of.role })
          : t("audit.field.roleFrom", { from: of.roleBefore, role: of.role });
      const key = FIELDS[field];
      return key ? t(key) : field;
    }),
  );

type Sentence = (of: Telling) => ReactElement;

/** `{who} …` */
const by =
  (key: KeyWith<"who">): Sentence =>
  (of) =>
    told(key, { who: of.who });
/** `{who} … {what}`, about a record */
const about =
  (key: KeyWith<"who" | "what">, thing: Thing): Sentence =>
  (of) =>
    told(key, { who: of.who, what: of.the(thing) });
/** `{who} … {what}`, about what is gone; an entry without its name is told by `nameless` */
const deleted =
  (nameless: KeyWith<"who">, thing: Thing): Sentence =>
  (of) =>
    of.is("name")
      ? told("audit.deleted", { who: of.who, what: of.the(thing) })
      : told(nameless, { who: of.who });
/** `{who} … {what}`, about a member */
const toMember =
  (key: KeyWith<"who" | "what">): Sentence =>
  (of) =>
    told(key, { who: of.who, what: of.member() });
/** A refused password or code. */
function refusalKey(of: Telling): KeyWith<"what"> {
  const over = of.is("last") || of.is("stepEnded");
  if (of.entry.facts["by"] === "code")
    return over ? "audit.session.wrongCodes" : "audit.session.wrongCode";
  return over ? "audit.session.wrongPasswords" : "audit.session.wrongPassword";
}
/** `{what} …`: what members do with their own sign-in */
const ofMember =
  (key: KeyWith<"what">): Sentence =>
  (of) =>
    told(key, { what: of.subject });

/** A sentence for every action of the audit. */
const SENTENCES = {
  "workspace.created": by("audit.workspace.created"),
  "workspace.updated": (of) => {
    const { who } = of;
    const { facts } = of.entry;
    const fields = Object.keys(facts);
    if (fields.join() === "suspended")
      return told(facts["suspended"] ? "audit.workspace.suspended" : "audit.workspace.resumed", {
        who,
      });
    if (fields.join() === "twoFactorRequired")
      return told(
        facts["twoFactorRequired"] ? "audit.workspace.required" : "audit.workspace.notRequired",
        { who },
      );
    return told("audit.workspace.updated", { who, fields: fieldsText(fields, of) });
  },
  "workspace.removal_asked": by("audit.workspace.removal_asked"),
  "workspace.deletion_started": by("audit.workspace.deletion_started"),
  // An invitation is accepted by Parley itself: nobody else acts while somebody joins.
  "member.created": (of) =>
    of.entry.actor === "system"
      ? told("audit.member.joined", { what: of.subject, role: of.role })
      : told("audit.member.created", { who: of.who, what: of.member(), role: of.role }),
  "member.updated": (of) => {
    const changed = of.list("changed");
    const { who } = of;
    if (of.own && changed.join() === "name") return told("audit.member.ownName", { who });
    if (changed.join() === "role") {
      const parts = { who, what: of.member(), role: of.role };
      return of.roleBefore === ""
        ? told("audit.member.role", parts)
        : told("audit.member.roleFrom", { ...parts, from: of.roleBefore });
    }
    const fields = fieldsText(changed, of);
    return told("audit.member.updated", { who, what: of.member(), fields });
  },
  "member.password_reset": toMember("audit.member.password_reset"),
  "member.removed": toMember("audit.member.removed"),
  "member.disabled": toMember("audit.member.disabled"),
  "member.enabled": toMember("audit.member.enabled"),
  "member.sessions_ended": (of) =>
    told("audit.member.sessions_ended", {
      who: of.who,
      what: of.member(),
      count: of.number("ended"),
    }),
  "member.reset_link_made": toMember("audit.member.reset_link_made"),
  "member.two_factor_reset": toMember("audit.member.two_factor_reset"),
  "invitation.created": (of) => told("audit.invitation.created", { who: of.who, role: of.role }),
  "invitation.withdrawn": by("audit.invitation.withdrawn"),
  "session.opened": (of) =>
    told(of.is("byRecoveryCode") ? "audit.session.byRecoveryCode" : "audit.session.opened", {
      what: of.subject,
    }),
  "session.code_asked": ofMember("audit.session.code_asked"),
  "session.ended": (of) =>
    told("audit.session.ended", { what: of.subject, count: of.number("ended") }),
  "session.proven": ofMember("audit.session.proven"),
  "session.refused": (of) => told(refusalKey(of), { what: of.member() }),
  "login.two_factor_on": (of) =>
    told(of.is("moved") ? "audit.login.two_factor_moved" : "audit.login.two_factor_on", {
      what: of.subject,
    }),
  "login.two_factor_off": ofMember("audit.login.two_factor_off"),
  "login.recovery_codes_made": ofMember("audit.login.recovery_codes_made"),
  "login.password_changed": (of) =>
    told(of.own ? "audit.login.password_changed" : "audit.login.byLink", { what: of.subject }),
  "login.reset_mailed": ofMember("audit.login.reset_mailed"),
  "api_key.created": (of) =>
    told("audit.api_key.created", { who: of.who, name: named(of.text("name")) }),
  "api_key.updated": (of) =>
    told("audit.api_key.updated", { who: of.who, name: named(of.text("name")) }),
  "api_key.revoked": (of) =>
    told("audit.api_key.revoked", { who: of.who, name: named(of.text("name")) }),
  "endpoint.created": about("audit.endpoint.created", "endpoint"),
  "endpoint.updated": about("audit.endpoint.updated", "endpoint"),
  "endpoint.enabled": about("audit.endpoint.enabled", "endpoint"),
  "endpoint.disabled": about("audit.endpoint.disabled", "endpoint"),
  "endpoint.secret_rotated": about("audit.endpoint.secret_rotated", "endpoint"),
  "endpoint.tested": about("audit.endpoint.tested", "endpoint"),
  "endpoint.deleted": (of) =>
    told("audit.endpoint.deleted", { who: of.who, name: named(of.text("name")) }),
  "endpoint.redelivered": (of) => {
    const parts = { who: of.who, what: of.the("endpoint") };
    return of.is("since")
      ? told("audit.endpoint.replayed", { ...parts, at: momentOf(of.text("since")) })
      : told("audit.endpoint.redelivered", parts);
  },
  "channel.connected": about("audit.channel.connected", "channel"),
  "channel.updated": about("audit.channel.updated", "channel"),
  "channel.tested": (of) =>
    told(of.is("fault") ? "audit.channel.faulty" : "audit.channel.tested", {
      who: of.who,
      what: of.the("channel"),
    }),
  "channel.disconnected": about("audit.channel.disconnected", "channel"),
  "channel.paced": (of) => {
    const parts = { who: of.who, what: of.the("channel") };
    return of.is("to")
      ? told("audit.channel.paced", { ...parts, count: of.number("to") })
      : told("audit.channel.unpaced", parts);
  },
  "sms_provider.set": (of) =>
    told("audit.sms_provider.set", { who: of.who, provider: of.provider }),
  "sms_provider.tested": (of) =>
    told(of.is("errorCode") ? "audit.sms_provider.failed" : "audit.sms_provider.tested", {
      who: of.who,
      provider: of.provider,
    }),
  "sms_provider.discarded": (of) =>
    told("audit.sms_provider.discarded", { who: of.who, provider: of.provider }),
  "model.set": (of) => told("audit.model.set", { who: of.who, what: of.text("name") }),
  "model.tested": (of) => told("audit.model.tested", { who: of.who, what: of.text("name") }),
  "template.created": (of) => told("audit.template.created", { who: of.who, what: of.template }),
  "template.edited": (of) => told("audit.template.edited", { who: of.who, what: of.template }),
  "template.deleted": (of) => told("audit.template.deleted", { who: of.who, what: of.template }),
  "template.synced": (of) =>
    told(of.is("errorCode") ? "audit.template.failed" : "audit.template.synced", {
      who: of.who,
      what: of.the("channel"),
    }),
  "contact.merged": about("audit.contact.merged", "contact"),
  "contact.number_passed_on": (of) =>
    told("audit.contact.number_passed_on", {
      what: of.the("contact"),
      to: of.the("contact", of.text("newOwnerId")),
    }),
  "contact.erasure_started": by("audit.contact.erasure_started"),
  "contact.erased": by("audit.contact.erased"),
  "contact.exported": about("audit.contact.exported", "contact"),
  "contacts.import_started": (of) => told("audit.import.begun", { who: of.who, what: of.import }),
  "import_file.started": (of) => told("audit.import.started", { who: of.who, what: of.import }),
  "import_file.cancelled": (of) => told("audit.import.cancelled", { who: of.who, what: of.import }),
  "import_file.exported": (of) =>
    told("audit.import.exported", { who: of.who, what: of.import, count: of.number("count") }),
  "attribute.defined": (of) => {
    const type = of.text("type");
    return told("audit.attribute.defined", {
      who: of.who,
      name: named(of.entry.subject),
      type: isOneOf(TYPES, type) ? t(`contacts.attribute.${type}`) : type,
    });
  },
  "attribute.removed": (of) =>
    told("audit.attribute.removed", { who: of.who, name: named(of.entry.subject) }),
  "consent_word.added": (of) =>
    told(of.text("wish") === "start" ? "audit.consent_word.start" : "audit.consent_word.stop", {
      who: of.who,
      word: named(of.entry.subject),
    }),
  "consent_word.removed": (of) =>
    told("audit.consent_word.removed", { who: of.who, word: named(of.entry.subject) }),
  "segment.created": about("audit.segment.created", "segment"),
  "segment.updated": about("audit.segment.updated", "segment"),
  "segment.deleted": deleted("audit.segment.deleted", "segment"),
  "knowledge.added": about("audit.knowledge.added", "knowledge"),
  "knowledge.updated": about("audit.knowledge.updated", "knowledge"),
  "knowledge.deleted": by("audit.knowledge.deleted"),
  "knowledge.refreshed": about("audit.knowledge.refreshed", "knowledge"),
  "knowledge.synonyms_saved": by("audit.knowledge.synonyms_saved"),
  "gap.closed": by("audit.gap.closed"),
  "contacts.bulk_started": (of) => {
    const action = of.text("action");
    const change = isOneOf(CHANGES, action)
      ? jobTitle({ action, details: of.entry.facts })
      : action;
    return told("audit.contacts.bulk_started", { who: of.who, change: <bdi>{change}</bdi> });
  },
  "contacts.bulk_paused": by("audit.contacts.bulk_paused"),
  "contacts.bulk_running": by("audit.contacts.bulk_running"),
  "contacts.bulk_cancelled": by("audit.contacts.bulk_cancelled"),
  "contacts.bulk_done": (of) =>
    told("audit.contacts.bulk_done", { who: of.who, count: of.number("changed") }),
  "contacts.exported": (of) => {
    const parts = { who: of.who, count: of.number("count") };
    if (of.is("segment"))
      return told("audit.contacts.segmentExported", { ...parts, what: of.the("segment") });
    const fields = listOf(of.list("fields"));
    return fields === ""
      ? told("audit.contacts.exported", parts)
      : told("audit.contacts.someExported", { ...parts, fields: <bdi>{fields}</bdi> });
  },
  "broadcast.created": (of) => {
    const parts = { who: of.who, what: of.the("broadcast") };
    return of.is("copyOf")
      ? told("audit.broadcast.copied", { ...parts, from: of.the("broadcast", of.text("copyOf")) })
      : told("audit.broadcast.created", parts);
  },
  "broadcast.updated": about("audit.broadcast.updated", "broadcast"),
  "broadcast.deleted": deleted("audit.broadcast.deleted", "broadcast"),
  "broadcast.scheduled": about("audit.broadcast.scheduled", "broadcast"),
  "broadcast.unscheduled": about("audit.broadcast.unscheduled", "broadcast"),
  "broadcast.started": about("audit.broadcast.started", "broadcast"),
  "broadcast.paused": about("audit.broadcast.paused", "broadcast"),
  "broadcast.cancelled": about("audit.broadcast.cancelled", "broadcast"),
  "broadcast.paced": (of) =>
    told("audit.broadcast.paced", {
      who: of.who,
      what: of.the("broadcast"),
      count: of.number("to"),
    }),
  "broadcast.tested": about("audit.broadcast.tested", "broadcast"),
  "broadcast.resend_failed": about("audit.broadcast.resend_failed", "broadcast"),
  "broadcast.resend_unknown": about("audit.broadcast.resend_unknown", "broadcast"),
  "broadcast.exported": (of) =>
    told("audit.broadcast.exported", {
      who: of.who,
      what: of.the("broadcast"),
      count: of.number("count"),
    }),
  "conversation.open": about("audit.conversation.open", "conversation"),
  "conversation.snoozed": (of) => {
    const parts = { who: of.who, what: of.the("conversation") };
    return of.is("until")
      ? told("audit.conversation.snoozedUntil", { ...parts, at: momentOf(of.text("until")) })
      : told("audit.conversation.snoozed", parts);
  },
  "conversation.resolved": about("audit.conversation.resolved", "conversation"),
  "conversation.assigned": (of) => {
    const parts = { who: of.who, what: of.the("conversation") };
    const to = of.text("to");
    if (to === "") return told("audit.conversation.unassigned", parts);
    if (of.entry.actor === `member:${to}`) return told("audit.conversation.taken", parts);
    return told("audit.conversation.assigned", { ...parts, to: of.member(to) });
  },
  "conversation.labelled": (of) =>
    told("audit.conversation.labelled", {
      who: of.who,
      what: of.the("conversation"),
      labels: (
        <bdi>
          {[
            ...of.list("added").map((label) => `+${label}`),
            ...of.list("removed").map((label) => `−${label}`),
          ].join(" ")}
        </bdi>
      ),
    }),
  "conversation.snooze_ended": (of) =>
    told("audit.conversation.snooze_ended", { what: of.the("conversation") }),
  "conversation.joined": (of) =>
    told("audit.conversation.joined", { what: of.the("conversation") }),
  "conversation.bot_began": about("audit.conversation.bot_began", "conversation"),
  "conversation.bot_handed_over": about("audit.conversation.bot_handed_over", "conversation"),
  "conversation.taken_over": (of) =>
    of.text("by") === "phone"
      ? told("audit.conversation.taken_over_phone", { what: of.the("conversation") })
      : told("audit.conversation.taken_over", { who: of.who, what: of.the("conversation") }),
  "conversation.given_back": about("audit.conversation.given_back", "conversation"),
  "bot.created": about("audit.bot.created", "bot"),
  "bot.draft_saved": about("audit.bot.draft_saved", "bot"),
  "bot.published": (of) =>
    told(of.is("untested") ? "audit.bot.published_untested" : "audit.bot.published", {
      who: of.who,
      what: of.the("bot"),
      version: of.number("version"),
    }),
  "bot.paused": about("audit.bot.paused", "bot"),
  "bot.resumed": about("audit.bot.resumed", "bot"),
  "bot.archived": about("audit.bot.archived", "bot"),
  "bot.secret_made": about("audit.bot.secret_made", "bot"),
  "bot.case_added": about("audit.bot.case_added", "bot"),
  "bot.case_changed": about("audit.bot.case_changed", "bot"),
  "bot.case_deleted": about("audit.bot.case_deleted", "bot"),
  "bot.cases_run": about("audit.bot.cases_run", "bot"),
  "bot.tested": about("audit.bot.tested", "bot"),
  "bot.version_restored": (of) =>
    told("audit.bot.version_restored", {
      who: of.who,
      what: of.the("bot"),
      version: of.number("version"),
    }),
  "hours.saved": by("audit.hours.saved"),
  "retention.changed": (of) => {
    const months = (fact: string, without: PlainKey) =>
      of.is(fact) ? t("audit.retention.months", { count: of.number(fact) }) : t(without);
    return told("audit.retention.changed", {
      who: of.who,
      messages: months("messageMonths", "audit.retention.good"),
      files: months("fileMonths", "audit.retention.withMessages"),
      events: t("audit.retention.days", {
        count: of.is("eventDays") ? of.number("eventDays") : 30,
      }),
    });
  },
  "label.put": (of) => {
    const parts = { who: of.who, name: named(of.entry.subject) };
    return of.is("from")
      ? told("audit.label.renamed", { ...parts, from: named(of.text("from")) })
      : told("audit.label.put", parts);
  },
  "label.deleted": (of) =>
    told("audit.label.deleted", { who: of.who, name: named(of.entry.subject) }),
  "note.deleted": by("audit.note.deleted"),
  "saved_reply.created": about("audit.saved_reply.created", "saved_reply"),
  "saved_reply.updated": about("audit.saved_reply.updated", "saved_reply"),
  "saved_reply.deleted": deleted("audit.saved_reply.deleted", "saved_reply"),
  "desk_view.created": about("audit.desk_view.created", "desk_view"),
  "desk_view.updated": about("audit.desk_view.updated", "desk_view"),
  "desk_view.deleted": deleted("audit.desk_view.deleted", "desk_view"),
  "sandbox.said": about("audit.sandbox.said", "channel"),
  "sandbox.fault_set": (of) => {
    const kind = of.text("kind");
    const fault = isOneOf(TROUBLES, kind) ? t(`sandbox.fault.${kind}`) : kind;
    return told("audit.sandbox.fault_set", { who: of.who, what: of.the("channel"), fault });
  },
  "sandbox.faults_cleared": about("audit.sandbox.faults_cleared", "channel"),
} as const satisfies Readonly<Record<AuditAction, Sentence>>;

const hasSentence = (action: string): action is AuditAction => Object.hasOwn(SENTENCES, action);

/** An entry as a sentence. An action that this version no longer knows is shown by its name. */
export function AuditSentence({
  of: entry,
  world,
}: {
  readonly of: AuditEntry;
  readonly world: AuditWorld;
}) {
  const telling = new Telling(entry, world);
  return hasSentence(entry.action)
    ? SENTENCES[entry.action](telling)
    : told("audit.other", { who: telling.who, action: <bdi dir="ltr">{entry.action}</bdi> });
}

/** The page of a record that still exists, by its id; null: it has none, or is gone. */
export function auditPageOf(id: string, { boot, names }: AuditWorld): string | null {
  const known = names.find((one) => one.id === id);
  if (known) return known.kind === "api_key" ? "/settings/api-keys" : PAGES[known.kind](id);
  if (boot.channels.some((one) => one.id === id)) return PAGES.channel(id);
  if (boot.views.some((one) => one.id === id)) return PAGES.desk_view(id);
  if (boot.members.some((one) => one.id === id)) return "/settings/team";
  return null;
}
