import { OPERATOR } from "../actor.ts";
import { InvalidArgumentError, type Command } from "commander";
import type { OpenContext } from "../open-context.ts";
import type { ContactChange } from "../contacts/record/change-contacts.ts";
import { attributeDefinitions } from "../contacts/attributes/define-attribute.ts";
import { findBulkJob, listBulkJobs, moveBulkJob, runBulkBatch } from "../segments/run-bulk-jobs.ts";
import { startBulkJob } from "../segments/start-bulk-job.ts";
import { attributeValue } from "./attribute-value.ts";
import { collect, print, printOnInterrupt } from "./command-line.ts";
import { inBackground, withApp } from "./open-app.ts";
import { existing } from "./workspace-of.ts";

interface BulkOptions {
  readonly workspace: string;
  readonly segment?: string;
  readonly id?: readonly string[];
  readonly background?: boolean;
  readonly json?: boolean;
}

/** `parley contacts tag|untag|set-attribute|delete|opt-out-all|opt-in-all|jobs|job` */
export function registerBulk(group: Command): void {
  for (const action of ["tag", "untag"] as const)
    bulkCommand(group, `${action} <tag...>`, `${action} many contacts`).action(
      (tags: string[], options: BulkOptions) => start(options, { action, tags }),
    );
  bulkCommand(
    group,
    "set-attribute <key> <value>",
    "set an attribute of many contacts; the value is JSON, or text",
  ).action((key: string, value: string, options: BulkOptions) =>
    start(options, async (app, workspaceId) => {
      const type = (await attributeDefinitions(app, workspaceId)).get(key)?.type;
      return { action: "set_attribute", key, value: attributeValue(value, type) };
    }),
  );
  bulkCommand(group, "delete", "delete many contacts; their conversations stay").action(
    (options: BulkOptions) => start(options, { action: "delete" }),
  );
  bulkCommand(group, "opt-out-all", "opt many contacts out")
    .option("--reason <text>", "kept in the consent ledger")
    .action((options: BulkOptions & { reason?: string }) =>
      start(options, { action: "opt_out", reason: options.reason ?? null }),
    );
  bulkCommand(group, "opt-in-all", "opt many contacts in: only when they asked for it")
    .requiredOption("--reason <text>", "why they may be written to; kept in the consent ledger")
    .action((options: BulkOptions & { reason: string }) =>
      start(options, { action: "opt_in", reason: options.reason }),
    );
  group
    .command("jobs")
    .description("the changes to many contacts and how far they are")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: BulkOptions) =>
      withApp(async (app) =>
        print(options, await listBulkJobs(app, await existing(app, options.workspace))),
      ),
    );
  const job = group
    .command("job")
    .description("pause, resume or cancel one change to many contacts");
  for (const move of ["pause", "resume", "cancel"] as const)
    job
      .command(`${move} <job>`)
      .description(`${move} it; what was done stays done`)
      .requiredOption("--workspace <id>")
      .option("--json", "print one JSON document")
      .action((id: string, options: BulkOptions) =>
        withApp(async (app) => {
          const workspaceId = await existing(app, options.workspace);
          print(options, await moveBulkJob(OPERATOR, app, workspaceId, id, move));
        }),
      );
}

function bulkCommand(group: Command, name: string, words: string): Command {
  return group
    .command(name)
    .description(words)
    .requiredOption("--workspace <id>")
    .option("--segment <id>", "change the contacts of this segment")
    .option("--id <contact>", "change this contact; may be given several times", collect)
    .option("--background", "let the server's worker do it")
    .option("--json", "print one JSON document");
}

type Asked = ContactChange | ((app: OpenContext, workspaceId: string) => Promise<ContactChange>);

async function start(options: BulkOptions, asked: Asked): Promise<void> {
  const { segment, id: ids } = options;
  if ((segment === undefined) === (ids === undefined))
    throw new InvalidArgumentError("nobody to change: give --segment or --id");
  const target = segment === undefined ? { ids: ids ?? [] } : { segmentId: segment };
  await inBackground(async (app: OpenContext) => {
    const workspaceId = await existing(app, options.workspace);
    const change = typeof asked === "function" ? await asked(app, workspaceId) : asked;
    const job = await startBulkJob(OPERATOR, app, workspaceId, target, change);
    const cancel = `parley contacts job cancel ${job.id} --workspace ${workspaceId}`;
    using _ = printOnInterrupt(
      () => `job ${job.id} is not finished: the server goes on with it; to end it: ${cancel}`,
    );
    // The server's worker may take a batch meanwhile. Each batch is done once.
    while (options.background !== true) {
      if (await runBulkBatch(app, job.id)) continue;
      if ((await findBulkJob(app, workspaceId, job.id)).state !== "running") break;
    }
    print(options, await findBulkJob(app, workspaceId, job.id));
  });
}
