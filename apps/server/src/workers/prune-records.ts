import type { Context } from "../context.ts";
import { pruneImports } from "../contacts/import/import-refusals.ts";
import { pruneImportFiles } from "../imports/prune-import-files.ts";
import { pruneOtp } from "../otp/prune-otp.ts";
import { pruneSessions } from "../sessions/end-session.ts";
import { pruneMarks } from "../api-keys/assistant-marks.ts";
import { pruneSuggestions } from "../inbox/suggest-reply.ts";
import { pruneExports } from "../segments/contact-exports.ts";
import { pruneJobs } from "../segments/prune-jobs.ts";
import { pruneAudit, pruneNotices } from "../workspaces/prune-records.ts";
import { pruneAssists } from "../bots/assist/assist-calls.ts";
import { pruneCaseRuns } from "../bots/cases/work-cases.ts";
import { pruneForgottenMessages } from "../messages/record/expire-messages.ts";
import { pruneTurns } from "../bots/turn/settle-turn.ts";
import type { Worker } from "./worker.ts";

/** Nudges wake every housekeeping worker. No nudge makes a record due here, so it rests between its looks. */
const REST_MS = 1_800_000;

/** Deletes records that nobody asks for after months or years. Each operation knows for how long they are kept. */
export function createPruneRecordsWorker(context: Pick<Context, "db" | "clock">): Worker {
  let doneAt = Number.NEGATIVE_INFINITY;
  return {
    name: "prune-records",
    queue: "housekeeping",
    pollMs: 2 * REST_MS,
    async runOnce() {
      const now = context.clock.now().getTime();
      if (Math.abs(now - doneAt) < REST_MS) return 0;
      const gone =
        (await pruneAudit(context)) +
        (await pruneNotices(context)) +
        (await pruneOtp(context)) +
        (await pruneImports(context)) +
        (await pruneImportFiles(context)) +
        (await pruneJobs(context)) +
        (await pruneExports(context)) +
        (await pruneSuggestions(context)) +
        (await pruneTurns(context)) +
        (await pruneAssists(context)) +
        (await pruneCaseRuns(context)) +
        (await pruneMarks(context)) +
        (await pruneForgottenMessages(context)) +
        (await pruneSessions(context));
      if (gone === 0) doneAt = now;
      return gone;
    },
  };
}
