import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import { loadAccounts, type LoadedAccount } from "../channels/load-accounts.ts";
import { updateCredentials } from "../channels/update-credentials.ts";
import type { Context } from "../context.ts";
import { AnswerPace, autoReply } from "./auto-reply.ts";
import { SAMPLE_TEMPLATES } from "./demo-data.ts";
import {
  selectCustomers,
  selectKnownTemplates,
  selectSandboxChannels,
  type SandboxChannelRow,
} from "./sandbox-store.ts";

/** How soon a sandbox channel that another process made (the command line) is served. */
const REFRESH_MS = 5_000;

/** The platform behind the sandbox channels, running in this process. */
export interface Sandbox {
  readonly emulator: WhatsAppEmulator;
  /** Registers channels, templates and customers that the emulator does not know yet. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface SandboxOptions {
  readonly publicUrl: string;
  /** Runs after each look for new channels. */
  readonly onRefresh?: () => Promise<void>;
  /** manual: nothing leaves the emulator until its `flush()`; for tests. Default timed. */
  readonly delivery?: "timed" | "manual";
}

/**
 * Starts the emulated WhatsApp that sandbox channels talk to, on a loopback port. What it knew before a restart is
 * told to it again from the database, and each channel's address is moved to where it listens now, so that any process
 * of the installation reaches it. It calls back to `publicUrl` over real HTTP, as the platform would.
 */
export async function startSandbox(context: Context, options: SandboxOptions): Promise<Sandbox> {
  const rows = await selectSandboxChannels(context.db);
  const emulator = await openEmulator(context, rows, options.delivery ?? "timed");
  const known = new Set<string>();
  const register = async (row: SandboxChannelRow, account: LoadedAccount) => {
    await registerChannel(context, emulator, account, options.publicUrl);
    if (row.apiUrl !== emulator.apiUrl)
      await updateCredentials(context, row.workspaceId, row.channelId, {
        apiUrl: emulator.apiUrl,
      });
  };
  const refresh = async () => {
    const found = await selectSandboxChannels(context.db);
    const fresh = found.filter((row) => !known.has(row.channelId));
    const accounts = await loadAccounts(context, fresh);
    for (const row of fresh) {
      const account = accounts.get(row.channelId);
      if (!account) continue;
      await register(row, account);
      known.add(row.channelId);
    }
    await options.onRefresh?.();
  };
  await refresh();
  answerLikeACustomer(emulator);
  const timer = setInterval(() => {
    refresh().catch((error: unknown) =>
      context.log.warn({ error: String(error) }, "sandbox channels could not be read"),
    );
  }, REFRESH_MS).unref();
  return {
    emulator,
    async refresh() {
      known.clear();
      await refresh();
    },
    async close() {
      clearInterval(timer);
      await emulator.close();
    },
  };
}

/** The port of the last time when it is free: the channels' stored address then stays true. */
async function openEmulator(
  context: Context,
  rows: readonly SandboxChannelRow[],
  delivery: "timed" | "manual",
): Promise<WhatsAppEmulator> {
  const settings = {
    clock: context.clock,
    delivery,
    // Free text outside the window never leaves us; an emulator that starts anew cannot know who wrote when.
    window: "off",
    // As a person sees it: ticks come one after the other.
    statuses: { sentMs: [300, 600], deliveredMs: [700, 1400], readMs: [1500, 2500] },
  } as const;
  const last = Number(URL.parse(rows[0]?.apiUrl ?? "")?.port ?? 0);
  const port = last < 1024 ? 0 : last;
  try {
    return await createWhatsAppEmulator({ ...settings, port });
  } catch {
    return createWhatsAppEmulator({ ...settings, port: 0 });
  }
}

async function registerChannel(
  context: Context,
  emulator: WhatsAppEmulator,
  account: LoadedAccount,
  publicUrl: string,
): Promise<void> {
  const { workspaceId, channelId, secrets, settings } = account;
  const wabaId = settings["wabaId"] ?? "";
  emulator.addNumber({
    phoneNumberId: account.externalId,
    wabaId,
    accessToken: secrets["accessToken"] ?? "",
    appSecret: secrets["appSecret"] ?? "",
    webhook: {
      url: `${publicUrl}/hooks/whatsapp/${channelId}`,
      verifyToken: secrets["verifyToken"] ?? "",
    },
  });
  const known = await selectKnownTemplates(context.db, workspaceId, channelId);
  // A new number has the sample templates at its platform, in whichever process it is served.
  if (known.length === 0)
    for (const template of SAMPLE_TEMPLATES) emulator.addTemplate(wabaId, template);
  for (const row of known)
    emulator.addTemplate(wabaId, {
      id: row.metaId,
      name: row.name,
      language: row.language,
      category: row.category ?? "UTILITY",
      status: row.status,
      parameter_format: row.parameterFormat,
      components: row.components,
    });
  for (const { externalId, name } of await selectCustomers(context.db, workspaceId, channelId)) {
    const isPhone = /^\d+$/.test(externalId);
    emulator.addUser({
      phone: isPhone ? externalId : null,
      name: name ?? "Customer",
      ...(isPhone ? {} : { userId: externalId }),
    });
  }
}

/** A demo shows an answer: the customer writes back a few seconds after reading. Campaigns are left unanswered. */
function answerLikeACustomer(emulator: WhatsAppEmulator): void {
  const pace = new AnswerPace();
  let turn = 0;
  emulator.onAccepted = ({ type, text, to, phoneNumberId, id }) => {
    if (type !== "text" || text === null || !/^\d+$/.test(to)) return;
    if (!pace.allow(to, emulator.clock.now())) return;
    const answer = autoReply(text, turn++);
    emulator.inbound({ phoneNumberId, from: to, text: answer, replyTo: id, afterMs: 4000 });
  };
}
