import { Type } from "typebox";
import { ContactOfNumber, PHONE_NUMBER } from "../wire/contact.ts";
import {
  TemplateChoice,
  templateMessageAcceptedExample,
  TemplateMessageAcceptedJson,
  templateParts,
} from "../wire/template-message.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { EVERYONE } from "./roles.ts";

/** First messages of a program: templates to people who need not have written yet. */
export const templateMessages = {
  sendTemplateMessage: operation("template_message.send", {
    says: "Send a template to somebody who need not have written yet",
    more: "For order updates and the like, on WhatsApp. Contact and conversation are made in the same transaction when there are none: by `to` the contact is found as an incoming message finds it. Without `channelId` the template must be on one channel only, else 400 `CHANNEL_NEEDED`. A MARKETING template to somebody who opted out is 409 `CONTACT_OPTED_OUT`. A refused call leaves nothing behind.",
    at: "POST /template-messages",
    input: {
      to: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 40,
          ...PHONE_NUMBER,
          description:
            "The number, with its country code. Without it `contactId`: one of them, not both.",
          examples: ["+201001234567"],
        }),
      ),
      contactId: Type.Optional(anyId("A contact with a number.")),
      channelId: Type.Optional(
        anyId("The WhatsApp channel, when the template is on more than one."),
      ),
      template: TemplateChoice,
      ...templateParts,
      contact: Type.Optional(ContactOfNumber),
    },
    answer: TemplateMessageAcceptedJson,
    example: {
      input: {
        to: "+201001234567",
        template: { name: "order_update", language: "en" },
        body: ["Sara", "1042"],
        contact: { name: "Sara Haddad", attributes: { city: "Cairo" } },
      },
      answer: templateMessageAcceptedExample,
    },
    errors: [
      "TEMPLATE_NOT_APPROVED",
      "TEMPLATE_PARAMETERS",
      "CHANNEL_NEEDED",
      "NOT_FOUND",
      "CONTACT_OPTED_OUT",
      "MESSAGE_LIMIT_REACHED",
      "SUBSCRIPTION_SUSPENDED",
    ],
    roles: EVERYONE,
    scope: "templates:send",
    bots: false,
    trace: "author",
    status: 201,
    doors: ["v1", "cli"],
  }),
} as const;
