import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { ConfirmDialog, AskDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import type { ContactLine } from "./columns.tsx";
import { refreshContact, type Contact } from "./person.ts";
import { attributeText, nameOf, NameText, Tags } from "./contact-words.tsx";
import { PersonName, Phone } from "../kit/phone.tsx";

/** Asks which contact is the same person, shows which values win, and merges. */
export function MergeDialog({
  contact,
  suggested,
  close,
}: {
  readonly contact: Pick<Contact, "id" | "name" | "phone" | "email">;
  /** Contacts with the same number or address. */
  readonly suggested: readonly ContactLine[];
  readonly close: () => void;
}) {
  const [other, setOther] = useState<string | null>(null);
  const [swapped, setSwapped] = useState(false);
  if (other === null)
    return <ChooseOther contact={contact} suggested={suggested} choose={setOther} close={close} />;
  const [keep, goes] = swapped ? [other, contact.id] : [contact.id, other];
  return (
    <PreviewMerge
      keep={keep}
      goes={goes}
      swap={() => setSwapped(!swapped)}
      again={() => setOther(null)}
      close={close}
    />
  );
}

function ChooseOther({
  contact,
  suggested,
  choose,
  close,
}: {
  readonly contact: Pick<Contact, "id" | "name" | "phone" | "email">;
  readonly suggested: readonly ContactLine[];
  readonly choose: (id: string) => void;
  readonly close: () => void;
}) {
  const [text, setText] = useState("");
  const search = text.trim();
  const { data } = useQuery({
    queryKey: ["contacts", "merge", search],
    queryFn: ({ signal }) => call("listContacts", { query: { search, pageSize: 10 }, signal }),
    enabled: search.length > 1,
  });
  const found = search.length > 1 ? data?.items : suggested;
  const others = found?.filter(({ id }) => id !== contact.id);
  return (
    <AskDialog title={t("contacts.merge.title", { name: nameOf(contact) })} wide close={close}>
      <p>{t("contacts.merge.lead")}</p>
      <TextInput
        label={t("contacts.merge.search")}
        placeholder={t("contacts.search.hint")}
        value={text}
        onChange={setText}
        autoFocus
      />
      {others && others.length === 0 && search.length > 1 && (
        <p className="hint">{t("contacts.merge.none")}</p>
      )}
      <ul className="contact-lines">
        {others?.map((one) => (
          <li key={one.id}>
            <NameText of={one} />
            <span className="contact-preview">
              {one.phone !== null && <Phone of={one.phone} />}{" "}
              {one.email !== null && <bdi dir="ltr">{one.email}</bdi>}
            </span>
            <Button
              aria-label={`${t("contacts.merge.choose")}: ${nameOf(one)}`}
              onPress={() => choose(one.id)}
            >
              {t("contacts.merge.choose")}
            </Button>
          </li>
        ))}
      </ul>
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
      </div>
    </AskDialog>
  );
}

/** The two contacts, and beside them the contact after the merge. */
export function PreviewMerge({
  keep,
  goes,
  swap,
  again,
  close,
}: {
  readonly keep: string;
  readonly goes: string;
  readonly swap?: () => void;
  readonly again?: () => void;
  readonly close: () => void;
}) {
  const navigate = useNavigate();
  const preview = useQuery({
    queryKey: ["contact", keep, "merge", goes],
    queryFn: ({ signal }) =>
      call("previewContactMerge", { params: { id: keep }, query: { mergedId: goes }, signal }),
    staleTime: 0,
  });
  const merge = useCall(async () => {
    await call("mergeContact", { params: { id: keep }, body: { mergedId: goes } });
    await refreshContact(keep);
    close();
    if (again) await navigate({ to: "/contacts/$id", params: { id: keep } });
  });
  const name = preview.data ? nameOf(preview.data.kept) : "";
  return (
    <ConfirmDialog
      title={t("contacts.merge.title", { name })}
      verb={t("contacts.merge")}
      call={merge}
      ready={preview.data !== undefined}
      close={close}
    >
      <p>{t("contacts.merge.lead")}</p>
      {preview.error instanceof ApiError && <Failure of={preview.error} />}
      {preview.data && <Comparison of={preview.data} />}
      {(swap ?? again) && (
        <div className="merge-tools">
          {swap && (
            <Button className="quiet" onPress={swap}>
              {t("contacts.merge.swap")}
            </Button>
          )}
          {again && (
            <Button className="quiet" onPress={again}>
              {t("contacts.merge.other")}
            </Button>
          )}
        </div>
      )}
    </ConfirmDialog>
  );
}

type Preview = AnswerOf<"previewContactMerge">;

function Comparison({ of: { kept, merged, result } }: { readonly of: Preview }) {
  const rows = [
    ...(["name", "phone", "email", "notes"] as const).map((key) => ({
      name: t(`contacts.${key}`),
      values: [kept[key], merged[key], result[key]].map((value) =>
        value !== null && key === "phone" ? `+${value}` : (value ?? ""),
      ),
    })),
    ...attributeRows([kept, merged, result]),
  ].filter(({ values }) => values.some((value) => value !== ""));
  return (
    <div className="data-table">
      <table aria-label={t("contacts.merge.preview")}>
        <thead>
          <tr>
            <th scope="col">{t("contacts.merge.field")}</th>
            <th scope="col">{t("contacts.merge.kept")}</th>
            <th scope="col">{t("contacts.merge.goes")}</th>
            <th scope="col">{t("contacts.merge.result")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              {values.map((value, index) => (
                <td key={index} data-wins={index === 2 || undefined}>
                  <PersonName of={value} />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">{t("contacts.tags")}</th>
            {[kept, merged, result].map(({ tags }, index) => (
              <td key={index}>
                <Tags of={tags} most={20} />
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">{t("contacts.consent")}</th>
            {[kept, merged, result].map(({ optedOut }, index) => (
              <td key={index} data-wins={index === 2 || undefined}>
                {t(optedOut ? "contacts.optedOut" : "contacts.reachable")}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function attributeRows(contacts: readonly Contact[]) {
  const keys = new Set(contacts.flatMap(({ attributes }) => Object.keys(attributes)));
  return [...keys].map((key) => ({
    name: key,
    values: contacts.map(({ attributes }) => attributeText(attributes[key])),
  }));
}
