import type { Command } from "commander";
import { haltBots } from "../bots/hand-over/halt-bots.ts";
import { haltCampaigns } from "../broadcasts/record/halt-broadcast.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { listProcesses } from "../db/process-life.ts";
import { haltReplies } from "../messages/record/halt-replies.ts";
import { haltPasscodes } from "../otp/recover-otp.ts";
import { passOverNumbers } from "../webhooks/pass-over-numbers.ts";
import { giveUpDeliveries } from "../webhooks/redeliver.ts";
import { dropLetters } from "../workspaces/letter.ts";
import { dropMails } from "../workspaces/mail-notices.ts";
import { print } from "./command-line.ts";
import { withApp } from "./open-app.ts";

/** How many things of each kind a restore made doubtful. */
export interface Halted {
  readonly replies: number;
  readonly campaigns: number;
  readonly recipients: number;
  readonly deliveries: number;
  readonly passcodes: number;
  /** Conversations in which a bot was about to answer. */
  readonly bots: number;
}

/**
 * Stops everything after a restore that would be sent by itself, because it may have been sent since the backup was
 * made. Replies get an unknown outcome, and later fail (OUTCOME_UNKNOWN). Campaigns are paused, or become drafts again,
 * and their timeline says so. Conversations in which a bot was about to answer go to people. Deliveries are given up, and
 * can be sent again by hand. Passcodes under way become unknown, and mails to admins and persons are dropped. Events get
 * numbers that no receiver has seen.
 */
export async function haltEverything(context: Context, tx: Tx): Promise<Halted> {
  const now = context.clock.now();
  const reason =
    "RESTORED: from a backup; waiting recipients may have been reached since it was made";
  const replies = await haltReplies(tx, now);
  const { campaigns, recipients } = await haltCampaigns(tx, now, reason);
  const bots = await haltBots(context, tx);
  const deliveries = await giveUpDeliveries(tx);
  const passcodes = await haltPasscodes(tx, now);
  await dropMails(tx);
  await dropLetters(tx);
  await passOverNumbers(tx);
  return { replies, campaigns, recipients, deliveries, passcodes, bots };
}

/** `parley halt` */
export function registerHalt(command: Command): void {
  command
    .option("--json", "print one JSON document")
    .action(async (options: { readonly json?: boolean }) =>
      print(options, { halted: await withApp(haltAfterRestore) }),
    );
}

/**
 * The same for a PostgreSQL that its own tools brought back to an earlier moment. Throws while a server runs on it, because
 * that one sends already.
 */
export async function haltAfterRestore(app: Context): Promise<Halted> {
  const [running] = await listProcesses(app.db);
  if (running)
    throw new Error(
      `a server runs on this database (${running.address} on ${running.machine}): stop it, then halt, then start it again`,
    );
  return app.db.transaction((tx) => haltEverything(app, tx));
}
