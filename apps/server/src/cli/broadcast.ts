import { OPERATOR } from "../actor.ts";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { OpenContext } from "../open-context.ts";
import { broadcastReport } from "../broadcasts/report/broadcast-report.ts";
import {
  cancelBroadcast,
  pauseBroadcast,
  scheduleBroadcast,
  unscheduleBroadcast,
} from "../broadcasts/record/change-broadcast.ts";
import { createBroadcast, type NewBroadcast } from "../broadcasts/record/create-broadcast.ts";
import { findBroadcast } from "../broadcasts/record/find-broadcast.ts";
import { listBroadcasts } from "../broadcasts/record/list-broadcasts.ts";
import { resendUnknown } from "../broadcasts/send/resend-unknown.ts";
import { startBroadcast } from "../broadcasts/record/start-broadcast.ts";
import type { Broadcast } from "../broadcasts/record/broadcast.ts";
import { BROADCAST_KINDS, type BroadcastKind } from "../wire/words.ts";
import { paceWarning } from "../broadcasts/send/pace-warning.ts";
import { updateBroadcast, type BroadcastChanges } from "../broadcasts/record/update-broadcast.ts";
import { broadcastTable } from "./broadcast-table.ts";
import { uploadFile } from "./message.ts";
import {
  registerBroadcastLifecycle,
  timesOf,
  withTimeOptions,
  type TimeOptions,
} from "./broadcast-lifecycle.ts";
import { registerBroadcastReport } from "./broadcast-report.ts";
import {
  shareOption,
  variantsOption,
  withHeaderFiles,
  type AskedVariant,
} from "./broadcast-variants.ts";
import { registerDeclared } from "./declared.ts";
import { forPeople, timeArgument, wholeNumber, type Run } from "./command-line.ts";
import { existing, workspaceOf } from "./workspace-of.ts";

interface Json {
  readonly json?: boolean;
}

interface CreateOptions extends Omit<DraftOptions, "name"> {
  readonly workspace: string;
  readonly name: string;
  readonly kind: BroadcastKind;
  readonly scheduledAt?: Date;
}

/** The options of a draft, both when it is made and when it is changed. */
interface DraftOptions extends Json, TimeOptions {
  readonly name?: string;
  readonly channel?: string;
  readonly template?: string;
  readonly body?: string;
  readonly segment?: string;
  readonly variable?: Record<string, string>;
  readonly headerText?: string;
  readonly headerFile?: string;
  readonly button?: Record<string, string>;
  readonly rateLimit?: number;
  readonly variants?: AskedVariant[];
  readonly holdout?: number;
  readonly replyDays?: number;
}

const CREATE_EXAMPLES = `
Examples:
  ./bin/parley broadcast create --workspace ID --name Spring --kind SMS --body 'Hi {{first_name}}, 20 % off today'
  ./bin/parley broadcast create --workspace ID --name Spring --kind TEXT --channel CHANNEL --segment SEGMENT --body 'Hi'
  ./bin/parley broadcast create --workspace ID --name Spring --kind WHATSAPP_TEMPLATE --channel CHANNEL --template TEMPLATE --variable '1={{name}}' --scheduled-at 2027-03-01T09:00:00+03:00

The campaign is a draft at first. Then: broadcast preview, estimate, test, and start it.`;

/** `parley broadcast …`; a campaign's id names its workspace. */
export function registerBroadcast(group: Command, run: Run): void {
  registerDeclared("broadcast", group, run);
  registerCreate(group, run);
  withDraftOptions(
    group
      .command("update <id>")
      .description(
        "change a draft; what is not given stays; --variable and --button replace all earlier ones",
      )
      .option("--name <name>")
      .option("--channel <id>"),
  ).action((id: string, options: DraftOptions) =>
    run(
      options,
      async (app) => {
        const workspaceId = await workspaceOf(app, "broadcast", id);
        const changes = await draftOf(app, workspaceId, options);
        return withWarnings(app, await updateBroadcast(OPERATOR, app, workspaceId, id, changes));
      },
      shownBroadcast,
    ),
  );
  group
    .command("list")
    .description("the 100 newest campaigns of a workspace")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: Json & { workspace: string }) =>
      run(
        options,
        async (app) => listBroadcasts(app, await existing(app, options.workspace)),
        broadcastTable,
      ),
    );
  const simple = (
    name: string,
    description: string,
    work: (app: OpenContext, workspaceId: string, id: string) => Promise<unknown>,
  ) =>
    group
      .command(`${name} <id>`)
      .description(description)
      .option("--json", "print one JSON document")
      .action((id: string, options: Json) =>
        run(options, async (app) => work(app, await workspaceOf(app, "broadcast", id), id)),
      );
  simple("show", "the campaign and its counts", findBroadcast);
  simple("start", "start or resume it", (app, workspace, id) =>
    startBroadcast(OPERATOR, app, workspace, id),
  );
  simple("pause", "stop sending until it is started again", (app, workspace, id) =>
    pauseBroadcast(OPERATOR, app, workspace, id),
  );
  simple("cancel", "end it for good", (app, workspace, id) =>
    cancelBroadcast(OPERATOR, app, workspace, id),
  );
  simple("unschedule", "back to a draft", (app, workspace, id) =>
    unscheduleBroadcast(OPERATOR, app, workspace, id),
  );
  registerBroadcastReport(group, run);
  registerBroadcastLifecycle(group, run);
  simple("report", "counts by outcome and reason", broadcastReport);
  simple("resend-unknown", "send again to recipients whose outcome is unknown", (app, w, id) =>
    resendUnknown(OPERATOR, app, w, id).then((resent) => ({ resent })),
  );
  group
    .command("schedule <id>")
    .description("schedule a draft")
    .requiredOption("--scheduled-at <iso>", "when", timeArgument)
    .option("--json", "print one JSON document")
    .action((id: string, options: Json & { scheduledAt: Date }) =>
      run(options, async (app) =>
        scheduleBroadcast(
          OPERATOR,
          app,
          await workspaceOf(app, "broadcast", id),
          id,
          options.scheduledAt,
        ),
      ),
    );
}

function registerCreate(group: Command, run: Run): void {
  const create = group
    .command("create")
    .description("make a campaign, draft or scheduled")
    .requiredOption("--workspace <id>")
    .requiredOption("--name <name>")
    .addOption(new Option("--kind <kind>").choices(BROADCAST_KINDS).makeOptionMandatory())
    .option("--channel <id>", "needed except for SMS")
    .option("--scheduled-at <iso>", "when it starts by itself", timeArgument);
  withDraftOptions(create)
    .addHelpText("after", CREATE_EXAMPLES)
    .action((options: CreateOptions) =>
      run(
        options,
        async (app) => {
          const workspaceId = await existing(app, options.workspace);
          const created = await createBroadcast(OPERATOR, app, workspaceId, {
            ...(await draftOf(app, workspaceId, options)),
            name: options.name,
            kind: options.kind,
            scheduledAt: options.scheduledAt ?? null,
          });
          return withWarnings(app, created);
        },
        shownBroadcast,
      ),
    );
}

function withDraftOptions(command: Command): Command {
  return withTimeOptions(command)
    .option("--template <id>", "for WHATSAPP_TEMPLATE")
    .option(
      "--body <text>",
      "for TEXT and SMS; may use {{name}} and other placeholders, {{first_name|friend}} with a fallback",
    )
    .option("--segment <id>", "the audience; default: everyone who has not opted out")
    .option("--variable <n=text>", "a parameter of the template", variable)
    .option("--header-text <text>", "the variable of the template's header")
    .option("--header-file <file>", "the picture, video or document of the template's header")
    .option("--button <n=text>", "the parameter of a button; n is its place, from 0", variable)
    .option("--rate-limit <n>", "messages a minute, 10 to 1,000,000", wholeNumber)
    .option(
      "--variants <json>",
      "A/B, instead of one text: a list with name, share, body …",
      variantsOption,
    )
    .option(
      "--holdout <share>",
      "A/B: the share of the audience that gets nothing, like 0.1",
      shareOption,
    )
    .option(
      "--reply-days <n>",
      "for how many days a customer's message counts as a reply; default 3",
      wholeNumber,
    )
    .option("--json", "print one JSON document");
}

/** The draft that the options describe. Uploads the files that they name. */
async function draftOf(
  app: OpenContext,
  workspaceId: string,
  options: DraftOptions,
): Promise<BroadcastChanges> {
  const { name, channel, template, body, segment } = options;
  const header = await headerOf(app, workspaceId, options);
  const variants = options.variants && (await withHeaderFiles(app, workspaceId, options.variants));
  return {
    ...(name !== undefined && { name }),
    ...(channel !== undefined && { channelId: channel }),
    ...(template !== undefined && { templateId: template }),
    ...(body !== undefined && { body }),
    ...(segment !== undefined && { segmentId: segment }),
    ...(options.variable && { variables: options.variable }),
    ...(options.button && { buttons: options.button }),
    ...timesOf(options),
    ...(header !== null && { header }),
    ...(options.rateLimit !== undefined && { rateLimitPerMinute: options.rateLimit }),
    ...(variants && { variants }),
    ...(options.holdout !== undefined && { holdoutShare: options.holdout }),
    ...(options.replyDays !== undefined && { replyDays: options.replyDays }),
  };
}

type Warned = Broadcast & { readonly warnings: readonly string[] };

async function withWarnings(app: OpenContext, broadcast: Broadcast): Promise<Warned> {
  const pace = await paceWarning(app, broadcast);
  return { ...broadcast, warnings: pace === null ? [] : [pace] };
}

function shownBroadcast({ warnings, ...broadcast }: Warned): string {
  const lines = warnings.map((one) => `warning: ${one}\n`);
  return forPeople(JSON.parse(JSON.stringify(broadcast))) + lines.join("");
}

/**
 * The header that the options describe, its file uploaded. When text and file are both given, both are passed on, so
 * that the campaign reports the mistake like any other.
 */
async function headerOf(
  app: OpenContext,
  workspaceId: string,
  { headerText, headerFile }: DraftOptions,
): Promise<NonNullable<NewBroadcast["header"]> | null> {
  if (headerText === undefined && headerFile === undefined) return null;
  const text = headerText === undefined ? {} : { text: headerText };
  if (headerFile === undefined) return text;
  const mediaId = await uploadFile(app, workspaceId, headerFile);
  return { ...text, mediaId };
}

function variable(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It takes N=TEXT.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
