import { Type } from "typebox";
import {
  freeForm,
  id,
  NO_NUL,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
} from "../../../wire/schema.ts";
import { WebhookEndpointJson } from "../../../wire/webhook-endpoint.ts";
import { KEY_SENDS } from "../../../wire/words.ts";
import { ADMINS, face } from "./face.ts";
import { Moment } from "./moment.ts";
import { Name, Nothing } from "./inputs.ts";

const Word = Type.String({ minLength: 1, maxLength: 200, ...NO_NUL });

const KeyJson = Type.Object({
  id: id("The key."),
  name: text("What it is called."),
  publicKey: text("Its public half."),
  scopes: Type.Array(text("A scope."), { description: "What it may do; none: everything." }),
  sends: oneOf(KEY_SENDS, "Who decides on what an assistant sends with it."),
  expiresAt: nullableTime("When it ends by itself."),
  revokedAt: nullableTime("When it was revoked."),
  lastUsedAt: nullableTime("Its last call, to a minute."),
  createdAt: time("When it was made."),
});

/** Empty: it has no name. */
const EndpointName = Type.String({ maxLength: 80, ...NO_NUL });

const ConsentWordJson = Type.Object({
  word: text("In the spelling that messages are compared in."),
  wish: oneOf(["stop", "start"], "What a message that is only this word asks for."),
  shown: text("As it was typed."),
});

/** The kinds of records whose names a page of the audit brings. */
const AUDIT_RECORDS = [
  "api_key",
  "endpoint",
  "segment",
  "broadcast",
  "contact",
  "conversation",
  "bot",
  "knowledge",
] as const;

const WithSecret = Type.Object({
  endpoint: WebhookEndpointJson,
  secret: text("Signs the requests. It is shown this once."),
});

/** For other programs: API keys and receivers of webhooks. For admins: audit, limits, opt-out words. */
export const keys = {
  listKeys: face({
    method: "GET",
    path: "/keys",
    who: ADMINS,
    answer: Type.Object({
      items: Type.Array(KeyJson),
      scopes: Type.Array(text("A scope."), { description: "All there are." }),
      apiUrl: text("The address that calls begin with."),
    }),
  }),
  createKey: face({
    method: "POST",
    secret: true,
    path: "/keys",
    who: ADMINS,
    proven: true,
    status: 201,
    body: Type.Object({
      name: Name,
      scopes: Type.Array(Word, { maxItems: 50 }),
      /** `approve` when absent. */
      sends: Type.Optional(oneOf(KEY_SENDS, "Who decides on what an assistant sends with it.")),
      expiresAt: Type.Optional(Moment),
    }),
    answer: Type.Object({
      key: KeyJson,
      bearer: text("Both halves, as the header takes them. It is shown this once."),
    }),
  }),
  /** Who decides on what an assistant sends with a key that exists. */
  setKeySends: face({
    method: "PATCH",
    path: "/keys/{id}",
    who: ADMINS,
    proven: true,
    body: Type.Object({ sends: oneOf(KEY_SENDS, "Who decides on what an assistant sends.") }),
    answer: KeyJson,
  }),
  revokeKey: face({
    method: "DELETE",
    path: "/keys/{id}",
    who: ADMINS,
    proven: true,
    answer: KeyJson,
  }),

  listEndpoints: face({
    method: "GET",
    path: "/webhooks",
    who: ADMINS,
    answer: Type.Object({
      items: Type.Array(WebhookEndpointJson),
      kinds: Type.Array(text("A kind of event."), { description: "All there are." }),
    }),
  }),
  createEndpoint: face({
    method: "POST",
    secret: true,
    path: "/webhooks",
    who: ADMINS,
    proven: true,
    status: 201,
    body: Type.Object({
      url: Type.String({ minLength: 1, maxLength: 2048, ...NO_NUL }),
      events: Type.Array(Word, { maxItems: 50 }),
      name: Type.Optional(EndpointName),
    }),
    answer: WithSecret,
  }),
  /** Another address needs a fresh proof. */
  updateEndpoint: face({
    method: "PATCH",
    path: "/webhooks/{id}",
    who: ADMINS,
    body: Type.Object({
      url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, ...NO_NUL })),
      events: Type.Optional(Type.Array(Word, { maxItems: 50 })),
      name: Type.Optional(EndpointName),
    }),
    answer: WebhookEndpointJson,
  }),
  /** Enabling sends the events that were held. */
  switchEndpoint: face({
    method: "PUT",
    path: "/webhooks/{id}/enabled",
    who: ADMINS,
    body: Type.Object({ enabled: Type.Boolean() }),
    answer: WebhookEndpointJson,
  }),
  listConsentWords: face({
    method: "GET",
    path: "/consent-words",
    who: ADMINS,
    answer: Type.Object({
      own: Type.Array(ConsentWordJson),
      stop: Type.Array(text("A word."), { description: "Those of every workspace." }),
      typed: Type.Array(text("A word."), {
        description: "Of every workspace, when typed: on a button they ask for nothing.",
      }),
      start: Type.Array(text("A word."), { description: "Those that opt in again." }),
    }),
  }),
  addConsentWord: face({
    method: "POST",
    path: "/consent-words",
    who: ADMINS,
    status: 201,
    body: Type.Object({
      text: Type.String({ minLength: 1, maxLength: 60, ...NO_NUL }),
      wish: oneOf(["stop", "start"], "What it asks for."),
    }),
    answer: ConsentWordJson,
  }),
  removeConsentWord: face({
    method: "DELETE",
    path: "/consent-words/{word}",
    who: ADMINS,
    answer: Nothing,
  }),

  listAudit: face({
    method: "GET",
    path: "/audit",
    who: ADMINS,
    query: Type.Object({
      actor: Type.Optional(Word),
      /** A whole action (`member.removed`), or a noun (`member`) for all actions on it. */
      action: Type.Optional(Word),
      subject: Type.Optional(Word),
      since: Type.Optional(Moment),
      cursor: Type.Optional(Word),
    }),
    answer: Type.Object({
      items: Type.Array(
        Type.Object({
          id: id("The entry."),
          actor: text("cli, system, member:ID or key:ID."),
          actorName: nullableText("Its name, where the member or the key is still known."),
          action: text("What was done: one of `AUDIT_ACTIONS`, or an older name."),
          subject: text("To which record."),
          facts: freeForm,
          at: time("When."),
        }),
      ),
      /** Members and channels, which every page knows, are not among them. */
      names: Type.Array(
        Type.Object({
          id: id("A record that the entries name."),
          kind: oneOf(AUDIT_RECORDS, "What it is."),
          name: text("Its name, else its number. Of a conversation: its customer's."),
        }),
        { description: "Only of records that are still there." },
      ),
      nextCursor: nullableText("Read on here."),
    }),
  }),
  listAdminNotices: face({
    method: "GET",
    path: "/admin-notices",
    who: ADMINS,
    answer: Type.Object({
      items: Type.Array(
        Type.Object({
          id: id("The notice."),
          subject: text("What happened."),
          body: text("More of it."),
          at: time("When."),
        }),
      ),
    }),
  }),
} as const;
