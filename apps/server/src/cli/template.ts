import type { Command } from "commander";
import { listTemplates } from "../templates/list-templates.ts";
import type { Run } from "./command-line.ts";
import { table } from "./table.ts";
import { existing } from "./workspace-of.ts";

/** `parley template …` */
export function registerTemplate(group: Command, run: Run): void {
  group
    .command("list")
    .description("the templates of a workspace that a campaign can send")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      run(
        options,
        async (app) => listTemplates(app, await existing(app, options.workspace)),
        (templates) =>
          table(
            ["id", "name", "language", "category", "variables", "header"],
            templates.map((one) => [
              one.id,
              one.name,
              one.language,
              one.category ?? "–",
              String(one.bodyVariableCount),
              one.headerFormat ?? "–",
            ]),
          ),
      ),
    );
}
