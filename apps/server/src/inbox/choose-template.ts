import { listChannels } from "../channels/list-channels.ts";
import type { Context } from "../context.ts";
import { AppError, invalid, type FaultDetail } from "../errors.ts";
import {
  findTemplate,
  findTemplatesNamed,
  sendableLanguages,
} from "../templates/list-templates.ts";
import type { StoredTemplate } from "../templates/template.ts";
import { fillTemplate, type FilledTemplate } from "./fill-template.ts";

/** A template as a program names it, and its parts. */
export interface TemplateGiven {
  readonly template: {
    readonly id?: string | undefined;
    readonly name?: string | undefined;
    readonly language?: string | undefined;
  };
  readonly body?: readonly string[] | undefined;
  readonly header?:
    | { readonly text?: string | undefined; readonly mediaId?: string | undefined }
    | undefined;
  readonly buttons?: readonly { readonly index: number; readonly text: string }[] | undefined;
}

/**
 * The template that a program means, on the channel that it names or on the only one that has it. Throws
 * VALIDATION_FAILED, TEMPLATE_NOT_APPROVED for one that is unknown or cannot be sent, CHANNEL_NEEDED when several
 * channels have it or none is connected.
 */
export async function chooseTemplate(
  context: Pick<Context, "db">,
  workspaceId: string,
  { template: { id, name, language } }: TemplateGiven,
  channelId: string | undefined,
): Promise<StoredTemplate> {
  if (
    (id === undefined) === (name === undefined) ||
    (name === undefined) !== (language === undefined)
  )
    throw invalid("template", "must have either `id`, or `name` and `language`");
  const [channels, found] = await Promise.all([
    listChannels(context, workspaceId),
    id === undefined
      ? findTemplatesNamed(context.db, workspaceId, { name: name ?? "", language: language ?? "" })
      : findTemplate(context.db, workspaceId, id),
  ]);
  const usable = channels.filter((one) => one.type === "WHATSAPP" && one.status !== "disconnected");
  if (channelId !== undefined && !usable.some((one) => one.id === channelId))
    throw invalid("channelId", "must be the id of a connected WhatsApp channel");
  if (usable.length === 0) throw channelNeeded("connect a WhatsApp channel first");
  const here = (
    channelId === undefined ? usable : usable.filter((one) => one.id === channelId)
  ).map((one) => one.id);
  const known = [found].flat().filter((one) => one !== null && here.includes(one.channelId));
  const [only, ...more] = known.filter((one) => one?.status === "APPROVED");
  if (only && more.length > 0)
    throw channelNeeded(`${more.length + 1} channels have this template: name one of them`);
  if (only) return only;
  const status = known[0]?.status;
  if (status !== undefined) throw notApproved(`the template is ${status}, not APPROVED`);
  const others =
    name === undefined
      ? []
      : await sendableLanguages(context.db, workspaceId, {
          name,
          channelIds: here,
          most: MOST_LANGUAGES,
        });
  throw notApproved(
    others.length === 0
      ? "there is no such template on this channel: GET /v1/templates lists those that can be sent"
      : `there is no such template in ${language} on this channel; it has ${others.join(", ")}`,
  );
}

/** An error names no more languages than this. */
const MOST_LANGUAGES = 20;

/** Fills the template. Throws TEMPLATE_NOT_APPROVED, TEMPLATE_PARAMETERS, and the errors of the header's file. */
export async function fillChosen(
  context: Context,
  template: StoredTemplate,
  { body = [], header = {}, buttons = [] }: TemplateGiven,
): Promise<FilledTemplate> {
  const parts = {
    body,
    headerText: header.text ?? null,
    headerMedia: header.mediaId,
    buttons,
  };
  const filled = await fillTemplate(context, template, parts, refusal);
  if (Array.from(filled.text).length > LONGEST_TEXT)
    throw refusal([
      { path: "variables", message: `makes a text of more than ${LONGEST_TEXT} characters` },
    ]);
  return filled;
}

const LONGEST_TEXT = 4_096;

/** The faults of a filled template, under the names of the API. */
function refusal(faults: readonly FaultDetail[]): AppError {
  const [first] = faults;
  if (first?.path === "templateId") return notApproved(first.message);
  const details = faults.map(({ path, message }) => ({ path: NAMES.get(path) ?? path, message }));
  return new AppError("TEMPLATE_PARAMETERS", { details });
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ["variables", "body"],
  ["header.media", "header.mediaId"],
]);

const notApproved = (message: string) =>
  new AppError("TEMPLATE_NOT_APPROVED", { details: [{ path: "template", message }] });
const channelNeeded = (message: string) =>
  new AppError("CHANNEL_NEEDED", { details: [{ path: "channelId", message }] });
