import { Type } from "typebox";
import { AT, nullableId, ID, id, nullableTime, oneOf, text, time, type Shown } from "./schema.ts";
import { KEY_SENDS, SCOPES, WORKSPACE_KINDS } from "./words.ts";

export const MemberRecord = Type.Object(
  {
    id: id("The member's id, as conversations name it in `assigneeId`."),
    name: text("The person's name."),
    email: text("The address with which the person signs in."),
    role: oneOf(["owner", "admin", "agent"], "What the person may do."),
    availability: oneOf(["online", "away"], "The person's own setting."),
    disabled: Type.Boolean({
      description: "True: locked out. Nothing can be assigned to this member.",
    }),
    createdAt: time("When the person joined."),
  },
  { $id: "Member", description: "A person of the workspace." },
);
export type MemberRecord = Shown<typeof MemberRecord>;

export const MemberPageJson = Type.Object(
  {
    items: Type.Array(MemberRecord, { description: "In the order of joining." }),
    nextCursor: nullableId("Give it as `cursor` to read on. Null at the end."),
  },
  { $id: "MemberPage", description: "Read on with `cursor` until `nextCursor` is null." },
);

export const memberExample: MemberRecord = {
  id: ID,
  name: "Mona",
  email: "mona@example.com",
  role: "agent",
  availability: "away",
  disabled: false,
  createdAt: AT,
};

export const MeJson = Type.Object(
  {
    workspaceId: id("The workspace that the key acts for."),
    workspaceName: text("Its name."),
    workspaceKind: oneOf(
      WORKSPACE_KINDS,
      "`test`: it has channels of the sandbox only, and its keys begin with `pk_test_`.",
    ),
    workspaceTimeZone: text(
      "Its time zone by its IANA name, as `Asia/Kuwait`: that of campaigns without one of their own, of reports and of business hours.",
    ),
    keyId: id("The key's id."),
    keyName: text("What the key is called. Its notes carry this name."),
    scopes: Type.Array(oneOf(SCOPES, "A scope."), {
      description: "What the key may do. Empty: everything.",
    }),
    sends: oneOf(
      KEY_SENDS,
      "Who decides on what an assistant sends with the key: `ask`, the person at the assistant; `approve`, a member; `free`, the assistant. Calls of `/v1` do not depend on it.",
    ),
    expiresAt: nullableTime("When it stops working. Null: never."),
  },
  { $id: "KeyHolder", description: "The key of the request and its workspace." },
);
export type MeJson = Shown<typeof MeJson>;

export const meExample: MeJson = {
  workspaceId: ID,
  workspaceName: "Shop",
  workspaceKind: "live",
  workspaceTimeZone: "UTC",
  keyId: ID,
  keyName: "Website",
  scopes: ["messages:read"],
  sends: "approve",
  expiresAt: null,
};
