import type { TemplateContent } from "../channels/adapter.ts";
import type { Context } from "../context.ts";
import { AppError, type FaultDetail } from "../errors.ts";
import type { NewReply } from "../messages/accept/accept-message.ts";
import { parameterText } from "../templates/parameter-text.ts";
import { filledBody } from "../templates/template-needs.ts";
import { templateContent, templateFaults, type StoredTemplate } from "../templates/template.ts";
import { findHeaderFile, giveHeaderFile } from "./header-file.ts";

/** The longest text that fills one place of a template. */
export const LONGEST_PART = 1_024;

/** The values of a template's places, each text of 1 to 1,024 characters. */
export interface FilledPlaces {
  readonly body: readonly string[];
  readonly headerText: string | null;
  /** The upload of a header of image, video or document. */
  readonly headerMedia: string | undefined;
  readonly buttons: readonly { readonly index: number; readonly text: string }[];
}

/** What is sent, and the words and the file that the thread shows for it. */
export type FilledTemplate = Pick<NewReply, "attachments" | "category"> & {
  readonly text: string;
  readonly template: TemplateContent;
};

/** The values as the platform takes them: a line break or a tab within is a blank, as in a campaign. */
const tidied = ({ body, headerText, headerMedia, buttons }: FilledPlaces): FilledPlaces => ({
  body: body.map(parameterText),
  headerText: headerText === null ? null : parameterText(headerText),
  headerMedia,
  buttons: buttons.map(({ index, text }) => ({ index, text: parameterText(text) })),
});

/** Values of blanks alone, which the platform refuses. */
const blank = ({ body, headerText, buttons }: FilledPlaces): FaultDetail[] =>
  [
    ...(body.includes("") ? ["variables"] : []),
    ...(headerText === "" ? ["header.text"] : []),
    ...buttons.flatMap(({ index, text }) => (text === "" ? [`buttons[${index}]`] : [])),
  ].map((path) => ({ path, message: "must not be blank" }));

/**
 * Fills a template. A file of its header is uploaded to the platform. Throws what `refuse` makes of the faults, under
 * `templateId`, `variables`, `header.text`, `header.media` and `buttons[0]`; and the errors of the header's file.
 */
export async function fillTemplate(
  context: Context,
  template: StoredTemplate,
  places: FilledPlaces,
  refuse: (faults: readonly FaultDetail[]) => AppError,
): Promise<FilledTemplate> {
  const { workspaceId, channelId, category } = template;
  const filled = tidied(places);
  const { body, headerText, headerMedia, buttons } = filled;
  const file = await findHeaderFile(context, workspaceId, headerMedia);
  const faults = [
    ...templateFaults(template, {
      body: body.length,
      header: file?.kind ?? (headerText === null ? null : "text"),
      buttons: buttons.map(({ index }) => index),
    }),
    ...blank(filled),
  ];
  if (faults.length > 0) throw refuse(faults);
  const text = filledBody(template.components, body);
  const given = file && (await giveHeaderFile(context, { workspaceId, channelId }, file.id));
  const content = templateContent(template, { body, headerText, headerMedia: given, buttons });
  return { text, template: content, category, ...(file && { attachments: [file.id] }) };
}
