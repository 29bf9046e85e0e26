import { GraphRefusal } from "./errors.ts";

type Loose = Readonly<Record<string, unknown>>;

/** A send as the platform read it. */
export interface Send {
  readonly type: string;
  /** Digits, when it was sent to a phone number. */
  readonly waId: string | null;
  readonly userId: string | null;
  /** `to` as it was written, or the user id. */
  readonly input: string;
  readonly correlation: string | null;
  /** The id of the message that it quotes. */
  readonly quoted: string | null;
  readonly content: Loose;
  readonly template: { name: string; language: string; components: readonly Loose[] } | null;
  readonly media: Loose | null;
  /** Of an interactive message. */
  readonly buttons?: readonly { readonly text: string; readonly payload: string }[];
  /** For the journal and for auto-replies: the text that a customer reads, if there is one. */
  readonly text: string | null;
}

const TOP = new Set([
  "messaging_product",
  "recipient_type",
  "to",
  "recipient",
  "type",
  "context",
  "biz_opaque_callback_data",
]);
/** The members that each kind of file may have beside its source. */
const MEDIA: Readonly<Record<string, readonly string[]>> = {
  image: ["caption"],
  video: ["caption"],
  document: ["caption", "filename"],
  audio: ["voice"],
  sticker: [],
};
const TYPES = new Set([
  ...Object.keys(MEDIA),
  "text",
  "template",
  "location",
  "contacts",
  "interactive",
  "reaction",
]);
const USER_ID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;

function bad(details: string): never {
  throw new GraphRefusal(100, details);
}

const isObject = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function only(value: Loose, allowed: readonly string[], where: string): void {
  for (const key of Object.keys(value))
    if (!allowed.includes(key)) bad(`Unexpected key "${key}" on param "${where}".`);
}

function text(value: unknown, where: string, most: number): string {
  if (typeof value !== "string" || value === "") bad(`The parameter ${where} is required.`);
  if (value.length > most) bad(`Param ${where} must be at most ${most} characters long.`);
  return value;
}

/** Checks the body of POST /{phone id}/messages as strictly as the platform does: error 100 with details. */
export function validateSend(body: unknown): Send {
  if (!isObject(body)) bad("The request body must be a JSON object.");
  if (body["messaging_product"] !== "whatsapp")
    bad("The parameter messaging_product is required and must be whatsapp.");
  const type = body["type"] === undefined ? "text" : body["type"];
  if (typeof type !== "string" || !TYPES.has(type))
    bad(
      `Param type must be one of {${[...TYPES].map((t) => t.toUpperCase()).join(", ")}} - got ${JSON.stringify(type)}.`,
    );
  for (const key of Object.keys(body))
    if (!TOP.has(key) && key !== type) bad(`Unexpected key "${key}".`);
  if (body["recipient_type"] !== undefined && body["recipient_type"] !== "individual")
    bad("Param recipient_type must be one of {INDIVIDUAL}.");
  const recipient = readRecipient(body);
  const correlation = body["biz_opaque_callback_data"];
  if (correlation !== undefined && (typeof correlation !== "string" || correlation.length > 512))
    bad("Param biz_opaque_callback_data must be a string of at most 512 characters.");
  const context = body["context"];
  if (context !== undefined && !(isObject(context) && typeof context["message_id"] === "string"))
    bad("Param context['message_id'] must be a string.");
  const content = body[type];
  if (!isObject(content) && !(type === "contacts" && Array.isArray(content)))
    bad(`The parameter ${type} is required.`);
  const loose: Loose = isObject(content) ? content : { contacts: content };
  const facts = readContent(type, loose);
  return {
    type,
    ...recipient,
    correlation: typeof correlation === "string" ? correlation : null,
    quoted: isObject(context) ? String(context["message_id"]) : null,
    content: loose,
    ...facts,
  };
}

function readRecipient(body: Loose): Pick<Send, "waId" | "userId" | "input"> {
  const { to, recipient } = body;
  if (typeof to === "string" && to !== "") {
    const digits = to.replaceAll(/[\s+().-]/g, "");
    if (!/^\d{7,15}$/.test(digits)) bad("Param to must be a valid WhatsApp phone number.");
    return { waId: digits, userId: null, input: to };
  }
  if (typeof recipient === "string" && USER_ID.test(recipient))
    return { waId: null, userId: recipient, input: recipient };
  if (recipient !== undefined) bad("Param recipient must be a business-scoped user id.");
  return bad("The parameter to is required.");
}

function readContent(
  type: string,
  content: Loose,
): Pick<Send, "template" | "text" | "media" | "buttons"> {
  if (type === "text") {
    only(content, ["body", "preview_url"], "text");
    if (content["preview_url"] !== undefined && typeof content["preview_url"] !== "boolean")
      bad("Param text['preview_url'] must be a boolean.");
    const body = text(content["body"], "text['body']", 4096);
    if (body.trim() === "") bad("Param text['body'] cannot be empty.");
    return { template: null, text: body, media: null };
  }
  if (type === "template") {
    const template = readTemplate(content);
    const bodyPart = template.components.find((c) => c["type"] === "body");
    const parameters = bodyPart?.["parameters"];
    const words = Array.isArray(parameters)
      ? parameters.filter(isObject).map((p) => (typeof p["text"] === "string" ? p["text"] : ""))
      : [];
    return { template, text: words.join(" ") || null, media: null };
  }
  const extras = MEDIA[type];
  if (extras !== undefined) {
    only(content, ["id", "link", "provider", ...extras], type);
    if ((typeof content["id"] === "string") === (typeof content["link"] === "string"))
      bad(`Param ${type} must have exactly one of id and link.`);
    if (content["caption"] !== undefined) text(content["caption"], `${type}['caption']`, 1024);
    if (content["filename"] !== undefined) text(content["filename"], `${type}['filename']`, 240);
    const caption = content["caption"];
    return { template: null, text: typeof caption === "string" ? caption : null, media: content };
  }
  if (type === "reaction") {
    text(content["message_id"], "reaction['message_id']", 256);
    if (typeof content["emoji"] !== "string") bad("The parameter reaction['emoji'] is required.");
  }
  if (
    type === "location" &&
    !["latitude", "longitude"].every((key) => Number.isFinite(Number(content[key])))
  )
    bad("Param location must have latitude and longitude.");
  if (type === "interactive") {
    readInteractive(content);
    const words = isObject(content["body"]) ? content["body"]["text"] : null;
    const said = typeof words === "string" ? words : null;
    return { template: null, text: said, media: null, buttons: buttonsOf(content) };
  }
  return { template: null, text: null, media: null };
}

/** The buttons, or the rows of the list, of a checked interactive message. */
function buttonsOf({ action }: Loose): { text: string; payload: string }[] {
  const { buttons, sections }: Loose = isObject(action) ? action : {};
  const replies = Array.isArray(buttons)
    ? buttons.map((one: unknown) => (isObject(one) ? one["reply"] : null))
    : [];
  const rows = Array.isArray(sections)
    ? sections.flatMap((one: unknown) => (isObject(one) ? one["rows"] : []))
    : [];
  return [...replies, ...rows]
    .filter(isObject)
    .map((one) => ({ text: String(one["title"]), payload: String(one["id"]) }));
}

function readInteractive(content: Loose): void {
  const { action, body } = content;
  if (!isObject(action)) bad("The parameter interactive['action'] is required.");
  if (body !== undefined) {
    if (!isObject(body)) bad("Param interactive['body'] must be an object.");
    text(body["text"], "interactive['body']['text']", 1024);
  }
  for (const part of ["header", "footer"]) {
    const own = content[part];
    if (own === undefined) continue;
    if (!isObject(own)) bad(`Param interactive['${part}'] must be an object.`);
    if (part === "footer" || own["type"] === "text")
      text(own["text"], `interactive['${part}']['text']`, 60);
  }
  if (content["type"] === "list") return readList(action);
  if (content["type"] !== "button") return;
  const { buttons } = action;
  if (!Array.isArray(buttons) || buttons.length < 1 || buttons.length > 3)
    bad("Param interactive['action']['buttons'] must have 1 to 3 buttons.");
  for (const button of buttons) {
    const reply = isObject(button) ? button["reply"] : undefined;
    if (!isObject(reply)) bad("Param buttons['reply'] is required.");
    text(reply["title"], "buttons['reply']['title']", 20);
    text(reply["id"], "buttons['reply']['id']", 256);
  }
}

function readList(action: Loose): void {
  text(action["button"], "interactive['action']['button']", 20);
  const { sections } = action;
  if (!Array.isArray(sections) || sections.length < 1)
    bad("The parameter interactive['action']['sections'] is required.");
  const rows = sections.flatMap((section: unknown): unknown[] =>
    isObject(section) && Array.isArray(section["rows"])
      ? section["rows"]
      : bad("Param sections['rows'] is required."),
  );
  if (rows.length < 1 || rows.length > 10) bad("A list must have 1 to 10 rows.");
  for (const row of rows) {
    if (!isObject(row)) bad("Param rows must be objects.");
    text(row["title"], "rows['title']", 24);
    text(row["id"], "rows['id']", 200);
    if (row["description"] !== undefined) text(row["description"], "rows['description']", 72);
  }
}

function readTemplate(content: Loose): NonNullable<Send["template"]> {
  only(content, ["name", "language", "components", "namespace"], "template");
  const name = text(content["name"], "template['name']", 512);
  const { language } = content;
  if (!isObject(language)) bad("The parameter template['language'] is required.");
  only(language, ["code", "policy"], "template['language']");
  const code = text(language["code"], "template['language']['code']", 20);
  if (language["policy"] !== undefined && language["policy"] !== "deterministic")
    bad("Param template['language']['policy'] must be one of {DETERMINISTIC}.");
  const components = content["components"] ?? [];
  if (!Array.isArray(components)) bad("Param template['components'] must be an array.");
  const read: Loose[] = [];
  for (const [index, component] of components.entries()) {
    const where = `template['components'][${index}]`;
    if (!isObject(component)) bad(`Param ${where} must be an object.`);
    only(component, ["type", "sub_type", "index", "parameters", "cards"], where);
    if (
      !["header", "body", "button", "footer", "carousel", "limited_time_offer"].includes(
        String(component["type"]).toLowerCase(),
      )
    )
      bad(`Param ${where}['type'] must be one of {HEADER, BODY, BUTTON}.`);
    if (component["type"] === "button") {
      if (typeof component["sub_type"] !== "string")
        bad(`The parameter ${where}['sub_type'] is required.`);
      if (!/^\d$/.test(String(component["index"])))
        bad(`The parameter ${where}['index'] is required.`);
    }
    const { parameters } = component;
    if (parameters !== undefined) {
      if (!Array.isArray(parameters)) bad(`Param ${where}['parameters'] must be an array.`);
      for (const parameter of parameters)
        if (!isObject(parameter) || typeof parameter["type"] !== "string")
          bad(`Param ${where}['parameters'] must be objects with a type.`);
    }
    read.push(component);
  }
  return { name, language: code, components: read };
}
