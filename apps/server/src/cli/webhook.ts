import { InvalidArgumentError, type Command } from "commander";
import type { App } from "../app.ts";
import { createEndpoint } from "../webhooks/create-endpoint.ts";
import { disableEndpoint } from "../webhooks/disable-endpoint.ts";
import { enableEndpoint } from "../webhooks/enable-endpoint.ts";
import { findDelivery, listDeliveries, type DeliveryFilter } from "../webhooks/list-deliveries.ts";
import { listEndpoints, workspaceOfEndpoint } from "../webhooks/list-endpoints.ts";
import { redeliver } from "../webhooks/redeliver.ts";
import { rotateSecret } from "../webhooks/rotate-secret.ts";
import { sendTestEvent } from "../webhooks/send-test-event.ts";
import { updateEndpoint } from "../webhooks/update-endpoint.ts";
import { collect, time, wholeNumber, type Run } from "./command-line.ts";
import { existing } from "./workspace-of.ts";

interface Json {
  readonly json?: boolean;
}

/** `parley webhook …`; an endpoint's id names its workspace. */
export function registerWebhook(program: Command, run: Run): void {
  const group = program.command("webhook").description("where a workspace's events are sent");
  group
    .command("create")
    .description("add an endpoint; its secret is shown this once")
    .requiredOption("--workspace <id>")
    .requiredOption("--url <url>")
    .option("--event <kind>", "an event it wants; none: all", collect)
    .option("--json", "print one JSON document")
    .action((options: Json & { workspace: string; url: string; event?: string[] }) =>
      run(options, (app) =>
        createEndpoint(app, options.workspace, { url: options.url, events: options.event ?? [] }),
      ),
    );
  group
    .command("list")
    .description("the endpoints of a workspace")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: Json & { workspace: string }) =>
      run(options, async (app) => listEndpoints(app, await existing(app, options.workspace))),
    );
  group
    .command("update <id>")
    .description("change its address or the events it wants")
    .option("--url <url>")
    .option("--event <kind>", "an event it wants, replacing those before", collect)
    .option("--all-events", "send it every kind")
    .option("--json", "print one JSON document")
    .action(
      (id: string, options: Json & { url?: string; event?: string[]; allEvents?: boolean }) => {
        const events = options.allEvents ? [] : options.event;
        if (options.url === undefined && events === undefined)
          throw new InvalidArgumentError("nothing to change was named; --help lists what can be");
        return run(options, async (app) =>
          updateEndpoint(app, await workspaceOfEndpoint(app, id), id, {
            ...(options.url !== undefined && { url: options.url }),
            ...(events !== undefined && { events }),
          }),
        );
      },
    );
  const simple = (
    name: string,
    description: string,
    work: (app: App, workspaceId: string, id: string) => Promise<unknown>,
  ) =>
    group
      .command(`${name} <id>`)
      .description(description)
      .option("--json", "print one JSON document")
      .action((id: string, options: Json) =>
        run(options, async (app) => work(app, await workspaceOfEndpoint(app, id), id)),
      );
  simple("enable", "enable it again, and send what was held", enableEndpoint);
  simple("disable", "stop sending to it; events are held", disableEndpoint);
  simple("rotate-secret", "a new secret; the old one signs too for a day", rotateSecret);
  simple("test", "send it an endpoint.test event", sendTestEvent);
  group
    .command("deliveries <id>")
    .description("its deliveries, newest first, with every attempt")
    .option("--state <state>", "pending, delivered, exhausted or held")
    .option("--type <kind>", "of that kind of event")
    .option("--before <sequence>", "the next page: from before that one on", wholeNumber)
    .option("--limit <n>", "at most that many (1 to 200)", wholeNumber)
    .option("--json", "print one JSON document")
    .action((id: string, options: Json & DeliveryFilter) =>
      run(options, async (app) =>
        listDeliveries(app, await workspaceOfEndpoint(app, id), id, {
          state: options.state,
          type: options.type,
          before: options.before,
          limit: options.limit,
        }),
      ),
    );
  group
    .command("delivery <id> <event-id>")
    .description("one delivery: what was sent, and what came of every attempt")
    .option("--json", "print one JSON document")
    .action((id: string, eventId: string, options: Json) =>
      run(options, async (app) =>
        findDelivery(app, await workspaceOfEndpoint(app, id), id, eventId),
      ),
    );
  group
    .command("redeliver <id>")
    .description("send again one event, or all that failed since a time")
    .option("--event-id <id>")
    .option("--since <iso>", "those that failed since then", time)
    .option("--delivered", "with --since: those that arrived too")
    .option("--json", "print one JSON document")
    .action((id: string, options: Json & { eventId?: string; since?: Date; delivered?: true }) => {
      const { eventId, since, delivered = false } = options;
      const which =
        eventId !== undefined ? { eventId } : since !== undefined ? { since, delivered } : null;
      if (which === null) throw new InvalidArgumentError("--event-id or --since is needed");
      if (delivered && !("since" in which))
        throw new InvalidArgumentError("--delivered goes with --since");
      const tell = options.json !== true && process.stderr.isTTY;
      return run(options, async (app) => {
        const workspaceId = await workspaceOfEndpoint(app, id);
        const redelivered = await redeliver(app, workspaceId, id, which, (count) => {
          if (tell) process.stderr.write(`\r${count} in line`);
        });
        if (tell) process.stderr.write("\n");
        return { redelivered };
      });
    });
}
