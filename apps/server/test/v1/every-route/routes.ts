/**
 * Every route with a call that is fine in form, and its scope: typed from the documents, not from the code. The nine of
 * the spec first. The stream of events, whose answer does not end, has tests of its own (get-events-stream).
 */
export const ROUTES = [
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
  { method: "GET", path: "/conversations", scope: "messages:read" },
  { method: "GET", path: "/conversations/none", scope: "messages:read" },
  { method: "GET", path: "/conversations/none/messages", scope: "messages:read" },
  { method: "GET", path: "/messages/none", scope: "messages:read" },
  { method: "GET", path: "/broadcasts/none", scope: "broadcasts:read" },
  { method: "GET", path: "/broadcasts/none/recipients", scope: "broadcasts:read" },
  {
    method: "GET",
    path: "/events",
    scope: "messages:read",
    others: ["contacts:read", "broadcasts:read", "templates:read", "usage:read", "otp:send"],
  },
] as const satisfies readonly {
  method: "GET" | "POST" | "PATCH";
  path: string;
  scope: string;
  /** Scopes that open it too: each reads its own kinds of events (contract §5, Scopes of events). */
  others?: readonly string[];
  json?: unknown;
}[];

export const SCOPES = [
  "contacts:read",
  "contacts:write",
  "messages:write",
  "messages:read",
  "otp:send",
  "templates:read",
  "broadcasts:read",
  "broadcasts:write",
  "usage:read",
] as const;

/** The operations each scope opens (spec, Authentication §6, and the routes beyond the spec). */
const OPENED: Record<(typeof SCOPES)[number], readonly string[]> = {
  "contacts:read": ["GET /contacts", "GET /segments", "GET /contacts/none", "GET /events"],
  "contacts:write": ["POST /contacts", "PATCH /contacts/none"],
  "messages:write": ["POST /messages"],
  "messages:read": [
    "GET /conversations",
    "GET /conversations/none",
    "GET /conversations/none/messages",
    "GET /messages/none",
    "GET /events",
  ],
  "otp:send": ["POST /otp/send", "GET /events"],
  "templates:read": ["GET /templates", "GET /events"],
  "broadcasts:read": [
    "GET /broadcasts",
    "GET /broadcasts/none",
    "GET /broadcasts/none/recipients",
    "GET /events",
  ],
  "broadcasts:write": ["POST /broadcasts/none/start"],
  "usage:read": ["GET /usage", "GET /events"],
};

const opensOf = (scope: (typeof SCOPES)[number]): readonly boolean[] =>
  ROUTES.map(({ method, path }) => OPENED[scope].includes(`${method} ${path}`));

/** The same by the order of ROUTES. */
export const OPENS: Record<(typeof SCOPES)[number], readonly boolean[]> = {
  "contacts:read": opensOf("contacts:read"),
  "contacts:write": opensOf("contacts:write"),
  "messages:write": opensOf("messages:write"),
  "messages:read": opensOf("messages:read"),
  "otp:send": opensOf("otp:send"),
  "templates:read": opensOf("templates:read"),
  "broadcasts:read": opensOf("broadcasts:read"),
  "broadcasts:write": opensOf("broadcasts:write"),
  "usage:read": opensOf("usage:read"),
};
