import { InvalidArgumentError, type Command } from "commander";
import { OPERATOR } from "../actor.ts";
import type { Context } from "../context.ts";
import { runDeclared } from "../http/bound.ts";
import { ExternalId, snippetInput } from "../wire/knowledge.ts";
import { Type } from "typebox";
import type { Run } from "./command-line.ts";
import { atLine, jsonLines } from "./json-lines.ts";
import { existing } from "./workspace-of.ts";

const Line = Type.Object({ id: ExternalId, ...snippetInput }, { additionalProperties: false });

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
        return { imported: await importAll(app, workspaceId, file) };
      }),
    );
}

/** Stores each line, and gives how many they were. An error names the line, and says how many before it are stored. */
async function importAll(app: Context, workspaceId: string, file: string): Promise<number> {
  let imported = 0;
  try {
    for await (const { value, at } of jsonLines(file, Line)) {
      const { id: externalId, ...snippet } = value;
      const input = { externalId, ...snippet };
      await runDeclared("putKnowledge", OPERATOR, app, workspaceId, input).catch(
        (error: unknown) => {
          throw atLine(at, error);
        },
      );
      imported += 1;
    }
  } catch (error) {
    if (imported === 0 || !(error instanceof InvalidArgumentError)) throw error;
    const before = imported === 1 ? "the one before it is" : `the ${imported} before it are`;
    throw new InvalidArgumentError(`${error.message}; ${before} stored`);
  }
  return imported;
}
