import type { TemplateButton, TemplateContent, TemplateHeader } from "../channels/adapter.ts";
import type { FaultDetail } from "../errors.ts";
import type { TemplateJson } from "../wire/template.ts";
import {
  bodyVariables,
  templateNeeds,
  type HeaderMedia,
  type TemplateNeeds,
} from "./template-needs.ts";

type Component = Readonly<Record<string, unknown>>;

/** A stored template. It also has what a send needs and the API does not show. */
export interface StoredTemplate extends Omit<TemplateJson, "category" | "lastSyncedAt"> {
  readonly workspaceId: string;
  /** Null when the platform names none. */
  readonly category: string | null;
  readonly lastSyncedAt: Date;
  readonly parameterFormat: "POSITIONAL" | "NAMED";
  /** For a rejected template: the platform's word, and its sentences when a push brought them. */
  readonly rejectedReason: string | null;
  readonly rejectionDetail: string | null;
  /** GREEN, YELLOW or RED; null while the platform says nothing. */
  readonly quality: string | null;
}

/** The statuses in which the platform allows an edit (channels.md §2.9). */
export const EDITABLE: readonly string[] = ["APPROVED", "REJECTED", "PAUSED"];
export const editable = ({ status }: Pick<StoredTemplate, "status">): boolean =>
  EDITABLE.includes(status);

/** The template as the API shows it. */
export function presentTemplate(stored: StoredTemplate): TemplateJson {
  return {
    id: stored.id,
    channelId: stored.channelId,
    metaId: stored.metaId,
    name: stored.name,
    language: stored.language,
    ...(stored.category !== null && { category: stored.category }),
    status: stored.status,
    components: stored.components,
    bodyVariableCount: stored.bodyVariableCount,
    headerFormat: stored.headerFormat,
    lastSyncedAt: stored.lastSyncedAt.toISOString(),
  };
}

/** The number of the body's distinct placeholders (spec, Template.bodyVariableCount). */
export function countBodyVariables(components: readonly Component[]): number {
  return bodyVariables(components).length;
}

/** The parts that a send supplies beside the template, without their texts. */
export interface GivenParts {
  /** How many body parameters. */
  readonly body: number;
  readonly header: "text" | HeaderMedia | null;
  /** Indexes of the buttons with a value. */
  readonly buttons: readonly number[];
}

/**
 * What is wrong with sending this template with these parts, each fault under its field: `templateId`, `variables`,
 * `header.text`, `header.media`, `buttons[0]`. Without faults it can be sent.
 */
export function templateFaults(template: StoredTemplate, given: GivenParts): FaultDetail[] {
  if (template.status !== "APPROVED")
    return [{ path: "templateId", message: `the template is ${template.status}, not APPROVED` }];
  const needs = templateNeeds(template.components);
  if (needs.unsupported.length > 0) {
    const message = `the template needs values that cannot be given: ${needs.unsupported.join(", ")}`;
    return [{ path: "templateId", message }];
  }
  const faults: FaultDetail[] = [];
  if (given.body !== template.bodyVariableCount) {
    const message = `the template takes ${template.bodyVariableCount} body parameters, ${given.body} were given`;
    faults.push({ path: "variables", message });
  }
  const wants = needs.headerMedia ?? (needs.headerText === null ? null : "text");
  if (wants !== given.header) {
    const part = (name: "text" | HeaderMedia) => (name === "text" ? "header.text" : "header.media");
    const kind =
      wants === null || wants === "text" ? "" : `: ${wants === "image" ? "an" : "a"} ${wants}`;
    if (given.header !== null && (wants === null || part(wants) !== part(given.header)))
      faults.push({ path: part(given.header), message: "does not fit the template's header" });
    if (wants !== null)
      faults.push({ path: part(wants), message: `is needed by the template's header${kind}` });
  }
  for (const { index, kind, required } of needs.buttons)
    if (required && !given.buttons.includes(index)) {
      const message = `is needed by the template's button: ${BUTTON_WORDS[kind]}`;
      faults.push({ path: `buttons[${index}]`, message });
    }
  for (const index of given.buttons)
    if (!needs.buttons.some((one) => one.index === index))
      faults.push({ path: `buttons[${index}]`, message: "is not a button that takes a value" });
  return faults;
}

const BUTTON_WORDS = {
  url: "the end of its address",
  copy_code: "the code to copy",
  quick_reply: "its payload",
} as const satisfies Record<TemplateButton["kind"], string>;

/** The parts of a template, filled in for one recipient. */
export interface FilledParts {
  readonly body: readonly string[];
  readonly headerText: string | null;
  /** A file that the platform already has. */
  readonly headerMedia: { readonly id: string; readonly fileName: string } | null;
  readonly buttons: readonly { readonly index: number; readonly text: string }[];
}

/** What an adapter needs to send the template. */
export function templateContent(template: StoredTemplate, filled: FilledParts): TemplateContent {
  const needs = templateNeeds(template.components);
  const named = template.parameterFormat === "NAMED";
  const header = headerOf(needs, filled, named);
  const buttons = needs.buttons.flatMap(({ index, kind }): TemplateButton[] => {
    const given = filled.buttons.find((one) => one.index === index);
    return given ? [{ index, kind, text: given.text }] : [];
  });
  const missing = needs.buttons.filter(
    (one) => one.required && !buttons.some(({ index }) => index === one.index),
  );
  return {
    name: template.name,
    language: template.language,
    bodyParameters: filled.body,
    ...(named && { bodyParameterNames: needs.body }),
    ...(header !== null && { header }),
    ...(buttons.length > 0 && { buttons }),
    unmetParameters: [
      ...needs.unsupported,
      ...(needs.headerText !== null && header === null ? ["header.text"] : []),
      ...(needs.headerMedia !== null && header === null ? ["header.media"] : []),
      ...missing.map(({ index }) => `buttons[${index}]`),
    ],
  };
}

function headerOf(
  { headerText, headerMedia }: TemplateNeeds,
  filled: FilledParts,
  named: boolean,
): TemplateHeader | null {
  if (headerMedia !== null)
    return filled.headerMedia && { kind: headerMedia, ...filled.headerMedia };
  if (headerText === null || filled.headerText === null) return null;
  return { kind: "text", text: filled.headerText, ...(named && { name: headerText }) };
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
 * The status to which a platform's event leads (channels.md §2.9). Null when the event names none (FLAGGED, LOCKED,
 * UNARCHIVED, a changed category or text); then the list is read again.
 */
export function statusAfter(event: string): string | null {
  return Object.hasOwn(STATUS_AFTER, event) ? (STATUS_AFTER[event] ?? null) : null;
}
