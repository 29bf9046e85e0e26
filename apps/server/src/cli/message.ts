import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { OPERATOR } from "../actor.ts";
import type { Command } from "commander";
import type { OpenContext } from "../open-context.ts";
import { uploadMedia } from "../media/upload-media.ts";
import { acceptMessage } from "../messages/accept/accept-message.ts";
import { presentMessage, type Message } from "../messages/record/message.ts";
import { traceMessage, type MessageTrace } from "../messages/send/trace-message.ts";
import { collect, forPeople, type Run } from "./command-line.ts";
import { instant, table } from "./table.ts";
import { workspaceOf } from "./workspace-of.ts";

interface SendOptions {
  readonly conversation: string;
  readonly text?: string;
  readonly attach?: readonly string[];
  readonly json?: boolean;
}

/** `parley message …` */
export function registerMessage(group: Command, run: Run): void {
  group
    .command("send")
    .description("answer in a conversation, as a person would: a text, files, or both")
    .requiredOption("--conversation <id>")
    .option("--text <text>")
    .option("--attach <file>", "a file to send along; may be given up to ten times", collect)
    .option("--json", "print one JSON document")
    .action((options: SendOptions) => run(options, (app) => sendMessage(app, options)));
  group
    .command("show <id>")
    .description("one message as a timeline: accepted, sent, reported, and who received its events")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
It shows ids, codes and times, never the text. \`conversation show\` prints texts.`,
    )
    .action((id: string, options: { json?: boolean }) =>
      run(
        options,
        async (app) => traceMessage(app, await workspaceOf(app, "message", id), id),
        tracePage,
      ),
    );
}

function tracePage({ steps, allEvents, ...message }: MessageTrace): string {
  const rows = steps.map(({ at, step, detail }) => [at ? instant(at) : "–", step, detail]);
  const more = allEvents ? "" : "\nmore events followed than this command looks at (100,000)\n";
  return `${forPeople(message)}\n${table(["time", "step", "detail"], rows)}${more}`;
}

/** Uploads the files and stores the reply. It goes out as soon as the server runs. */
async function sendMessage(
  app: OpenContext,
  { conversation, text, attach = [] }: SendOptions,
): Promise<object> {
  const workspaceId = await workspaceOf(app, "conversation", conversation);
  // All files are opened first: a wrong name must not leave an upload of the file before it.
  for (const file of attach) await (await open(file)).close();
  const attachments: string[] = [];
  for (const file of attach) attachments.push(await uploadFile(app, workspaceId, file));
  const message: Message = await acceptMessage(OPERATOR, app, workspaceId, {
    conversationId: conversation,
    text: text ?? null,
    attachments,
  });
  return presentMessage(message);
}

/** Uploads a file of this machine for a message. Gives its id. */
export async function uploadFile(
  app: OpenContext,
  workspaceId: string,
  file: string,
): Promise<string> {
  await (await open(file)).close();
  const input = { fileName: path.basename(file), body: createReadStream(file) };
  const type = TEXT_TYPES[path.extname(file).toLowerCase()];
  const media = { ...input, ...(type !== undefined && { mimeType: type }) };
  return (await uploadMedia(OPERATOR, app, workspaceId, media)).id;
}

/** Types by file ending that the bytes do not tell. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  ".txt": "text/plain",
  ".csv": "text/csv",
  ".ics": "text/calendar",
  ".vcf": "text/vcard",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ".doc": "application/msword",
  ".xls": "application/vnd.ms-excel",
  ".ppt": "application/vnd.ms-powerpoint",
};
