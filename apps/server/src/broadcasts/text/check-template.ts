import { TEMPLATE_PART_LIMITS } from "../../channels/adapter.ts";
import { adapterFor } from "../../channels/registry.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid, type FaultDetail } from "../../errors.ts";
import { findMedia } from "../../media/open-media.ts";
import { findTemplate } from "../../templates/list-templates.ts";
import { templateFaults } from "../../templates/template.ts";
import {
  bodyVariables,
  HEADER_MEDIA,
  templateNeeds,
  type HeaderMedia,
} from "../../templates/template-needs.ts";
import type { Broadcast } from "../record/broadcast.ts";
import type { NewBroadcast } from "../record/create-broadcast.ts";
import { parameterText } from "../../templates/parameter-text.ts";
import { leastText, parseText, placeholderFault } from "./placeholders.ts";

const MAX_VARIABLE = 1_024;
const MAX_BUTTON = 2_000;
const MAX_BUTTONS = 10;

export type TemplateParts = Pick<
  Broadcast,
  "variables" | "headerText" | "headerMediaId" | "buttonTexts"
>;

export const NO_PARTS: TemplateParts = {
  variables: [],
  headerText: null,
  headerMediaId: null,
  buttonTexts: [],
};

/** Checks what needs no template. */
export function checkParts(
  input: NewBroadcast,
  refuse: (path: string, words: string) => void,
): void {
  const refuseText = (path: string, fault: string | null) => {
    if (fault !== null) refuse(path, fault);
  };
  if (input.kind !== "WHATSAPP_TEMPLATE") {
    const given = { variables: input.variables, header: input.header, buttons: input.buttons };
    for (const [path, part] of Object.entries(given))
      if (Object.keys(part ?? {}).length > 0)
        refuse(path, `must be left out for ${input.kind}: the body carries its placeholders`);
    // A body may have any text, and an unknown name in it renders empty (spec, Broadcast.body): the estimate names it.
    return;
  }
  for (const [key, text] of Object.entries(input.variables ?? {})) {
    if (text.length > MAX_VARIABLE)
      refuse(`variables.${key}`, `must have at most ${MAX_VARIABLE} characters`);
    refuseText(`variables.${key}`, placeholderFault(text));
  }
  const { text, mediaId } = input.header ?? {};
  if (text !== undefined && mediaId !== undefined)
    refuse("header", "has a text or a file, not both");
  if (text !== undefined && (text.trim() === "" || text.length > MAX_VARIABLE))
    refuse("header.text", `must have 1 to ${MAX_VARIABLE} characters`);
  refuseText("header.text", placeholderFault(text ?? ""));
  for (const [key, button] of Object.entries(input.buttons ?? {})) {
    if (!/^\d$/.test(key))
      refuse(`buttons[${key}]`, `must be a place from 0 to ${MAX_BUTTONS - 1}`);
    if (button.trim() === "" || button.length > MAX_BUTTON)
      refuse(`buttons[${key}]`, `must have 1 to ${MAX_BUTTON} characters`);
    refuseText(`buttons[${key}]`, placeholderFault(button));
  }
}

/**
 * The texts of the template's parts: the body's in order, from what the caller gave by number or by name, exactly
 * as many as the body has (spec, Template.bodyVariableCount); header and buttons. Missing and surplus ones are
 * refused by name: `variables.2`, `header.media`, `buttons[0]`.
 */
export async function checkTemplateParts(
  context: Context,
  workspaceId: string,
  input: NewBroadcast,
): Promise<TemplateParts> {
  const template = await findTemplate(context.db, workspaceId, input.templateId ?? "");
  if (template === null || template.channelId !== input.channelId)
    throw invalid("templateId", "must be a template of the channel");
  const names = bodyVariables(template.components);
  const mediaId = input.header?.mediaId ?? null;
  const kind = mediaId === null ? null : await mediaKind(context, workspaceId, mediaId);
  const given = Object.entries(input.buttons ?? {}).map(([index, text]) => ({
    index: Number(index),
    text,
  }));
  const headerText = input.header?.text ?? null;
  const faults = templateFaults(template, {
    body: names.length,
    header: headerText === null ? kind : "text",
    buttons: given.map((button) => button.index),
  });
  const texts = new Map(Object.entries(input.variables ?? {}));
  const { buttons } = templateNeeds(template.components);
  const parts = [
    ...(headerText === null
      ? []
      : [{ path: "header.text", text: headerText, kind: "header" as const }]),
    ...buttons.flatMap(({ index, kind }) =>
      given
        .filter((one) => one.index === index)
        .map(({ text }) => ({ path: `buttons[${index}]`, text, kind })),
    ),
  ];
  const details = [...faults, ...variableFaults(names, texts), ...parts.flatMap(lengthFaults)];
  if (details.length > 0) throw new AppError("VALIDATION_FAILED", { details });
  const variables = names.map((name) => texts.get(name) ?? "");
  const buttonTexts = buttons.flatMap(({ index, kind }) =>
    given.filter((one) => one.index === index).map(({ text }) => ({ index, kind, text })),
  );
  return { variables, headerText, headerMediaId: mediaId, buttonTexts };
}

function variableFaults(
  names: readonly string[],
  given: ReadonlyMap<string, string>,
): FaultDetail[] {
  const takes = names.length === 0 ? "none" : names.join(", ");
  return [
    ...names
      .filter((name) => !given.get(name)?.trim())
      .map((name) => ({ path: `variables.${name}`, message: "is needed by the template's body" })),
    ...[...given.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => ({
        path: `variables.${name}`,
        message: `is not of the template's body, which takes ${takes}`,
      })),
  ];
}

/**
 * A fixed text that is too long is too long for everybody, and a contact with empty fields gets the fallbacks:
 * otherwise each of them would fail, and use a slot.
 */
function lengthFaults(part: {
  readonly path: string;
  readonly text: string;
  readonly kind: keyof typeof TEMPLATE_PART_LIMITS;
}): FaultDetail[] {
  const least = leastText(parseText(part.text));
  const most = TEMPLATE_PART_LIMITS[part.kind];
  return parameterText(least).length > most
    ? [{ path: part.path, message: `must have at most ${most} characters` }]
    : [];
}

/** The file as the channel takes it, after checking its type and size like a reply's attachment. */
async function mediaKind(
  context: Context,
  workspaceId: string,
  mediaId: string,
): Promise<HeaderMedia> {
  const media = await findMedia(context, workspaceId, mediaId);
  if (media?.state !== "stored")
    throw invalid("header.media", "must be a file that was uploaded to the workspace");
  const kind = HEADER_MEDIA.find((one) => one === media.kind);
  const rule = kind && adapterFor("WHATSAPP")?.media?.[kind];
  if (!kind || !rule?.mimeTypes.includes(media.mimeType ?? ""))
    throw invalid("header.media", `cannot be ${media.mimeType ?? "a file of no known type"}`);
  if ((media.size ?? 0) > rule.maxBytes)
    throw invalid("header.media", `has ${media.size} bytes and the channel takes ${rule.maxBytes}`);
  return kind;
}
