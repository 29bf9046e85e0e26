import { Option, type Command } from "commander";
import { presentConversation } from "../conversations/conversation.ts";
import { CONVERSATION_STATUSES, type ConversationStatus } from "../wire/words.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { pageConversations } from "../conversations/page-conversations.ts";
import { AppError } from "../errors.ts";
import { listMessages } from "../messages/record/find-message.ts";
import { presentMessage } from "../messages/record/message.ts";
import { forPeople, wholeNumber, type Run } from "./command-line.ts";
import { instant, plain, table } from "./table.ts";
import { existing, workspaceOf } from "./workspace-of.ts";

interface ListOptions {
  readonly workspace: string;
  readonly status?: ConversationStatus;
  readonly channel?: string;
  readonly contact?: string;
  readonly cursor?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `parley conversation …` */
export function registerConversation(group: Command, run: Run): void {
  group
    .command("list")
    .description("conversations of a workspace, newest first")
    .requiredOption("--workspace <id>")
    .addOption(new Option("--status <status>").choices(CONVERSATION_STATUSES))
    .option("--channel <id>", "only those of this channel")
    .option("--contact <id>", "only those of this contact")
    .option("--limit <n>", "at most this many, 1 to 200", wholeNumber, 50)
    .option("--cursor <id>", "read on where the last page ended")
    .option("--json", "print one JSON document")
    .action((options: ListOptions) =>
      run(
        options,
        async (app) => {
          const { status, channel, contact, cursor, limit } = options;
          const workspaceId = await existing(app, options.workspace);
          const filter = {
            ...(status !== undefined && { status }),
            ...(channel !== undefined && { channelId: channel }),
            ...(contact !== undefined && { contactId: contact }),
          };
          const page = await pageConversations(app, workspaceId, filter, { cursor, limit });
          return {
            items: page.conversations.map(presentConversation),
            nextCursor: page.nextCursor,
          };
        },
        ({ items, nextCursor }) =>
          table(
            ["id", "channel", "status", "unread", "last message", "contact"],
            items.map((one) => [
              one.id,
              one.channelType,
              one.status,
              String(one.unreadCount),
              one.lastMessageAt === null ? "–" : instant(one.lastMessageAt),
              one.contactId,
            ]),
          ) + readOn(nextCursor),
      ),
    );
  group
    .command("show <id>")
    .description("one conversation and its last messages")
    .option("--limit <n>", "at most this many messages, 1 to 200", wholeNumber, 20)
    .option("--json", "print one JSON document")
    .action((id: string, options: { limit: number; json?: boolean }) =>
      run(
        options,
        async (app) => {
          const workspaceId = await workspaceOf(app, "conversation", id);
          const conversation = await findConversation(app, workspaceId, id);
          if (!conversation)
            throw new AppError("NOT_FOUND", { explanation: `there is no conversation ${id}` });
          const { messages } = await listMessages(app, workspaceId, id, { limit: options.limit });
          return {
            conversation: presentConversation(conversation),
            messages: messages.map(presentMessage),
          };
        },
        ({ conversation, messages }) =>
          `${forPeople(conversation)}\n${messages.toReversed().map(lineOf).join("")}`,
      ),
    );
}

/** The line below a list that has another page. */
export const readOn = (nextCursor: string | null): string =>
  nextCursor === null ? "" : `\nmore: --cursor ${nextCursor}\n`;

/** One message as a line of the conversation. */
function lineOf(message: ReturnType<typeof presentMessage>): string {
  const arrow = message.direction === "inbound" ? "customer" : "us";
  const text = message.text === null ? `[${message.type}]` : plain(message.text);
  const failed = message.errorCode === null ? "" : ` (${message.errorCode})`;
  return `${instant(message.createdAt)}  ${arrow.padEnd(8)}  ${message.status}${failed}  ${text}\n`;
}
