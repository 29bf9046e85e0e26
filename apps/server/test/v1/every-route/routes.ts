import { operationsAt } from "../../../src/operations/all.ts";
import { laidOut, placesOf } from "../../../src/operations/operation.ts";
import { SCOPES as ALL_SCOPES, type Scope } from "../../../src/wire/words.ts";

interface EveryRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly scope: Scope;
  /** Scopes that open it too: each reads its own kinds of events (contract §5, Scopes of events). */
  readonly others?: readonly Scope[];
  readonly json?: unknown;
  /** The path as the document writes it, where it names no id called `none`. */
  readonly template?: string;
}

/**
 * Routes with a call that is fine in form, and their scope: typed from the documents, not from the code. The nine of
 * the spec first. The stream of events, whose answer does not end, has tests of its own (get-events-stream).
 */
const BY_HAND: readonly EveryRoute[] = [
  { method: "GET", path: "/contacts", scope: "contacts:read" },
  { method: "POST", path: "/contacts", scope: "contacts:write", json: { email: "a@b.co" } },
  { method: "GET", path: "/segments", scope: "contacts:read" },
  {
    method: "POST",
    path: "/messages",
    scope: "messages:write",
    json: { conversationId: "none", text: "Hi" },
  },
  {
    method: "POST",
    path: "/otp/send",
    scope: "otp:send",
    json: { mobile: "201001234567", message: "Code 1" },
  },
  { method: "GET", path: "/templates", scope: "templates:read" },
  { method: "GET", path: "/broadcasts", scope: "broadcasts:read" },
  { method: "POST", path: "/broadcasts/none/start", scope: "broadcasts:write" },
  { method: "GET", path: "/usage", scope: "usage:read" },
  { method: "GET", path: "/contacts/none", scope: "contacts:read" },
  { method: "PATCH", path: "/contacts/none", scope: "contacts:write", json: { name: "Sara" } },
  { method: "GET", path: "/conversations/none", scope: "messages:read" },
  { method: "GET", path: "/conversations/none/messages", scope: "messages:read" },
  { method: "GET", path: "/messages/none", scope: "messages:read" },
  { method: "GET", path: "/broadcasts/none", scope: "broadcasts:read" },
  { method: "GET", path: "/broadcasts/none/recipients", scope: "broadcasts:read" },
  { method: "GET", path: "/broadcasts/none/recipients.csv", scope: "broadcasts:read" },
  { method: "GET", path: "/contacts/none/export", scope: "contacts:export" },
  { method: "POST", path: "/imports", scope: "contacts:write" },
  { method: "GET", path: "/imports/none/refused", scope: "contacts:write" },
  { method: "GET", path: "/exports/none/content", scope: "contacts:export" },
  { method: "GET", path: "/media/none/content", scope: "messages:read" },
  {
    method: "GET",
    path: "/events",
    scope: "messages:read",
    others: [
      "contacts:read",
      "broadcasts:read",
      "templates:read",
      "usage:read",
      "otp:send",
      "webhooks:read",
    ],
  },
];

/** Those of declared operations, called as their examples say. */
const DECLARED: readonly EveryRoute[] = operationsAt("v1").flatMap(([, operation]) => {
  const { example, scope, otherScopes } = operation;
  if (scope === null) return [];
  const places = placesOf(operation);
  const { path, body } = laidOut(places, example.input);
  return {
    method: places.method,
    path,
    template: places.path,
    scope,
    ...(otherScopes && { others: otherScopes }),
    ...(places.body && { json: body }),
  };
});

export const ROUTES: readonly EveryRoute[] = [...BY_HAND, ...DECLARED];

export const SCOPES = ALL_SCOPES;

/** The operations each scope opens (spec, Authentication §6, and the routes beyond the spec). */
const OPENED: Partial<Record<Scope, readonly string[]>> = {
  "contacts:read": ["GET /contacts", "GET /segments", "GET /contacts/none", "GET /events"],
  "contacts:write": [
    "POST /contacts",
    "PATCH /contacts/none",
    "POST /imports",
    "GET /imports/none/refused",
  ],
  "contacts:export": ["GET /exports/none/content", "GET /contacts/none/export"],
  "messages:write": ["POST /messages"],
  "messages:read": [
    "GET /conversations/none",
    "GET /conversations/none/messages",
    "GET /messages/none",
    "GET /media/none/content",
    "GET /events",
  ],
  "otp:send": ["POST /otp/send", "GET /events"],
  "templates:read": ["GET /templates", "GET /events"],
  "broadcasts:read": [
    "GET /broadcasts",
    "GET /broadcasts/none",
    "GET /broadcasts/none/recipients",
    "GET /broadcasts/none/recipients.csv",
    "GET /events",
  ],
  "broadcasts:write": ["POST /broadcasts/none/start"],
  "usage:read": ["GET /usage", "GET /events"],
  "webhooks:read": ["GET /events"],
};

/** Who may write may also draft (`x:write` implies `x:draft`). */
export const IMPLIED: Partial<Record<Scope, Scope>> = {
  "messages:write": "messages:draft",
  "broadcasts:write": "broadcasts:draft",
};

const opensOf = (scope: Scope): readonly boolean[] => [
  ...BY_HAND.map(({ method, path }) => (OPENED[scope] ?? []).includes(`${method} ${path}`)),
  ...DECLARED.map(({ scope: own, others = [] }) =>
    [own, ...others].some((one) => one === scope || one === IMPLIED[scope]),
  ),
];

/** Whether a scope opens each of ROUTES, in their order. */
export const OPENS: ReadonlyMap<Scope, readonly boolean[]> = new Map(
  SCOPES.map((scope) => [scope, opensOf(scope)]),
);
