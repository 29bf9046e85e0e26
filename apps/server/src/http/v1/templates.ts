import { Type } from "typebox";
import { listTemplates } from "../../templates/list-templates.ts";
import type { Call } from "./route.ts";
import { AT, freeForm, ID, nullableText, time } from "./shapes.ts";

export const Template = Type.Object(
  {
    id: Type.String(),
    channelId: Type.Optional(
      Type.String({ description: "The WhatsApp channel that it belongs to." }),
    ),
    metaId: Type.Optional(Type.String({ description: "The platform's id." })),
    name: Type.String(),
    language: Type.String(),
    category: Type.Optional(Type.String()),
    status: Type.String({ description: "Only approved ones are listed." }),
    components: Type.Optional(
      Type.Array(freeForm, { description: "The platform's own, stored verbatim." }),
    ),
    bodyVariableCount: Type.Integer({
      description: "Distinct {{n}} in the body: exactly how many parameters a send must supply.",
    }),
    headerFormat: Type.Optional(nullableText),
    lastSyncedAt: Type.Optional(time),
  },
  { $id: "Template" },
);

export const templateExample = {
  id: ID,
  channelId: ID,
  metaId: "594425479261596",
  name: "order_update",
  language: "en",
  category: "UTILITY",
  status: "APPROVED",
  components: [{ type: "BODY", text: "Hello {{1}}, your order {{2}} is on its way." }],
  bodyVariableCount: 2,
  headerFormat: null,
  lastSyncedAt: AT,
};

/** GET /v1/templates */
export async function getTemplates({ context, principal }: Call): Promise<string> {
  return JSON.stringify(await listTemplates(context, principal.workspaceId));
}
