import { OPERATOR, type Actor } from "../actor.ts";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { OpenContext } from "../open-context.ts";
import { createEndpoint } from "../webhooks/create-endpoint.ts";
import { disableEndpoint } from "../webhooks/disable-endpoint.ts";
import { enableEndpoint } from "../webhooks/enable-endpoint.ts";
import { findDelivery, listDeliveries, type DeliveryFilter } from "../webhooks/list-deliveries.ts";
import { listEndpoints, workspaceOfEndpoint } from "../webhooks/list-endpoints.ts";
import { redeliver } from "../webhooks/redeliver.ts";
import { rotateSecret } from "../webhooks/rotate-secret.ts";
import { sendTestEvent } from "../webhooks/send-test-event.ts";
import { updateEndpoint } from "../webhooks/update-endpoint.ts";
import { collect, printOnInterrupt, timeArgument, wholeNumber, type Run } from "./command-line.ts";
import { deliveryPage, deliveryTable, endpointPage, endpointTable } from "./webhook-tables.ts";
import { existing } from "./workspace-of.ts";

interface Json {
  readonly json?: boolean;
}

/** `parley webhook …`; an endpoint's id names its workspace. */
export function registerWebhook(group: Command, run: Run): void {
  group.addHelpText(
    "after",
    `
A receiver is silent? In this order:
  ./bin/parley webhook list --workspace ID               # is the endpoint enabled?
  ./bin/parley webhook test ENDPOINT                     # send it an event now
  ./bin/parley webhook deliveries ENDPOINT --limit 5     # what came of it
  ./bin/parley webhook delivery ENDPOINT EVENT           # the request, and every answer
  ./bin/parley webhook redeliver ENDPOINT --since TIME   # once it works: all that failed`,
  );
  registerEndpoints(group, run);
  registerSwitches(group, run);
  registerDeliveries(group, run);
}

function registerEndpoints(group: Command, run: Run): void {
  group
    .command("create")
    .description("add an endpoint; its secret is shown only once")
    .requiredOption("--workspace <id>")
    .requiredOption("--url <url>", "https, on a public host")
    .option(
      "--event <kind>",
      "a kind of event it wants; may be given several times; default: all",
      collect,
    )
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  ./bin/parley webhook create --workspace ID --url https://shop.example.com/webhooks/parley
  ./bin/parley webhook create --workspace ID --url https://… --event message.received --event message.status`,
    )
    .action((options: Json & { workspace: string; url: string; event?: string[] }) =>
      run(
        options,
        (app) =>
          createEndpoint(OPERATOR, app, options.workspace, {
            url: options.url,
            events: options.event ?? [],
          }),
        endpointPage,
      ),
    );
  group
    .command("list")
    .description("the endpoints of a workspace")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: Json & { workspace: string }) =>
      run(
        options,
        async (app) => listEndpoints(app, await existing(app, options.workspace)),
        endpointTable,
      ),
    );
  group
    .command("update <id>")
    .description("change its address or the events it wants")
    .option("--url <url>")
    .option(
      "--event <kind>",
      "a kind of event it wants; all given ones replace the earlier ones",
      collect,
    )
    .addOption(new Option("--all-events", "send it every kind of event").conflicts("event"))
    .option("--json", "print one JSON document")
    .action(
      (id: string, options: Json & { url?: string; event?: string[]; allEvents?: boolean }) => {
        const events = options.allEvents ? [] : options.event;
        if (options.url === undefined && events === undefined)
          throw new InvalidArgumentError(
            "nothing to change was given; --help lists what can be changed",
          );
        const update = {
          ...(options.url !== undefined && { url: options.url }),
          ...(events !== undefined && { events }),
        };
        return run(
          options,
          async (app) =>
            updateEndpoint(OPERATOR, app, await workspaceOfEndpoint(app, id), id, update),
          endpointPage,
        );
      },
    );
}

/** Commands that act on one endpoint, which its id alone names. */
function registerSwitches(group: Command, run: Run): void {
  const simple = <T>(
    name: string,
    description: string,
    work: (actor: Actor, app: OpenContext, workspaceId: string, id: string) => Promise<T>,
    show: (result: T) => string,
  ) =>
    group
      .command(`${name} <id>`)
      .description(description)
      .option("--json", "print one JSON document")
      .action((id: string, options: Json) =>
        run(
          options,
          async (app) => work(OPERATOR, app, await workspaceOfEndpoint(app, id), id),
          show,
        ),
      );
  simple("enable", "enable it again, and send what was held", enableEndpoint, endpointPage);
  simple("disable", "stop sending to it; events are held", disableEndpoint, endpointPage);
  group
    .command("rotate-secret <id>")
    .description("make a new secret; it takes over a day later, and until then the old one signs")
    .option("--now", "it takes over at once: for a secret that others have seen")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Have the receiver accept both secrets first, then drop the old one once the new one has taken over.
Examples:
  ./bin/parley webhook rotate-secret ID          # takes over in 24 hours
  ./bin/parley webhook rotate-secret ID --now`,
    )
    .action((id: string, { now = false, ...options }: Json & { now?: boolean }) =>
      run(
        options,
        async (app) => rotateSecret(OPERATOR, app, await workspaceOfEndpoint(app, id), id, { now }),
        endpointPage,
      ),
    );
  simple("test", "send it an endpoint.test event", sendTestEvent, ({ eventId, state }) =>
    state === "held"
      ? `the endpoint is disabled: event ${eventId} waits for \`webhook enable\`\n`
      : `event ${eventId} is on its way; \`webhook delivery ID ${eventId}\` tells what came of it\n`,
  );
}

function registerDeliveries(group: Command, run: Run): void {
  group
    .command("deliveries <id>")
    .description("its deliveries, newest first, with every attempt")
    .option("--state <state>", "pending, delivered, exhausted or held")
    .option("--type <kind>", "only deliveries of this kind of event")
    .option("--before <sequence>", "the next page: deliveries before this sequence", wholeNumber)
    .option("--limit <n>", "at most this many, 1 to 200; default 50", wholeNumber)
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  ./bin/parley webhook deliveries ID --state exhausted
  ./bin/parley webhook deliveries ID --type message.status --limit 20
  ./bin/parley webhook deliveries ID --before 18231   # the page after the one that ended there`,
    )
    .action((id: string, options: Json & DeliveryFilter) =>
      run(
        options,
        async (app) => {
          const { items, next } = await listDeliveries(
            app,
            await workspaceOfEndpoint(app, id),
            id,
            {
              state: options.state,
              type: options.type,
              before: options.before,
              limit: options.limit,
            },
          );
          if (next !== null) process.stderr.write(`more: --before ${next}\n`);
          return items;
        },
        deliveryTable,
      ),
    );
  group
    .command("delivery <id> <event-id>")
    .description(
      "one delivery: what was sent, and what came of every attempt (all of an answer with --json)",
    )
    .option("--json", "print one JSON document")
    .action((id: string, eventId: string, options: Json) =>
      run(
        options,
        async (app) => findDelivery(app, await workspaceOfEndpoint(app, id), id, eventId),
        deliveryPage,
      ),
    );
  group
    .command("redeliver <id>")
    .description("send again one event, or all that failed since a time")
    .option("--event-id <id>", "this event, whatever its state (the webhook-id of the request)")
    .addOption(
      new Option(
        "--since <iso>",
        "all that failed since this time, also what waits for a later try",
      )
        .argParser(timeArgument)
        .conflicts("eventId"),
    )
    .option("--delivered", "with --since: also those that arrived")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  ./bin/parley webhook redeliver ID --event-id 0190c5d2-…
  ./bin/parley webhook redeliver ID --since 2026-12-01T09:00:00Z               # all that failed since then
  ./bin/parley webhook redeliver ID --since 2026-12-01T09:00:00Z --delivered   # a receiver that lost its data`,
    )
    .action((id: string, options: Json & { eventId?: string; since?: Date; delivered?: true }) => {
      const { eventId, since, delivered = false } = options;
      const which =
        eventId !== undefined ? { eventId } : since !== undefined ? { since, delivered } : null;
      if (which === null) throw new InvalidArgumentError("--event-id or --since is needed");
      if (delivered && !("since" in which))
        throw new InvalidArgumentError("--delivered goes with --since");
      const tell = options.json !== true && process.stderr.isTTY;
      return run(
        options,
        async (app) => {
          const workspaceId = await workspaceOfEndpoint(app, id);
          let inLine = 0;
          using _ = printOnInterrupt(
            () => `interrupted: ${inLine} are in line and will be sent again`,
          );
          const redelivered = await redeliver(OPERATOR, app, workspaceId, id, which, (count) => {
            inLine = count;
            if (tell) process.stderr.write(`\r${count} in line`);
          });
          if (tell) process.stderr.write("\n");
          return { redelivered };
        },
        ({ redelivered }) => sentAgain(redelivered),
      );
    });
}

function sentAgain(count: number): string {
  return count > 0
    ? `${count} in line to be sent again\n`
    : "none: nothing of that has failed, or it is in line already\n";
}
