import type { Actor, MemberRole } from "./actor.ts";
import { OPERATIONS } from "./operations/all.ts";
import type { Declaration as Declared } from "./operations/operation.ts";
import { ADMINS, EVERYONE, OWNER } from "./operations/roles.ts";
import { AppError } from "./errors.ts";
import type { Scope } from "./wire/words.ts";

export interface Policy {
  /** The roles of members that may do it. */
  readonly roles: readonly MemberRole[];
  /** The scope with which an API key may do it. No key may do an operation without one. */
  readonly scope?: Scope;
  /** Any of these scopes opens it too. */
  readonly otherScopes?: readonly Scope[];
  /** A bot may do it. No bot may do an operation that does not say so. */
  readonly bots?: true;
  /**
   * Where the change records its actor: an entry of the audit log, a line of the contact's history (`contact_change`,
   * `consent_entry`), or the author of the message itself.
   */
  readonly trace: "audit" | "contact" | "author";
}

/** The rights of write operations that `operations/` does not declare yet. */
const BY_HAND = {
  "workspace.create": { roles: [], trace: "audit" },
  "workspace.set_up": { roles: [], trace: "audit" },
  "workspace.update": { roles: OWNER, trace: "audit" },
  "workspace.ask_removal": { roles: OWNER, trace: "audit" },
  "workspace.delete": { roles: OWNER, trace: "audit" },
  "member.create": { roles: ADMINS, trace: "audit" },
  "member.update": { roles: ADMINS, trace: "audit" },
  "member.disable": { roles: ADMINS, trace: "audit" },
  "member.end_sessions": { roles: ADMINS, trace: "audit" },
  "member.make_reset_link": { roles: ADMINS, trace: "audit" },
  "invitation.create": { roles: ADMINS, trace: "audit" },
  "invitation.withdraw": { roles: ADMINS, trace: "audit" },
  // For visitors who hold a link's secret, Parley itself does it.
  "invitation.accept": { roles: [], trace: "audit" },
  "login.use_reset": { roles: [], trace: "audit" },
  "login.refuse": { roles: [], trace: "audit" },
  "login.ask_for_reset": { roles: [], trace: "author" },
  "login.mail_reset": { roles: [], trace: "audit" },
  "member.save_profile": { roles: EVERYONE, trace: "audit" },
  "member.set_availability": { roles: EVERYONE, trace: "author" },
  "member.save_settings": { roles: EVERYONE, trace: "author" },
  "member.remove": { roles: ADMINS, trace: "audit" },
  "member.reset_password": { roles: ADMINS, trace: "audit" },
  "session.open": { roles: EVERYONE, trace: "audit" },
  "session.open_by_code": { roles: EVERYONE, trace: "audit" },
  "login.switch_on_two_factor": { roles: EVERYONE, trace: "audit" },
  "login.switch_off_two_factor": { roles: EVERYONE, trace: "audit" },
  "login.renew_recovery_codes": { roles: EVERYONE, trace: "audit" },
  "member.reset_two_factor": { roles: ADMINS, trace: "audit" },
  "session.prove": { roles: EVERYONE, trace: "audit" },
  "session.end": { roles: EVERYONE, trace: "audit" },
  "login.change_password": { roles: EVERYONE, trace: "audit" },
  "api_key.create": { roles: ADMINS, trace: "audit" },
  "api_key.set_sends": { roles: ADMINS, trace: "audit" },
  "api_key.revoke": { roles: ADMINS, trace: "audit" },
  "endpoint.create": { roles: ADMINS, scope: "webhooks:write", trace: "audit" },
  "endpoint.update": { roles: ADMINS, scope: "webhooks:write", trace: "audit" },
  "endpoint.enable": { roles: ADMINS, scope: "webhooks:write", trace: "audit" },
  "endpoint.disable": { roles: ADMINS, scope: "webhooks:write", trace: "audit" },
  "endpoint.rotate_secret": { roles: ADMINS, scope: "webhooks:write", trace: "audit" },
  "endpoint.test": { roles: ADMINS, scope: "webhooks:write", trace: "audit" },
  "endpoint.redeliver": { roles: ADMINS, scope: "webhooks:write", trace: "audit" },
  "contact.create": { roles: EVERYONE, scope: "contacts:write", trace: "contact" },
  "contact.update": { roles: EVERYONE, scope: "contacts:write", bots: true, trace: "contact" },
  "contact.merge": { roles: ADMINS, scope: "contacts:write", trace: "audit" },
  "contact.erase": { roles: ADMINS, scope: "contacts:erase", trace: "audit" },
  "export.record": {
    roles: ADMINS,
    scope: "broadcasts:read",
    otherScopes: ["contacts:export", "contacts:write"],
    trace: "audit",
  },
  "contact.import": { roles: ADMINS, scope: "contacts:write", trace: "audit" },
  "import_file.upload": { roles: ADMINS, scope: "contacts:write", trace: "author" },
  "consent.change": { roles: EVERYONE, trace: "contact" },
  "consent_word.add": { roles: ADMINS, trace: "audit" },
  "consent_word.remove": { roles: ADMINS, trace: "audit" },
  "attribute.define": { roles: ADMINS, scope: "contacts:write", trace: "audit" },
  "attribute.remove": { roles: ADMINS, scope: "contacts:write", trace: "audit" },
  "segment.create": { roles: ADMINS, scope: "segments:write", trace: "audit" },
  "segment.update": { roles: ADMINS, scope: "segments:write", trace: "audit" },
  "segment.delete": { roles: ADMINS, scope: "segments:write", trace: "audit" },
  "bulk_change.start": { roles: ADMINS, scope: "contacts:write", trace: "audit" },
  "bulk_change.move": { roles: ADMINS, scope: "contacts:write", trace: "audit" },
  "channel.connect": { roles: ADMINS, scope: "channels:write", trace: "audit" },
  "channel.update": { roles: ADMINS, scope: "channels:write", trace: "audit" },
  "channel.test": { roles: ADMINS, scope: "channels:write", trace: "audit" },
  "channel.disconnect": { roles: ADMINS, scope: "channels:write", trace: "audit" },
  "sms_provider.set": { roles: ADMINS, trace: "audit" },
  "sms_provider.discard": { roles: ADMINS, trace: "audit" },
  "sms_provider.test": { roles: ADMINS, trace: "audit" },
  "template.sync": { roles: ADMINS, scope: "templates:write", trace: "audit" },
  "knowledge.upload": { roles: ADMINS, trace: "audit" },
  "media.upload": {
    roles: EVERYONE,
    scope: "messages:write",
    otherScopes: ["templates:send", "templates:write", "broadcasts:draft", "broadcasts:write"],
    trace: "author",
  },
  "conversation.update": { roles: EVERYONE, bots: true, trace: "audit" },
  "message.send": { roles: EVERYONE, scope: "messages:write", bots: true, trace: "author" },
  "reply.send": { roles: EVERYONE, trace: "author" },
  "conversation.see": { roles: EVERYONE, trace: "author" },
  "draft.save": { roles: EVERYONE, trace: "author" },
  "member_notice.read": { roles: EVERYONE, trace: "author" },
  "suggestion.use": { roles: EVERYONE, trace: "author" },
  "template.send": { roles: EVERYONE, trace: "author" },
  "conversation.start": { roles: EVERYONE, trace: "author" },
  "saved_reply.create": { roles: EVERYONE, trace: "audit" },
  "saved_reply.update": { roles: EVERYONE, trace: "audit" },
  "saved_reply.delete": { roles: EVERYONE, trace: "audit" },
  "saved_reply.attach": { roles: EVERYONE, trace: "author" },
  "desk_view.create": { roles: EVERYONE, trace: "audit" },
  "desk_view.update": { roles: EVERYONE, trace: "audit" },
  "desk_view.delete": { roles: EVERYONE, trace: "audit" },
  "otp.send": { roles: ADMINS, scope: "otp:send", trace: "author" },
  "broadcast.replace": { roles: ADMINS, trace: "audit" },
  "broadcast.start": { roles: ADMINS, scope: "broadcasts:write", trace: "audit" },
  "channel.set_pace": { roles: ADMINS, scope: "channels:write", trace: "audit" },
  "sandbox.add_channel": { roles: ADMINS, trace: "audit" },
  // Everybody may play the customer, but a fault hits the replies of all.
  "sandbox.say": { roles: EVERYONE, trace: "audit" },
  "sandbox.act": { roles: EVERYONE, trace: "audit" },
  "sandbox.set_fault": { roles: ADMINS, trace: "audit" },
  "sandbox.clear_faults": { roles: ADMINS, trace: "audit" },
} as const satisfies Readonly<Record<string, Policy>>;

type DeclaredOperation = (typeof OPERATIONS)[keyof typeof OPERATIONS];
type DeclaredWrite = Exclude<DeclaredOperation, { readonly at: `GET ${string}` }>["name"];
export type HandPolicies = typeof BY_HAND;
/** The name of a write operation. */
export type Operation = keyof HandPolicies | DeclaredWrite;

/**
 * Every write operation: who may do it, and where it records its actor. `write()` takes no other, so an operation
 * without rights does not compile.
 */
export const POLICIES: ReadonlyMap<Operation, Policy> = new Map<Operation, Policy>([
  ...entriesOf(BY_HAND),
  ...Object.values(OPERATIONS).flatMap((one): [Operation, Policy][] =>
    one.trace === null ? [] : [[one.name, { ...rightsOf(one), trace: one.trace }]],
  ),
]);

function entriesOf<const T extends object>(record: T): [Extract<keyof T, string>, T[keyof T]][] {
  const found: [Extract<keyof T, string>, T[keyof T]][] = [];
  for (const name in record) found.push([name, record[name]]);
  return found;
}

/** The rights of a declared operation. */
export function rightsOf({
  roles,
  scope,
  otherScopes,
  bots,
}: Pick<Declared, "roles" | "scope" | "otherScopes" | "bots">): Rights {
  return {
    roles,
    ...(scope !== null && { scope }),
    ...(otherScopes && { otherScopes }),
    ...(bots && { bots }),
  };
}

/**
 * Narrower rights, which a function checks itself: parts of an operation that fewer may do, and reads that not
 * everybody may do.
 */
const RIGHTS = {
  /** Only the operator changes plan, limits, SMS credits and suspension. */
  "workspace.change_plan": [],
  "member.change_owner": OWNER,
  /** Opting a contact out is open to everybody. */
  "consent.opt_in": ADMINS,
  "contact.export": ADMINS,
  "recipients.export": ADMINS,
  "refused_rows.export": ADMINS,
  "audit.read": ADMINS,
  /** Saved replies and views that the whole workspace shares. */
  "inbox.share": ADMINS,
  "notice.read": ADMINS,
} as const satisfies Readonly<Record<string, readonly MemberRole[]>>;

/** The rights that keys have too, by scope. No key has the others. */
const RIGHTS_OF_KEYS: Partial<Readonly<Record<keyof typeof RIGHTS, Scope>>> = {
  // What the list of recipients gives page by page.
  "recipients.export": "broadcasts:read",
  "contact.export": "contacts:export",
  // What the key's own file said.
  "refused_rows.export": "contacts:write",
  "audit.read": "audit:read",
};

/**
 * Throws unless the actor may do the operation: FORBIDDEN for a member without the role, for a bot, and for a key whose
 * operation no scope opens; MISSING_SCOPE for a key without the scope.
 */
export function permit(actor: Actor, operation: Operation): void {
  admit(actor, operation, POLICIES.get(operation) ?? NOBODY);
}

/** The same for a declared operation, also for a read. */
export function permitDeclared(actor: Actor, operation: Declared): void {
  admit(actor, operation.name, rightsOf(operation));
}

/** Throws MISSING_SCOPE for a key without a scope that a part of an operation needs beside the operation's own. */
export function permitScope(actor: Actor, scope: Scope): void {
  if (actor.kind === "key" && !opens(actor.scopes, scope))
    throw new AppError(`MISSING_SCOPE:${scope}`);
}

/** Throws like `permit` unless the actor has the right. */
export function permitRight(actor: Actor, right: keyof typeof RIGHTS): void {
  const scope = RIGHTS_OF_KEYS[right];
  admit(actor, right, { roles: RIGHTS[right], ...(scope && { scope }) });
}

type Rights = Pick<Policy, "roles" | "scope" | "otherScopes" | "bots">;
const NOBODY: Rights = { roles: [] };

function admit(actor: Actor, what: string, rights: Rights): void {
  const { roles, scope, otherScopes = [], bots } = rights;
  switch (actor.kind) {
    case "operator":
    case "system":
      return;
    case "member":
      if (roles.includes(actor.role)) return;
      throw refusal(`the role ${actor.role} may not do this (${what}); ask an owner or admin`);
    case "bot":
      if (bots) return;
      throw refusal(`a bot may not do this (${what})`);
    case "key":
      if (scope === undefined) throw refusal(`an API key may not do this (${what})`);
      if (![scope, ...otherScopes].some((one) => opens(actor.scopes, one)))
        throw new AppError(`MISSING_SCOPE:${scope}`);
  }
}

/**
 * Whether the scopes of a key open what asks for one of them. A key without scopes has full access (spec, Authentication
 * §5). Whoever may write may also draft: `x:write` opens what asks for `x:draft`.
 */
export function opens(scopes: readonly Scope[], asked: Scope): boolean {
  if (scopes.length === 0 || scopes.includes(asked)) return true;
  const [noun] = asked.split(":draft");
  return asked === `${noun}:draft` && scopes.some((one) => one === `${noun}:write`);
}

const refusal = (explanation: string) => new AppError("FORBIDDEN", { explanation });
