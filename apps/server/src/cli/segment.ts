import { OPERATOR } from "../actor.ts";
import { InvalidArgumentError, type Command } from "commander";
import { createSegment } from "../segments/create-segment.ts";
import { deleteSegment } from "../segments/delete-segment.ts";
import { listSegments } from "../segments/list-segments.ts";
import { previewSegment } from "../segments/preview-segment.ts";
import { updateSegment } from "../segments/update-segment.ts";
import { print, type Run } from "./command-line.ts";
import { inBackground } from "./open-app.ts";
import { jsonOption } from "./read-input.ts";
import { existing } from "./workspace-of.ts";

/** `parley segment …` */
export function registerSegment(group: Command, run: Run): void {
  group
    .command("create")
    .description(
      'save a selection, e.g. {"match":"all","rules":[{"field":"tag","op":"eq","value":"vip"}]}',
    )
    .requiredOption("--workspace <id>")
    .requiredOption("--name <name>")
    .requiredOption("--definition <json>", "match and rules", jsonOption)
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  ./bin/parley segment create --workspace ID --name VIPs --definition '{"match":"all","rules":[{"field":"tag","op":"eq","value":"vip"}]}'
  ./bin/parley segment create --workspace ID --name Recent --definition '{"match":"any","rules":[{"field":"lastSeenAt","op":"within_days","value":30},{"field":"attribute.orders","op":"gt","value":5}]}'`,
    )
    .action((options: { workspace: string; name: string; definition: unknown; json?: boolean }) =>
      run(options, async (app) => {
        return createSegment(OPERATOR, app, await existing(app, options.workspace), options);
      }),
    );
  group
    .command("list")
    .description("the selections of a workspace")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      run(options, async (app) => {
        const segments = await listSegments(app, await existing(app, options.workspace));
        const now = app.clock.now().getTime();
        return segments.map((one) => ({ ...one, countAge: ageOf(one.cachedAt, now) }));
      }),
    );
  group
    .command("update <segment>")
    .description("change the name or the definition; what is not given stays")
    .requiredOption("--workspace <id>")
    .option("--name <name>")
    .option("--definition <json>", "match and rules", jsonOption)
    .option("--json", "print one JSON document")
    .action((id: string, options: UpdateOptions) => {
      if (options.name === undefined && options.definition === undefined)
        throw new InvalidArgumentError("nothing to change was given; give --name or --definition");
      return run(options, async (app) =>
        updateSegment(OPERATOR, app, await existing(app, options.workspace), id, options),
      );
    });
  group
    .command("delete <segment>")
    .description("remove a selection that no scheduled or running campaign uses; the contacts stay")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((id: string, options: { workspace: string; json?: boolean }) =>
      run(options, async (app) => {
        await deleteSegment(OPERATOR, app, await existing(app, options.workspace), id);
        return { id, deleted: true };
      }),
    );
  group
    .command("preview")
    .description("how many contacts a definition selects; nothing is saved")
    .requiredOption("--workspace <id>")
    .requiredOption("--definition <json>", "match and rules", jsonOption)
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; definition: unknown; json?: boolean }) =>
      inBackground(async (app) => {
        const workspaceId = await existing(app, options.workspace);
        const found = await previewSegment(app, workspaceId, options.definition);
        const words = `${found.exact ? "" : "more than "}${found.count} contacts`;
        print(options, options.json ? found : words);
      }),
    );
}

interface UpdateOptions {
  readonly workspace: string;
  readonly name?: string;
  readonly definition?: unknown;
  readonly json?: boolean;
}

/** The age of a count in words; null: it was not counted yet. */
function ageOf(cachedAt: string | null, now: number): string | null {
  if (cachedAt === null) return null;
  const minutes = Math.floor((now - new Date(cachedAt).getTime()) / 60_000);
  return minutes < 1 ? "less than a minute" : `${minutes} minutes`;
}
