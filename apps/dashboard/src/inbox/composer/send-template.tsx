import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button, Input, Label, ListBox, ListBoxItem, TextField } from "react-aria-components";
import { call } from "../../api/call.ts";
import { AskDialog } from "../../kit/dialog.tsx";
import { UploadField } from "../../kit/upload-field.tsx";
import { Icon } from "../../kit/icon.tsx";
import { languageWord } from "../../kit/language-word.ts";
import { t } from "../../text/t.ts";
import type { DeskRow, TemplateJson } from "../../api/shapes.ts";
import type { Sending } from "../outbox/outbox-item.ts";
import { SafeText } from "../../kit/safe-text.tsx";
import type { UploadedFile } from "../../api/upload.ts";
import "./send-template.css";
import { canSend, fileOf, templatePreview, templateSlots } from "../../templates/template-slots.ts";

/** Which template, the values for its variables, and how the customer will see it. */
export function SendTemplate({
  row,
  close,
  onSend,
}: {
  row: DeskRow;
  close: () => void;
  onSend: (what: Sending) => void;
}) {
  return (
    <AskDialog title={t("composer.sendTemplate")} close={close}>
      <TemplateChoice
        queryKey={["sendable-templates", row.channelId]}
        load={(signal) => call("listSendableTemplates", { params: { id: row.id }, signal })}
        onCancel={close}
        onSend={(what) => {
          close();
          onSend(what);
        }}
      />
    </AskDialog>
  );
}

/** The templates of a channel, and the texts that the chosen one needs. */
export function TemplateChoice({
  queryKey,
  load,
  busy = false,
  onCancel,
  onSend,
}: {
  readonly queryKey: readonly string[];
  readonly load: (signal: AbortSignal) => Promise<{ readonly templates: readonly TemplateJson[] }>;
  /** It is being sent. */
  readonly busy?: boolean;
  readonly onCancel: () => void;
  readonly onSend: (what: Extract<Sending, { readonly kind: "template" }>) => void;
}) {
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => load(signal),
  });
  const [chosen, setChosen] = useState<string | null>(null);
  const [values, setValues] = useState<readonly string[]>([]);
  const [file, setFile] = useState<UploadedFile | null>(null);
  if (isError)
    return (
      <div role="alert">
        <p>{t("kit.error")}</p>
        <Button onPress={() => void refetch()}>{t("kit.retry")}</Button>
      </div>
    );
  if (data === undefined) return <p className="send-template-late">{t("kit.loading")}</p>;
  const template = data.templates.find(({ id }) => id === chosen);
  const slots = template === undefined ? [] : templateSlots(template);
  const kind = template && fileOf(template);
  const ready =
    template !== undefined &&
    slots.every((_, index) => (values[index] ?? "").trim() !== "") &&
    (kind === undefined || file !== null);
  const send = (): void => {
    if (template === undefined || !ready) return;
    const variables = slots.map((_, index) => (values[index] ?? "").trim());
    const shown = templatePreview(template, variables);
    const preview = [shown.header, shown.body].filter((part) => part !== "").join("\n");
    const body = { templateId: template.id, variables, ...(file && { headerMedia: file.id }) };
    onSend({ kind: "template", body, preview });
  };
  return (
    <>
      {data.templates.length === 0 && <p>{t("composer.noTemplates")}</p>}
      <TemplateList
        templates={data.templates}
        chosen={chosen}
        choose={(id) => {
          setChosen(id);
          setValues([]);
          setFile(null);
        }}
      />
      {kind && (
        <UploadField
          key={chosen}
          label={t(`composer.header.${kind}`)}
          kind={kind}
          file={file}
          onFile={setFile}
        />
      )}
      {slots.map((slot, index) => (
        <TextField
          key={`${slot.where} ${slot.name}`}
          value={values[index] ?? ""}
          onChange={(value) =>
            setValues(slots.map((_, at) => (at === index ? value : (values[at] ?? ""))))
          }
          maxLength={1024}
        >
          <Label>{t("composer.variable", { number: index + 1 })}</Label>
          <Input dir="auto" />
        </TextField>
      ))}
      {template && <Preview template={template} values={values} file={file} />}
      <div className="ask-buttons">
        <Button onPress={onCancel}>{t("kit.cancel")}</Button>
        <Button className="primary" isDisabled={!ready} isPending={busy} onPress={send}>
          {t("composer.send")}
        </Button>
      </div>
    </>
  );
}

function TemplateList({
  templates,
  chosen,
  choose,
}: {
  readonly templates: readonly TemplateJson[];
  readonly chosen: string | null;
  readonly choose: (id: string | null) => void;
}) {
  return (
    <ListBox
      className="send-template-list"
      aria-label={t("composer.templates")}
      escapeKeyBehavior="none"
      selectionMode="single"
      disabledKeys={templates.filter((one) => !canSend(one)).map(({ id }) => id)}
      selectedKeys={chosen === null ? [] : [chosen]}
      onSelectionChange={(keys) => {
        const [key] = keys === "all" ? [] : keys;
        choose(key === undefined ? null : String(key));
      }}
    >
      {templates.map((one) => (
        <ListBoxItem key={one.id} id={one.id} textValue={one.name} className="send-template-option">
          <span>
            <b>
              <bdi dir="ltr">{one.name}</bdi>
            </b>{" "}
            <bdi>{languageWord(one.language)}</bdi>
          </span>
          <span className="send-template-text">
            {canSend(one) ? <SafeText text={bodyOf(one)} /> : t("composer.notSendable")}
          </span>
        </ListBoxItem>
      ))}
    </ListBox>
  );
}

const bodyOf = (template: TemplateJson): string => templatePreview(template, []).body;

function Preview({
  template,
  values,
  file,
}: {
  template: TemplateJson;
  values: readonly string[];
  file: UploadedFile | null;
}) {
  const { header, body, footer, buttons } = templatePreview(template, values);
  return (
    <section className="send-template-preview" aria-label={t("composer.preview")}>
      <div className="send-template-bubble">
        {file !== null && (
          <p className="send-template-file">
            <Icon name="file-text" /> <bdi>{file.name}</bdi>
          </p>
        )}
        {header !== "" && (
          <strong>
            <SafeText text={header} />
          </strong>
        )}
        <SafeText text={body} />
        {footer !== "" && (
          <span className="send-template-footer">
            <SafeText text={footer} />
          </span>
        )}
      </div>
      {buttons.map((text, index) => (
        <p key={index} className="send-template-button">
          <bdi>{text}</bdi>
        </p>
      ))}
    </section>
  );
}
