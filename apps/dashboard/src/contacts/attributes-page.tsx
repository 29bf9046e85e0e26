import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice, TextInput } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { Page, Part } from "../kit/page.tsx";
import { DataTable, type Column } from "../kit/table.tsx";
import { faultsOf, useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { attributesQuery } from "./filter-bar.tsx";
import type { Attribute } from "./rules.ts";
import "./contacts.css";

const TYPES: readonly Attribute["type"][] = ["text", "number", "date", "boolean", "choice"];

/** `/settings/attributes`: the attributes of contacts and their types, and those that programs wrote without a definition. */
export function AttributesPage() {
  const [named, setNamed] = useState<Attribute | null>(null);
  const { data, error } = useQuery(attributesQuery);
  const [removing, setRemoving] = useState<Attribute | null>(null);
  const all = data?.attributes ?? [];
  const defined = all.filter((one) => one.defined);
  const others = all.filter((one) => !one.defined);
  const name: Column<Attribute> = {
    key: "name",
    name: t("contacts.attribute.key"),
    cell: ({ label }) => <bdi>{label}</bdi>,
  };
  const type = (title: string): Column<Attribute> => ({
    key: "type",
    name: title,
    cell: ({ type: kind, choices }) => (
      <span>
        {t(`contacts.attribute.${kind}`)}
        {choices.length > 0 && (
          <>
            {" · "}
            <bdi>{choices.join(", ")}</bdi>
          </>
        )}
      </span>
    ),
  });
  return (
    <Page title={t("contacts.attributes")} lead={t("contacts.attributes.lead")}>
      <Failure of={error instanceof ApiError ? error : null} />
      <Part title={t("contacts.attributes.manage")}>
        {data && defined.length === 0 ? (
          <p className="hint">{t("contacts.attributes.empty")}</p>
        ) : (
          <DataTable
            name={t("contacts.attributes.manage")}
            rows={defined}
            id={({ key }) => key}
            columns={[
              name,
              type(t("contacts.attribute.type")),
              {
                key: "remove",
                name: t("saved.actions"),
                action: true,
                cell: (one) => (
                  <Button
                    className="quiet"
                    aria-label={t("contacts.attribute.remove", { name: one.label })}
                    onPress={() => setRemoving(one)}
                  >
                    <Icon name="trash" />
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Part>
      {others.length > 0 && (
        <Part title={t("contacts.attributes.others")}>
          <p>{t("contacts.attributes.others.text")}</p>
          <DataTable
            name={t("contacts.attributes.others")}
            rows={others}
            id={({ key }) => key}
            columns={[
              name,
              type(t("contacts.attribute.looks")),
              {
                key: "define",
                name: t("saved.actions"),
                action: true,
                cell: (one) => (
                  <Button
                    aria-label={t("contacts.attribute.defineThis", { name: one.label })}
                    onPress={() => setNamed(one)}
                  >
                    {t("contacts.attribute.define")}
                  </Button>
                ),
              },
            ]}
          />
        </Part>
      )}
      <Part title={t("contacts.attribute.add")}>
        <Define key={named?.key} named={named} done={() => setNamed(null)} />
      </Part>
      {removing && <RemoveDefinition of={removing} close={() => setRemoving(null)} />}
    </Page>
  );
}

function RemoveDefinition({ of, close }: { readonly of: Attribute; readonly close: () => void }) {
  const remove = useCall(async () => {
    await call("deleteContactAttribute", { params: { key: of.key } });
    await queryClient.invalidateQueries(attributesQuery);
    close();
  });
  return (
    <ConfirmDialog
      title={t("contacts.attribute.remove.title", { name: of.label })}
      verb={t("contacts.attribute.remove.verb")}
      call={remove}
      close={close}
    >
      <p>{t("contacts.attribute.remove.text")}</p>
    </ConfirmDialog>
  );
}

/** The form of a definition; `named`: an attribute that contacts have already. */
function Define({ named, done }: { readonly named: Attribute | null; readonly done: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [key, setKey] = useState(named?.key ?? "");
  const [type, setType] = useState<Attribute["type"]>(named?.type ?? "text");
  useEffect(() => {
    if (named) form.current?.querySelector("select")?.focus();
  }, [named]);
  const [choices, setChoices] = useState("");
  const define = useCall(async () => {
    const list = choices.split("\n").flatMap((line) => line.trim() || []);
    const body = { type, ...(type === "choice" && { choices: list }) };
    await call("putContactAttribute", { params: { key: key.trim() }, body });
    await queryClient.invalidateQueries(attributesQuery);
    setKey("");
    setChoices("");
    done();
  });
  const faults = faultsOf(define.failed);
  return (
    <form
      ref={form}
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
