import { Option, type Command } from "commander";
import { OPERATOR } from "../actor.ts";
import { invalid } from "../errors.ts";
import { MODEL_PROTOCOLS } from "../wire/words.ts";
import { amount, runCheck, type Run } from "./command-line.ts";
import { secretIn, SecretOption } from "./secret-option.ts";

interface SetOptions {
  readonly workspace: string;
  readonly protocol: (typeof MODEL_PROTOCOLS)[number];
  readonly url: string;
  readonly name: string;
  readonly key?: string;
  readonly keyStdin?: true;
  readonly secondName?: string;
  readonly inputPrice?: number;
  readonly outputPrice?: number;
  readonly costPerDay?: number;
  readonly costPerMonth?: number;
  readonly json?: boolean;
}

/** `parley model …`: the language model that writes AI replies. */
export function registerModel(group: Command, run: Run): void {
  group
    .command("show")
    .description("the model of a workspace, without its key")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      run(options, async (app) => {
        const { existing } = await import("./workspace-of.ts");
        const { readModel } = await import("../models/find-model.ts");
        return readModel(OPERATOR, app, await existing(app, options.workspace), {});
      }),
    );
  group
    .command("set")
    .description("set the model of a workspace, its key and what it may cost")
    .requiredOption("--workspace <id>")
    .addOption(
      new Option("--protocol <name>", "how the provider is spoken to")
        .choices(MODEL_PROTOCOLS)
        .makeOptionMandatory(),
    )
    .requiredOption("--url <url>", "the provider's base address, without the path of a call")
    .requiredOption("--name <name>", "the model's name at the provider")
    .addOption(
      new SecretOption("--key <key>", "the provider's key; left out: the stored one stays"),
    )
    .option("--key-stdin", "read the key from standard input")
    .option("--second-name <name>", "a cheaper model for summaries, translations and rewriting")
    .option("--input-price <n>", "what a million tokens of questions cost", amount)
    .option("--output-price <n>", "what a million tokens of answers cost", amount)
    .option("--cost-per-day <n>", "the most that bots may spend in a day of UTC", amount)
    .option("--cost-per-month <n>", "the most that bots may spend in a month of UTC", amount)
    .option("--json", "print one JSON document")
    .action((options: SetOptions) =>
      run(options, async (app) => {
        const { workspace, keyStdin, json: _json, ...given } = options;
        if (keyStdin && given.key !== undefined)
          throw invalid("key", "is given twice: by --key and by --key-stdin");
        const key = keyStdin ? await secretIn("-") : given.key;
        if (key === "") throw invalid("key", "is empty");
        const { existing } = await import("./workspace-of.ts");
        const { runChecked } = await import("./run-checked.ts");
        const input = { ...given, ...(key !== undefined && { key }) };
        return runChecked("setModel", app, await existing(app, workspace), input);
      }),
    );
  group
    .command("test")
    .description("ask the model a short question; status 1 when it does not answer")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      runCheck(
        run,
        options,
        async (app) => {
          const { existing } = await import("./workspace-of.ts");
          const { testModel } = await import("../models/test-model.ts");
          const workspaceId = await existing(app, options.workspace);
          return (await testModel(OPERATOR, app, workspaceId, {})).answer;
        },
        ({ ok }) => ok,
      ),
    );
}
