import {
  placesIn,
  type DraftButton,
  type TemplateDraft,
} from "../../../server/src/channels/template-draft.ts";
import type { AnswerOf } from "../api/call.ts";

export type Listed = AnswerOf<"listTemplates">["templates"][number];
type Component = Listed["template"]["components"][number];

/** What a phone shows of a template. */
export interface PreviewParts {
  readonly file: "image" | "video" | "document" | null;
  readonly header: string;
  readonly body: string;
  readonly footer: string;
  readonly buttons: readonly { readonly kind: DraftButton["kind"]; readonly text: string }[];
}

const PLACE = /\{\{\s*(\w+)\s*\}\}/g;
const FILES = ["image", "video", "document"] as const;

/** A draft with its examples in place of the variables. */
export function partsOfDraft(draft: TemplateDraft): PreviewParts {
  const { header } = draft;
  const fill = (text: string, values: readonly string[]) => {
    const places = placesIn(text, draft);
    return text.replaceAll(PLACE, (place, name: string) => values[places.indexOf(name)] || place);
  };
  return {
    file: header === undefined || header.kind === "text" ? null : header.kind,
    header: header?.kind === "text" ? fill(header.text, [header.example ?? ""]) : "",
    body: fill(draft.body, draft.bodyExamples),
    footer: draft.footer ?? "",
    buttons: draft.buttons.map(({ kind, text }) => ({ kind, text })),
  };
}

/** The platform's parts of a template, read back into a draft. Parts that a draft cannot hold are left out. */
export function draftOf({ template }: Listed): TemplateDraft {
  const part = (type: string): Component =>
    template.components.find((one) => word(one, "type").toUpperCase() === type) ?? {};
  const body = part("BODY");
  const footer = word(part("FOOTER"), "text");
  const named = hasNames(word(body, "text")) || hasNames(word(part("HEADER"), "text"));
  const header = headerOf(part("HEADER"), named);
  const [numbered = []] = lists(record(body["example"])["body_text"]);
  const examples = named
    ? placesIn(word(body, "text"), { named }).map((name) => exampleOf(body, "body", name))
    : numbered;
  return {
    name: template.name,
    language: template.language,
    category: template.category === "UTILITY" ? "UTILITY" : "MARKETING",
    ...(named && { named }),
    ...(header && { header }),
    body: word(body, "text"),
    bodyExamples: examples,
    ...(footer !== "" && { footer }),
    buttons: records(part("BUTTONS")["buttons"]).flatMap(buttonOf),
  };
}

const hasNames = (text: string): boolean => /\{\{\s*[a-z_]\w*\s*\}\}/i.test(text);

/** The example of a named variable. */
function exampleOf(component: Component, part: "header" | "body", name: string): string {
  const given = records(record(component["example"])[`${part}_text_named_params`]);
  const found = given.find((one) => word(one, "param_name") === name);
  return found === undefined ? "" : word(found, "example");
}

function headerOf(header: Component, named: boolean): TemplateDraft["header"] {
  const format = word(header, "format").toLowerCase();
  const kind = FILES.find((one) => one === format);
  if (kind !== undefined) return { kind, file: "" };
  const text = word(header, "text");
  if (text === "") return undefined;
  const [numbered = ""] = strings(record(header["example"])["header_text"]);
  const [place = ""] = placesIn(text, { named });
  return { kind: "text", text, example: named ? exampleOf(header, "header", place) : numbered };
}

function buttonOf(button: Component): DraftButton[] {
  const text = word(button, "text");
  switch (word(button, "type").toUpperCase()) {
    case "QUICK_REPLY":
      return [{ kind: "quick_reply", text }];
    case "URL": {
      const [example = ""] = strings(button["example"]);
      return [{ kind: "url", text, url: word(button, "url"), example }];
    }
    case "PHONE_NUMBER":
      return [{ kind: "phone", text, phone: word(button, "phone_number") }];
    default:
      return [];
  }
}

/** Whether the builder can hold all of it, so that nothing is lost when it is submitted again. */
export function fitsBuilder({ template }: Listed): boolean {
  return template.components.every((one) => {
    switch (word(one, "type").toUpperCase()) {
      case "HEADER":
        return ["", "TEXT", "IMAGE", "VIDEO", "DOCUMENT"].includes(
          word(one, "format").toUpperCase(),
        );
      case "BODY":
      case "FOOTER":
        return true;
      case "BUTTONS":
        return records(one["buttons"]).every((button) => buttonOf(button).length === 1);
      default:
        return false;
    }
  });
}

function record(value: unknown): Component {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
const records = (value: unknown): readonly Component[] =>
  Array.isArray(value) ? value.map(record) : [];
const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];
const lists = (value: unknown): readonly (readonly string[])[] =>
  Array.isArray(value) ? value.map(strings) : [];

function word(value: Component, key: string): string {
  const found = value[key];
  return typeof found === "string" ? found : "";
}
