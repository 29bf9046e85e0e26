import { type Actor } from "../actor.ts";
import { randomBytes, randomInt } from "node:crypto";
import type { ConnectInput } from "../channels/account-form.ts";
import { connectChannel } from "../channels/connect-channel.ts";
import { connectWeb } from "../channels/web-channel.ts";
import type { Context } from "../context.ts";
import { setProvider } from "../sms/set-provider.ts";
import type { SandboxPage } from "./list-lines.ts";
import { tryPage } from "./try-page.ts";
import { write } from "../write.ts";
import type { SandboxType } from "../wire/words.ts";

/**
 * The address while the emulator is not running yet: the discard port, which refuses connections. The sandbox changes
 * it at its next look.
 */
const NOWHERE = "http://127.0.0.1:9";

/** A sandbox channel, or the SMS account of the sandbox. */
export interface AddedLine {
  readonly id: string;
  readonly workspaceId: string;
  readonly type: SandboxType;
  readonly name: string;
}

type Account = Readonly<{ name: string; apiUrl: string; sandbox: true }>;

const digits = (count: number): string =>
  `1${Array.from({ length: count - 1 }, () => randomInt(10).toString()).join("")}`;
const token = (): string => `sandbox-${randomBytes(18).toString("base64url")}`;
const meta = () => ({ accessToken: token(), appSecret: token(), verifyToken: token() });

/** A made-up account of each type of channel. */
const ACCOUNTS = {
  WHATSAPP: (base) => ({
    ...base,
    ...meta(),
    type: "WHATSAPP",
    phoneNumberId: digits(15),
    wabaId: digits(15),
  }),
  MESSENGER: (base) => ({ ...base, ...meta(), type: "MESSENGER", pageId: digits(15) }),
  INSTAGRAM: (base) => ({ ...base, ...meta(), type: "INSTAGRAM", accountId: digits(17) }),
  TELEGRAM: (base) => ({
    ...base,
    type: "TELEGRAM",
    botToken: `${digits(10)}:AA${randomBytes(25).toString("base64url")}`,
  }),
  TIKTOK: (base) => ({
    ...base,
    type: "TIKTOK",
    businessId: token(),
    accessToken: token(),
    appSecret: token(),
    appId: digits(19),
  }),
} satisfies Record<Exclude<SandboxType, "SMS">, (base: Account) => ConnectInput>;

const NAMES = {
  WHATSAPP: "WhatsApp sandbox",
  MESSENGER: "Messenger sandbox",
  INSTAGRAM: "Instagram sandbox",
  TELEGRAM: "Telegram sandbox",
  TIKTOK: "TikTok sandbox",
  SMS: "SMS sandbox",
} as const satisfies Record<SandboxType, string>;

/**
 * Adds a made-up account whose platform is an emulator of the sandbox. It counts as a channel of the plan. SMS does
 * not: it becomes the workspace's SMS account, and a test send verifies it as soon as the sandbox serves it. Throws as
 * `connectChannel` and `setProvider` do.
 */
export const addSandboxChannel = write(
  "sandbox.add_channel",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "sealer" | "wake" | "config">,
    workspaceId: string,
    input: { readonly type: SandboxType; readonly name?: string | undefined },
  ): Promise<AddedLine> => {
    const { type } = input;
    // The address is the server's own: its emulator on this machine.
    const own = { ...context, operator: true };
    const name = input.name ?? NAMES[type];
    if (type === "SMS") {
      const account = {
        provider: "twilio",
        accountSid: `AC${randomBytes(16).toString("hex")}`,
        authToken: randomBytes(16).toString("hex"),
        // From a range of numbers that no telephone has.
        from: `+1555${randomInt(1_000_000, 9_999_999)}`,
        apiUrl: NOWHERE,
      };
      const { id } = await setProvider(actor, own, workspaceId, account, { sandbox: true });
      return { id, workspaceId, type, name: NAMES.SMS };
    }
    const account = ACCOUNTS[type]({ name, apiUrl: NOWHERE, sandbox: true });
    const { id } = await connectChannel(actor, own, workspaceId, account);
    return { id, workspaceId, type, name };
  },
);

/**
 * Adds a web chat. It needs no emulator: it is an ordinary channel, with a page on which anybody can be its visitor.
 */
export async function addSandboxWeb(
  actor: Actor,
  context: Parameters<typeof connectWeb>[1],
  workspaceId: string,
  name = "Web chat sandbox",
): Promise<SandboxPage> {
  const own = { ...context, operator: true };
  const { id } = await connectWeb(actor, own, workspaceId, { name, origins: [], sandbox: true });
  return { id, workspaceId, type: "WEB", name, page: tryPage(context.config, id) };
}
