import { SYSTEM } from "../actor.ts";
import { loadAccounts } from "../channels/load-accounts.ts";
import { hookUrlOf } from "../channels/hook-url.ts";
import { templateSourceFor } from "../channels/registry.ts";
import { setUpChannel } from "../channels/set-up-channel.ts";
import { updateCredentials } from "../channels/update-credentials.ts";
import type { Context } from "../context.ts";
import type { SandboxDesk } from "../lib/sandbox-slot.ts";
import { smsAccountById } from "../sms/find-provider.ts";
import { moveSandboxProvider } from "../sms/move-sandbox-provider.ts";
import { testProvider } from "../sms/test-provider.ts";
import { syncTemplates } from "../templates/sync-templates.ts";
import { AnswerPace, autoReply } from "./auto-reply.ts";
import { startEmulatedModel } from "./emulated-model.ts";
import { openLine, type RunningLine } from "./line.ts";
import { PhoneLog } from "./phone-log.ts";
import type { PlatformAccount } from "./platforms/platform.ts";
import { PLATFORMS } from "./platforms/table.ts";
import { knownTemplates } from "../templates/list-templates.ts";
import { workspacesMadeBy } from "../workspaces/list-audit.ts";
import { selectLastNumber, selectSandboxLines, type SandboxLineRow } from "./sandbox-store.ts";
import { describeForLog } from "../db/describe-for-log.ts";
import { SANDBOX_TYPES, type SandboxType } from "../wire/words.ts";

/** The phone to which the test send goes that verifies a sandbox's SMS account. */
const TEST_NUMBER = "96550001234";

/** The platforms behind the sandbox channels, running in this process. */
export interface Sandbox extends SandboxDesk {
  line(id: string): RunningLine | null;
  readonly lines: readonly RunningLine[];
  /** Starts the platforms of new channels and stops those of removed ones. True when something changed. */
  refresh(): Promise<boolean>;
  /** Gives every platform the customers that the database knows. */
  remember(): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** The address at which the platforms call us, as from outside. */
  readonly publicUrl: string;
  /** With "manual", nothing leaves an emulator until `flush()`, for tests. Default "timed". */
  readonly delivery?: "timed" | "manual";
}

/**
 * Starts an emulated platform for every sandbox channel and SMS account. Each has a loopback port of its own, so that a
 * fault on one channel affects no other. Each gets from the database what it knew before a restart. Each channel's
 * address is set to its platform's, so that every process on this machine reaches it. The platforms call back over real
 * HTTP. Beside them runs the emulated model, which answers for bots of sandbox channels.
 */
export async function startSandbox(context: Context, options: SandboxOptions): Promise<Sandbox> {
  const running = new Map<string, RunningLine>();
  const open = async (row: SandboxLineRow, talks: boolean) => {
    const line = await startLine(context, row, options);
    if (line === null) return;
    running.set(row.id, line);
    if (talks && line.type === "WHATSAPP") answerLikeACustomer(context, line);
  };
  const refresh = async () => {
    const rows = await selectSandboxLines(context.db);
    const fresh = rows.filter((row) => !running.has(row.id));
    const demos = fresh.length > 0 ? await workspacesMadeBy(context.db, "demo") : [];
    for (const row of fresh)
      await open(row, demos.includes(row.workspaceId)).catch((error: unknown) =>
        context.log.warn(
          { ...describeForLog(error), channelId: row.id },
          "the platform of a sandbox channel did not start",
        ),
      );
    const gone = [...running].filter(([id]) => !rows.some((row) => row.id === id));
    for (const [id, line] of gone) {
      running.delete(id);
      await line.platform.close();
    }
    return fresh.length + gone.length > 0;
  };
  const model = await startEmulatedModel(context);
  await refresh();
  return {
    line: (id) => running.get(id) ?? null,
    get lines() {
      return [...running.values()];
    },
    refresh,
    async remember() {
      for (const line of running.values()) await line.remember();
    },
    async flush() {
      for (const line of running.values()) await line.platform.flush();
    },
    async close() {
      for (const line of running.values()) await line.platform.close();
      running.clear();
      await model[Symbol.asyncDispose]();
    },
  };
}

async function startLine(
  context: Context,
  row: SandboxLineRow,
  options: SandboxOptions,
): Promise<RunningLine | null> {
  const type = SANDBOX_TYPES.find((known) => known === row.type);
  const account = type && (await accountOf(context, { ...row, type }, options.publicUrl));
  if (type === undefined || !account) return null;
  const log = new PhoneLog();
  const { workspaceId, id, apiUrl } = row;
  const settings = {
    account,
    clock: context.clock,
    delivery: options.delivery ?? "timed",
    firstMessageId:
      type === "TELEGRAM" ? 100 + (await selectLastNumber(context.db, workspaceId, id)) : 100,
    onPhone: (customer, event) => log.add(customer, event, context.clock.now()),
  } as const satisfies Omit<Parameters<(typeof PLATFORMS)[typeof type]>[0], "port">;
  // The former port, when it is free, keeps the stored address right.
  const last = Number(URL.parse(apiUrl ?? "")?.port ?? 0);
  const start = PLATFORMS[type];
  const platform = await start({ ...settings, port: last < 1024 ? 0 : last }).catch(() =>
    start({ ...settings, port: 0 }),
  );
  try {
    const manual = options.delivery === "manual";
    const line = openLine(context, { id, workspaceId, type }, platform, log, manual);
    await line.remember();
    await join(context, row, line);
    return line;
  } catch (error) {
    await platform.close();
    throw error;
  }
}

async function accountOf(
  context: Context,
  row: SandboxLineRow & { readonly type: SandboxType },
  publicUrl: string,
): Promise<PlatformAccount | null> {
  const { workspaceId, id: channelId, type } = row;
  if (type === "SMS") {
    const account = await smsAccountById(context, channelId);
    if (account === null) return null;
    const { settings, secrets } = account;
    const externalId = settings["accountSid"] ?? "";
    return { externalId, settings, secrets, hookUrl: `${publicUrl}/hooks/sms/${channelId}` };
  }
  const loaded = (await loadAccounts(context, [{ workspaceId, channelId }])).get(channelId);
  if (loaded === undefined) return null;
  return { ...loaded, hookUrl: hookUrlOf({ publicUrl }, type, channelId) };
}

/** Stores the platform's address, and sets the channel up there like any channel. */
async function join(context: Context, row: SandboxLineRow, line: RunningLine): Promise<void> {
  const { workspaceId, id } = row;
  const { apiUrl } = line.platform;
  if (line.type === "SMS") {
    if (row.apiUrl !== apiUrl) await moveSandboxProvider(context, workspaceId, id, apiUrl);
    if (!row.verified) await testProvider(SYSTEM, context, workspaceId, TEST_NUMBER);
    return;
  }
  // The address is the server's own: no workspace set it.
  const own = { ...context, operator: true };
  if (row.apiUrl !== apiUrl) await updateCredentials(SYSTEM, own, workspaceId, id, { apiUrl });
  await setUpChannel(context, workspaceId, id, { takeOver: true });
  if (templateSourceFor(line.type) === null) return;
  // A new channel gets its templates at once, not only with the next hourly sync, and is served only when they are
  // there. A failure here is tried again at the next look.
  if ((await knownTemplates(context.db, workspaceId, id)).length > 0) return;
  const report = await syncTemplates(SYSTEM, context, workspaceId, id);
  if (!report.ok) throw new Error(`its templates could not be read: ${report.code}`);
}

/** In the demo, a customer answers a text a few seconds after reading it. Campaigns get no answer. */
function answerLikeACustomer(context: Pick<Context, "clock">, line: RunningLine): void {
  const pace = new AnswerPace();
  let turn = 0;
  line.listen((entry) => {
    const { customer } = entry;
    if (entry.kind !== "message" || entry.by !== "business" || entry.type !== "text") return;
    if (entry.text === null || !/^\d+$/.test(customer)) return;
    if (!pace.allow(customer, context.clock.now().getTime())) return;
    const text = autoReply(entry.text, turn++);
    const messageId = line.platform.say(customer, {
      text,
      replyTo: entry.messageId,
      afterMs: 4000,
    });
    const words = { kind: "message", by: "customer", messageId, text, type: "text" } as const;
    line.log.add(customer, words, context.clock.now());
  });
}
