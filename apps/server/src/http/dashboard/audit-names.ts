import { botNames } from "../../bots/record/live-bot.ts";
import { selectBroadcastNames } from "../../broadcasts/record/find-broadcast.ts";
import { findContacts } from "../../contacts/identity/find-contact.ts";
import type { Context } from "../../context.ts";
import { deskRows } from "../../desk/read-desk.ts";
import { isId } from "../../lib/ids.ts";
import { sourceTitles } from "../../knowledge/list-sources.ts";
import { listSegments } from "../../segments/list-segments.ts";
import { listEndpoints } from "../../webhooks/list-endpoints.ts";
import type { AuditLine } from "../../workspaces/list-audit.ts";
import type { Shown } from "../../wire/schema.ts";
import type { keys } from "./contract/keys.ts";

type AuditName = Shown<typeof keys.listAudit.answer>["names"][number];

/** The names, as far as they are still there, of the records that these entries of the audit are about or name. */
export async function namesInAudit(
  context: Pick<Context, "db">,
  workspaceId: string,
  entries: readonly AuditLine[],
): Promise<AuditName[]> {
  const { db } = context;
  const ids = (...nouns: readonly string[]): string[] => [
    ...new Set(
      entries
        .filter(({ action }) => nouns.includes(action.split(".")[0] ?? ""))
        .flatMap(({ subject, facts }): unknown[] => [subject, ...Object.values(facts)])
        .flatMap((one) => (typeof one === "string" && isId(one) ? [one] : [])),
    ),
  ];
  const about = (noun: string): boolean => entries.some(({ action }) => action.startsWith(noun));
  const [endpoints, segments, broadcasts, contacts, conversations, bots, sources] =
    await Promise.all([
      about("endpoint.") ? listEndpoints(context, workspaceId) : [],
      about("segment.") || about("contacts.") ? listSegments(context, workspaceId) : [],
      selectBroadcastNames(db, workspaceId, ids("broadcast")),
      findContacts(db, workspaceId, ids("contact")),
      deskRows(db, workspaceId, ids("conversation")),
      botNames(db, workspaceId, ids("bot")),
      sourceTitles(db, workspaceId, ids("knowledge")),
    ]);
  return [
    ...endpoints.map(({ id, url }) => ({ id, kind: "endpoint" as const, name: url })),
    ...segments.map(({ id, name }) => ({ id, kind: "segment" as const, name })),
    ...bots.map(({ id, name }) => ({ id, kind: "bot" as const, name })),
    ...sources.map(({ id, title }) => ({ id, kind: "knowledge" as const, name: title })),
    ...broadcasts.map(({ id, name }) => ({ id, kind: "broadcast" as const, name })),
    ...contacts.flatMap(({ id, name, phone, email }) => {
      const shown = name ?? (phone === null ? email : `+${phone}`);
      return shown === null ? [] : [{ id, kind: "contact" as const, name: shown }];
    }),
    ...conversations.map(({ id, name }) => ({ id, kind: "conversation" as const, name })),
  ];
}
