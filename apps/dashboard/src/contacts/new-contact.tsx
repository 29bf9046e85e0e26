import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import { call } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { faultsOf, useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import type { ContactLine } from "./columns.tsx";
import { ContactFields, type Draft } from "./contact-form.tsx";
import { NameText, tagsOf } from "./contact-words.tsx";
import type { Attribute } from "./rules.ts";

const EMPTY: Draft = { name: "", phone: "", email: "", tags: "", notes: "", attributes: {} };

/** The dialog that creates a contact. It first checks whether a contact has the number or the address already. */
export function NewContact({
  attributes,
  close,
}: {
  readonly attributes: readonly Attribute[];
  readonly close: () => void;
}) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(EMPTY);
  const [known, setKnown] = useState<readonly ContactLine[]>([]);
  const create = useCall(async () => {
    if (known.length === 0) {
      const found = await holders(draft);
      setKnown(found);
      if (found.length > 0) return;
    }
    const { id } = await call("createContact", { body: bodyOf(draft) });
    await queryClient.invalidateQueries({ queryKey: ["contacts"] });
    await navigate({ to: "/contacts/$id", params: { id } });
  });
  const unreachable = draft.phone.trim() === "" && draft.email.trim() === "";
  return (
    <AskDialog title={t("contacts.new")} wide close={close}>
      <form
        className="record-form"
        onSubmit={(event) => {
          event.preventDefault();
          create.start();
        }}
      >
        <ContactFields
          draft={draft}
          change={(changes) => {
            setDraft({ ...draft, ...changes });
            setKnown([]);
          }}
          attributes={attributes}
          faults={faultsOf(create.failed)}
        />
        {known.length > 0 && (
          <div role="alert" className="contact-note">
            <p>{t("contacts.create.known")}</p>
            <ul>
              {known.map((contact) => (
                <li key={contact.id}>
                  <Link href={`/contacts/${contact.id}`}>
                    <NameText of={contact} />
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )}
        {unreachable && <p className="hint">{t("contacts.needsAddress")}</p>}
        <Failure of={create.failed} />
        <div className="ask-buttons">
          <Button onPress={close}>{t("kit.cancel")}</Button>
          <Button
            type="submit"
            className="primary"
            isDisabled={unreachable}
            isPending={create.busy}
          >
            {t(known.length > 0 ? "contacts.create.anyway" : "contacts.create")}
          </Button>
        </div>
      </form>
    </AskDialog>
  );
}

/** The form's values without the empty ones. */
export function bodyOf({ name, phone, email, tags, notes, attributes }: Draft) {
  const text = (key: "name" | "phone" | "email" | "notes", value: string) =>
    value.trim() === "" ? {} : { [key]: value.trim() };
  return {
    ...text("name", name),
    ...text("phone", phone),
    ...text("email", email),
    ...text("notes", notes),
    tags: tagsOf(tags),
    attributes: withoutEmpty(attributes),
  };
}

/** An attribute without a text was added and not filled in. */
export const withoutEmpty = (
  attributes: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ""));

/** Contacts with the number or the address. */
async function holders({ phone, email }: Draft): Promise<readonly ContactLine[]> {
  const digits = phone.replaceAll(/\D/gu, "").replace(/^00/u, "");
  const rules = [
    ...(digits === "" ? [] : [{ field: "phone", op: "eq", value: digits }]),
    ...(email.trim() === "" ? [] : [{ field: "email", op: "eq", value: email.trim() }]),
  ];
  if (rules.length === 0) return [];
  const definition = JSON.stringify({ match: "any", rules });
  const { items } = await call("listContacts", { query: { definition, pageSize: 5 } });
  return items;
}
