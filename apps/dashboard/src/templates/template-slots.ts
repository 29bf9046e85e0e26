import type { TemplateJson } from "../api/shapes.ts";

/** One variable of a template that the sender fills. */
export interface TemplateSlot {
  readonly where: "header" | "body" | "button";
  /** The text between the braces; for a button, its label. */
  readonly name: string;
}

/** A template's texts, filled as far as they are. */
export interface TemplatePreview {
  readonly header: string;
  readonly body: string;
  readonly footer: string;
  readonly buttons: readonly string[];
}

const PLACE = /\{\{\s*([\w.]+)\s*\}\}/g;

interface Component {
  readonly type: string;
  readonly text: string;
  readonly buttons: readonly {
    readonly type: string;
    readonly text: string;
    readonly url: string;
  }[];
}

/**
 * The variables to fill, in the order in which the server takes their values: the header's, the body's (numbers by
 * number, names as they come), and one for each button that needs one.
 */
export function templateSlots(template: TemplateJson): readonly TemplateSlot[] {
  const parts = componentsOf(template);
  return [
    ...placesOf(parts, "HEADER").map((name) => ({ where: "header", name }) as const),
    ...placesOf(parts, "BODY").map((name) => ({ where: "body", name }) as const),
    ...parts
      .flatMap(({ buttons }) => buttons)
      .filter(needsValue)
      .map(({ text }) => ({ where: "button", name: text }) as const),
  ];
}

/** The template with its variables filled. A variable without a value shows as it is. */
export function templatePreview(
  template: TemplateJson,
  values: readonly string[],
): TemplatePreview {
  const parts = componentsOf(template);
  const slots = templateSlots(template);
  const fill = (text: string, where: "header" | "body"): string =>
    text.replaceAll(PLACE, (place, name: string) => {
      const at = slots.findIndex((slot) => slot.where === where && slot.name === name);
      return values[at] || place;
    });
  const textOf = (type: string) => parts.find((part) => part.type === type)?.text ?? "";
  return {
    header: fill(textOf("HEADER"), "header"),
    body: fill(textOf("BODY"), "body"),
    footer: textOf("FOOTER"),
    buttons: parts.flatMap(({ buttons }) => buttons.map(({ text }) => text)),
  };
}

/** The kind of file that the header shows; undefined: none. */
export function fileOf({ headerFormat }: TemplateJson): "image" | "video" | "document" | undefined {
  const format = headerFormat?.toLowerCase();
  return FILES.find((kind) => kind === format);
}
const FILES = ["image", "video", "document"] as const;

/** Whether a person can give everything that its header needs. */
export const canSend = (template: TemplateJson): boolean =>
  [null, "TEXT"].includes(template.headerFormat) || fileOf(template) !== undefined;

function placesOf(parts: readonly Component[], type: string): readonly string[] {
  const text = parts.find((part) => part.type === type)?.text ?? "";
  const names = [...new Set(Array.from(text.matchAll(PLACE), ([, name = ""]) => name))];
  return names.every((name) => /^\d+$/.test(name))
    ? names.toSorted((a, b) => Number(a) - Number(b))
    : names;
}

const needsValue = ({ type, url }: Component["buttons"][number]): boolean =>
  type === "OTP" || type === "COPY_CODE" || (type === "URL" && url.includes("{{"));

/** The platform's own form, of which only these fields are read. */
function componentsOf(template: TemplateJson): readonly Component[] {
  return template.components.map((one) => ({
    type: wordOf(one, "type").toUpperCase(),
    text: wordOf(one, "text"),
    buttons: listOf(one, "buttons").map((button) => ({
      type: wordOf(button, "type").toUpperCase(),
      text: wordOf(button, "text"),
      url: wordOf(button, "url"),
    })),
  }));
}

function wordOf(value: unknown, key: string): string {
  const word = memberOf(value, key);
  return typeof word === "string" ? word : "";
}

function listOf(value: unknown, key: string): readonly unknown[] {
  const list = memberOf(value, key);
  return Array.isArray(list) ? list : [];
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).find(([k]) => k === key)?.[1]
    : undefined;
