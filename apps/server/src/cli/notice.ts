import { OPERATOR } from "../actor.ts";
import type { Command } from "commander";
import { listNotices } from "../workspaces/list-notices.ts";
import { wholeNumber, type Run } from "./command-line.ts";
import { instant, table } from "./table.ts";
import { existing } from "./workspace-of.ts";

/** `parley notice …` */
export function registerNotice(group: Command, run: Run): void {
  group
    .command("list")
    .description("what the admins of a workspace were told, newest first")
    .requiredOption("--workspace <id>")
    .option("--limit <n>", "at most this many, 1 to 200", wholeNumber, 50)
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; limit: number; json?: boolean }) =>
      run(
        options,
        async (app) =>
          listNotices(OPERATOR, app, await existing(app, options.workspace), options.limit),
        (notices) =>
          table(
            ["time", "kind", "subject", "mail"],
            notices.map((one) => [
              instant(one.createdAt),
              one.kind,
              one.subject,
              one.mailWaits ? "waits" : "–",
            ]),
          ),
      ),
    );
}
