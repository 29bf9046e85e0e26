import { OPERATOR, type Actor } from "../actor.ts";
import { liveKeyActor } from "../api-keys/live-keys.ts";
import { NOTHING_DONE } from "../contacts/import/import-report.ts";
import { runImport, type ContactImport } from "../contacts/import/run-import.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { describeForLog } from "../db/describe-for-log.ts";
import { AppError } from "../errors.ts";
import { discardUpload } from "../media/retain-upload.ts";
import { roleOfMember } from "../workspaces/list-members.ts";
import { notifyStarter } from "../workspaces/member-notice.ts";
import { GAVE_UP, KEY_NOT_ALLOWED, NOT_ALLOWED, type ImportFileRow } from "./import-file.ts";
import {
  claimImportFile,
  endImportFile,
  isImportFileDue,
  linkImportFile,
  moveImportFile,
  releaseFilesOf,
  releaseImportFile,
} from "./import-file-store.ts";
import { readImportFile } from "./open-file.ts";

/** A batch takes a few seconds at most. A process that died is noticed sooner (`freeImportFiles`). */
const LEASE_MS = 60_000;
/** After this time another waiting file has its turn. */
const TURN_MS = 20_000;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** Tries in a row without a single batch. */
const MOST_TRIES = 10;

/** What a run of an uploaded file needs. */
export type FileRunContext = Pick<
  Context,
  | "db"
  | "ids"
  | "clock"
  | "wake"
  | "sealer"
  | "background"
  | "config"
  | "providerHttp"
  | "life"
  | "log"
  | "topics"
>;

/** The run ends between two batches: the process stops, another file waits, or the file is no longer ours. */
class RunBroken extends Error {
  readonly giveBack: boolean;
  constructor(giveBack: boolean) {
    super("the run ends between two batches");
    this.giveBack = giveBack;
  }
}

/**
 * Imports the uploaded file that has waited longest, in the same way as the command line (`runImport`). False when
 * there was none. It ends early, between two batches, when `stopped` says so, when it was cancelled and when
 * others wait. The next run, in any process, goes on with the first row that was not imported. Each run asks anew
 * whether the uploader may import contacts; who no longer may has the import end as failed (`NOT_ALLOWED`).
 */
export async function runImportFile(
  context: FileRunContext,
  stopped: () => boolean = () => false,
): Promise<boolean> {
  const { db, clock, life } = context;
  const now = clock.now();
  const processId = life.id;
  const file = await claimImportFile(db, processId, now, new Date(now.getTime() + LEASE_MS));
  if (!file) return false;
  try {
    const done = await takeIn(context, file, processId, stopped);
    await end(context, file, done.stoppedAt === null ? "done" : "stopped", null, done);
  } catch (error) {
    await giveBackOrFail(context, file, processId, error);
  }
  return true;
}

async function takeIn(
  context: FileRunContext,
  file: ImportFileRow,
  processId: string,
  stopped: () => boolean,
): ReturnType<typeof runImport> {
  const { db, clock } = context;
  const { workspaceId, options, sha256, fileName, fileSize } = file;
  if (options === null) throw new Error("a file was started without its options");
  const { encoding, ...reading } = options;
  const author = await authorOf(context, file);
  const begun = performance.now();
  let bytesRead = 0;
  async function* open(): AsyncGenerator<Uint8Array> {
    bytesRead = 0;
    for await (const piece of readImportFile(context, file)) {
      bytesRead += piece.length;
      yield piece;
    }
  }
  const source = { name: fileName, sha256, size: fileSize, encoding, open };
  return runImport(author, context, workspaceId, source, reading, {
    onStart: ({ importId, resumedAt }) => linkImportFile(db, file, { importId, rows: resumedAt }),
    async onProgress() {
      const at = clock.now();
      const until = new Date(at.getTime() + LEASE_MS);
      if (!(await moveImportFile(db, file, { processId, bytesRead, at, until })))
        throw new RunBroken(false);
      const isOver = performance.now() - begun > TURN_MS && (await isImportFileDue(db, at));
      if (stopped() || isOver) throw new RunBroken(true);
    },
  });
}

/** Who uploaded the file, with the rights of now. Throws FORBIDDEN for a member or a key that may do nothing any more. */
async function authorOf(
  context: Pick<FileRunContext, "db" | "clock">,
  { workspaceId, author }: ImportFileRow,
): Promise<Actor> {
  const [, kind, id = ""] = /^(member|key):(.+)$/.exec(author) ?? [];
  if (kind === undefined) return OPERATOR;
  if (kind === "key") {
    const key = await liveKeyActor(context, workspaceId, id);
    if (key === null) throw new AppError("FORBIDDEN", { explanation: KEY_NOT_ALLOWED });
    return key;
  }
  const role = await roleOfMember(context.db, workspaceId, id);
  if (role === null) throw new AppError("FORBIDDEN", { explanation: NOT_ALLOWED });
  return { kind: "member", memberId: id, role };
}

type Sums = Pick<ContactImport, "created" | "updated" | "unchanged" | "refused">;

/** Ends the file, lets its bytes be removed and notifies the starter, unless it was cancelled meanwhile. */
function end(
  context: Pick<Context, "db" | "ids" | "clock" | "topics">,
  file: ImportFileRow,
  state: "done" | "stopped" | "failed",
  reason: string | null,
  sums: Sums = NOTHING_DONE,
): Promise<void> {
  const { workspaceId, mediaId, author, fileName, id } = file;
  const { created, updated, unchanged, refused } = sums;
  return context.db.transaction(async (tx) => {
    const at = context.clock.now();
    const ended = await endImportFile(tx, file, { from: ["running"], state, reason, at });
    if (!ended) return;
    await discardUpload(tx, { workspaceId, id: mediaId }, at);
    await notifyStarter(context, tx, workspaceId, {
      kind: "import",
      actor: author,
      facts: { outcome: state, file: fileName, created, updated, unchanged, refused },
      ref: `/contacts/import?run=${id}`,
    });
  });
}

async function giveBackOrFail(
  context: FileRunContext,
  file: ImportFileRow,
  processId: string,
  error: unknown,
): Promise<void> {
  const at = context.clock.now();
  const back = (from: Date, tries: number): Promise<void> =>
    releaseImportFile(context.db, file, { processId, at, from, tries });
  if (error instanceof RunBroken) {
    if (error.giveBack) await back(at, 0);
    return;
  }
  const reason = refusalOf(error) ?? (file.tries + 1 >= MOST_TRIES ? GAVE_UP : null);
  if (reason !== null) {
    await end(context, file, "failed", reason);
    return;
  }
  const { workspaceId, id } = file;
  context.log.warn({ workspaceId, importFileId: id, ...describeForLog(error) }, "import broke off");
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** file.tries);
  await back(new Date(at.getTime() + wait), file.tries + 1);
}

/** Why another try would end in the same way; null when it might not. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === "FORBIDDEN")
    return error.facts.explanation === KEY_NOT_ALLOWED ? KEY_NOT_ALLOWED : NOT_ALLOWED;
  if (error.code.startsWith("MISSING_SCOPE:")) return KEY_NOT_ALLOWED;
  return ["VALIDATION_FAILED", "NOT_FOUND"].includes(error.code) ? error.message : null;
}

/** A process is gone: its files wait for another process, which goes on at the same row. */
export function freeImportFiles(tx: Tx, processId: string, now: Date): Promise<number> {
  return releaseFilesOf(tx, processId, now);
}
