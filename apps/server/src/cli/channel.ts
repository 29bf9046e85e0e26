import type { Command } from "commander";
import { connectAccount } from "../channels/connect-account.ts";
import { connectChannel } from "../channels/connect-channel.ts";
import { disconnectChannel } from "../channels/disconnect-channel.ts";
import { hookUrlOf } from "../channels/hook-url.ts";
import { listChannels } from "../channels/list-channels.ts";
import { syncTemplates } from "../templates/sync-templates.ts";
import type { Run } from "./command-line.ts";
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

/** `parley channel …`; a channel's id names its workspace. */
export function registerChannel(program: Command, run: Run): void {
  const group = program.command("channel").description("connected accounts on messaging platforms");
  const connect = group
    .command("connect")
    .description("connect an account, or renew its credentials");
  connect
    .command("whatsapp")
    .description("a number of the WhatsApp Cloud API")
    .requiredOption("--workspace <id>")
    .requiredOption("--name <name>")
    .requiredOption("--phone-number-id <id>")
    .requiredOption("--waba-id <id>")
    .requiredOption("--access-token <token>")
    .requiredOption("--app-secret <secret>")
    .requiredOption("--verify-token <token>")
    .option("--api-url <url>", "in place of the platform's public address")
    .option("--json", "print one JSON document")
    .action(({ workspace, json, ...input }: WhatsAppOptions) =>
      run({ json }, async (app) => {
        const channel = await connectChannel(app, workspace, { type: "WHATSAPP", ...input });
        return { ...channel, webhookUrl: `${app.config.publicUrl}/hooks/whatsapp/${channel.id}` };
      }),
    );
  connect
    .command("telegram")
    .description("a bot of Telegram; its webhook is set, or taken away with --polling")
    .requiredOption("--workspace <id>")
    .requiredOption("--name <name>")
    .requiredOption("--bot-token <token>", "as @BotFather gives it")
    .option("--secret-token <secret>", "what Telegram shows with each call; made up when left out")
    .option("--api-url <url>", "in place of the platform's public address")
    .option("--polling", "ask Telegram for messages: for a server without a public https address")
    .option("--json", "print one JSON document")
    .action(({ workspace, json, ...input }: TelegramOptions) =>
      run({ json }, async (app) => {
        const channel = await connectAccount(app, workspace, { type: "TELEGRAM", ...input });
        return input.polling === true
          ? channel
          : { ...channel, webhookUrl: hookUrlOf(app.config, "TELEGRAM", channel.id) };
      }),
    );
  group
    .command("list")
    .description("the channels of a workspace")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: Json & { workspace: string }) =>
      run(options, async (app) => listChannels(app, await existing(app, options.workspace))),
    );
  group
    .command("disconnect <id>")
    .description("end a channel and forget its credentials; its history stays")
    .option("--json", "print one JSON document")
    .action((id: string, options: Json) =>
      run(options, async (app) =>
        disconnectChannel(app, await workspaceOf(app, "channel", id), id),
      ),
    );
  group
    .command("sync-templates <id>")
    .description("read its templates at the platform now")
    .option("--json", "print one JSON document")
    .action((id: string, options: Json) =>
      run(options, async (app) => {
        const report = await syncTemplates(app, await workspaceOf(app, "channel", id), id);
        if (!report.ok) throw new Error(`the platform refused: ${report.code} ${report.detail}`);
        return report;
      }),
    );
}
