/** An API key and a person of the team, for tests in which neither needs a row. */
export const KEY = {
  kind: "key",
  keyId: "01920000-0000-7000-8000-00000000a001",
  publicKey: "pk_test",
  scopes: [],
} as const;
export const AGENT = {
  kind: "member",
  memberId: "01920000-0000-7000-8000-00000000a002",
  role: "agent",
} as const;
