import { OPERATOR } from "../actor.ts";
import type { Command } from "commander";
import { pageAudit } from "../workspaces/list-audit.ts";
import { timeArgument, wholeNumber, type Run } from "./command-line.ts";
import { readOn } from "./conversation.ts";
import { instant, table } from "./table.ts";
import { existing } from "./workspace-of.ts";

interface Options {
  readonly workspace: string;
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
  readonly since?: Date;
  readonly cursor?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `parley audit …` */
export function registerAudit(group: Command, run: Run): void {
  group
    .command("list")
    .description("every change in a workspace with its actor and time, newest first")
    .addHelpText("after", "\ndocs/operations.md lists the actions.")
    .requiredOption("--workspace <id>")
    .option("--actor <actor>", "who made the change: cli, system, member:ID or key:ID")
    .option("--action <action>", "like member.removed; member for all changes of members")
    .option("--subject <id>", "the id of the record that was changed")
    .option("--since <iso>", "only changes from this time on", timeArgument)
    .option("--limit <n>", "at most this many, 1 to 200", wholeNumber, 50)
    .option("--cursor <id>", "read on where the last page ended")
    .option("--json", "print one JSON document")
    .action((options: Options) =>
      run(
        options,
        async (app) => {
          const { workspace, limit, cursor, json: _, ...filter } = options;
          return pageAudit(OPERATOR, app, await existing(app, workspace), filter, {
            cursor,
            limit,
          });
        },
        ({ entries, nextCursor }) =>
          table(
            ["time", "actor", "action", "subject", "facts"],
            entries.map((one) => [
              instant(one.createdAt),
              one.actor,
              one.action,
              one.subject,
              Object.keys(one.facts).length === 0 ? "" : JSON.stringify(one.facts),
            ]),
          ) + readOn(nextCursor),
      ),
    );
}
