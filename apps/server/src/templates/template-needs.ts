import type { TemplateButton } from "../channels/adapter.ts";

type Component = Readonly<Record<string, unknown>>;

/** A button with a value for each recipient. */
interface ButtonNeed {
  /** Its index in the template, from 0. */
  readonly index: number;
  readonly kind: TemplateButton["kind"];
  /** False for a quick reply: its payload is its label unless one is given. */
  readonly required: boolean;
}

export const HEADER_MEDIA = ["image", "video", "document"] as const;
export type HeaderMedia = (typeof HEADER_MEDIA)[number];

/** The values that a send of a template needs, read from the platform's own components (channels.md §2.2, §2.9). */
export interface TemplateNeeds {
  /** The body's distinct placeholders in the order in which a send supplies them. */
  readonly body: readonly string[];
  /** The placeholder of a text header. Meta allows one. */
  readonly headerText: string | null;
  readonly headerMedia: HeaderMedia | null;
  readonly buttons: readonly ButtonNeed[];
  /** The names of what we cannot supply. A template with any of these cannot be sent. */
  readonly unsupported: readonly string[];
}

const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

function placeholders(text: unknown): string[] {
  if (typeof text !== "string") return [];
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), (match) => match[1] ?? ""))];
}

const upper = (value: unknown): string => (typeof value === "string" ? value.toUpperCase() : "");

const ofType = (components: readonly Component[], type: string): Component | undefined =>
  components.find((one) => upper(one["type"]) === type);

/**
 * The body's distinct placeholders in the order in which a send supplies them. `{{1}}`, `{{2}}` … go by number, names
 * by their place in the text.
 */
export function bodyVariables(components: readonly Component[]): string[] {
  const found = placeholders(ofType(components, "BODY")?.["text"]);
  return found.every((name) => /^\d+$/.test(name))
    ? found.toSorted((a, b) => Number(a) - Number(b))
    : found;
}

/**
 * The body with its places filled, as the customer reads it. `values` in the order of `bodyVariables`; a value that is
 * missing is empty. A template without a body gives "".
 */
export function filledBody(components: readonly Component[], values: readonly string[]): string {
  const text = ofType(components, "BODY")?.["text"];
  if (typeof text !== "string") return "";
  const filled = new Map(bodyVariables(components).map((name, n) => [name, values[n] ?? ""]));
  return text.replaceAll(PLACEHOLDER, (whole, name: string) => filled.get(name) ?? whole);
}

/** `TEXT`, `IMAGE`, `VIDEO`, `DOCUMENT` …, or null for a template without a header. */
export function headerFormatOf(components: readonly Component[]): string | null {
  const header = ofType(components, "HEADER");
  if (header === undefined) return null;
  return typeof header["format"] === "string" ? header["format"] : "TEXT";
}

// Cached, because a campaign needs this for every recipient of one template. Reading the texts each time took 7 µs.
const known = new WeakMap<readonly Component[], TemplateNeeds>();

/** What a send of these components needs. Components are never changed in place, so it is computed once. */
export function templateNeeds(components: readonly Component[]): TemplateNeeds {
  const before = known.get(components);
  if (before !== undefined) return before;
  const needs = readNeeds(components);
  known.set(components, needs);
  return needs;
}

/**
 * Whether a component needs values that we cannot supply in a send: cards with files of their own, or an offer that
 * shows when it ends.
 */
function needsMore(component: Component): boolean {
  const type = upper(component["type"]);
  if (type !== "LIMITED_TIME_OFFER") return type === "CAROUSEL";
  const offer = Object(component["limited_time_offer"]) as Component;
  return offer["has_expiration"] === true;
}

function readNeeds(components: readonly Component[]): TemplateNeeds {
  const unsupported: string[] = [];
  const format = headerFormatOf(components);
  const headerMedia = HEADER_MEDIA.find((kind) => kind === format?.toLowerCase()) ?? null;
  let headerText: string | null = null;
  if (format === "TEXT") {
    const [first = null, ...others] = placeholders(ofType(components, "HEADER")?.["text"]);
    headerText = first;
    if (others.length > 0) unsupported.push("header.text (more than one variable)");
  } else if (format !== null && headerMedia === null) {
    unsupported.push(`header.${format.toLowerCase()}`);
  }
  const buttons: ButtonNeed[] = [];
  const list = ofType(components, "BUTTONS")?.["buttons"];
  for (const [index, button] of (Array.isArray(list) ? list : []).entries()) {
    const fields = Object(button) as Component;
    const type = upper(fields["type"]);
    if (type === "URL" && placeholders(fields["url"]).length > 0)
      buttons.push({ index, kind: "url", required: true });
    // The code of a one-time password is sent as the variable part of a URL (channels.md §2.2).
    else if (type === "OTP") buttons.push({ index, kind: "url", required: true });
    else if (type === "COPY_CODE") buttons.push({ index, kind: "copy_code", required: true });
    else if (type === "QUICK_REPLY") buttons.push({ index, kind: "quick_reply", required: false });
    else if (type === "FLOW" || type === "MPM" || type === "ORDER_DETAILS")
      unsupported.push(`buttons[${index}] (${type.toLowerCase()})`);
  }
  for (const one of components)
    if (needsMore(one)) unsupported.push(String(one["type"]).toLowerCase());
  return { body: bodyVariables(components), headerText, headerMedia, buttons, unsupported };
}
