import { Type } from "typebox";
import { listTemplates } from "../../templates/list-templates.ts";
import type { Call } from "./route.ts";
import { AT, count, freeForm, ID, id, nullableText, time } from "./shapes.ts";

export const Template = Type.Object(
  {
    id: id("The template's id."),
    channelId: id("The WhatsApp channel that it belongs to."),
    metaId: Type.String({ description: "Its id at the platform." }),
    name: Type.String({ description: "Its name at the platform." }),
    language: Type.String({ description: "A language code, like `en` or `ar`." }),
    category: Type.Optional(Type.String({ description: "Like MARKETING or UTILITY." })),
    status: Type.String({ description: "Only approved ones are listed." }),
    components: Type.Array(freeForm, { description: "The platform's own, stored verbatim." }),
    bodyVariableCount: count(
      "Distinct {{n}} in the body: exactly how many parameters a send must supply.",
    ),
    headerFormat: nullableText("TEXT, IMAGE, VIDEO, DOCUMENT or LOCATION. Null without a header."),
    lastSyncedAt: time("When it was last read from the platform."),
  },
  { $id: "Template", description: "A WhatsApp template that Meta approved." },
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
