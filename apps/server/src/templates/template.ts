import type { TemplateContent } from "../channels/adapter.ts";
import { invalid } from "../errors.ts";

type Component = Readonly<Record<string, unknown>>;

/** A template as the API shows it (spec, Template). */
export interface Template {
  readonly id: string;
  /** Its id at the platform. */
  readonly metaId: string;
  readonly name: string;
  readonly language: string;
  /** Absent when the platform names none. */
  readonly category?: string;
  readonly status: string;
  /** The platform's own component array, verbatim. */
  readonly components: readonly Component[];
  /** Distinct placeholders of the body: exactly how many parameters a send must supply. */
  readonly bodyVariableCount: number;
  /** TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION; null without a header. */
  readonly headerFormat: string | null;
  readonly lastSyncedAt: Date;
}

/** With what a send needs and the API does not show. */
export interface StoredTemplate extends Omit<Template, "category"> {
  readonly category: string | null;
  readonly workspaceId: string;
  readonly channelId: string;
  readonly parameterFormat: "POSITIONAL" | "NAMED";
}

export function asTemplate(stored: StoredTemplate): Template {
  return {
    id: stored.id,
    metaId: stored.metaId,
    name: stored.name,
    language: stored.language,
    ...(stored.category !== null && { category: stored.category }),
    status: stored.status,
    components: stored.components,
    bodyVariableCount: stored.bodyVariableCount,
    headerFormat: stored.headerFormat,
    lastSyncedAt: stored.lastSyncedAt,
  };
}

const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

function placeholders(text: unknown): string[] {
  if (typeof text !== "string") return [];
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), (match) => match[1] ?? ""))];
}

const ofType = (components: readonly Component[], type: string): Component | undefined =>
  components.find((one) => typeof one["type"] === "string" && one["type"].toUpperCase() === type);

/**
 * The body's distinct placeholders in the order in which a send supplies them: `{{1}}`, `{{2}}` … by number, names in
 * the order of the text.
 */
export function bodyVariables(components: readonly Component[]): string[] {
  const found = placeholders(ofType(components, "BODY")?.["text"]);
  return found.every((name) => /^\d+$/.test(name))
    ? found.toSorted((a, b) => Number(a) - Number(b))
    : found;
}

/** Spec, Template.bodyVariableCount. */
export function countBodyVariables(components: readonly Component[]): number {
  return bodyVariables(components).length;
}

export function headerFormatOf(components: readonly Component[]): string | null {
  const header = ofType(components, "HEADER");
  if (header === undefined) return null;
  return typeof header["format"] === "string" ? header["format"] : "TEXT";
}

/**
 * What a send of this template must supply beside the body (channels.md §2.9): media or a variable of the header, the
 * variable part of a button. We give none of these yet, so a template with any of them cannot be sent.
 */
export function unmetParameters(components: readonly Component[]): string[] {
  const unmet: string[] = [];
  const header = ofType(components, "HEADER");
  const format = headerFormatOf(components);
  if (format !== null && format !== "TEXT") unmet.push(`header ${format.toLowerCase()}`);
  else for (const name of placeholders(header?.["text"])) unmet.push(`header {{${name}}}`);
  const list = ofType(components, "BUTTONS")?.["buttons"];
  for (const [index, button] of (Array.isArray(list) ? list : []).entries()) {
    const fields = Object(button) as Component;
    const type = typeof fields["type"] === "string" ? fields["type"] : "";
    const needs =
      ["OTP", "COPY_CODE", "FLOW", "MPM"].includes(type) ||
      (type === "URL" && placeholders(fields["url"]).length > 0);
    if (needs) unmet.push(`button ${index + 1} ${type.toLowerCase()}`);
  }
  return unmet;
}

/** Refuses, by name of the field, a template that cannot be sent with body parameters of this number. */
export function checkSendable(template: StoredTemplate, parameterCount: number): void {
  if (template.status !== "APPROVED")
    throw invalid("templateId", `the template is ${template.status}, not APPROVED`);
  const unmet = unmetParameters(template.components);
  if (unmet.length > 0)
    throw invalid("templateId", `the template needs more than body texts: ${unmet.join(", ")}`);
  if (parameterCount !== template.bodyVariableCount)
    throw invalid(
      "variables",
      `the template takes ${template.bodyVariableCount} body parameters, ${parameterCount} were given`,
    );
}

/** What an adapter needs to send it, parameters already rendered. */
export function templateContent(
  template: StoredTemplate,
  bodyParameters: readonly string[],
): TemplateContent {
  return {
    name: template.name,
    language: template.language,
    bodyParameters,
    ...(template.parameterFormat === "NAMED" && {
      bodyParameterNames: bodyVariables(template.components),
    }),
    unmetParameters: unmetParameters(template.components),
  };
}

const STATUS_AFTER: Readonly<Record<string, string>> = {
  APPROVED: "APPROVED",
  PENDING: "PENDING",
  REJECTED: "REJECTED",
  PAUSED: "PAUSED",
  DISABLED: "DISABLED",
  IN_APPEAL: "IN_APPEAL",
  PENDING_DELETION: "PENDING_DELETION",
  DELETED: "DELETED",
  LIMIT_EXCEEDED: "LIMIT_EXCEEDED",
  ARCHIVED: "ARCHIVED",
  REINSTATED: "APPROVED",
};

/**
 * The status that an event of the platform leads to (channels.md §2.9), or null when it does not say (FLAGGED,
 * LOCKED, UNARCHIVED, a changed category or text): then the list is read again.
 */
export function statusAfter(event: string): string | null {
  return Object.hasOwn(STATUS_AFTER, event) ? (STATUS_AFTER[event] ?? null) : null;
}
