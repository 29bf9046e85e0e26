import {
  templatePreview,
  templateSlots,
  type TemplatePreview,
} from "../templates/template-slots.ts";
import { SafeText } from "../kit/safe-text.tsx";
import { t } from "../text/t.ts";
import type { BroadcastPreviewJson, CampaignTemplate } from "./contract.ts";
import type { Form, FormText } from "./form.ts";
import { shownAs } from "./template-shown.ts";

type Person = BroadcastPreviewJson["contacts"][number];

/** The message itself: with a real person's values, or what was written for everyone while there is no person. */
export function MessageBubble({
  text,
  template,
  person,
  kind,
}: {
  readonly text: FormText;
  readonly template: CampaignTemplate | undefined;
  readonly person?: Person | undefined;
  readonly kind: Form["kind"];
}) {
  const shown = template && previewOf(template, text);
  const body = person?.text ?? (kind === "WHATSAPP_TEMPLATE" ? (shown?.body ?? "") : text.body);
  const header = person?.headerText ?? shown?.header ?? "";
  const isTemplate = kind === "WHATSAPP_TEMPLATE";
  if (body === "") return <p className="campaign-phone-none">{t("campaigns.phone.empty")}</p>;
  return (
    <div className="campaign-bubble-block">
      <div className="campaign-bubble">
        {isTemplate && template?.needs.headerMedia != null && (
          <div className="campaign-bubble-file">
            <bdi>{text.headerFile?.name ?? t(`campaigns.file.${template.needs.headerMedia}`)}</bdi>
          </div>
        )}
        {isTemplate && header !== "" && (
          <strong>
            <SafeText text={header} />
          </strong>
        )}
        <SafeText text={body} />
        {isTemplate && shown !== undefined && shown.footer !== "" && (
          <small>
            <SafeText text={shown.footer} />
          </small>
        )}
      </div>
      {isTemplate &&
        shown?.buttons.map((name, n) => (
          <p key={n} className="campaign-bubble-button">
            <bdi>{name}</bdi>
          </p>
        ))}
    </div>
  );
}

/** The template with what was written for its places. */
function previewOf(template: CampaignTemplate, text: FormText): TemplatePreview {
  const shown = shownAs(template);
  const values = templateSlots(shown).map(({ where, name }) =>
    where === "header" ? text.headerText : where === "body" ? (text.variables[name] ?? "") : "",
  );
  return templatePreview(shown, values);
}
