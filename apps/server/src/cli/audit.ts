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
    .description("what was done in a workspace, by whom and when, newest first")
    .requiredOption("--workspace <id>")
    .option("--actor <actor>", "like cli, system, member:ID or key:ID")
    .option("--action <action>", "like member.removed, or member for all about members")
    .option("--subject <id>", "only what was done to this record")
    .option("--since <iso>", "from this time on", timeArgument)
    .option("--limit <n>", "at most this many, 1 to 200", wholeNumber, 50)
    .option("--cursor <id>", "read on where the last page ended")
    .option("--json", "print one JSON document")
    .action((options: Options) =>
      run(
        options,
        async (app) => {
          const { workspace, limit, cursor, json: _, ...filter } = options;
          return pageAudit(app, await existing(app, workspace), filter, { cursor, limit });
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
