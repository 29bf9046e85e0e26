import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { InvalidArgumentError, type Command } from "commander";
import { OPERATOR } from "../actor.ts";
import { AppError } from "../errors.ts";
import { bodyCheck, faultless } from "../http/edge/validation.ts";
import { runDeclared } from "../http/bound.ts";
import { ExternalId, snippetInput } from "../wire/knowledge.ts";
import { Type } from "typebox";
import type { Run } from "./command-line.ts";
import { existing } from "./workspace-of.ts";

/** The longest line of an import, in characters. */
const LONGEST_LINE = 200_000;

/** `parley knowledge import`; `operations/knowledge.ts` declares the other commands. */
export function registerKnowledge(group: Command, run: Run): void {
  group
    .command("import <file>")
    .description(
      "add or change snippets from a file of JSON lines: id, lang, title, text, askedAs; - reads standard input",
    )
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Example:
  echo '{"id":"delivery","lang":"en","title":"Delivery","text":"We deliver within 2 days."}' | ./bin/parley knowledge import - --workspace ID`,
    )
    .action((file: string, options: { workspace: string; json?: boolean }) =>
      run(options, async (app) => {
        const workspaceId = await existing(app, options.workspace);
        let imported = 0;
        for await (const { line, at } of linesOf(file)) {
          await runDeclared("putKnowledge", OPERATOR, app, workspaceId, snippetOf(line, at));
          imported += 1;
        }
        return { imported };
      }),
    );
}

async function* linesOf(
  file: string,
): AsyncGenerator<{ readonly line: string; readonly at: number }> {
  const input = file === "-" ? process.stdin : createReadStream(file);
  let at = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      at += 1;
      if (line.length > LONGEST_LINE)
        throw new InvalidArgumentError(`line ${at} is longer than ${LONGEST_LINE} characters`);
      if (line.trim() !== "") yield { line, at };
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && typeof error.code === "string")
      throw new InvalidArgumentError(`${file} cannot be read: ${error.message}`);
    throw error;
  }
}

const Line = Type.Object({ id: ExternalId, ...snippetInput }, { additionalProperties: false });
const check = bodyCheck(Line);

/** Reads one line. Throws an error that names it. */
function snippetOf(line: string, at: number): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new InvalidArgumentError(`line ${at} is not JSON`);
  }
  try {
    const { id, ...snippet } = faultless(check(value));
    return { externalId: id, ...snippet };
  } catch (error) {
    if (error instanceof AppError) throw new InvalidArgumentError(`line ${at}: ${error.message}`);
    throw error;
  }
}
