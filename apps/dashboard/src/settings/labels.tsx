import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { bootstrapQuery, queryClient } from "../api/query-client.ts";
import type { LabelJson } from "../api/shapes.ts";
import { countWord } from "../kit/words.ts";
import { useBootstrap, useCounts } from "../desk/use-inbox.ts";
import { AskDialog, ConfirmDialog } from "../kit/dialog.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { Page } from "../kit/page.tsx";
import { DataTable } from "../kit/table.tsx";
import { faultsOf, useCall } from "../kit/use-call.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import "./saved.css";

/** Easy to tell apart, on light and dark paper. */
const COLORS = [
  ["#0b5f59", "saved.color.petrol"],
  ["#1f6f43", "saved.color.green"],
  ["#8f4e00", "saved.color.amber"],
  ["#b3261e", "saved.color.red"],
  ["#9b2f6f", "saved.color.plum"],
  ["#5b4bb0", "saved.color.violet"],
  ["#1d5b9c", "saved.color.blue"],
  ["#57534a", "saved.color.grey"],
] as const;

/** `/settings/labels`: the labels of the workspace, their colours and how many open conversations have them. */
export function Labels() {
  const { labels } = useBootstrap();
  const counts = useCounts();
  const [editing, setEditing] = useState<LabelJson | "new" | null>(null);
  const [deleting, setDeleting] = useState<LabelJson | null>(null);
  const add = (
    <Button className="primary" onPress={() => setEditing("new")}>
      <Icon name="plus" />
      {t("saved.label.new")}
    </Button>
  );
  return (
    <Page
      title={t("shell.settings.labels")}
      lead={t("saved.labels.lead")}
      actions={labels.length > 0 && add}
    >
      {labels.length === 0 ? (
        <EmptyState title={t("saved.labels.none")} text={t("saved.labels.none.text")}>
          {add}
        </EmptyState>
      ) : (
        <DataTable
          name={t("shell.settings.labels")}
          rows={labels}
          id={({ name }) => name}
          href={({ name }) => `/inbox/${encodeURIComponent(`label-${name}`)}`}
          columns={[
            {
              key: "name",
              name: t("saved.label.name"),
              cell: ({ name, color }) => (
                <span className="label-cell">
                  <span className="label-dot" style={{ background: color }} aria-hidden="true" />
                  <bdi>{name}</bdi>
                </span>
              ),
            },
            {
              key: "open",
              name: t("saved.label.open"),
              numeric: true,
              cell: ({ name }) => <bdi dir="ltr">{countWord(counts[`label-${name}`] ?? 0)}</bdi>,
            },
            {
              key: "actions",
              name: t("saved.actions"),
              action: true,
              cell: (label) => (
                <span className="cell-actions">
                  <Button
                    aria-label={t("saved.edit.of", { name: label.name })}
                    onPress={() => setEditing(label)}
                  >
                    {t("kit.edit")}
                  </Button>
                  <Button
                    aria-label={t("saved.delete.of", { name: label.name })}
                    onPress={() => setDeleting(label)}
                  >
                    {t("kit.delete")}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      {editing !== null && (
        <EditLabel
          label={editing === "new" ? null : editing}
          taken={labels.map(({ name }) => name)}
          close={() => setEditing(null)}
        />
      )}
      {deleting !== null && <DeleteLabel label={deleting} close={() => setDeleting(null)} />}
    </Page>
  );
}

function EditLabel({
  label,
  taken,
  close,
}: {
  readonly label: LabelJson | null;
  readonly taken: readonly string[];
  readonly close: () => void;
}) {
  const [name, setName] = useState(label?.name ?? "");
  const [color, setColor] = useState(label?.color ?? COLORS[0][0]);
  const wanted = name.trim().toLowerCase();
  const exists = wanted !== label?.name && taken.includes(wanted);
  const save = useCall(async () => {
    await call("putLabel", {
      params: { name: label?.name ?? wanted },
      body: { color, ...(label !== null && wanted !== label.name && { newName: wanted }) },
    });
    await queryClient.invalidateQueries(bootstrapQuery);
    close();
  });
  const title = t(label === null ? "saved.label.new" : "saved.label.edit");
  return (
    <AskDialog title={title} close={close}>
      <form
        className="saved-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== "" && !exists) save.start();
        }}
      >
        <TextInput
          autoFocus
          isRequired
          label={t("saved.label.name")}
          hint={exists ? t("saved.label.taken") : t("saved.label.hint")}
          value={name}
          onChange={setName}
          maxLength={80}
          isInvalid={faultsOf(save.failed)["name"] !== undefined}
        />
        <fieldset className="colors">
          <legend>{t("saved.color")}</legend>
          {COLORS.map(([value, key]) => (
            <label key={value} title={t(key)}>
              <input
                type="radio"
                name="color"
                value={value}
                aria-label={t(key)}
                checked={color === value}
                onChange={() => setColor(value)}
              />
              <span style={{ background: value }} aria-hidden="true" />
            </label>
          ))}
          {!COLORS.some(([value]) => value === color) && (
            <span className="label-dot" style={{ background: color }} aria-hidden="true" />
          )}
        </fieldset>
        <Failure of={save.failed} />
        <div className="ask-buttons">
          <Button onPress={close}>{t("kit.cancel")}</Button>
          <Button
            type="submit"
            className="primary"
            isDisabled={wanted === "" || exists}
            isPending={save.busy}
          >
            {t("kit.save")}
          </Button>
        </div>
      </form>
    </AskDialog>
  );
}

function DeleteLabel({ label, close }: { readonly label: LabelJson; readonly close: () => void }) {
  const remove = useCall(async () => {
    await call("deleteLabel", { params: { name: label.name } });
    await queryClient.invalidateQueries(bootstrapQuery);
    close();
  });
  return (
    <ConfirmDialog
      title={t("saved.label.delete", { name: label.name })}
      verb={t("kit.delete")}
      call={remove}
      close={close}
    >
      <p>{t("saved.label.delete.text")}</p>
    </ConfirmDialog>
  );
}
