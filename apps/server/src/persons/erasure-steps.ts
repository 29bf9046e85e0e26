import { eraseAnswers } from "../api-keys/kept-answers.ts";
import { eraseCases } from "../bots/cases/person-cases.ts";
import { callsInTheAir, eraseRecipients } from "../broadcasts/audience/erase-recipients.ts";
import { eraseVisitors } from "../chat/erase-visitors.ts";
import { eraseContact } from "../contacts/record/erase-contact.ts";
import { eraseRefusals } from "../contacts/consent/erase-refusals.ts";
import type { Context } from "../context.ts";
import { personThreads } from "../conversations/person-threads.ts";
import type { Tx } from "../db/database.ts";
import { eraseGaps } from "../knowledge/close-gap.ts";
import { NIL_ID } from "../lib/ids.ts";
import { nextErasedMedia } from "../media/erase-media.ts";
import {
  eraseFailures,
  eraseMessages,
  eraseThreads,
  repliesInTheAir,
  someMessages,
} from "../messages/record/erase-messages.ts";
import { erasePasscodes, passcodesInTheAir } from "../otp/person-passcodes.ts";
import { eraseJobs } from "../segments/erase-jobs.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { rewriteEvents } from "../webhooks/rewrite-events.ts";
import { eraseAudit } from "../workspaces/list-audit.ts";
import { blankAnswer, blankEvent } from "./blank-records.ts";
import type { Running, Step } from "./erasure.ts";

/** Rows of one batch, which holds its locks for well under a second. */
const MESSAGES = 500;
const EVENTS = 2_000;
const REFUSALS = 1_000;
const PASSCODES = 1_000;
const GAPS = 100;
const CASES = 100;
/** How soon the step looks at open calls again. */
const WAIT_MS = 5_000;

/** The result of one batch: the step goes on from `cursor`, is done (null), or hands over to another step (`next`). */
interface Batch {
  readonly cursor: string | null;
  readonly next?: Step;
  readonly counts?: Readonly<Record<string, number>>;
  readonly events?: readonly NewEvent[];
  /** Nothing can be done yet: what the step waits for, and how long. */
  readonly wait?: { readonly what: string; readonly ms: number };
}

type Work = (context: Context, tx: Tx, of: Running) => Promise<Batch>;

const recipients: Work = async (context, tx, { workspaceId, id, ids, cursor }) => {
  const person = { workspaceId, contactIds: ids };
  const found = await eraseRecipients(context, tx, person, cursor === "" ? NIL_ID : cursor);
  const of = { workspaceId, erasureId: id };
  const erased = await eraseMessages(context, tx, of, found.messageIds);
  return {
    cursor: found.last,
    counts: { recipients: found.recipients, messages: erased.messages, files: erased.files },
    events: [...found.events, ...erased.events],
  };
};

const messages: Work = async (context, tx, { workspaceId, id, ids }) => {
  const threads = await personThreads(tx, workspaceId, ids);
  const held = await callsInTheAir(tx, workspaceId, ids);
  const threadIds = threads.map((thread) => thread.id);
  const some = await someMessages(tx, workspaceId, threadIds, held, MESSAGES);
  const erased = await eraseMessages(context, tx, { workspaceId, erasureId: id }, some);
  return {
    cursor: erased.messages === 0 ? null : "more",
    counts: { messages: erased.messages, files: erased.files },
    events: erased.events,
  };
};

const visitors: Work = async (context, tx, { workspaceId, keys }) => {
  const browsers = await eraseVisitors(context, tx, workspaceId, keys.identities);
  return { cursor: null, counts: { visitors: browsers } };
};

const refusals: Work = async (_context, tx, { workspaceId, keys, cursor }) => {
  const { last, blanked } = await eraseRefusals(tx, workspaceId, keys, cursor, REFUSALS);
  return { cursor: last, counts: { refusals: blanked } };
};

const failures: Work = async (_context, tx, { workspaceId, keys }) => {
  const names = [...new Set([...keys.externalIds, ...keys.phones])];
  return { cursor: null, counts: { failures: await eraseFailures(tx, workspaceId, names) } };
};

const passcodes: Work = async (context, tx, { workspaceId, keys }) => {
  const blanked = await erasePasscodes(context, tx, workspaceId, keys.phones, PASSCODES);
  return { cursor: blanked === 0 ? null : "more", counts: { passcodes: blanked } };
};

const jobs: Work = async (context, tx, { workspaceId, ids, keys }) => {
  const questions = await eraseGaps(context, tx, workspaceId, ids, GAPS);
  if (questions > 0) return { cursor: "more", counts: { questions } };
  const cases = await eraseCases(context, tx, workspaceId, ids, CASES);
  if (cases > 0) return { cursor: "more", counts: { cases } };
  const alone = await eraseJobs(tx, workspaceId, ids, keys);
  await eraseAudit(tx, workspaceId, [...ids, ...alone]);
  return { cursor: null };
};

/**
 * Waits for open calls. They end within seconds; one with a lost answer ends within a quarter of an hour. Their
 * outcome must be counted, and the end of a call would write again what was deleted during the call.
 */
const calls: Work = async (_context, tx, { workspaceId, ids, keys }) => {
  const threads = await personThreads(tx, workspaceId, ids);
  const threadIds = threads.map((thread) => thread.id);
  const busy =
    (await callsInTheAir(tx, workspaceId, ids)).length > 0 ||
    (await repliesInTheAir(tx, workspaceId, threadIds)) ||
    (await passcodesInTheAir(tx, workspaceId, keys.phones));
  return busy
    ? { cursor: "", wait: { what: "a call to a platform that is in the air", ms: WAIT_MS } }
    : { cursor: null };
};

const threads: Work = async (_context, tx, of) => {
  const { workspaceId } = of;
  const found = await personThreads(tx, workspaceId, of.ids);
  const ids = found.map((thread) => thread.id);
  const gone = await eraseThreads(tx, workspaceId, ids);
  // A conversation came in meanwhile.
  if (!gone) return { cursor: null, next: "calls" };
  // While it is known whose they are: an answer with a note names its conversation alone.
  const who = { ...mentions(of), conversations: new Set(ids) };
  const answers = await eraseAnswers(tx, workspaceId, ids, (body) => blankAnswer(body, who));
  return { cursor: null, counts: { conversations: found.length, answers } };
};

/** Removes what an open call taught us of the person, and passcodes that were being sent then. */
const contact: Work = async (context, tx, of) => {
  const { workspaceId, contactId, ids, keys } = of;
  const person = { workspaceId, contactId, ids, ...keys, alive: false, identities: [], alike: [] };
  await eraseContact(context, tx, person);
  await eraseGaps(context, tx, workspaceId, ids, GAPS);
  await eraseCases(context, tx, workspaceId, ids, CASES);
  const blanked = await erasePasscodes(context, tx, workspaceId, keys.phones, PASSCODES);
  return { cursor: blanked === 0 ? null : "more", counts: { passcodes: blanked } };
};

const mentions = ({ ids, keys }: Running) => ({ ids: new Set(ids), phones: keys.phones });

const events: Work = async (_context, tx, of) => {
  const { workspaceId, ids, keys, cursor } = of;
  const look = { after: Number(cursor), window: EVENTS, words: [...ids, ...keys.phones] };
  const { last, rewritten } = await rewriteEvents(tx, workspaceId, look, (body) =>
    blankEvent(body, mentions(of)),
  );
  return { cursor: last === null ? null : String(last), counts: { events: rewritten } };
};

const answers: Work = async (_context, tx, of) => {
  const { workspaceId, ids } = of;
  const who = { ...mentions(of), conversations: new Set<string>() };
  const changed = await eraseAnswers(tx, workspaceId, ids, (body) => blankAnswer(body, who));
  return { cursor: null, counts: { answers: changed } };
};

/** The sweep removes the files' bytes first and their rows after: without rows, no bytes are left. */
const files: Work = async (context, tx, { workspaceId, id }) => {
  const next = await nextErasedMedia(tx, { workspaceId, erasureId: id });
  if (next === null) return { cursor: null };
  const ms = Math.max(WAIT_MS, next.getTime() - context.clock.now().getTime());
  return { cursor: "", wait: { what: "the file store", ms } };
};

export const WORK: Readonly<Record<Step, Work>> = {
  recipients,
  messages,
  visitors,
  refusals,
  failures,
  passcodes,
  jobs,
  calls,
  recipients_again: recipients,
  messages_again: messages,
  threads,
  contact,
  events,
  answers,
  files,
};
