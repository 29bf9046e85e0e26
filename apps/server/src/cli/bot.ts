import { InvalidArgumentError, type Command } from "commander";
import type { Context } from "../context.ts";
import { BOT_BYTES } from "../wire/bot.ts";
import { AppError } from "../errors.ts";
import { readJson } from "../read-json.ts";
import { runCheck, type Run } from "./command-line.ts";
import { readBytes } from "./read-input.ts";

interface Json {
  readonly json?: boolean;
}
interface OfWorkspace extends Json {
  readonly workspace: string;
}

/** `parley bot …`: documents of bots, their versions, and who answers a conversation. */
export function registerBot(group: Command, run: Run): void {
  registerImport(group, run);
  registerWork(group, run);
  registerConversations(group, run);
}

function registerImport(group: Command, run: Run): void {
  group
    .command("import <file>")
    .description(
      "create a bot from a document, or save it as the draft of one; - reads standard input",
    )
    .requiredOption("--workspace <id>")
    .option("--bot <id>", "the bot whose draft it becomes; left out: a new one")
    .option("--json", "print one JSON document")
    .action((file: string, { workspace, bot, json }: OfWorkspace & { bot?: string }) =>
      run({ ...(json !== undefined && { json }) }, async (app) => {
        const { existing } = await import("./workspace-of.ts");
        const workspaceId = await existing(app, workspace);
        const document = await documentIn(file);
        const made = await call(
          app,
          workspaceId,
          bot === undefined ? "createBot" : "saveBotDraft",
          bot === undefined ? { document } : { id: bot, document },
        );
        // A draft may have faults. Without them here they would show first when it is published.
        return { id: idOf(made), ...faultsOnly(made) };
      }),
    );
}

/** What is done with a bot that there is. */
function registerWork(group: Command, run: Run): void {
  group
    .command("list")
    .description("the bots of a workspace, the newest first")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: OfWorkspace) =>
      run(options, async (app) => {
        const { existing } = await import("./workspace-of.ts");
        return call(app, await existing(app, options.workspace), "listBots", {});
      }),
    );
  for (const [name, description, operation, pick] of [
    ["show", "one bot with its draft and its faults", "readBot", (bot: unknown) => bot],
    ["pause", "let a bot begin in no more conversations", "pauseBot", (bot: unknown) => bot],
    ["resume", "let a paused bot answer again", "resumeBot", (bot: unknown) => bot],
    [
      "archive",
      "end a bot; its conversations are handed over to people",
      "archiveBot",
      (bot: unknown) => bot,
    ],
    [
      "secret",
      "make the secret that signs the calls to an external bot; it is shown once",
      "makeBotSecret",
      (made: unknown) => made,
    ],
  ] as const)
    group
      .command(`${name} <bot>`)
      .description(description)
      .option("--json", "print one JSON document")
      .action((id: string, options: Json) =>
        run(options, async (app) =>
          pick(await call(app, await workspaceOfBot(app, id), operation, { id })),
        ),
      );
  group
    .command("check <bot>")
    .description("what keeps a bot's draft from being published; status 1 when something does")
    .option("--json", "print one JSON document")
    .action((id: string, options: Json) =>
      runCheck(
        run,
        options,
        async (app) =>
          faultsOnly(await call(app, await workspaceOfBot(app, id), "readBot", { id })),
        ({ faults }) => faults.length === 0,
      ),
    );
  group
    .command("export <bot>")
    .description("the document of a bot's draft, as import reads it")
    .option("--json", "print it in one line")
    .action((id: string, options: Json) =>
      run(
        options,
        async (app) =>
          memberOf("document")(await call(app, await workspaceOfBot(app, id), "readBot", { id })),
        (document) => `${JSON.stringify(document, null, 2)}\n`,
      ),
    );
  group
    .command("publish <bot>")
    .description("publish the draft as the next version, which answers from now on")
    .option("--untested", "also when cases fail; the audit says so")
    .option("--note <text>", "what is new, for the list of versions")
    .option("--json", "print one JSON document")
    .action((id: string, { untested, note, json }: Json & { untested?: true; note?: string }) =>
      run({ ...(json !== undefined && { json }) }, async (app) =>
        call(app, await workspaceOfBot(app, id), "publishBot", {
          id,
          ...(untested && { untested }),
          ...(note !== undefined && { note }),
        }),
      ),
    );
}

/** Who answers a conversation. */
function registerConversations(group: Command, run: Run): void {
  for (const [name, description, operation] of [
    ["hand-over", "hand a conversation over from its bot to people", "handOverConversation"],
    [
      "give-back",
      "give a conversation back to bots: the customer's next message starts one",
      "giveConversationBack",
    ],
  ] as const)
    group
      .command(`${name} <conversation>`)
      .description(description)
      .requiredOption("--workspace <id>")
      .option("--json", "print one JSON document")
      .action((id: string, options: OfWorkspace) =>
        run(options, async (app) => {
          const { existing } = await import("./workspace-of.ts");
          return call(app, await existing(app, options.workspace), operation, { id });
        }),
      );
}

type BotCall =
  | "createBot"
  | "saveBotDraft"
  | "listBots"
  | "readBot"
  | "publishBot"
  | "pauseBot"
  | "resumeBot"
  | "archiveBot"
  | "makeBotSecret"
  | "handOverConversation"
  | "giveConversationBack";

/** Runs an operation, once its input was checked. */
async function call(
  app: Context,
  workspaceId: string,
  name: BotCall,
  input: Record<string, unknown>,
): Promise<unknown> {
  const { runChecked } = await import("./run-checked.ts");
  return runChecked(name, app, workspaceId, input);
}

async function workspaceOfBot(app: Context, id: string): Promise<string> {
  const { workspaceOf } = await import("./workspace-of.ts");
  return workspaceOf(app, "bot", id);
}

/** The JSON object in a file. Throws an error that says what is wrong with it. */
async function documentIn(file: string): Promise<unknown> {
  const bytes = await readBytes(file, BOT_BYTES).catch((error: unknown) => {
    if (error instanceof InvalidArgumentError) throw error;
    throw new InvalidArgumentError(
      `${file} cannot be read: ${error instanceof Error ? error.message : ""}`,
    );
  });
  const value = within(file, () => readJson(bytes));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new InvalidArgumentError(`${file} holds no JSON object`);
}

/** Gives what `read` gives. A refusal names the file. */
function within<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const what = error.code === "MALFORMED_JSON" ? "is not JSON" : error.message;
    throw new InvalidArgumentError(`${file} ${what}`);
  }
}

const membersOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>(
    typeof value === "object" && value !== null ? Object.entries(value) : [],
  );
const memberOf = (name: string) => (value: unknown) => membersOf(value).get(name);
const idOf = memberOf("id");
const faultsOnly = (bot: unknown): { readonly faults: readonly unknown[] } => {
  const faults = membersOf(bot).get("faults");
  return { faults: Array.isArray(faults) ? faults : [] };
};
