import { AppError } from "../errors.ts";
import type { InputOf } from "../operations/operation.ts";
import { templateOperations } from "../operations/templates.ts";
import { findTemplate } from "./list-templates.ts";
import { presentTemplate } from "./template.ts";
import { createTemplate, editTemplate } from "./write-template.ts";
import { keeping, perform } from "../write.ts";
import { openHeaderSample } from "../media/header-sample.ts";

type WriteContext = Parameters<typeof createTemplate>[1] & Parameters<typeof openHeaderSample>[0];

type Lists = Pick<InputOf<typeof templateOperations.createTemplate>, "bodyExamples" | "buttons">;

/** The lists of a template's content; one that is left out is empty. */
const listsOf = ({ bodyExamples = [], buttons = [] }: Lists) => ({ bodyExamples, buttons });

/** Submits a template. A repeat after a crash is refused by the platform, which has the name. Errors: as `createTemplate`. */
export const createByProgram = perform(
  templateOperations.createTemplate,
  async (actor, context: WriteContext, workspaceId, { channelId, ...given }, { keep }) => {
    const draft = { ...given, ...listsOf(given) };
    const sample = await openHeaderSample(context, workspaceId, draft.header);
    return keeping(keep, presentTemplate, (within) =>
      createTemplate(actor, context, workspaceId, channelId, { draft, sample }, { within }),
    );
  },
);

/** Submits other content for a template. Errors: as `editTemplate`. */
export const editByProgram = perform(
  templateOperations.editTemplate,
  async (actor, context: WriteContext, workspaceId, { id, ...content }) => {
    const before = await findTemplate(context.db, workspaceId, id);
    if (!before) throw new AppError("NOT_FOUND", { explanation: "no such template" });
    const category = before.category === "UTILITY" ? "UTILITY" : "MARKETING";
    const lists = listsOf(content);
    const draft = {
      ...content,
      ...lists,
      name: before.name,
      language: before.language,
      category,
    } as const;
    const sample = await openHeaderSample(context, workspaceId, draft.header);
    return presentTemplate(await editTemplate(actor, context, workspaceId, id, { draft, sample }));
  },
);
