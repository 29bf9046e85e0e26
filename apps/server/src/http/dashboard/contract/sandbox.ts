import { Type } from "typebox";
import {
  id,
  NO_NUL,
  nullableId,
  nullableText,
  oneOf,
  text,
  time,
  type Shown,
} from "../../../wire/schema.ts";
import { PHONE_SENDS } from "../../../sandbox/phone-samples.ts";
import { SANDBOX_TYPES, TROUBLES } from "../../../wire/words.ts";
import { ADMINS, EVERYONE, face } from "./face.ts";

const Customer = Type.String({ minLength: 1, maxLength: 64, ...NO_NUL });

const PhoneChannel = Type.Object({
  id: id("The sandbox channel; of SMS the account."),
  type: oneOf(SANDBOX_TYPES, "Its kind."),
  name: text("Its name."),
  customer: text("The address of the customer that writes when nobody else is chosen."),
  sends: Type.Array(oneOf(PHONE_SENDS, "Beside text."), {
    description: "What its customers can send beside text.",
  }),
  faults: Type.Array(oneOf(TROUBLES, "A fault."), {
    description: "Those that its platform knows.",
  }),
  magic: Type.Array(
    Type.Object({
      customer: text("An address to which every send meets the fault."),
      ending: text("What does it: the last digits of an address that begins with 999."),
      kind: oneOf(TROUBLES, "The fault."),
    }),
  ),
});
const WebChannel = Type.Object({
  id: id("The sandbox web chat."),
  name: text("Its name."),
  page: text("Where anybody can be its visitor."),
});
export const PhoneList = Type.Object({
  phones: Type.Array(PhoneChannel),
  pages: Type.Array(WebChannel),
});
export type PhoneList = Shown<typeof PhoneList>;

/** What a customer's phone shows. */
export const PhoneScreen = Type.Object({
  messages: Type.Array(
    Type.Object({
      id: text("The platform's id."),
      by: oneOf(["business", "customer"], "Who wrote it."),
      text: nullableText("Null: a file without words."),
      type: text("text, template, image …"),
      at: time("When it came up on the phone."),
      /** Only on the customer's own messages. */
      tick: Type.Unsafe<"delivered" | "read" | null>({
        type: ["string", "null"],
        enum: ["delivered", "read", null],
      }),
      buttons: Type.Array(Type.String(), { description: "Buttons that the customer can press." }),
    }),
    { description: "Oldest first, the latest 100." },
  ),
  typing: Type.Boolean({ description: "The business is typing." }),
  faults: Type.Integer({
    minimum: 0,
    description: "How many faults wait for sends on this channel.",
  }),
});
export type PhoneScreen = Shown<typeof PhoneScreen>;

const Faults = Type.Object({ waiting: Type.Integer({ minimum: 0 }) });

/**
 * The sandbox phone: members play the customers of the workspace's sandbox channels. Everybody may play. Faults
 * are for admins, because they hit everyone's replies. 503 for a platform that is not served yet.
 */
export const sandbox = {
  listPhones: face({ method: "GET", path: "/sandbox/phones", who: EVERYONE, answer: PhoneList }),
  /** Counts as a channel of the plan (402 when it is full). SMS replaces the workspace's SMS account. */
  addSandboxChannel: face({
    method: "POST",
    secret: true,
    path: "/sandbox/channels",
    who: ADMINS,
    status: 201,
    body: Type.Object({ type: oneOf([...SANDBOX_TYPES, "WEB"], "Its kind.") }),
    answer: Type.Object({ id: id("The channel, as `listPhones` has it.") }),
  }),
  readPhone: face({
    method: "GET",
    path: "/sandbox/phones/{id}",
    who: EVERYONE,
    query: Type.Object({ customer: Customer }),
    answer: PhoneScreen,
  }),
  sayOnPhone: face({
    method: "POST",
    path: "/sandbox/phones/{id}/say",
    who: EVERYONE,
    body: Type.Object({
      customer: Customer,
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...NO_NUL })),
      text: Type.String({ minLength: 1, maxLength: 4096, ...NO_NUL }),
    }),
    /** `conversationId` is null for SMS, which has no inbox, and when the message was not stored within ten seconds. */
    answer: Type.Object({ conversationId: nullableId("The conversation that it came up in.") }),
  }),
  /** The customer of a conversation on a sandbox channel. */
  readPhoneCustomer: face({
    method: "GET",
    path: "/conversations/{id}/phone",
    who: EVERYONE,
    answer: Type.Object({
      channelId: id("The channel."),
      customer: text("The address on it."),
      name: nullableText("The contact's name."),
    }),
  }),
  /** Sends a sample photo, voice note or place as a customer. 400 where the platform's customers cannot. */
  sendOnPhone: face({
    method: "POST",
    path: "/sandbox/phones/{id}/send",
    who: EVERYONE,
    body: Type.Object({
      customer: Customer,
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...NO_NUL })),
      what: oneOf(PHONE_SENDS, "What is sent."),
    }),
    answer: Type.Object({ conversationId: nullableId("As `sayOnPhone`; null for a place.") }),
  }),
  /** Presses a button below a message on the customer's phone. */
  pressOnPhone: face({
    method: "POST",
    path: "/sandbox/phones/{id}/press",
    who: EVERYONE,
    body: Type.Object({
      customer: Customer,
      messageId: Type.String({ minLength: 1, maxLength: 200, ...NO_NUL }),
      button: Type.String({ minLength: 1, maxLength: 200, ...NO_NUL }),
    }),
    answer: Type.Object({ conversationId: nullableId("Null: the press is on its way.") }),
  }),
  setPhoneFault: face({
    method: "POST",
    path: "/sandbox/phones/{id}/faults",
    who: ADMINS,
    body: Type.Object({
      kind: oneOf(TROUBLES, "The fault."),
      /** How many sends it hits; one when absent. */
      next: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    }),
    answer: Faults,
  }),
  /** Ends what faults left behind: the channel's error, its faults and waits. SMS is never in error: 404. */
  repairSandboxChannel: face({
    method: "POST",
    path: "/sandbox/phones/{id}/repair",
    who: ADMINS,
    answer: Faults,
  }),
  clearPhoneFaults: face({
    method: "DELETE",
    path: "/sandbox/phones/{id}/faults",
    who: ADMINS,
    answer: Faults,
  }),
} as const;
