import { permitRight } from "../policies.ts";
import { type Actor } from "../actor.ts";
import { personRecipients } from "../broadcasts/audience/erase-recipients.ts";
import { visitorProfiles } from "../chat/erase-visitors.ts";
import { consentHistory } from "../contacts/consent/consent-history.ts";
import { findRefusals } from "../contacts/consent/erase-refusals.ts";
import { personHistory } from "../contacts/record/person-history.ts";
import { findRefs } from "../contacts/refs/find-refs.ts";
import type { Person } from "../contacts/record/person.ts";
import { contactChanges } from "../contacts/record/write-changes.ts";
import type { Context } from "../context.ts";
import type { PersonThread } from "../conversations/person-threads.ts";
import { AppError } from "../errors.ts";
import { personCases } from "../bots/cases/person-cases.ts";
import { personGaps } from "../knowledge/close-gap.ts";
import { MAX_ID, NIL_ID } from "../lib/ids.ts";
import { draftsIn } from "../inbox/save-draft.ts";
import { turnsOf } from "../bots/turn/person-turns.ts";
import { suggestionsOf } from "../inbox/suggest-reply.ts";
import { notesOf } from "../inbox/write-note.ts";
import { mediaOfMessages } from "../media/erase-media.ts";
import type { Media } from "../media/media.ts";
import {
  messagesById,
  oldestMessages,
  type PersonMessage,
} from "../messages/record/person-messages.ts";
import { personPasscodes } from "../otp/person-passcodes.ts";
import { findNamingEvents } from "../webhooks/rewrite-events.ts";
import { auditOf } from "../workspaces/list-audit.ts";
import { recorded } from "../workspaces/record-export.ts";
import { MOST_CAMPAIGNS, identifyPerson } from "./identify-person.ts";

const PAGE = 500;
const EVENTS = 2_000;
const REFUSALS = 5_000;

/** A piece of the document, or a file that the document names as `files/<name>`. */
export type ExportPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly name: string; readonly media: Media };

/**
 * Everything that is stored of a person, as one JSON document in pieces, and the files of the messages beside it
 * (the right of access; docs/privacy.md lists the members). Reads by pages, so memory does not grow with the
 * number of messages. Data written while it runs may be in it or not. The audit keeps who took it. Throws FORBIDDEN and
 * NOT_FOUND at the first piece.
 */
export function exportPerson(
  actor: Actor,
  context: Pick<Context, "db" | "clock" | "ids" | "sealer">,
  workspaceId: string,
  contactId: string,
): AsyncGenerator<ExportPart> {
  const parts = personParts(actor, context, workspaceId, contactId);
  return recorded(actor, context, workspaceId, parts, () => ({
    action: "contact.exported",
    subject: contactId,
    facts: { count: 1 },
  }));
}

/** The document alone, without the files. Errors: as `exportPerson`. */
export async function* personDocument(
  actor: Actor,
  context: Parameters<typeof exportPerson>[1],
  workspaceId: string,
  contactId: string,
): AsyncGenerator<string> {
  for await (const part of exportPerson(actor, context, workspaceId, contactId))
    if (part.kind === "text") yield part.text;
}

async function* personParts(
  actor: Actor,
  context: Pick<Context, "db" | "clock" | "sealer">,
  workspaceId: string,
  contactId: string,
): AsyncGenerator<ExportPart> {
  permitRight(actor, "contact.export");
  const found = await identifyPerson(context.db, workspaceId, contactId);
  if (!found) throw new AppError("NOT_FOUND", { explanation: "there is no such contact" });
  const { person, threads } = found;
  const { ids, identities, phones } = person;
  const history = await personHistory(context.db, person);
  const recipients = await personRecipients(context.db, workspaceId, ids, MAX_ID, MOST_CAMPAIGNS);
  const head = {
    exportedAt: context.clock.now(),
    workspaceId,
    contactId: person.contactId,
    contact: history.contact,
    merged: history.merged,
    identities,
    refs: (await findRefs(context.db, workspaceId, ids)).map(({ system, value, merged }) => ({
      system,
      value,
      merged,
    })),
    consent: await consentHistory(context, workspaceId, { contactId: person.contactId }),
    chatProfiles: await visitorProfiles(context.db, workspaceId, identities),
    campaigns: recipients,
    unansweredQuestions: await personGaps(context.db, workspaceId, ids),
    botCases: await personCases(context.db, workspaceId, ids),
  };
  yield text(`${JSON.stringify(head, null, 1).slice(0, -2)},\n "changes": [`);
  const { db } = context;
  yield* items(newestFirst((below) => contactChanges(db, workspaceId, ids, below, PAGE)));
  yield text(`],\n "conversations": [`);
  for (const [index, thread] of threads.entries()) {
    yield text(`${index > 0 ? "," : ""}\n${openOf({ ...thread })}, "messages": [`);
    yield* threadMessages(context, workspaceId, thread);
    yield text(`], "notes": [`);
    yield* items(
      newestFirst((below) => notesOf(db, workspaceId, thread.id, { above: NIL_ID, below }, PAGE)),
    );
    const drafts = await draftsIn(context.db, workspaceId, thread.id);
    yield text(`], "drafts": ${JSON.stringify(drafts)}`);
    const suggested = await suggestionsOf(context.db, workspaceId, thread.id);
    yield text(`, "suggestions": ${JSON.stringify(suggested)}, "aiTurns": [`);
    yield* items(
      newestFirst((before) =>
        turnsOf(db, workspaceId, { conversationId: thread.id }, { before, limit: PAGE }),
      ),
    );
    yield text("]}");
  }
  yield text(`],\n "messagesWithoutConversation": [`);
  const named = recipients.flatMap(({ messageId }) => messageId ?? []);
  const loose = (await messagesById(context.db, workspaceId, named)).filter(
    (message) => message.conversationId === null,
  );
  yield* messageParts(context, workspaceId, loose, true);
  yield text(`],\n "passcodes": [`);
  yield* items(newestFirst((below) => personPasscodes(db, workspaceId, phones, below, PAGE)));
  yield text(`],\n "refusedImportRows": [`);
  yield* items(refusedRows(context, person));
  yield text(`],\n "audit": [`);
  const subjects = [...ids, ...threads.map((thread) => thread.id)];
  yield* items(newestFirst((below) => auditOf(db, workspaceId, subjects, below, PAGE)));
  yield text(`],\n "events": [`);
  yield* items(events(context, workspaceId, ids));
  yield text("]}\n");
}

const text = (piece: string): ExportPart => ({ kind: "text", text: piece });
const openOf = (value: object): string => JSON.stringify(value).slice(0, -1);

async function* items(rows: AsyncIterable<unknown>): AsyncGenerator<ExportPart> {
  let first = true;
  for await (const row of rows) {
    yield text(`${first ? "" : ","}\n${JSON.stringify(row)}`);
    first = false;
  }
}

async function* threadMessages(
  context: Pick<Context, "db">,
  workspaceId: string,
  thread: PersonThread,
): AsyncGenerator<ExportPart> {
  for (let after = NIL_ID; ;) {
    const page = await oldestMessages(context.db, workspaceId, thread.id, after, PAGE);
    yield* messageParts(context, workspaceId, page, after === NIL_ID);
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? MAX_ID;
  }
}

/** Messages with their files. A file follows the message that names it. */
async function* messageParts(
  context: Pick<Context, "db">,
  workspaceId: string,
  messages: readonly PersonMessage[],
  first: boolean,
): AsyncGenerator<ExportPart> {
  if (messages.length === 0) return;
  const media = await mediaOfMessages(
    context.db,
    workspaceId,
    messages.map((message) => message.id),
  );
  const of = Map.groupBy(media, (one) => one.messageId);
  const lines = messages.map((message) => {
    const files = (of.get(message.id) ?? []).map((one) => ({
      mediaId: one.id,
      kind: one.kind,
      state: one.state,
      fileName: one.fileName,
      mimeType: one.mimeType,
      size: one.size,
      sha256: one.sha256,
      file: one.state === "stored" ? `files/${nameOf(one)}` : null,
    }));
    return JSON.stringify(files.length > 0 ? { ...message, files } : message);
  });
  yield text(`${first ? "" : ","}\n${lines.join(",\n")}`);
  for (const one of media)
    if (one.state === "stored") yield { kind: "file", name: nameOf(one), media: one };
}

/** Named by our id, so that no two names are equal and nothing that a customer typed becomes a path. */
const nameOf = ({ id, fileName }: Media): string =>
  id + (/\.[A-Za-z0-9]{1,8}$/.exec(fileName ?? "")?.[0] ?? "");

/** All rows that `read` gives in pages of `PAGE`, newest first. Each page begins below the last id of the one before. */
async function* newestFirst<Row extends { readonly id: string }>(
  read: (below: string) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let below = MAX_ID; ;) {
    const page = await read(below);
    yield* page;
    if (page.length < PAGE) return;
    below = page.at(-1)?.id ?? NIL_ID;
  }
}

async function* refusedRows(context: Pick<Context, "db">, person: Person): AsyncGenerator<unknown> {
  for (let after: string | null = ""; after !== null;) {
    const { db } = context;
    const page = await findRefusals(db, person.workspaceId, person, after, REFUSALS);
    yield* page.rows;
    after = page.last;
  }
}

/**
 * The events about the person that receivers of webhooks were told: kinds and times. Their bodies repeat what is
 * above.
 */
async function* events(
  context: Pick<Context, "db">,
  workspaceId: string,
  ids: readonly string[],
): AsyncGenerator<unknown> {
  for (let after = 0; ;) {
    const look = { after, window: EVENTS, words: ids };
    const page = await findNamingEvents(context.db, workspaceId, look);
    yield* page.rows;
    if (page.looked < EVENTS) return;
    after = page.last ?? Number.MAX_SAFE_INTEGER;
  }
}
