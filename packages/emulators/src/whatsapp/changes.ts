import { bigNumber, type Change } from "./envelope.ts";
import { describe } from "./errors.ts";
import type { AcceptedMessage, InboundOptions, NumberOptions } from "./options.ts";
import type { Template } from "./templates.ts";

/** A number with its defaults filled in. */
export type BusinessNumber = NumberOptions & { readonly displayPhoneNumber: string };

/** A customer. `phone` is null when only the user id is known. */
export interface User {
  readonly phone: string | null;
  readonly userId: string;
  readonly name: string;
}

const seconds = (ms: number) => Math.floor(ms / 1000);

function inField(number: BusinessNumber, user: User, value: Record<string, unknown>): Change {
  return {
    wabaId: number.wabaId,
    field: "messages",
    value: {
      messaging_product: "whatsapp",
      metadata: {
        display_phone_number: number.displayPhoneNumber,
        phone_number_id: number.phoneNumberId,
      },
      contacts: [
        {
          profile: { name: user.name },
          ...(user.phone === null ? {} : { wa_id: user.phone }),
          user_id: user.userId,
        },
      ],
      ...value,
    },
  };
}

/** The webhook of a customer's message. A customer without a phone has neither `from` nor `wa_id`. */
export function inboundChange(
  number: BusinessNumber,
  user: User,
  options: Pick<InboundOptions, "replyTo"> & { content: Readonly<Record<string, unknown>> },
  id: string,
  at: number,
): Change {
  // A system message comes without the customer's card (Meta's document of the webhook).
  const system = options.content["type"] === "system";
  return inField(number, user, {
    ...(system && { contacts: undefined }),
    messages: [
      {
        ...(user.phone === null ? {} : { from: user.phone }),
        from_user_id: user.userId,
        id,
        timestamp: String(seconds(at)),
        ...(options.replyTo === undefined
          ? {}
          : { context: { from: number.displayPhoneNumber, id: options.replyTo } }),
        ...options.content,
      },
    ],
  });
}

/** The webhook of one status; with `code` it carries the error. */
export function statusChange(
  number: BusinessNumber,
  user: User,
  message: AcceptedMessage,
  status: string,
  at: number,
  error: { code: number; details?: string | undefined } | null,
): Change {
  return inField(number, user, {
    statuses: [
      {
        id: message.id,
        status,
        timestamp: String(seconds(at)),
        ...(user.phone === null ? {} : { recipient_id: user.phone }),
        recipient_user_id: user.userId,
        ...(message.correlation === null ? {} : { biz_opaque_callback_data: message.correlation }),
        ...(error ? { errors: [errorItem(error)] } : { pricing: pricing(message) }),
      },
    ],
  });
}

function errorItem(error: { code: number; details?: string | undefined }): object {
  const { title, details } = describe(error.code, error.details);
  return {
    code: error.code,
    title,
    message: title,
    error_data: { details },
    href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
  };
}

function pricing(message: AcceptedMessage): object {
  const category = message.template === null ? "service" : "utility";
  return { billable: true, pricing_model: "PMP", category, type: "regular" };
}

/** The value of a template's status push. It names no phone number, and its id is a number past 2^53. */
export function templateStatusValue(template: Template, reason: string): Record<string, unknown> {
  return {
    event: template.status,
    message_template_id: bigNumber(template.id),
    message_template_name: template.name,
    message_template_language: template.language,
    reason,
    message_template_category: template.category,
  };
}
