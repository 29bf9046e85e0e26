/** The nine routes of the spec with a call that is fine in form, and its scope: typed from the spec, not from the code. */
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
] as const satisfies readonly {
  method: "GET" | "POST";
  path: string;
  scope: string;
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

/** Which routes each scope opens (spec, Authentication §6), by the order of ROUTES. */
export const OPENS: Record<(typeof SCOPES)[number], readonly boolean[]> = {
  "contacts:read": [true, false, true, false, false, false, false, false, false],
  "contacts:write": [false, true, false, false, false, false, false, false, false],
  "messages:write": [false, false, false, true, false, false, false, false, false],
  "messages:read": [false, false, false, false, false, false, false, false, false],
  "otp:send": [false, false, false, false, true, false, false, false, false],
  "templates:read": [false, false, false, false, false, true, false, false, false],
  "broadcasts:read": [false, false, false, false, false, false, true, false, false],
  "broadcasts:write": [false, false, false, false, false, false, false, true, false],
  "usage:read": [false, false, false, false, false, false, false, false, true],
};
