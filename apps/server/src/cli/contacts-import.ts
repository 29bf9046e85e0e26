import { OPERATOR } from "../actor.ts";
import { createReadStream, createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InvalidArgumentError, Option, type Command } from "commander";
import {
  DELIMITERS,
  ENCODINGS,
  MATCHES,
  type Delimiter,
  type Encoding,
  type MatchBy,
} from "../wire/words.ts";
import { importContacts } from "../contacts/import/import-contacts.ts";
import {
  importRefusals,
  REFUSAL_WRITERS,
  refusalReasons,
} from "../contacts/import/import-refusals.ts";
import type {
  ImportProgress,
  ImportReporter,
  ImportResult,
} from "../contacts/import/import-report.ts";
import type { ImportFormat } from "../contacts/import/import-rows.ts";
import { inspectImport } from "../contacts/import/inspect-import.ts";
import { listImports, runImport } from "../contacts/import/run-import.ts";
import type { OpenContext } from "../open-context.ts";
import { print, printOnInterrupt } from "./command-line.ts";
import { inBackground, withApp } from "./open-app.ts";
import { createImportBar } from "./import-bar.ts";
import { checkedCountry } from "../workspaces/country.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { plain } from "./table.ts";
import { existing } from "./workspace-of.ts";

interface ImportOptions {
  readonly workspace: string;
  readonly map?: Readonly<Record<string, string>>;
  readonly match: MatchBy;
  readonly encoding?: Encoding;
  readonly delimiter?: Delimiter;
  readonly country?: string;
  readonly allowOptIn?: boolean;
  readonly dryRun?: boolean;
  readonly rejects?: string;
  readonly json?: boolean;
}

const FORMAT_OF_NAME = /\.(csv|jsonl)$/i;
/** The most refused rows in the output of --json. --rejects writes all of them. */
const MAX_LISTED = 1_000;
/** The most lines about single rows that a person is shown. */
const MAX_SHOWN = 10;
/** The most different reasons that a dry run counts. */
const MAX_REASONS = 50;
const DELIMITER_NAMES: Readonly<Record<string, Delimiter>> = {
  comma: ",",
  semicolon: ";",
  tab: "\t",
  pipe: "|",
};

/** `parley contacts import|imports|rejects` */
export function registerImport(group: Command): void {
  group
    .command("import <file>")
    .description(
      "read contacts from a .csv or .jsonl file, and say what was refused and why; when it broke off, the same command goes on where it stopped",
    )
    .requiredOption("--workspace <id>")
    .option(
      "--map <column=field>",
      "what a column holds: a field, attribute.<key> or ignore; '*=ignore' ignores all unknown columns",
      mapping,
    )
    .addOption(
      new Option("--match <address>", "the address that identifies a row's contact")
        .choices(MATCHES)
        .default("any"),
    )
    .addOption(
      new Option("--encoding <name>", "the file's encoding, when it is recognised wrongly").choices(
        ENCODINGS,
      ),
    )
    .option(
      "--delimiter <name>",
      "comma, semicolon, tab or pipe, when it is recognised wrongly",
      delimiterOf,
    )
    .option(
      "--rejects <file>",
      "write the refused rows to this file, in the format of the source, with line and reason",
    )
    .option(
      "--country <code>",
      "two letters, like KW: the country of numbers without a country code; default: the workspace's",
    )
    .option("--dry-run", "say what would happen; store nothing")
    .option("--allow-opt-in", "let rows opt in contacts that had opted out")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  ./bin/parley contacts import people.csv --workspace ID --rejects left.csv
  ./bin/parley contacts import people.csv --workspace ID --map 'Tel. no=phone' --map 'Shoe size=attribute.shoe' --dry-run
  ./bin/parley contacts import google-contacts.csv --workspace ID --map '*=ignore'`,
    )
    .action(importFile);
  group
    .command("imports")
    .description("the last hundred imports of a workspace and how far they came")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      withApp(async (app) =>
        print(options, await listImports(app, await existing(app, options.workspace))),
      ),
    );
  group
    .command("rejects <import>")
    .description(
      "the rows that an import refused, in the format of its file (CSV or JSON Lines), with line and reason",
    )
    .requiredOption("--workspace <id>")
    .action((id: string, options: { workspace: string }) =>
      withApp(async (app) => {
        const rows = importRefusals(OPERATOR, app, await existing(app, options.workspace), id);
        await pipeline(Readable.from(rows), process.stdout, { end: false });
      }),
    );
}

async function importFile(name: string, options: ImportOptions): Promise<void> {
  const format = FORMAT_OF_NAME.exec(name)?.[1]?.toLowerCase();
  if (format !== "csv" && format !== "jsonl")
    throw new InvalidArgumentError("the file's name must end in .csv or .jsonl");
  const found = await inspectImport(createReadStream(name));
  if (options.rejects !== undefined) await checkRejects(options.rejects, name, format);
  const encoding = options.encoding ?? found.encoding;
  const read = {
    format,
    encoding,
    delimiter: options.delimiter,
    map: options.map,
    match: options.match,
    allowOptIn: options.allowOptIn ?? false,
  } as const;
  const bar = process.stderr.isTTY ? createImportBar(found.size) : null;
  let handled = 0;
  let shown = 0;
  const show = (line: number, words: string): void => {
    if (!options.json && shown++ < MAX_SHOWN) process.stdout.write(`line ${line}: ${words}\n`);
  };
  /** Counts of a dry run. For a real import the database counts, over all runs of the file. */
  const tried = new Map<string, number>();
  const listed: Pick<ImportResult, "line" | "reason">[] = [];
  const reporter: Partial<ImportReporter> = {
    onRow({ outcome, line, reason, done }) {
      if (done.includes("email_left_out"))
        show(line, "taken without its e-mail, which is no e-mail address");
      if (outcome !== "refused") return;
      show(line, reason ?? "refused");
      if (listed.length < MAX_LISTED) listed.push({ line, reason });
      const key = reason ?? "refused";
      if (tried.has(key) || tried.size < MAX_REASONS) tried.set(key, (tried.get(key) ?? 0) + 1);
    },
    onProgress(at) {
      handled = at.rows;
      bar?.show(at);
    },
  };
  if (options.dryRun !== true)
    printOnInterrupt(
      () => `interrupted after ${handled} rows; the same command goes on from there`,
    );
  const source = (): AsyncIterable<Uint8Array> => {
    const stream = createReadStream(name);
    return bar ? bar.watch(stream) : stream;
  };
  const progress = await inBackground(async (app) => {
    await existing(app, options.workspace);
    const country = await countryOf(app, options);
    const reading = { ...read, country };
    if (options.dryRun === true) {
      const done = await tryFile(app, options, source(), reading, reporter);
      const reasons = [...tried].map(([reason, rows]) => ({ reason, rows }));
      return { ...done, reasons: reasons.toSorted((a, b) => b.rows - a.rows) };
    }
    const file = { ...found, encoding, name: path.basename(name), open: source };
    const done = await runImport(OPERATOR, app, options.workspace, file, reading, reporter);
    if (options.rejects !== undefined)
      await pipeline(
        Readable.from(importRefusals(OPERATOR, app, options.workspace, done.id)),
        createWriteStream(options.rejects),
      );
    const { id, rows, created, updated, unchanged, refused, stoppedAt, resumedAt } = done;
    const { phonesCompleted, emailsLeftOut } = done;
    const sums = { rows, created, updated, unchanged, refused, phonesCompleted, emailsLeftOut };
    const reasons = await refusalReasons(app, options.workspace, id);
    return { importId: id, ...sums, stoppedAt, resumedAt, reasons };
  });
  bar?.end();
  if (options.json) print(options, { ...progress, encoding, refusedRows: listed });
  else {
    const { reasons, ...sums } = progress;
    if (shown > MAX_SHOWN) process.stdout.write(`and ${shown - MAX_SHOWN} more lines like these\n`);
    print(options, sums);
    process.stdout.write(summaryOf(reasons, options.rejects));
  }
  if (progress.stoppedAt !== null)
    throw new Error(`the file could not be read from line ${progress.stoppedAt} on`);
}

/** `--country`, or else the workspace's country. */
async function countryOf(
  app: OpenContext,
  { country, workspace }: ImportOptions,
): Promise<string | undefined> {
  if (country !== undefined) return checkedCountry(country);
  return (await findWorkspace(app, workspace))?.country ?? undefined;
}

/** How many rows were refused for each reason, and where all of them are. */
function summaryOf(
  reasons: readonly { readonly reason: string; readonly rows: number }[],
  rejects: string | undefined,
): string {
  if (reasons.length === 0) return "";
  const lines = reasons.map(
    ({ reason, rows }) => `  ${String(rows).padStart(7)}  ${plain(reason)}\n`,
  );
  const where =
    rejects === undefined
      ? "--rejects FILE writes all of them, to be corrected and imported again\n"
      : `all of them, to be corrected and imported again: ${plain(rejects)}\n`;
  return `\nrefused, by reason:\n${lines.join("")}${where}`;
}

/**
 * Checks the file for refused rows before anything is stored. It must be writable, its name must fit the format, and it
 * must not be the file that is read.
 */
async function checkRejects(rejects: string, source: string, format: ImportFormat): Promise<void> {
  const named = FORMAT_OF_NAME.exec(rejects)?.[1]?.toLowerCase() ?? format;
  if (named !== format)
    throw new InvalidArgumentError(
      `--rejects is written in the format of the source: its name must end in .${format}`,
    );
  const file = await open(rejects, "a");
  const [written, read] = await Promise.all([file.stat(), stat(source)]);
  await file.close();
  if (written.ino === read.ino && written.dev === read.dev)
    throw new InvalidArgumentError("--rejects must be another file than the one that is read");
}

async function tryFile(
  app: OpenContext,
  options: ImportOptions,
  source: AsyncIterable<Uint8Array>,
  read: Parameters<typeof importContacts>[3],
  reporter: Partial<ImportReporter>,
): Promise<ImportProgress & { readonly dryRun: true }> {
  const out = options.rejects === undefined ? null : createWriteStream(options.rejects);
  const writer = REFUSAL_WRITERS[read.format];
  let header: readonly string[] | null = null;
  const progress = await importContacts(app, options.workspace, source, {
    ...read,
    ...reporter,
    dryRun: true,
    onHeader(columns) {
      header = columns;
      out?.write(writer.header(header));
    },
    onRow(row) {
      if (row.outcome === "refused")
        out?.write(writer.line(header, { ...row, reason: row.reason ?? "" }));
      return reporter.onRow?.(row);
    },
  });
  if (out) await new Promise((resolve) => out.end(resolve));
  return { ...progress, dryRun: true };
}

function mapping(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = text.lastIndexOf("=");
  // A column may have no name: `=ignore`.
  if (at < 0 || at === text.length - 1)
    throw new InvalidArgumentError("It takes COLUMN=FIELD, e.g. 'Mobile no=phone'.");
  return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() };
}

function delimiterOf(text: string): Delimiter {
  const found = DELIMITER_NAMES[text] ?? DELIMITERS.find((one) => one === text);
  if (found === undefined)
    throw new InvalidArgumentError("It takes comma, semicolon, tab or pipe.");
  return found;
}
