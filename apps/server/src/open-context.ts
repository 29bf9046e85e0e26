import { hostname } from "node:os";
import type { Config, Secrets } from "./config.ts";
import type { Context } from "./context.ts";
import { DatabaseClock } from "./db/database-clock.ts";
import { openDatabase, type DatabaseOptions, type Db } from "./db/database.ts";
import { Doubt } from "./db/lend.ts";
import { FullDisk } from "./db/full-disk.ts";
import { createTopics } from "./db/notify.ts";
import { describeDrift } from "./db/migrate.ts";
import { watchSchema } from "./db/schema-watch.ts";
import { createProcessLife, type ProcessPlace } from "./db/process-life.ts";
import { transactionCount } from "./db/transaction-count.ts";
import { ReadOnlyServer } from "./db/writable-client.ts";
import { createBackground, type Background } from "./lib/background.ts";
import { GroupCommit } from "./lib/group-commit.ts";
import { createIds } from "./lib/ids.ts";
import { createAddressGuard } from "./lib/address-guard.ts";
import { createLogger } from "./lib/logger.ts";
import { createGuardedHttp, createProviderHttp } from "./lib/outbound-http.ts";
import { createRateLimits } from "./lib/rate-limit/create-rate-limits.ts";
import { admitReceiver, emptySandboxSlot } from "./lib/sandbox-slot.ts";
import { createSealer, type Keyring } from "./lib/seal.ts";
import { createSmppSessions } from "./lib/smpp/sessions.ts";
import { sendNudges } from "./lib/nudges.ts";
import type { Pressure } from "./lib/pressure.ts";
import { addressable } from "./lib/setting-text.ts";
import { createWake } from "./lib/wake.ts";
import { botsAskingFor } from "./bots/record/segment-bots.ts";
import { joinBots } from "./bots/thread/join-bots.ts";
import { leaveBots } from "./bots/thread/leave-bots.ts";
import { followSettlements } from "./broadcasts/send/follow-settlements.ts";
import { mergeRecipients } from "./broadcasts/audience/merge-recipients.ts";
import { passcodeStatuses } from "./otp/settle-statuses.ts";
import { noteReplies } from "./broadcasts/send/note-replies.ts";
import { moveAssistsOf } from "./bots/assist/assist-calls.ts";
import { moveTurnsOf } from "./bots/turn/person-turns.ts";
import { moveInbox } from "./inbox/move-inbox.ts";
import { mergeCases } from "./bots/cases/person-cases.ts";
import { joinGaps, mergeGaps } from "./knowledge/close-gap.ts";
import { followSavedReply } from "./knowledge/saved-reply-sources.ts";
import { moveConversations } from "./conversations/move-conversations.ts";
import { receiveSmppEvent } from "./otp/receive-smpp-event.ts";
import { campaignsSending } from "./broadcasts/record/campaigns-of-template.ts";
import { campaignsWaitingFor } from "./broadcasts/record/find-broadcast.ts";

/** Parts that tests replace. */
export type Overrides = Partial<Pick<Context, "clock" | "log" | "providerHttp" | "guardedHttp">> & {
  /** Replaces how work that nobody waits for runs on this database. */
  readonly background?: ((db: Db) => Background) | undefined;
  /** True when this app does only such work, as a command that imports does. */
  readonly inBackground?: boolean;
  readonly requestLimits?: typeof REQUEST_LIMITS;
  readonly answerMs?: DatabaseOptions["answerMs"];
  /** Replaces how pressed this process is, by which requests are refused. */
  readonly pressure?: Pressure;
  /** True for a command, which the operator gives. Default: a server. */
  readonly operator?: boolean;
};

/** Connections for requests, replies and campaigns: six, and two that short reads share. */
export const IN_FRONT = { poolSize: 6, shortReads: 2, plansOnce: true };
/** Connections for background work: imports, audiences, changes to many, erasures, and for slow reads of pages. */
const BEHIND = 4;

/**
 * How long a request waits for a silent database before it is answered 503: `answerMs`, or the sum of both when it also
 * waited for its turn to write. Work that others wait for has its own times.
 */
const REQUEST_LIMITS = { answerMs: 10_000, waitMs: 5_000 };

/** Everything that one process works with, opened. A command needs no more; a server adds its workers (`app.ts`). */
export interface OpenContext extends Context, AsyncDisposable {
  readonly sealer: Keyring;
  /** How pressed this process is, where something else than the process itself says it. */
  readonly pressure?: Pressure;
  /** The database as requests use it: none waits longer than `REQUEST_LIMITS`. */
  readonly forRequests: Pick<Context, "db" | "groupCommit">;
  /**
   * Whether requests can be served: the database answers and has this version's schema. `faults` are sentences for the
   * operator.
   */
  readiness(): Promise<{ ready: boolean; faults: string[] }>;
}

/** The context of workers that others wait for. A silent connection holds them up for seconds only. */
interface ForWorkers {
  readonly stepping: Context;
}

/** What higher rooms do, in the same transaction, when a lower one settles, joins, merges or hands over. */
const FOLLOWERS = {
  settlementFollowers: [followSettlements],
  inboundFollowers: [noteReplies],
  passcodeStatuses,
  handlerFollowers: [leaveBots],
  mergeFollowers: [moveConversations, mergeRecipients, mergeGaps, mergeCases],
  joinFollowers: [moveInbox, joinGaps, joinBots, moveTurnsOf, moveAssistsOf],
  savedReplyFollowers: [followSavedReply],
  segmentUsers: [campaignsWaitingFor, botsAskingFor],
  templateUsers: campaignsSending,
} satisfies Partial<Context>;

const placeOf = ({ role, host, port }: Config): ProcessPlace => ({
  role,
  machine: hostname(),
  address: `http://${addressable(host)}:${port}`,
});

/** Opens the database for requests, and for work that nobody waits for (`behind`). */
function openDatabases(reaching: DatabaseOptions, { inBackground }: Overrides) {
  const behind = openDatabase({
    ...reaching,
    poolSize: BEHIND,
    packsLog: true,
    name: "background",
  });
  const db = inBackground ? behind : openDatabase({ ...reaching, ...IN_FRONT, behind });
  return { db, behind };
}

/**
 * Opens every part in order and closes them in reverse when disposed. `config.databaseUrl` must be set by now (embedded
 * or given).
 */
export async function openContext(
  config: Config,
  secrets: Secrets,
  overrides: Overrides = {},
): Promise<OpenContext & ForWorkers> {
  const connectionString = config.databaseUrl;
  if (connectionString === undefined) throw new Error("openContext needs a database address");
  const log = overrides.log ?? createLogger(config.logLevel);
  let closing = false;
  const fullDisk = new FullDisk();
  const doubt = new Doubt();
  const reaching = {
    connectionString,
    doubt,
    onFullDisk: () => fullDisk.note(),
    ...(overrides.answerMs && { answerMs: overrides.answerMs }),
    onError: (error: Error) => {
      if (!closing) log.warn({ error: error.message, outage: true }, "database connection lost");
    },
  };
  const { db, behind } = openDatabases(reaching, overrides);
  const { answerMs, waitMs } = overrides.requestLimits ?? REQUEST_LIMITS;
  const asked = db.within(answerMs);
  const schemaState = watchSchema(asked);
  const clock = overrides.clock ?? (await DatabaseClock.open({ db: asked, log }));
  const sandbox = emptySandboxSlot();
  const providerHttp = overrides.providerHttp ?? createProviderHttp();
  const ids = createIds(clock);
  const topics = createTopics({ connectionString, db: asked, log, processId: ids.next() });
  const sealer = createSealer(secrets.masterKey);
  const context: Context = {
    config,
    operator: overrides.operator ?? false,
    db,
    clock,
    ids,
    log,
    sealer,
    wake: config.role === "api" ? sendNudges(createWake(), topics) : createWake(),
    topics,
    life: createProcessLife({
      connectionString,
      db: asked,
      ids,
      log,
      place: placeOf(config),
      // It asks twice a second and waits for three seconds only, so requests need not find out by themselves.
      lost: (askedAt) => doubt.raise(askedAt),
    }),
    rateLimits: await createRateLimits(config, { db: asked, clock, log }),
    groupCommit: new GroupCommit<Context>(db, () => context),
    background:
      overrides.background?.(db) ??
      createBackground({ db: behind, transactions: () => transactionCount(db) }),
    providerHttp,
    guardedHttp:
      overrides.guardedHttp ??
      admitReceiver(createGuardedHttp({ allow: config.outboundAllow }), providerHttp, sandbox),
    smpp: createSmppSessions((owner, event) => receiveSmppEvent(stepping, owner, event), {
      guard: createAddressGuard({ allow: config.outboundAllow }),
    }),
    ...FOLLOWERS,
    sandbox,
  };
  const forRequests: Context = {
    ...context,
    db: asked,
    groupCommit: new GroupCommit<Context>(asked, () => forRequests, waitMs),
  };
  const stepDb = db.forWork("step");
  const stepping: Context = {
    ...context,
    db: stepDb,
    groupCommit: new GroupCommit<Context>(stepDb, () => stepping),
  };
  return {
    ...context,
    sealer,
    forRequests,
    stepping,
    ...(overrides.pressure && { pressure: overrides.pressure }),
    readiness: () => readinessOf(asked, schemaState, fullDisk),
    async [Symbol.asyncDispose]() {
      await context.smpp.close();
      await Promise.all(
        [context, stepping, forRequests].map(({ groupCommit }) => groupCommit.settled()),
      );
      closing = true;
      await context.life.close();
      await context.topics.close();
      await context.rateLimits.close();
      await sandbox.close();
      if (clock instanceof DatabaseClock) await clock.close();
      await Promise.all([...new Set([db, behind])].map((one) => one.close()));
    },
  };
}

/** Says why this process cannot serve now. Without a reason it is ready. */
async function readinessOf(
  db: Db,
  schemaState: ReturnType<typeof watchSchema>,
  fullDisk: FullDisk,
): ReturnType<OpenContext["readiness"]> {
  const faults: string[] = [];
  try {
    const schema = await schemaState();
    if (schema.kind === "behind") faults.push("the database is not migrated");
    if (await fullDisk.lasts(db)) faults.push("the database's disk is full: writes fail");
    if (schema.kind === "drifted") faults.push(describeDrift(schema.differences));
  } catch (error) {
    faults.push(
      error instanceof ReadOnlyServer
        ? "the database takes no writes"
        : "the database cannot be reached",
    );
  }
  return { ready: faults.length === 0, faults };
}
