import { Option, type Command } from "commander";
import { setProvider } from "../sms/set-provider.ts";
import { testProvider } from "../sms/test-provider.ts";
import type { Run } from "./command-line.ts";

interface SetOptions {
  readonly workspace: string;
  readonly provider: "twilio";
  readonly accountSid: string;
  readonly authToken: string;
  readonly from: string;
  readonly apiUrl?: string;
  readonly json?: boolean;
}

/** `parley sms-provider …` */
export function registerSmsProvider(program: Command, run: Run): void {
  const group = program.command("sms-provider").description("the workspace's own SMS account");
  group
    .command("set")
    .description("set the account; it is used once a test send has proven it")
    .requiredOption("--workspace <id>")
    .addOption(new Option("--provider <name>").choices(["twilio"]).makeOptionMandatory())
    .requiredOption("--account-sid <sid>")
    .requiredOption("--auth-token <token>")
    .requiredOption("--from <number>", "the sender")
    .option("--api-url <url>", "in place of the provider's public address")
    .option("--json", "print one JSON document")
    .action(({ workspace, json, ...input }: SetOptions) =>
      run({ json }, (app) => setProvider(app, workspace, input)),
    );
  group
    .command("test")
    .description("send a real SMS; when the gateway takes it, the account is verified")
    .requiredOption("--workspace <id>")
    .requiredOption("--to <number>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; to: string; json?: boolean }) =>
      run(options, async (app) => {
        const result = await testProvider(app, options.workspace, options.to);
        if (!result.sent)
          throw new Error(`the gateway refused: ${result.errorCode}: ${result.error}`);
        return result;
      }),
    );
}
