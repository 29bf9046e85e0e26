import { OPERATOR } from "../actor.ts";
import type { Command } from "commander";
import {
  attributeDefinitions,
  defineAttribute,
  removeAttribute,
} from "../contacts/attributes/define-attribute.ts";
import { collect, print } from "./command-line.ts";
import { withApp } from "./open-app.ts";
import { existing } from "./workspace-of.ts";

interface DefineOptions {
  readonly workspace: string;
  readonly type: string;
  readonly label?: string;
  readonly choice?: readonly string[];
  readonly json?: boolean;
}

/** `parley contacts attribute define|list|remove` */
export function registerAttributes(contacts: Command): void {
  const group = contacts
    .command("attribute")
    .description("what custom attributes hold, for imports and segments");
  group
    .command("define <key>")
    .description(
      "define what an attribute holds, or change the definition; stored values stay as they are",
    )
    .requiredOption("--workspace <id>")
    .requiredOption("--type <type>", "text, number, date, boolean or choice")
    .option("--label <text>", "what people call it")
    .option("--choice <text>", "one of the choices; may be given several times", collect)
    .option("--json", "print one JSON document")
    .action((key: string, options: DefineOptions) =>
      withApp(async (app) => {
        const { type, label, choice: choices } = options;
        const workspaceId = await existing(app, options.workspace);
        print(
          options,
          await defineAttribute(OPERATOR, app, workspaceId, { key, type, label, choices }),
        );
      }),
    );
  group
    .command("list")
    .description("every definition of a workspace")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      withApp(async (app) => {
        const found = await attributeDefinitions(app, await existing(app, options.workspace));
        print(options, [...found.values()]);
      }),
    );
  group
    .command("remove <key>")
    .description("remove a definition; the values stay")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((key: string, options: { workspace: string; json?: boolean }) =>
      withApp(async (app) => {
        await removeAttribute(OPERATOR, app, await existing(app, options.workspace), key);
        print(options, { key, removed: true });
      }),
    );
}
