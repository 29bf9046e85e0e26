import { OPERATOR } from "../actor.ts";
import { InvalidArgumentError, type Command } from "commander";
import {
  duplicateBroadcast,
  resendFailed,
  testBroadcast,
} from "../broadcasts/record/copy-broadcast.ts";
import { estimateBroadcast } from "../broadcasts/audience/estimate-broadcast.ts";
import { previewBroadcast } from "../broadcasts/text/preview-broadcast.ts";
import { minutesOf } from "../broadcasts/audience/send-times.ts";
import { setPace } from "../broadcasts/send/set-pace.ts";
import { previewText } from "./broadcast-table.ts";
import { collect, timeZone, wholeNumber, type Run } from "./command-line.ts";
import { workspaceOf } from "./workspace-of.ts";

interface Json {
  readonly json?: boolean;
}

/** The options for a campaign's times. */
export interface TimeOptions {
  readonly timeZone?: string;
  readonly localTime?: boolean;
  readonly quietHours?: { readonly from: number; readonly until: number };
}

/** Adds the options for a campaign's times to a command. */
export function withTimeOptions(command: Command): Command {
  return command
    .option(
      "--time-zone <name>",
      "the zone of its times, like Asia/Kuwait; default: the workspace's",
      timeZone,
    )
    .option("--local-time", "the scheduled time of the day counts in each contact's own zone")
    .option(
      "--quiet-hours <from-until>",
      "send nothing between these times, like 21:00-08:00",
      quietOption,
    );
}

/** The options that were given. What is left out stays as it is. */
export const timesOf = ({ timeZone, localTime, quietHours }: TimeOptions): TimeOptions => ({
  ...(timeZone !== undefined && { timeZone }),
  ...(localTime !== undefined && { localTime }),
  ...(quietHours !== undefined && { quietHours }),
});

/** `parley broadcast pace | duplicate | resend-failed | test | preview | estimate` */
export function registerBroadcastLifecycle(group: Command, run: Run): void {
  group
    .command("pace <id>")
    .description("send faster or slower from now on")
    .requiredOption("--rate-limit <n>", "messages a minute, 10 to 1,000,000", wholeNumber)
    .option("--json", "print one JSON document")
    .action((id: string, options: Json & { rateLimit: number }) =>
      run(options, async (app) => {
        const workspaceId = await workspaceOf(app, "broadcast", id);
        return setPace(OPERATOR, app, workspaceId, id, options.rateLimit);
      }),
    );
  group
    .command("duplicate <id>")
    .description("make a draft with the same text, audience and pace")
    .option("--name <name>", 'default: the name and "(copy)"')
    .option("--channel <id>", "for another channel that has templates of the same names")
    .option("--json", "print one JSON document")
    .action((id: string, options: Json & { name?: string; channel?: string }) =>
      run(options, async (app) =>
        duplicateBroadcast(OPERATOR, app, await workspaceOf(app, "broadcast", id), id, {
          name: options.name,
          channelId: options.channel,
        }),
      ),
    );
  group
    .command("resend-failed <id>")
    .description(
      "make a draft for the recipients who failed; numbers that take no message are left out",
    )
    .option("--all", "include numbers that take no message")
    .option("--unknown", "of a cancelled campaign: also recipients whose outcome is unknown")
    .option("--name <name>", 'default: the name and "(resend)"')
    .option("--json", "print one JSON document")
    .action((id: string, options: Json & { name?: string; all?: boolean; unknown?: boolean }) =>
      run(options, async (app) =>
        resendFailed(OPERATOR, app, await workspaceOf(app, "broadcast", id), id, {
          name: options.name,
          all: options.all,
          unknown: options.unknown,
        }),
      ),
    );
  group
    .command("test <id>")
    .description("send its message to chosen contacts now, as a campaign of its own")
    .requiredOption("--contact <id>", "a contact to send to; may be given up to 20 times", collect)
    .option("--json", "print one JSON document")
    .action((id: string, options: Json & { contact: readonly string[] }) =>
      run(options, async (app) => {
        const workspaceId = await workspaceOf(app, "broadcast", id);
        return testBroadcast(OPERATOR, app, workspaceId, id, options.contact);
      }),
    );
  group
    .command("preview <id>")
    .description("the texts that real contacts would get, and who would be skipped")
    .option("--contact <id>", "preview these contacts; default: the first of the audience", collect)
    .option("--count <n>", "how many contacts, 1 to 100; default 5", wholeNumber)
    .option("--json", "print one JSON document")
    .action((id: string, options: Json & { contact?: readonly string[]; count?: number }) =>
      run(
        options,
        async (app) =>
          previewBroadcast(app, await workspaceOf(app, "broadcast", id), id, {
            contactIds: options.contact,
            count: options.count,
          }),
        previewText,
      ),
    );
  group
    .command("estimate <id>")
    .description("before the start: recipients, slots and credits left, and how long it will take")
    .option("--json", "print one JSON document")
    .action((id: string, options: Json) =>
      run(options, async (app) =>
        estimateBroadcast(app, await workspaceOf(app, "broadcast", id), id),
      ),
    );
}

function quietOption(text: string): { from: number; until: number } {
  const [from = null, until = null, ...more] = text.split("-").map(minutesOf);
  if (from === null || until === null || from === until || more.length > 0)
    throw new InvalidArgumentError("It takes two times of the day like 21:00-08:00.");
  return { from, until };
}
