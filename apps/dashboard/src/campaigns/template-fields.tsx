import { FileTrigger, Button, Link } from "react-aria-components";
import { upload } from "../api/upload.ts";
import { templatePreview } from "../templates/template-slots.ts";
import { Choice } from "../kit/fields.tsx";
import { Failure } from "../kit/failure.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import type { CampaignTemplate } from "./contract.ts";
import { NEW_TEXT, type FormText } from "./form.ts";
import { shownAs } from "./template-shown.ts";
import { TextField } from "./text-field.tsx";
import type { Changes } from "./wizard.tsx";

const ACCEPTED = {
  image: ["image/jpeg", "image/png"],
  video: ["video/mp4", "video/3gpp"],
  document: undefined,
} as const;

/** The template, and a text for each of its variables. A file is of the template that it was chosen for. */
export function TemplateFields({
  templates,
  text,
  write,
}: {
  readonly templates: readonly CampaignTemplate[] | undefined;
  readonly text: FormText;
  readonly write: (changes: Changes<FormText>) => void;
}) {
  const file = useCall(async (chosen: File) => {
    const { id, name } = await upload(chosen);
    write((now) => (now.templateId === text.templateId ? { headerFile: { id, name } } : {}));
  });
  if (templates === undefined) return <p role="status">{t("kit.loading")}</p>;
  if (templates.length === 0)
    return (
      <p role="alert" className="campaign-warning">
        {t("campaigns.noTemplates")}{" "}
        <Link href="/templates">{t("campaigns.noTemplates.link")}</Link>
      </p>
    );
  const template = templates.find(({ id }) => id === text.templateId);
  const needs = template?.needs;
  const buttons = template ? templatePreview(shownAs(template), []).buttons : [];
  return (
    <>
      <Choice
        label={t("campaigns.form.template")}
        options={[
          ...(template ? [] : [{ value: "", name: t("campaigns.form.template.none") }]),
          ...templates
            .filter((one) => one.needs.unsupported.length === 0 || one.id === text.templateId)
            .map((one) => ({ value: one.id, name: `${one.name} (${one.language})` })),
        ]}
        value={text.templateId}
        change={(templateId) =>
          write({ ...NEW_TEXT, name: text.name, share: text.share, body: text.body, templateId })
        }
      />
      {needs && needs.unsupported.length > 0 && (
        <p role="alert" className="campaign-warning">
          {t("campaigns.unsupported")}
        </p>
      )}
      {needs?.headerMedia != null && (
        <div className="campaign-file">
          <span className="react-aria-Label">{t(`campaigns.file.${needs.headerMedia}`)}</span>
          <div>
            <FileTrigger
              {...(ACCEPTED[needs.headerMedia] && {
                acceptedFileTypes: [...(ACCEPTED[needs.headerMedia] ?? [])],
              })}
              onSelect={(files) => {
                const [one] = files ?? [];
                if (one) file.start(one);
              }}
            >
              <Button isPending={file.busy}>{t("campaigns.file.choose")}</Button>
            </FileTrigger>
            <span role="status">
              {file.busy ? (
                t("campaigns.file.busy")
              ) : (
                <bdi dir="auto">{text.headerFile?.name ?? t("campaigns.file.none")}</bdi>
              )}
            </span>
          </div>
          <Failure of={file.failed} />
        </div>
      )}
      {needs?.headerText != null && (
        <TextField
          label={t("campaigns.form.header")}
          value={text.headerText}
          change={(headerText) => write({ headerText })}
        />
      )}
      {needs?.body.map((name) => (
        <TextField
          key={name}
          label={t("campaigns.form.variable", { name })}
          value={text.variables[name] ?? ""}
          change={(value) => write({ variables: { ...text.variables, [name]: value } })}
        />
      ))}
      {needs?.buttons
        .filter(({ required }) => required)
        .map(({ index, kind }) => (
          <TextField
            key={index}
            label={t(`campaigns.form.button.${kind === "copy_code" ? "code" : "url"}`, {
              name: buttons[index] ?? String(index + 1),
            })}
            value={text.buttons[index] ?? ""}
            change={(value) => write({ buttons: { ...text.buttons, [index]: value } })}
          />
        ))}
    </>
  );
}
