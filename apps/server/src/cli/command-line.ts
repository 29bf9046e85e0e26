import { Command, CommanderError, Help, InvalidArgumentError, type Option } from "commander";
import type { OpenContext } from "../open-context.ts";
import { ConfigError } from "../config.ts";
import { VERSION } from "../version.ts";
import { AppError, sentenceOf } from "../errors.ts";
import type { Reached, UseOfApp } from "./open-app.ts";
import { readSecrets } from "./secret-option.ts";
import { isCalendarDay } from "../lib/calendar-day.ts";
import { isTimeZone } from "../lib/time-zone.ts";
import { plain } from "./table.ts";
import { fileFault } from "./file-fault.ts";

/** The exit status of every mistake of the caller. */
const MISTAKE = 2;

/**
 * Runs one command on an app and prints the result: as JSON with --json, otherwise as text for people (`show` when
 * given).
 */
export type Run = <T>(
  options: { readonly json?: boolean | undefined },
  work: (app: OpenContext, reached: Reached) => Promise<T>,
  show?: (result: T) => string,
  how?: UseOfApp,
) => Promise<void>;

/** Runs one command in an app of its own and prints the result. */
export const runAndPrint: Run = async (options, work, show, how) => {
  // Loaded here, because it loads the database and the domain, and the help needs neither.
  const { withApp } = await import("./open-app.ts");
  const result = await withApp(work, how);
  if (show && options.json !== true) process.stdout.write(show(result));
  else print(options, result);
};

/** Prints one JSON document with `--json`, otherwise the same as text for people. */
export function print(options: { readonly json?: boolean | undefined }, result: unknown): void {
  process.stdout.write(
    options.json
      ? `${JSON.stringify(result ?? null)}\n`
      : forPeople(JSON.parse(JSON.stringify(result ?? null))),
  );
}

/**
 * Names and values in two columns. Members of a value stand below its name, and so do the items of a list that have
 * members, with a blank line between them.
 */
export function forPeople(value: unknown): string {
  if (value === null) return "done\n";
  if (Array.isArray(value))
    return value.length === 0 ? "none\n" : value.map((one) => forPeople(one)).join("\n");
  if (typeof value !== "object") return `${shown(value)}\n`;
  return block(value, "");
}

function block(value: object, margin: string): string {
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [plain(name), one]);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries
    .map(([name, one]) => {
      const below = Array.isArray(one) ? one : [one];
      if (below.length > 0 && below.every(hasMembers))
        return `${margin}${name}\n${below.map((item) => block(item, `${margin}  `)).join("\n")}`;
      return `${margin}${name.padEnd(width)}  ${shown(one)}\n`;
    })
    .join("");
}

const shown = (value: unknown): string =>
  plain(typeof value === "string" ? value : JSON.stringify(value));

const hasMembers = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0;

/**
 * A command that does not take one of its own flags as the value of the flag before. `--name $NAME --json` with an
 * empty NAME would create a workspace called --json. Such a value can still be given as `--name=--json`.
 */
class StrictCommand extends Command {
  override createCommand(name?: string): Command {
    return new StrictCommand(name);
  }

  override parseOptions(argv: string[]): ReturnType<Command["parseOptions"]> {
    const ownFlag = (token: string | undefined) =>
      this.options.find(({ short, long }) => token === short || token === long);
    for (let at = 0; at < argv.length && argv[at] !== "--"; at++) {
      const option = ownFlag(argv[at]);
      if (option?.required !== true) continue;
      const value = argv[++at];
      if (value === "--help" || (value !== undefined && ownFlag(value) !== undefined))
        this.error(`error: option '${option.flags}' argument missing`);
    }
    const parsed = super.parseOptions(argv);
    const asksHelp = parsed.unknown.some((flag) => flag === "--help" || flag === "-h");
    const unknown = asksHelp ? unknownWord(this, parsed.operands) : undefined;
    // Commander would print the help of the level above, as if the word were known.
    if (unknown !== undefined) this.error(`error: unknown command '${unknown}'`);
    return parsed;
  }
}

/** The first word that names no command, where a command is expected; undefined: there is none. */
function unknownWord(command: Command, words: readonly string[]): string | undefined {
  const [word, ...rest] = words;
  if (word === undefined || command.commands.length === 0) return undefined;
  const next = command.commands.find((one) => one.name() === word);
  return next ? unknownWord(next, rest) : word;
}

/** The program without its nouns. It throws every fault, so that our one line is all that goes to stderr. */
export function createProgram(): Command {
  return (
    new StrictCommand("parley")
      .description(
        "Parley's admin command line. Works while the server runs and while it does not.",
      )
      .version(VERSION, "-V, --version", "what version this is")
      .configureOutput({ writeErr: () => {}, outputError: () => {} })
      // On a narrow terminal, the text beside a long command name may be as narrow as 20 columns.
      .configureHelp({
        visibleOptions: neededFirst,
        optionDescription: sayNeeded,
        minWidthToWrap: 20,
      })
      .showSuggestionAfterError(true)
      .helpCommand(false)
      .hook("preAction", (_program, command) => readSecrets(command))
      .exitOverride()
  );
}

/** `parley help …`, for commands of any number of words. Commander's own help reads only the first word. */
export function registerHelp(program: Command): void {
  program
    .command("help [command...]")
    .description("display help for command")
    .action((words: readonly string[]) => {
      let found = program;
      for (const [index, word] of words.entries()) {
        const next = found.commands.find((one) => one.name() === word);
        if (!next)
          throw new InvalidArgumentError(
            `there is no command '${words.slice(0, index + 1).join(" ")}'; --help lists them`,
          );
        found = next;
      }
      found.outputHelp();
    });
}

/** Puts the options that a command needs first in its help. `sayNeeded` marks them. */
function neededFirst(this: Help, command: Command): Option[] {
  const options = Help.prototype.visibleOptions.call(this, command);
  return options.toSorted((a, b) => Number(b.mandatory) - Number(a.mandatory));
}

function sayNeeded(this: Help, option: Option): string {
  const said = Help.prototype.optionDescription.call(this, option);
  return option.mandatory && option.defaultValue === undefined ? `needed. ${said}`.trim() : said;
}

/** The error of standard output, once it could not be written to. */
let outputFault: NodeJS.ErrnoException | null = null;

/**
 * Handles faults of standard output from now on. When its reader closes early (`| head`), that is no mistake: the
 * command ends tidily, with status 0. Any other fault (a full disk) is reported and ends with the status of a mistake.
 */
export function watchOutput(output: NodeJS.WriteStream): void {
  output.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && outputFault === null) {
      process.stderr.write(`parley: ${oneLine(error.message)}\n`);
      process.exitCode = MISTAKE;
    }
    outputFault ??= error;
  });
}

/** Ends a command with a status of its own, after it has printed its result: what it looked at is not in order. */
export class EndStatus extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** The status of a command that found something not in order. */
const NOT_IN_ORDER = 1;

/**
 * Runs a command that looks whether something is in order, and prints what it found. Throws `EndStatus`, so that it ends with
 * status 1, when `isRight` says no to that.
 */
export async function runCheck<T>(
  run: Run,
  options: { readonly json?: boolean | undefined },
  look: (app: OpenContext) => Promise<T>,
  isRight: (found: T) => boolean,
  show?: (found: T) => string,
): Promise<void> {
  let right = false;
  await run(
    options,
    async (app) => {
      const found = await look(app);
      right = isRight(found);
      return found;
    },
    show,
  );
  if (!right) throw new EndStatus(NOT_IN_ORDER);
}

/** Parses and runs a command. Gives the exit status. Writes one line to stderr when something was wrong. */
export async function runProgram(program: Command, argv: readonly string[]): Promise<number> {
  try {
    await program.parseAsync([...argv], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof EndStatus) return error.status;
    if (outputFault !== null && error === outputFault)
      return outputFault.code === "EPIPE" ? 0 : MISTAKE;
    process.stderr.write(`parley: ${oneLine(describe(error))}\n`);
    return MISTAKE;
  }
}

function describe(error: unknown): string {
  if (error instanceof ConfigError) return error.faults.join("; ");
  if (error instanceof CommanderError) {
    if (error.code === "commander.help") return "a command is missing; --help lists them";
    return error.message.replace(/^error: /, "");
  }
  if (error instanceof AppError) {
    const words = sentenceOf(error);
    return words === error.code ? words : `${words} (${error.code})`;
  }
  if (error instanceof AggregateError) return error.errors.map(describe).join("; ");
  return fileFault(error) ?? (error instanceof Error ? error.message : String(error));
}

function oneLine(text: string): string {
  return plain(text.replaceAll(/\s*\n\s*/g, " "));
}

/**
 * Prints these words when somebody interrupts the command. Then ends the command, unless another handler does so after
 * tidying up. Disposing of the result ends this.
 */
export function printOnInterrupt(words: () => string): Disposable {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const told = (signal: NodeJS.Signals) => {
    process.stderr.write(`${process.stderr.isTTY ? "\n" : ""}parley: ${words()}\n`);
    if (process.listenerCount(signal) === 0) process.exit(130);
  };
  for (const signal of signals) process.once(signal, told);
  return {
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, told);
    },
  };
}

/** Collects the values of an option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Reads a whole number from 0 to 9,999,999,999. Throws commander's InvalidArgumentError. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError("It takes a whole number.");
  return Number(text);
}

/** Reads an amount: 0.5, 12. */
export function amount(text: string): number {
  if (!/^\d{1,7}(\.\d{1,6})?$/.test(text))
    throw new InvalidArgumentError("It takes a number like 12 or 0.5.");
  return Number(text);
}

/** Reads a whole number, or "unlimited", which stays as it is: commander turns a null into "". */
export function wholeNumberOrUnlimited(text: string): number | "unlimited" {
  return text === "unlimited" ? text : wholeNumber(text);
}

/**
 * Reads a moment. It must have its zone, or it would be another moment on another machine. Throws InvalidArgumentError.
 */
export function timeArgument(text: string): Date {
  const at = new Date(text);
  const [, day = ""] = /^(\d{4}-\d{2}-\d{2})T.*(?:Z|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  if (!isCalendarDay(day) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError(
      "It takes an ISO 8601 time with its zone, like 2026-12-01T09:00:00Z or 2026-12-01T09:00:00+03:00.",
    );
  return at;
}

/** Reads the IANA name of a time zone. Throws InvalidArgumentError. */
export function timeZone(text: string): string {
  if (!isTimeZone(text)) throw new InvalidArgumentError("It takes a time zone like Asia/Kuwait.");
  return text;
}
