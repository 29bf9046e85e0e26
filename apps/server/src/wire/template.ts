import { Type } from "typebox";
import { AT, count, freeForm, ID, id, nullableText, text, time, type Shown } from "./schema.ts";

export const TemplateJson = Type.Object(
  {
    id: id("The template's id."),
    channelId: id("The WhatsApp channel that it belongs to."),
    metaId: text("Its id at the platform."),
    name: text("Its name at the platform."),
    language: text("A language code, like `en` or `ar`."),
    category: Type.Optional(text("Like MARKETING or UTILITY.")),
    status: text("As the platform has it. Only approved ones are listed unless all are asked for."),
    components: Type.Array(freeForm, { description: "The platform's own, stored verbatim." }),
    bodyVariableCount: count(
      "Distinct {{n}} in the body: exactly how many parameters a send must supply.",
    ),
    headerFormat: nullableText("TEXT, IMAGE, VIDEO, DOCUMENT or LOCATION. Null without a header."),
    lastSyncedAt: time("When it was last read from the platform."),
  },
  { $id: "Template", description: "A WhatsApp template that Meta approved." },
);
export type TemplateJson = Shown<typeof TemplateJson>;

export const templateExample: TemplateJson = {
  id: ID,
  channelId: ID,
  metaId: "594425479261596",
  name: "order_update",
  language: "en_US",
  category: "UTILITY",
  status: "APPROVED",
  components: [{ type: "BODY", text: "Hello {{1}}, your order {{2}} is on its way." }],
  bodyVariableCount: 2,
  headerFormat: null,
  lastSyncedAt: AT,
};
