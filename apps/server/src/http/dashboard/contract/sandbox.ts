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
import { SANDBOX_TYPES, TROUBLES } from "../../../wire/words.ts";
import { ADMINS, EVERYONE, face } from "./face.ts";

const Customer = Type.String({ minLength: 1, maxLength: 64, ...NO_NUL });

const PhoneChannel = Type.Object({
  id: id("The sandbox channel; of SMS the account."),
  type: oneOf(SANDBOX_TYPES, "Its kind."),
  name: text("Its name."),
  customer: text("The address of the customer that writes when nobody else is chosen."),
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
