import { Type } from "typebox";
import {
  MOST_TEMPLATE_MESSAGES,
  templateMessage,
  templateMessageAcceptedExample,
  TemplateMessageAcceptedJson,
  templateMessageExample,
  TemplateMessageJson,
  templateMessageResultsExample,
  TemplateMessageResultsJson,
} from "../wire/template-message.ts";
import { operation } from "./operation.ts";
import { EVERYONE } from "./roles.ts";

/** What one message can be refused with, in a call of its own and in a batch. */
const REFUSALS = [
  "TEMPLATE_NOT_APPROVED",
  "TEMPLATE_PARAMETERS",
  "CHANNEL_NEEDED",
  "NOT_FOUND",
  "CONTACT_OPTED_OUT",
  "MESSAGE_LIMIT_REACHED",
  "SUBSCRIPTION_SUSPENDED",
] as const;

/** First messages of a program: templates to people who need not have written yet. */
export const templateMessages = {
  sendTemplateMessage: operation("template_message.send", {
    says: "Send a template to somebody who need not have written yet",
    more: "For order updates and the like, on WhatsApp. Contact and conversation are made in the same transaction when there are none: by `to` the contact is found as an incoming message finds it, by `ref` as another system calls it. Without `channelId` the template must be on one channel only, else 400 `CHANNEL_NEEDED`. A MARKETING template to somebody who opted out is 409 `CONTACT_OPTED_OUT`. A refused call leaves nothing behind.",
    at: "POST /template-messages",
    input: templateMessage,
    answer: TemplateMessageAcceptedJson,
    example: { input: templateMessageExample, answer: templateMessageAcceptedExample },
    errors: REFUSALS,
    roles: EVERYONE,
    scope: "templates:send",
    bots: false,
    trace: "author",
    status: 201,
    doors: ["v1", "cli", "mcp"],
    tool: {
      name: "send_template",
      class: "send",
      says: "Send a WhatsApp template to a contact",
      more: "It may go after the reply window has closed. Without `channelId` the template must be on one channel only. A MARKETING template to somebody who opted out is refused.",
      without: ["to", "ref", "contact"],
      reaches: ["contactId"],
    },
  }),
  sendTemplateBatch: operation("template_message.batch", {
    says: "Send many template messages, each as by the single call",
    more: `Up to ${MOST_TEMPLATE_MESSAGES} in one transaction, in their order: those that are refused, also for their shape, leave nothing behind and stop no other. The answer is kept under the key, refusals too: send what was refused and is mended, or fits into a limit that was raised, alone and under another key. A result is refused with \`VALIDATION_FAILED\` or with ${REFUSALS.map((code) => `\`${code}\``).join(", ")}; \`details\` names each fault.`,
    at: "POST /template-messages/batch",
    input: {
      messages: Type.Array(TemplateMessageJson, {
        minItems: 1,
        maxItems: MOST_TEMPLATE_MESSAGES,
        "x-each": true,
        description: "The messages.",
      }),
    },
    answer: TemplateMessageResultsJson,
    example: {
      input: { messages: [templateMessageExample] },
      answer: templateMessageResultsExample,
    },
    errors: [],
    roles: EVERYONE,
    scope: "templates:send",
    bots: false,
    trace: "author",
    doors: ["v1", "cli"],
  }),
} as const;
