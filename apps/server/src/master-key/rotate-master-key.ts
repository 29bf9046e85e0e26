import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import {
  hasEnded,
  insertKept,
  lockMasterKey,
  selectLagging,
  selectMasterKey,
  selectNow,
  updateAnnounced,
  updateEnded,
  updateSealing,
  type Lagging,
  type MasterKeyRow,
} from "../db/master-keys.ts";
import { FOLLOW_MS } from "../db/check-master-key.ts";
import { listProcesses } from "../db/process-life.ts";
import {
  keptUnder,
  keptUntil,
  masterKeyMark,
  nextName,
  wrapKey,
  type Keyring,
} from "../lib/seal.ts";
import { rewriteKeyed } from "./rewrite-keyed.ts";

type RotateContext = Pick<Context, "db" | "clock"> & { readonly sealer: Keyring };

/** How long a process that runs may take to follow, or a transaction to end. */
const PATIENCE_MS = 60_000;
/** Commands have no row by which they could be seen: they look once a second. */
const COMMANDS_MS = 3 * FOLLOW_MS;
const PASSES = 20;

export interface Rotation {
  /**
   * The next master key. Asked when a rotation begins, and when one goes on that this process cannot learn the key of
   * (`mark`). It must be where it can be found again before it is given: after that the database knows it only for as
   * long as the rotation lasts.
   */
  readonly key: (mark: string | null) => Buffer;
  /** Called before the end, when both keys fit: puts the next key in the place of the old one. */
  readonly install: (key: Buffer) => void;
  /** Nothing that the old key could forge is accepted after the end. */
  readonly leaked: boolean;
  /** A line for the operator. */
  readonly report: (line: string) => void;
  /** Tests give less. */
  readonly waits?: { readonly patienceMs?: number; readonly commandsMs?: number };
}

/** What a rotation did. Marks name keys and reveal nothing of them. */
export interface Rotated {
  readonly from: string;
  readonly to: string;
  /** Values sealed, and hashes made, with the new key. */
  readonly rewritten: number;
  readonly unreadable: Readonly<Record<string, number>>;
}

/**
 * Replaces the master key while servers run, in steps that each can be interrupted and begun again: every process learns
 * the next key, then all seal with it, then everything in the database is sealed with it, then the old key is deleted.
 * Throws one sentence when a process does not follow: the rotation then stays where it is, and nothing is lost.
 */
export async function rotateMasterKey(
  context: RotateContext,
  rotation: Rotation,
): Promise<Rotated> {
  const { db, sealer } = context;
  let row = await current(db);
  if (row.phase === null) row = await announce(context, rotation, row);
  else rotation.report(`going on with the rotation to the key ${row.nextMark}`);
  sealer.follow(row);
  const next = await knownNext(context, rotation, row);
  const from = row.mark;
  if (row.phase === "announced") {
    rotation.report("every server learns the next key");
    await followed(db, row.step, rotation);
    row = await moved(db, updateSealing);
    sealer.follow(row);
  }
  rotation.report("every server seals with it");
  await followed(db, row.step, rotation);
  await transactionsEnded(db, rotation);
  let rewritten = 0;
  let unreadable: Rotated["unreadable"] = {};
  for (let pass = 1; ; pass++) {
    const done = await rewriteKeyed(context);
    rewritten += done.values;
    unreadable = done.unreadable;
    rotation.report(`pass ${pass}: ${done.values} values sealed with it`);
    if (done.values === 0) break;
    if (pass === PASSES)
      throw new Error(
        "values of the old key still arrive: end the processes of older versions and run parley key rotate-master once more",
      );
  }
  rotation.install(next);
  await end(context, row, row.leaked || rotation.leaked);
  return { from, to: masterKeyMark(next), rewritten, unreadable };
}

async function current(db: Db): Promise<MasterKeyRow> {
  const row = await selectMasterKey(db);
  if (!row) throw new Error("the database has no master key yet");
  return row;
}

async function moved(
  db: Db,
  move: (tx: Parameters<typeof lockMasterKey>[0]) => Promise<void>,
): Promise<MasterKeyRow> {
  await db.transaction(async (tx) => {
    await lockMasterKey(tx);
    await move(tx);
  });
  return current(db);
}

async function announce(
  { db, sealer }: RotateContext,
  rotation: Rotation,
  row: MasterKeyRow,
): Promise<MasterKeyRow> {
  const next = rotation.key(null);
  const mark = masterKeyMark(next);
  if (mark === row.mark) throw new Error("this is the master key in use: give another one");
  const present = sealer.master();
  // Where no server runs, none needs to learn it here, and no copy of the database has it under the old key.
  const runs = (await listProcesses(db)).length > 0;
  const wrapped = runs ? wrapKey(present, next, nextName(mark)) : null;
  return moved(db, async (tx) => {
    const now = await selectMasterKey(tx);
    if (now?.phase !== null || now.mark !== row.mark)
      throw new Error("another rotation has just begun: run parley key rotate-master once more");
    await insertKept(tx, keptUnder(next, now, present));
    await updateAnnounced(tx, { mark, wrapped, leaked: rotation.leaked });
  });
}

/** The next key of a rotation that runs: as this process has it, or as it is given. */
async function knownNext(
  { sealer }: RotateContext,
  rotation: Rotation,
  { nextMark }: MasterKeyRow,
): Promise<Buffer> {
  const known = sealer.next();
  if (known) return known;
  const given = rotation.key(nextMark);
  if (masterKeyMark(given) !== nextMark)
    throw new Error(
      `a rotation to the key ${nextMark} is not finished, and this is another key (${masterKeyMark(given)}): give that one`,
    );
  sealer.learn(given);
  return given;
}

/** Waits until every process that runs has followed the step. */
async function followed(db: Db, step: number, { waits }: Rotation): Promise<void> {
  const until = performance.now() + (waits?.patienceMs ?? PATIENCE_MS);
  await sleep(waits?.commandsMs ?? COMMANDS_MS);
  for (;;) {
    const lagging = await selectLagging(db, step);
    if (lagging.length === 0) return;
    if (performance.now() > until) throw new Error(laggingWords(lagging));
    await sleep(200);
  }
}

function laggingWords(lagging: readonly Lagging[]): string {
  const names = lagging.map(({ role, machine, address }) =>
    address === null ? "a server" : `${role ?? "a server"} at ${address} on ${machine}`,
  );
  return `these servers do not follow the rotation: ${names.join(", ")}. Stop them, or start them with this version, and run parley key rotate-master once more`;
}

/** Waits for what sealed with the old key before the processes followed, and is not committed yet. */
async function transactionsEnded(db: Db, { waits }: Rotation): Promise<void> {
  const until = performance.now() + (waits?.patienceMs ?? PATIENCE_MS);
  const mark = await selectNow(db);
  while (!(await hasEnded(db, mark))) {
    if (performance.now() > until)
      throw new Error(
        "a transaction has written to the database for longer than a minute: when it has ended, run parley key rotate-master once more",
      );
    await sleep(200);
  }
}

async function end(
  { db, clock, sealer }: RotateContext,
  row: MasterKeyRow,
  leaked: boolean,
): Promise<void> {
  const now = clock.now();
  const kept = row.kept
    .filter((one) => one.under === row.nextMark)
    .flatMap((one) => {
      const until = keptUntil(one.purpose, now, leaked);
      if (until === "dropped") return [];
      // What an earlier rotation left keeps its end.
      return [{ ...one, until: one.mark === row.mark ? until : one.until }];
    });
  sealer.follow(await moved(db, (tx) => updateEnded(tx, kept)));
}
