import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice, TextInput } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { faultsOf, useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { attributesQuery } from "./filter-bar.tsx";
import type { Attribute } from "./rules.ts";

const TYPES: readonly Attribute["type"][] = ["text", "number", "date", "boolean", "choice"];

/** The workspace's attributes and their types: defined here, and used by imports, filters and segments. */
export function AttributesDialog({ close }: { readonly close: () => void }) {
  const attributes = useQuery(attributesQuery).data?.attributes ?? [];
  const remove = useCall(async (key: string) => {
    await call("removeAttribute", { query: { key } });
    await queryClient.invalidateQueries(attributesQuery);
  });
  return (
    <AskDialog title={t("contacts.attributes.manage")} wide close={close}>
      <p>{t("contacts.attributes.lead")}</p>
      {attributes.length === 0 && <p className="hint">{t("contacts.attributes.empty")}</p>}
      <ul className="attribute-list">
        {attributes.map(({ key, label, type, choices }) => (
          <li key={key}>
            <span>
              <bdi>{label}</bdi>
              <small>
                {t(`contacts.attribute.${type}`)}
                {choices.length > 0 && <bdi>{` · ${choices.join(", ")}`}</bdi>}
              </small>
            </span>
            <Button
              className="quiet"
              aria-label={t("contacts.attribute.remove", { name: label })}
              onPress={() => remove.start(key)}
            >
              <Icon name="trash" />
            </Button>
          </li>
        ))}
      </ul>
      <Failure of={remove.failed} />
      <Define />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.close")}</Button>
      </div>
    </AskDialog>
  );
}

function Define() {
  const [key, setKey] = useState("");
  const [type, setType] = useState<Attribute["type"]>("text");
  const [choices, setChoices] = useState("");
  const define = useCall(async () => {
    const list = choices.split("\n").flatMap((line) => line.trim() || []);
    const body = { key: key.trim(), type, ...(type === "choice" && { choices: list }) };
    await call("defineAttribute", { body });
    await queryClient.invalidateQueries(attributesQuery);
    setKey("");
    setChoices("");
  });
  const faults = faultsOf(define.failed);
  return (
    <form
      className="record-form"
      onSubmit={(event) => {
        event.preventDefault();
        define.start();
      }}
    >
      <div className="form-pair">
        <TextInput
          label={t("contacts.attribute.key")}
          value={key}
          onChange={setKey}
          maxLength={200}
          isInvalid={faults["key"] !== undefined}
        />
        <Choice
          label={t("contacts.attribute.type")}
          value={type}
          options={TYPES.map((one) => ({ value: one, name: t(`contacts.attribute.${one}`) }))}
          change={setType}
        />
      </div>
      {type === "choice" && (
        <TextInput
          label={t("contacts.attribute.choices")}
          hint={t("contacts.attribute.choices.hint")}
          rows={4}
          value={choices}
          onChange={setChoices}
        />
      )}
      <Failure of={define.failed} />
      <div>
        <Button type="submit" isDisabled={key.trim() === ""} isPending={define.busy}>
          {t("contacts.attribute.add")}
        </Button>
      </div>
    </form>
  );
}
