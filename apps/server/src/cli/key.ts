import { OPERATOR } from "../actor.ts";
import type { Command } from "commander";
import type { ApiKey } from "../api-keys/api-key.ts";
import { createKey } from "../api-keys/create-key.ts";
import { listKeys } from "../api-keys/list-keys.ts";
import { revokeKey } from "../api-keys/revoke-key.ts";
import { setKeySends } from "../api-keys/set-key-sends.ts";
import { collect, forPeople, timeArgument, type Run } from "./command-line.ts";
import { registerRotateMaster } from "./rotate-master.ts";
import { existing } from "./workspace-of.ts";

/** A key as people read it. Without scopes it may do everything, and an empty list would say the contrary. */
function shown(key: Pick<ApiKey, "scopes">): string {
  const scopes = key.scopes.length === 0 ? "everything" : key.scopes;
  return forPeople(JSON.parse(JSON.stringify({ ...key, scopes })));
}

/** `parley key …` */
export function registerKey(group: Command, run: Run): void {
  registerRotateMaster(group);
  group
    .command("create")
    .description("make a key; its secret is shown only once")
    .requiredOption("--workspace <id>")
    .option("--name <name>")
    .option(
      "--scope <scope>",
      "what it may do; may be given several times; default: everything",
      collect,
    )
    .option(
      "--sends <who>",
      "who decides on what an assistant (MCP) sends with it: ask (the person at the assistant), approve (a member) or free; default: approve",
    )
    .option("--expires-at <iso>", "when it ends", timeArgument)
    .option("--json", "print one JSON document")
    .action(
      (options: {
        workspace: string;
        name?: string;
        scope?: string[];
        sends?: string;
        expiresAt?: Date;
        json?: boolean;
      }) =>
        run(
          options,
          (app) =>
            createKey(OPERATOR, app, options.workspace, {
              ...(options.name !== undefined && { name: options.name }),
              scopes: options.scope ?? [],
              sends: options.sends,
              expiresAt: options.expiresAt ?? null,
            }),
          shown,
        ),
    );
  group
    .command("list")
    .description("the keys of a workspace, without their secrets")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      run(
        options,
        async (app) => listKeys(app, await existing(app, options.workspace)),
        (keys) => (keys.length === 0 ? forPeople(keys) : keys.map(shown).join("\n")),
      ),
    );
  group
    .command("update <key-id>")
    .description("change who decides on what an assistant (MCP) sends with a key")
    .requiredOption(
      "--sends <who>",
      "ask (the person at the assistant), approve (a member) or free",
    )
    .option("--json", "print one JSON document")
    .action((id: string, options: { sends: string; json?: boolean }) =>
      run(options, (app) => setKeySends(OPERATOR, app, null, id, options.sends), shown),
    );
  group
    .command("revoke <key-id>")
    .description("revoke a key; a running server knows within 5 seconds")
    .option("--json", "print one JSON document")
    .action((id: string, options: { json?: boolean }) =>
      run(options, (app) => revokeKey(OPERATOR, app, null, id), shown),
    );
}
