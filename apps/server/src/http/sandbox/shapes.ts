import { Type } from "typebox";
import { invalid } from "../../errors.ts";
import {
  SPOKEN_FILE_BYTES,
  type FaultSwitch,
  type PhoneAction,
  type SayInput,
} from "../../lib/sandbox-slot.ts";
import { bodyCheck, faultless, queryCheck } from "../edge/validation.ts";

const text = (most: number) => Type.Optional(Type.String({ maxLength: most }));
const ACTIONS = [
  "press",
  "react",
  "edit",
  "unsend",
  "read",
  "locate",
  "share",
  "block",
  "unblock",
] as const;
/** The size of a body with the largest file. */
export const SAY_LIMIT = Math.ceil((SPOKEN_FILE_BYTES * 4) / 3) + 64 * 1024;

/** The bodies and queries of the sandbox phone. */
export const SHAPES = {
  say: Type.Object({
    from: text(64),
    name: text(200),
    text: text(4_096),
    replyTo: text(500),
    file: Type.Optional(
      Type.Object({
        fileName: Type.String({ minLength: 1, maxLength: 200 }),
        mimeType: Type.String({ pattern: "^[a-z0-9.+-]+/[a-z0-9.+-]+$", maxLength: 100 }),
        base64: Type.String({ pattern: "^[A-Za-z0-9+/]*={0,2}$", maxLength: SAY_LIMIT }),
      }),
    ),
  }),
  act: Type.Object({
    customer: Type.String({ maxLength: 64 }),
    action: Type.Unsafe<string>({ type: "string", enum: [...ACTIONS] }),
    messageId: text(500),
    data: text(1_000),
    title: text(200),
    emoji: text(20),
    text: text(4_096),
    latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
    longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
    name: text(200),
    phone: text(40),
  }),
  fault: Type.Object({
    kind: Type.String({ maxLength: 40 }),
    next: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    to: text(64),
    delayMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 120_000 })),
    code: Type.Optional(Type.Integer({ minimum: 0, maximum: 99_999_999 })),
  }),
  magic: Type.Object({ on: Type.Boolean() }),
  thread: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: 0 })),
    customer: text(64),
    limit: Type.Optional(Type.Integer({ minimum: 1, "x-cap": 500 })),
  }),
} as const;

const checkSay = bodyCheck(SHAPES.say);
const checkAct = bodyCheck(SHAPES.act);
const checkFault = bodyCheck(SHAPES.fault);
const checkMagic = bodyCheck(SHAPES.magic);
export const checkThread = queryCheck(SHAPES.thread);

type Values = Readonly<Record<string, unknown>>;
/** A member that the schema has proven to be a text, when it is there. */
const given = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
};

/** The member when it is a number. */
export const whole = (values: Values, name: string): number | undefined => {
  const value = values[name];
  return typeof value === "number" ? value : undefined;
};
export const word = given;

/** Reads what a customer says, from HTTP. Throws VALIDATION_FAILED. */
export function readSay(body: unknown): SayInput {
  const values = faultless(checkSay(body));
  const file = values["file"] as { fileName: string; mimeType: string; base64: string } | undefined;
  const bytes = file && Buffer.from(file.base64, "base64");
  if (bytes && bytes.length > SPOKEN_FILE_BYTES) throw invalid("file", "is larger than 16 MiB");
  return {
    from: given(values, "from"),
    name: given(values, "name"),
    text: given(values, "text"),
    replyTo: given(values, "replyTo"),
    ...(file && bytes && { file: { fileName: file.fileName, mimeType: file.mimeType, bytes } }),
  };
}

/** Reads what a customer does on the phone, from HTTP. Throws VALIDATION_FAILED. */
export function readAct(body: unknown): { customer: string; action: PhoneAction } {
  const values = faultless(checkAct(body));
  const need = (name: string): string => {
    const value = given(values, name);
    if (value === undefined) throw invalid(name, "is required");
    return value;
  };
  const customer = need("customer");
  const action = ACTIONS.find((known) => known === values["action"]) ?? "read";
  switch (action) {
    case "press": {
      const data = need("data");
      const title = given(values, "title") ?? data;
      return { customer, action: { action, messageId: need("messageId"), data, title } };
    }
    case "react":
      return { customer, action: { action, messageId: need("messageId"), emoji: need("emoji") } };
    case "edit":
      return { customer, action: { action, messageId: need("messageId"), text: need("text") } };
    case "unsend":
    case "read":
      return { customer, action: { action, messageId: need("messageId") } };
    case "locate": {
      const latitude = whole(values, "latitude");
      const longitude = whole(values, "longitude");
      if (latitude === undefined) throw invalid("latitude", "is required");
      if (longitude === undefined) throw invalid("longitude", "is required");
      return { customer, action: { action, latitude, longitude } };
    }
    case "share":
      return { customer, action: { action, name: need("name"), phone: need("phone") } };
    case "block":
    case "unblock":
      return { customer, action: { action } };
    default:
      return action satisfies never;
  }
}

/** Reads whether magic addresses work, from HTTP. Throws VALIDATION_FAILED. */
export function readMagic(body: unknown): boolean {
  return faultless(checkMagic(body))["on"] === true;
}

/** Reads a fault for the next sends, from HTTP. Throws VALIDATION_FAILED. */
export function readFault(body: unknown): FaultSwitch {
  const values = faultless(checkFault(body));
  return {
    kind: given(values, "kind") ?? "",
    next: whole(values, "next") ?? 1,
    to: given(values, "to"),
    delayMs: whole(values, "delayMs"),
    code: whole(values, "code"),
  };
}
