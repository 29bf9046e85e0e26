import { setTimeout as sleep } from "node:timers/promises";
import { InvalidArgumentError, type Command } from "commander";
import { Type } from "typebox";
import { OPERATOR } from "../actor.ts";
import type { Context } from "../context.ts";
import { caseInput, type CaseRunJson } from "../wire/case.ts";
import { answerOf } from "../write.ts";
import { runCheck, type Run } from "./command-line.ts";

interface TestOptions {
  readonly file?: string;
  readonly repeat?: number;
  readonly json?: boolean;
}

const AT_ONCE = 8;
const LOOK_MS = 200;

/** `parley bot test`: asks a bot its cases. */
export function registerBotTest(group: Command, run: Run): void {
  group
    .command("test <bot>")
    .description("ask a bot's draft its cases; status 1 when one fails")
    .option(
      "--file <path>",
      "cases as JSON lines, which the bot keeps; those of the same question are replaced; only they are asked; - reads standard input",
    )
    .option("--repeat <n>", "how often each case is asked, 3 when left out", times)
    .option("--json", "print one JSON document")
    .action((id: string, options: TestOptions) =>
      runCheck(
        run,
        options,
        (app) => test(app, id, options),
        (done) => done.state === "done" && done.passed === done.items.length,
        sayRun,
      ),
    );
}

function times(given: string): number {
  const number = Number(given);
  if (!/^\d{1,2}$/.test(given) || number < 1 || number > 10)
    throw new InvalidArgumentError("It takes a number from 1 to 10.");
  return number;
}

async function test(app: Context, id: string, options: TestOptions): Promise<CaseRunJson> {
  const { workspaceOf } = await import("./workspace-of.ts");
  const { readCaseRun, runCases } = await import("../bots/cases/run-cases.ts");
  const { workCases } = await import("../bots/cases/work-cases.ts");
  const workspaceId = await workspaceOf(app, "bot", id);
  const only =
    options.file === undefined ? null : await saveAll(app, workspaceId, id, options.file);
  const begun = await runCases(OPERATOR, app, workspaceId, {
    id,
    ...(options.repeat !== undefined && { repeat: options.repeat }),
    ...(only && { only }),
  });
  const { id: runId } = answerOf(begun) as CaseRunJson;
  const of = { workspaceId, id: runId };
  for (;;) {
    // The workers of a running server do a part of it.
    const asked = await workCases(app, AT_ONCE, of);
    const read = await readCaseRun(OPERATOR, app, workspaceId, { id, runId });
    const now = answerOf(read) as CaseRunJson;
    if (now.state !== "running") return now;
    if (asked === 0) await sleep(LOOK_MS);
  }
}

const Line = Type.Object(
  { id: Type.Optional(Type.String({ maxLength: 200 })), ...caseInput },
  { additionalProperties: false },
);

/** Adds the cases of a file, in place of those with the same talk. Gives their ids. */
async function saveAll(
  app: Context,
  workspaceId: string,
  id: string,
  file: string,
): Promise<string[]> {
  const { jsonLines, within } = await import("./json-lines.ts");
  const { readCase } = await import("../bots/cases/bot-case.ts");
  const { addCase, listCases, saveCase } = await import("../bots/cases/write-case.ts");
  const lines = [];
  // All are read before one is stored.
  for await (const { value, at } of jsonLines(file, Line)) {
    const { id: _name, ...given } = value;
    lines.push({ given, key: keyOf(within(at, () => readCase(given))) });
  }
  if (lines.length === 0) throw new InvalidArgumentError(`${file} holds no case`);
  const { items } = answerOf(await listCases(OPERATOR, app, workspaceId, { id })) as {
    readonly items: readonly { readonly id: string; readonly talk: readonly object[] }[];
  };
  const known = new Map(items.map((one) => [keyOf(one), one.id]));
  for (const { given, key } of lines) {
    const caseId = known.get(key);
    if (caseId === undefined) {
      const made = answerOf(await addCase(OPERATOR, app, workspaceId, { id, ...given }));
      known.set(key, (made as { readonly id: string }).id);
    } else await saveCase(OPERATOR, app, workspaceId, { id, caseId, ...given });
  }
  return [...new Set(lines.flatMap(({ key }) => known.get(key) ?? []))];
}

const keyOf = ({ talk }: { readonly talk: readonly object[] }): string => JSON.stringify(talk);

/** The cases that fail, and the sum. */
function sayRun({ items, passed, state, reason }: CaseRunJson): string {
  const lines = items.flatMap(({ question, result, right, asked, difference }) =>
    result === "passed"
      ? []
      : [
          `${result}  ${question} (${right} of ${asked} right)`,
          ...(difference
            ? [`  ${difference.what}: wanted "${difference.wanted}", got "${difference.got}"`]
            : []),
        ],
  );
  const sum = `${passed} of ${items.length} passed${state === "stopped" ? `; stopped: ${reason ?? ""}` : ""}`;
  return `${[...lines, sum].join("\n")}\n`;
}
