import { OPERATOR } from "../actor.ts";
import { Option, type Command } from "commander";
import { findDuplicates } from "../contacts/identity/find-duplicates.ts";
import { mergeContacts } from "../contacts/identity/merge-contacts.ts";
import { print, wholeNumber } from "./command-line.ts";
import { inBackground, withApp } from "./open-app.ts";
import { existing } from "./workspace-of.ts";

interface DuplicateOptions {
  readonly workspace: string;
  readonly by: "phone" | "email" | "externalId";
  readonly after?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `parley contacts duplicates|merge` */
export function registerDuplicates(group: Command): void {
  group
    .command("duplicates")
    .description("contacts that share a phone, an e-mail address or an external id, oldest first")
    .requiredOption("--workspace <id>")
    .addOption(
      new Option("--by <address>").choices(["phone", "email", "externalId"]).default("phone"),
    )
    .option("--after <address>", "the page after this one: `next` of the page before")
    .option("--limit <n>", "groups on a page, up to 200", wholeNumber, 50)
    .option("--json", "print one JSON document")
    .action((options: DuplicateOptions) =>
      inBackground(async (app) => {
        const page = await findDuplicates(app, await existing(app, options.workspace), options);
        if (options.json) return print(options, page);
        const lines = page.groups.map((one) => ({
          address: one.address,
          count: one.count,
          contacts: one.contacts.map((contact) => `${contact.id} ${contact.name ?? ""}`.trim()),
        }));
        print(options, page.next === null ? lines : [...lines, { next: page.next }]);
      }),
    );
  group
    .command("merge <keep> <merged>")
    .description("make two contacts one; the merged contact's id then names the kept contact")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((keep: string, merged: string, options: { workspace: string; json?: boolean }) =>
      withApp(async (app) => {
        const workspaceId = await existing(app, options.workspace);
        print(options, await mergeContacts(OPERATOR, app, workspaceId, keep, merged));
      }),
    );
}
