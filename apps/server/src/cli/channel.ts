import { OPERATOR } from "../actor.ts";
import { InvalidArgumentError, type Command } from "commander";
import { channelPace, setChannelPace } from "../broadcasts/send/set-channel-pace.ts";
import { connectAccount } from "../channels/connect-account.ts";
import type { Channel } from "../channels/channel.ts";
import { channelWarnings } from "../channels/channel-warnings.ts";
import { disconnectChannel } from "../channels/disconnect-channel.ts";
import { hookUrlOf } from "../channels/hook-url.ts";
import { isPublicHttps } from "../channels/hook-url.ts";
import { findChannel, listChannels } from "../channels/list-channels.ts";
import { syncTemplates } from "../templates/sync-templates.ts";
import type { OpenContext } from "../open-context.ts";
import { forPeople, type Run } from "./command-line.ts";
import { SecretOption } from "./secret-option.ts";
import { registerWebChannel } from "./web-channel.ts";
import { plain } from "./table.ts";
import { existing, workspaceOf } from "./workspace-of.ts";

interface Json {
  readonly json?: boolean;
}

interface WhatsAppOptions extends Json {
  readonly workspace: string;
  readonly name: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly accessToken: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly apiUrl?: string;
}

interface TelegramOptions extends Json {
  readonly workspace: string;
  readonly name: string;
  readonly botToken: string;
  readonly secretToken?: string;
  readonly apiUrl?: string;
  readonly polling?: boolean;
}

interface TikTokOptions extends Json {
  readonly workspace: string;
  readonly name: string;
  readonly businessId: string;
  readonly accessToken: string;
  readonly appSecret: string;
  readonly appId?: string;
  readonly refreshToken?: string;
  readonly apiUrl?: string;
}

interface MetaOptions extends Json {
  readonly workspace: string;
  readonly name: string;
  readonly accessToken: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly apiUrl?: string;
}

/** `parley channel …`; a channel's id names its workspace. */
export function registerChannel(group: Command, run: Run): void {
  const connect = group
    .command("connect")
    .description("connect an account, or renew its credentials");
  registerMeta(connect, run);
  registerOthers(connect, run);
  registerWebChannel(connect, group, run);
  group
    .command("list")
    .description("the channels of a workspace")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: Json & { workspace: string }) =>
      run(
        options,
        async (app) => {
          const channels = await listChannels(app, await existing(app, options.workspace));
          return channels.map((channel) => warned(app, channel));
        },
        (channels) => (channels.length === 0 ? "none\n" : channels.map(shownChannel).join("\n")),
      ),
    );
  group
    .command("show <id>")
    .description("one channel, with what is wrong with it")
    .option("--json", "print one JSON document")
    .action((id: string, options: Json) =>
      run(
        options,
        async (app) =>
          warned(app, await findChannel(app, await workspaceOf(app, "channel", id), id)),
        shownChannel,
      ),
    );
  group
    .command("pace <id>")
    .argument("[rate]", "", wholeNumberOrNone)
    .description(
      "show or set the most messages a minute of all campaigns on its number: 10 to 1,000,000, or none",
    )
    .option("--json", "print one JSON document")
    .action((id: string, rate: number | "none" | undefined, options: Json) =>
      run(options, async (app) => {
        const workspaceId = await workspaceOf(app, "channel", id);
        if (rate === undefined) return channelPace(app, workspaceId, id);
        return setChannelPace(OPERATOR, app, workspaceId, id, rate === "none" ? null : rate);
      }),
    );
  group
    .command("disconnect <id>")
    .description("disconnect a channel and delete its credentials; its history stays")
    .option("--json", "print one JSON document")
    .action((id: string, options: Json) =>
      run(options, async (app) =>
        disconnectChannel(OPERATOR, app, await workspaceOf(app, "channel", id), id),
      ),
    );
  group
    .command("sync-templates <id>")
    .description("read its templates from the platform now")
    .option("--json", "print one JSON document")
    .action((id: string, options: Json) =>
      run(options, async (app) => {
        const report = await syncTemplates(
          OPERATOR,
          app,
          await workspaceOf(app, "channel", id),
          id,
        );
        if (!report.ok) throw new Error(`the platform refused: ${report.code} ${report.detail}`);
        return report;
      }),
    );
}

function registerMeta(connect: Command, run: Run): void {
  connect
    .command("whatsapp")
    .description("a number of the WhatsApp Cloud API")
    .requiredOption("--workspace <id>")
    .requiredOption("--name <name>")
    .requiredOption("--phone-number-id <id>")
    .requiredOption("--waba-id <id>")
    .addOption(new SecretOption("--access-token <token>").makeOptionMandatory())
    .addOption(new SecretOption("--app-secret <secret>").makeOptionMandatory())
    .addOption(new SecretOption("--verify-token <token>").makeOptionMandatory())
    .option("--api-url <url>", "instead of the platform's public address")
    .option("--json", "print one JSON document")
    .action(({ workspace, json, ...input }: WhatsAppOptions) =>
      connectTo(run, json, workspace, { type: "WHATSAPP", ...input }),
    );
  const meta = (name: string, description: string, idOption: string) =>
    connect
      .command(name)
      .description(description)
      .requiredOption("--workspace <id>")
      .requiredOption("--name <name>")
      .requiredOption(idOption)
      .addOption(new SecretOption("--access-token <token>").makeOptionMandatory())
      .addOption(new SecretOption("--app-secret <secret>").makeOptionMandatory())
      .addOption(new SecretOption("--verify-token <token>").makeOptionMandatory())
      .option("--api-url <url>", "instead of the platform's public address")
      .option("--json", "print one JSON document");
  meta("messenger", "a Facebook page on Messenger", "--page-id <id>").action(
    ({ workspace, json, ...input }: MetaOptions & { pageId: string }) =>
      connectTo(run, json, workspace, { type: "MESSENGER", ...input }),
  );
  meta("instagram", "an Instagram professional account", "--account-id <id>").action(
    ({ workspace, json, ...input }: MetaOptions & { accountId: string }) =>
      connectTo(run, json, workspace, { type: "INSTAGRAM", ...input }),
  );
}

function registerOthers(connect: Command, run: Run): void {
  connect
    .command("telegram")
    .description("a bot of Telegram; its webhook is set, or taken away with --polling")
    .requiredOption("--workspace <id>")
    .requiredOption("--name <name>")
    .addOption(
      new SecretOption("--bot-token <token>", "as @BotFather gives it").makeOptionMandatory(),
    )
    .addOption(
      new SecretOption(
        "--secret-token <secret>",
        "what Telegram sends with each call; generated when left out",
      ),
    )
    .option("--api-url <url>", "instead of the platform's public address")
    .option("--polling", "ask Telegram for messages: for a server without a public https address")
    .option("--json", "print one JSON document")
    .action(({ workspace, json, ...input }: TelegramOptions) =>
      run(
        { json },
        async (app) => {
          const channel = await connectAccount(OPERATOR, app, workspace, {
            type: "TELEGRAM",
            ...input,
          });
          return input.polling === true ? warned(app, channel) : connected(app, channel);
        },
        shownChannel,
      ),
    );
  connect
    .command("tiktok")
    .description("an account of TikTok Business Messaging")
    .requiredOption("--workspace <id>")
    .requiredOption("--name <name>")
    .requiredOption("--business-id <id>", "the account's open_id")
    .addOption(new SecretOption("--access-token <token>").makeOptionMandatory())
    .addOption(new SecretOption("--app-secret <secret>").makeOptionMandatory())
    .option("--app-id <id>", "set our address as the webhook of the whole app")
    .addOption(
      new SecretOption(
        "--refresh-token <token>",
        "renews the access token, which ends after a day",
      ),
    )
    .option("--api-url <url>", "instead of the platform's public address")
    .option("--json", "print one JSON document")
    .action(({ workspace, json, ...input }: TikTokOptions) =>
      connectTo(run, json, workspace, { type: "TIKTOK", ...input }),
    );
}

const connectTo = (
  run: Run,
  json: boolean | undefined,
  workspace: string,
  account: Parameters<typeof connectAccount>[3],
) =>
  run(
    { json },
    async (app) => connected(app, await connectAccount(OPERATOR, app, workspace, account)),
    shownChannel,
  );

interface Warned extends Channel {
  /** What an operator should do about it, a sentence each. */
  readonly warnings: readonly string[];
}

const warned = (app: Pick<OpenContext, "config" | "clock">, channel: Channel): Warned => ({
  ...channel,
  warnings: channelWarnings(channel, app.clock.now()),
});

/** A channel that was just connected, with the address that its platform must call. */
function connected(
  app: Pick<OpenContext, "config" | "clock">,
  channel: Channel,
): Warned & { readonly webhookUrl: string } {
  const webhookUrl = hookUrlOf(app.config, channel.type, channel.id);
  const { warnings, ...rest } = warned(app, channel);
  const unreachable = isPublicHttps(app.config.publicUrl)
    ? []
    : [
        `${channel.type} cannot call ${webhookUrl}: set PARLEY_PUBLIC_URL to this server's public https address`,
      ];
  return { ...rest, webhookUrl, warnings: [...warnings, ...unreachable] };
}

function shownChannel({ warnings, ...channel }: Warned): string {
  const lines = warnings.map((one) => `warning: ${plain(one)}\n`);
  return forPeople(JSON.parse(JSON.stringify(channel))) + lines.join("");
}

function wholeNumberOrNone(text: string): number | "none" {
  if (text !== "none" && !/^\d{1,10}$/.test(text))
    throw new InvalidArgumentError("It takes a whole number from 10 to 1,000,000, or none.");
  return text === "none" ? text : Number(text);
}
