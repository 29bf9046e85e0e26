import { InvalidArgumentError, type Command } from "commander";
import { createSegment } from "../segments/create-segment.ts";
import { listSegments } from "../segments/list-segments.ts";
import type { Run } from "./command-line.ts";
import { existing } from "./workspace-of.ts";

/** `parley segment …` */
export function registerSegment(program: Command, run: Run): void {
  const group = program.command("segment").description("named selections of contacts");
  group
    .command("create")
    .description(
      'save a selection, e.g. {"match":"all","rules":[{"field":"tag","op":"eq","value":"vip"}]}',
    )
    .requiredOption("--workspace <id>")
    .requiredOption("--name <name>")
    .requiredOption("--definition <json>", "match and rules", definition)
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; name: string; definition: unknown; json?: boolean }) =>
      run(options, async (app) => {
        return createSegment(app, await existing(app, options.workspace), options);
      }),
    );
  group
    .command("list")
    .description("the selections of a workspace")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      run(options, async (app) => listSegments(app, await existing(app, options.workspace))),
    );
}

function definition(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("It takes JSON.");
  }
}
