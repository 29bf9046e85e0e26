import { OPERATOR } from "../actor.ts";
import { Option, type Command } from "commander";
import { AppError } from "../errors.ts";
import { findNextProvider, findProvider } from "../sms/find-provider.ts";
import { SMS_PROVIDERS } from "../wire/words.ts";
import { smsProviderFor } from "../sms/registry.ts";
import { discardProvider, setProvider } from "../sms/set-provider.ts";
import { testProvider } from "../sms/test-provider.ts";
import type { Run } from "./command-line.ts";
import { SecretOption } from "./secret-option.ts";
import { existing } from "./workspace-of.ts";

type SetOptions = Readonly<Record<string, string | undefined>> & {
  readonly workspace: string;
  readonly provider: string;
  readonly json?: never;
};

/** `parley sms-provider …` */
export function registerSmsProvider(group: Command, run: Run): void {
  const set = group
    .command("set")
    .description("set the account; a test send verifies it, and a verified one is used until then")
    .requiredOption("--workspace <id>")
    .addOption(new Option("--provider <name>").choices(SMS_PROVIDERS).makeOptionMandatory())
    .option("--api-url <url>", "instead of the provider's public address")
    .option("--json", "print one JSON document");
  for (const field of fieldNames()) {
    const flags = `--${dashed(field)} <value>`;
    set.addOption(new (isSecret(field) ? SecretOption : Option)(flags, takers(field)));
  }
  set
    .addHelpText("after", `\n${helpByProvider()}`)
    .action(({ workspace, json, ...input }: SetOptions) =>
      run({ json }, (app) => setProvider(OPERATOR, app, workspace, input)),
    );
  group
    .command("show")
    .description(
      "what is set, without its secrets; `verifiedAt` says since when it may be used, `next` what waits for its test",
    )
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      run(options, async (app) => {
        const workspaceId = await existing(app, options.workspace);
        const provider = await findProvider(app, workspaceId);
        if (provider === null)
          throw new AppError("NOT_FOUND", { explanation: "no SMS provider is set" });
        return { ...provider, next: await findNextProvider(app, workspaceId) };
      }),
    );
  group
    .command("discard")
    .description("discard the account that waits for its test")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      run(options, async (app) =>
        discardProvider(OPERATOR, app, await existing(app, options.workspace)),
      ),
    );
  group
    .command("test")
    .description("send a real SMS; when the gateway takes it, the account is verified")
    .requiredOption("--workspace <id>")
    .requiredOption("--to <number>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; to: string; json?: boolean }) =>
      run(options, async (app) => {
        const result = await testProvider(
          OPERATOR,
          app,
          await existing(app, options.workspace),
          options.to,
        );
        if (!result.sent)
          throw new Error(`the gateway refused: ${result.errorCode}: ${result.error}`);
        return result;
      }),
    );
}

/** The fields of all gateways, each once. The flags have their names. */
function fieldNames(): string[] {
  return [...new Set(SMS_PROVIDERS.flatMap((name) => Object.keys(smsProviderFor(name).fields)))];
}

function isSecret(field: string): boolean {
  return SMS_PROVIDERS.some((name) => smsProviderFor(name).fields[field]?.goesTo === "secrets");
}

function takers(field: string): string {
  return SMS_PROVIDERS.filter((name) => Object.hasOwn(smsProviderFor(name).fields, field)).join(
    ", ",
  );
}

function helpByProvider(): string {
  return SMS_PROVIDERS.map((name) => {
    const { fields, defaultApiUrl } = smsProviderFor(name);
    const lines = Object.entries(fields).map(([field, { optional, words, goesTo }]) => {
      const notes = [optional ? "optional" : "", goesTo === "secrets" ? "kept secret" : ""];
      const after = notes.filter((note) => note !== "").join(", ");
      return `  --${dashed(field)}: ${words}${after === "" ? "" : ` (${after})`}`;
    });
    if (defaultApiUrl === null) lines.unshift("  --api-url: the account's own address");
    return `${name}\n${lines.join("\n")}`;
  }).join("\n\n");
}

const dashed = (field: string): string => field.replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
