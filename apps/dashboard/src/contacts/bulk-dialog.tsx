import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice, TextInput } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import type { JobAction, JobInput, Target } from "./bulk-target.ts";
import { tagsOf } from "./contact-words.tsx";
import { jobsQuery } from "./jobs.tsx";
import type { Attribute } from "./rules.ts";

/** Asks for the details of a change to many contacts, says how many it is for, and starts it. */
export function BulkDialog({
  action,
  target,
  attributes,
  close,
  started,
}: {
  readonly action: JobAction;
  readonly target: Target;
  readonly attributes: readonly Attribute[];
  readonly close: () => void;
  readonly started: () => void;
}) {
  const [text, setText] = useState("");
  const [key, setKey] = useState(attributes[0]?.key ?? "");
  const attribute = attributes.find((one) => one.key === key);
  const change = changeOf(action, text, key, attribute);
  const start = useCall(async () => {
    if (!change) return;
    await call("startContactJob", { body: { ...target, change } });
    await queryClient.invalidateQueries(jobsQuery);
    started();
  });
  const isDelete = action === "delete";
  return (
    <AskDialog
      title={t(`contacts.bulk.${action}`)}
      role={isDelete ? "alertdialog" : "dialog"}
      close={close}
    >
      <form
        className="record-form"
        onSubmit={(event) => {
          event.preventDefault();
          start.start();
        }}
      >
        <HowMany target={target} />
        {isDelete && <p>{t("contacts.bulk.delete.text")}</p>}
        <Fields
          action={action}
          text={text}
          change={setText}
          attributes={attributes}
          chosen={key}
          choose={(next) => {
            setKey(next);
            setText("");
          }}
        />
        <p className="hint">{t("contacts.bulk.goesOn")}</p>
        <Failure of={start.failed} />
        <div className="ask-buttons">
          <Button onPress={close}>{t("kit.cancel")}</Button>
          <Button
            type="submit"
            className={isDelete ? "danger" : "primary"}
            isDisabled={change === null}
            isPending={start.busy}
          >
            {isDelete ? t("contacts.bulk.delete") : t("contacts.start")}
          </Button>
        </div>
      </form>
    </AskDialog>
  );
}

/** How many it is for: exact, or as far as they can be counted in some seconds. */
function HowMany({ target }: { readonly target: Target }) {
  const ids = "ids" in target ? target.ids : null;
  const filter = "filter" in target ? target.filter : {};
  const { data } = useQuery({
    queryKey: ["contacts", "exact", filter],
    queryFn: ({ signal }) => call("countContacts", { query: { ...filter, exact: "1" }, signal }),
    enabled: ids === null,
    staleTime: 0,
  });
  const known = ids ? { count: ids.length, exact: true } : data;
  const text =
    !known || known.count === null
      ? t("contacts.bulk.counting")
      : known.exact
        ? t("contacts.bulk.for", { count: known.count })
        : t("contacts.bulk.forMany", { count: count(known.count) });
  return <p role="status">{text}</p>;
}

function Fields({
  action,
  text,
  change,
  attributes,
  chosen,
  choose,
}: {
  readonly action: JobAction;
  readonly text: string;
  readonly change: (text: string) => void;
  readonly attributes: readonly Attribute[];
  readonly chosen: string;
  readonly choose: (key: string) => void;
}) {
  const given = { value: text, onChange: change };
  switch (action) {
    case "tag":
    case "untag":
      return (
        <TextInput
          {...given}
          autoFocus
          label={t("contacts.tags")}
          hint={t("contacts.bulk.tags.hint")}
        />
      );
    case "set_attribute":
      return (
        <>
          {attributes.length > 0 ? (
            <Choice
              label={t("contacts.bulk.attribute")}
              value={chosen}
              options={attributes.map(({ key, label }) => ({ value: key, name: label }))}
              change={choose}
            />
          ) : (
            <TextInput
              label={t("contacts.bulk.attribute")}
              value={chosen}
              onChange={choose}
              autoFocus
            />
          )}
          <TextInput
            {...given}
            label={t("contacts.bulk.attribute.value")}
            hint={t("contacts.bulk.attribute.hint")}
          />
        </>
      );
    case "opt_out":
    case "opt_in":
      return (
        <TextInput
          {...given}
          autoFocus
          maxLength={200}
          label={t("contacts.bulk.reason")}
          hint={t(action === "opt_in" ? "contacts.bulk.reason.in" : "contacts.bulk.reason.out")}
        />
      );
    case "delete":
      return (
        <TextInput
          {...given}
          autoFocus
          label={t("contacts.bulk.delete.confirm", { word: t("contacts.bulk.delete.word") })}
        />
      );
  }
}

/** The requested change; null: something is missing. */
function changeOf(
  action: JobAction,
  text: string,
  key: string,
  attribute: Attribute | undefined,
): JobInput["change"] | null {
  const plain = text.trim();
  switch (action) {
    case "tag":
    case "untag": {
      const tags = tagsOf(text);
      return tags.length > 0 ? { action, tags } : null;
    }
    case "set_attribute":
      return key === "" ? null : { action, key, value: attributeValue(plain, attribute) };
    case "opt_out":
      return { action, ...(plain !== "" && { reason: plain }) };
    case "opt_in":
      return plain === "" ? null : { action, reason: plain };
    case "delete":
      return plain === t("contacts.bulk.delete.word") ? { action } : null;
  }
}

/** The server reads a text by the attribute's type; without a definition, a text that is a number is sent as one. */
function attributeValue(text: string, attribute: Attribute | undefined): string | number | null {
  if (text === "") return null;
  const number = Number(text);
  return !attribute && /^-?\d{1,15}(\.\d+)?$/.test(text) && Number.isFinite(number) ? number : text;
}
