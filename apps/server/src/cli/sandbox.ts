import { OPERATOR } from "../actor.ts";
import path from "node:path";
import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import { WEB_MAX_FILE_BYTES } from "../channels/adapters/web/files.ts";
import { updateCredentials } from "../channels/update-credentials.ts";
import { invalid } from "../errors.ts";
import { SPOKEN_FILE_BYTES } from "../lib/sandbox-slot.ts";
import type { OpenContext } from "../open-context.ts";
import { addSandboxChannel, addSandboxWeb } from "../sandbox/add-sandbox-channel.ts";
import { findLine, findPhone, isPhone, listLines } from "../sandbox/list-lines.ts";
import { awaitEmulatedModel, awaitServed, reachSandbox } from "../sandbox/sandbox-client.ts";
import { sayAsVisitor } from "../sandbox/say-as-visitor.ts";
import { magicCodes, magicNumbers } from "../sandbox/troubles.ts";
import { print, wholeNumber, type Run } from "./command-line.ts";
import { mimeTypeOf } from "./mime-type.ts";
import { readBytes } from "./read-input.ts";
import { watchSandbox } from "./watch-sandbox.ts";
import { existing } from "./workspace-of.ts";
import { SANDBOX_TYPES } from "../wire/words.ts";

interface Json {
  readonly json?: boolean;
}
type SandboxName = (typeof SANDBOX_TYPES)[number];
const ADDED = [...SANDBOX_TYPES, "WEB"] as const;

const type = (words: string) =>
  new Argument("<type>", words).argParser((given: string): (typeof ADDED)[number] => {
    const known = ADDED.find((one) => one === given.toUpperCase());
    if (known === undefined) throw new InvalidArgumentError(`It takes one of ${ADDED.join(", ")}.`);
    return known;
  });

/**
 * `parley sandbox …`: channels without an account, and their customers. Commands that play a customer need a running
 * server.
 */
export function registerSandbox(group: Command, run: Run): void {
  registerChannels(group, run);
  registerPhones(group, run);
  registerTroubles(group, run);
  registerModel(group, run);
}

function registerChannels(group: Command, run: Run): void {
  group
    .command("add")
    .addArgument(type("the platform, or SMS for the workspace's SMS account"))
    .description("add a sandbox channel; ready when the command ends, if a server runs")
    .requiredOption("--workspace <id>")
    .option("--name <name>")
    .option("--json", "print one JSON document")
    .action((given: (typeof ADDED)[number], options: Json & { workspace: string; name?: string }) =>
      run(options, async (app, { alone }) => {
        const { workspace, name } = options;
        if (given === "WEB")
          return addSandboxWeb(OPERATOR, app, await existing(app, workspace), name);
        const added = await addSandboxChannel(OPERATOR, app, await existing(app, workspace), {
          type: given,
          name,
        });
        // The next command may send, and then the SMS account must be verified and the templates must be there.
        if (!alone) await awaitServed(app, added.id);
        return findLine(app, added.id);
      }),
    );
  group
    .command("list")
    .description("the sandbox channels with their tokens, web chats with their pages")
    .option("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: Json & { workspace?: string }) =>
      run(options, async (app) =>
        listLines(
          app,
          options.workspace === undefined ? undefined : await existing(app, options.workspace),
        ),
      ),
    );
}

function registerModel(group: Command, run: Run): void {
  group
    .command("model")
    .description("address and key of the emulated language model; it is an emulation, not a model")
    .option("--json", "print one JSON document")
    .action((options: Json) => run(options, (app) => awaitEmulatedModel(app)));
}

function registerPhones(group: Command, run: Run): void {
  group
    .command("say [text]")
    .description("a customer writes; prints the conversation once the message is in")
    .requiredOption("--channel <id>")
    .option("--from <address>", "who writes: a phone number or an id of the platform")
    .option("--name <name>", "the customer's name")
    .option("--attach <file>", "send a file, with the text as its caption")
    .option("--json", "print one JSON document")
    .action((text: string | undefined, options: SayOptions) =>
      run(options, (app) => say(app, text, options)),
    );
  group
    .command("watch")
    .description("what the customers' phones show, live; ends with Ctrl-C")
    .option("--channel <id>", "one channel; default: all")
    .option("--json", "print one JSON document per line")
    .action(async (options: Json & { channel?: string }) => watchSandbox(options));
}

function registerTroubles(group: Command, run: Run): void {
  group
    .command("fault [kind]")
    .description("make the next sends of a channel fail; `parley sandbox magic` lists the kinds")
    .requiredOption("--channel <id>")
    .option("--next <n>", "how many sends; default 1", wholeNumber)
    .option("--to <address>", "only sends to this customer")
    .option("--delay-ms <n>", "with kind slow: milliseconds until the answer", wholeNumber)
    .option("--code <n>", "with kind code: the platform's own error code", wholeNumber)
    .option("--clear", "remove all faults of the channel")
    .option("--json", "print one JSON document")
    .action((kind: string | undefined, options: FaultOptions) =>
      run(options, (app) => fault(app, kind, options)),
    );
  group
    .command("magic")
    .addArgument(
      new Argument(
        "[state]",
        "turn the magic numbers on or off; without it, list what each ending does",
      ).choices(["on", "off"]),
    )
    .description(
      "magic numbers: what the ending of an address does on each platform; or turn them on or off, until the server stops",
    )
    .option("--channel <id>", "with on or off: one channel; default: all")
    .addOption(new Option("--type <type>", "in the list: only this type").choices(SANDBOX_TYPES))
    .option("--json", "print one JSON document")
    .action(async (state: "on" | "off" | undefined, options: MagicOptions) => {
      if (state !== undefined) return run(options, (app) => turnMagic(app, state, options));
      return printMagic(options);
    });
  group
    .command("repair <channel>")
    .description("end the error of a sandbox channel, and remove its faults and waits")
    .option("--json", "print one JSON document")
    .action((id: string, options: Json) =>
      run(options, async (app, { alone }) => {
        const { workspaceId, type } = await findPhone(app, id);
        if (type === "SMS")
          throw invalid("channel", "is the SMS account, which is never in error: magic off");
        // Without a server no faults are left to remove.
        if (!alone) await (await reachSandbox(app, id)).call("DELETE", "/faults");
        return updateCredentials(OPERATOR, app, workspaceId, id, {});
      }),
    );
}

interface SayOptions extends Json {
  readonly channel: string;
  readonly from?: string;
  readonly name?: string;
  readonly attach?: string;
}

interface MagicOptions extends Json {
  readonly channel?: string;
  readonly type?: SandboxName;
}

interface FaultOptions extends Json {
  readonly channel: string;
  readonly next?: number;
  readonly to?: string;
  readonly delayMs?: number;
  readonly code?: number;
  readonly clear?: boolean;
}

async function say(app: OpenContext, text: string | undefined, options: SayOptions) {
  const line = await findLine(app, options.channel);
  if (text === undefined && options.attach === undefined)
    throw invalid("text", "is required without --attach");
  const most = isPhone(line) ? SPOKEN_FILE_BYTES : WEB_MAX_FILE_BYTES;
  const file =
    options.attach === undefined ? undefined : await readAttachment(options.attach, most);
  const { from, name } = options;
  if (!isPhone(line)) {
    const bytes = file && Buffer.from(file.base64, "base64");
    const words = { from, name, text };
    return sayAsVisitor(app, line.id, {
      ...words,
      ...(file && bytes && { file: { ...file, bytes } }),
    });
  }
  const client = await reachSandbox(app, line.id);
  const said = await client.call("POST", "/say", {
    ...(text !== undefined && { text }),
    ...(from !== undefined && { from }),
    ...(name !== undefined && { name }),
    ...(file && { file }),
  });
  if ((Object(said) as { takenIn?: boolean }).takenIn !== true)
    throw new Error(
      `the message was sent but not taken in within 10 seconds. The sandbox calls PARLEY_PUBLIC_URL (${app.config.publicUrl}), as a platform does: parley doctor says whether that leads here`,
    );
  return said;
}

async function fault(app: OpenContext, kind: string | undefined, options: FaultOptions) {
  const { clear, next, to, delayMs, code } = options;
  if ((kind === undefined) !== (clear === true))
    throw invalid("kind", "is required, unless --clear is given");
  const { id } = await findPhone(app, options.channel);
  const client = await reachSandbox(app, id);
  if (kind === undefined) return client.call("DELETE", "/faults");
  return client.call("POST", "/faults", {
    kind,
    ...(next !== undefined && { next }),
    ...(to !== undefined && { to }),
    ...(delayMs !== undefined && { delayMs }),
    ...(code !== undefined && { code }),
  });
}

function printMagic(options: MagicOptions): void {
  const rows = SANDBOX_TYPES.filter((one) => (options.type ?? one) === one).flatMap((one) => [
    ...magicNumbers(one),
    ...magicCodes(one),
  ]);
  if (options.json) return print(options, rows);
  for (const { type: platform, prefix, ending, kind, meaning } of rows)
    process.stdout.write(
      `${platform.padEnd(10)} ${prefix}…${ending}  ${kind.padEnd(15)} ${meaning}\n`,
    );
}

async function turnMagic(app: OpenContext, state: "on" | "off", options: MagicOptions) {
  const lines =
    options.channel === undefined
      ? (await listLines(app)).filter(isPhone)
      : [await findPhone(app, options.channel)];
  const turned: object[] = [];
  for (const { id } of lines) {
    const client = await reachSandbox(app, id);
    turned.push({
      id,
      ...Object(await client.call("POST", "/magic", { on: state === "on" })),
    });
  }
  return turned;
}

async function readAttachment(file: string, most: number) {
  const bytes = await readBytes(file, most).catch((error: unknown) => {
    if (error instanceof InvalidArgumentError) throw error;
    throw invalid("attach", `cannot be read: ${file}`);
  });
  const fileName = path.basename(file);
  return { fileName, mimeType: mimeTypeOf(fileName), base64: bytes.toString("base64") };
}
