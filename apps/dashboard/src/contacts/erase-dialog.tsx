import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";
import { AskDialog, ConfirmDialog } from "../kit/dialog.tsx";
import { TextInput } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import type { Contact } from "./person.ts";
import { confirmName, nameOf } from "./contact-words.tsx";

type Erasure = AnswerOf<"eraseContact">;

/** Erases a person after their name was typed, and shows the progress. */
export function EraseDialog({
  contact,
  close,
}: {
  readonly contact: Contact;
  readonly close: () => void;
}) {
  const [typed, setTyped] = useState("");
  const [erasure, setErasure] = useState<Erasure | null>(null);
  const name = confirmName(contact);
  const erase = useCall(async () => {
    const body = { confirm: typed };
    setErasure(await call("eraseContact", { params: { id: contact.id }, body }));
  });
  if (erasure) return <Erasing name={nameOf(contact)} erasure={erasure} />;
  return (
    <ConfirmDialog
      title={t("contacts.erase.title", { name: nameOf(contact) })}
      verb={t("contacts.erase")}
      call={erase}
      ready={plain(typed) === plain(name)}
      close={close}
    >
      <p>{t("contacts.erase.text")}</p>
      <TextInput
        label={t("contacts.erase.type", { name })}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
      />
    </ConfirmDialog>
  );
}

/** Compared as the server does: case, spaces and invisible marks do not count. */
const plain = (text: string): string =>
  text
    .normalize("NFC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .toLowerCase();

/** The contact is gone already; the rest is removed in the background, whether the page stays open or not. */
function Erasing({ name, erasure }: { readonly name: string; readonly erasure: Erasure }) {
  const navigate = useNavigate();
  const { data = erasure } = useQuery({
    queryKey: ["erasure", erasure.id],
    queryFn: ({ signal }) => call("readErasure", { params: { id: erasure.id }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === "done" ? false : 1_500),
  });
  const named = erasure.segments.length + erasure.campaigns.length;
  const alike = erasure.alike?.length ?? 0;
  const leave = (): void => {
    void queryClient.invalidateQueries({ queryKey: ["contacts"] });
    void navigate({ to: "/contacts" });
  };
  const done = data.state === "done";
  return (
    <AskDialog title={t("contacts.erase")} close={leave}>
      <p role="status">{t(done ? "contacts.erase.done" : "contacts.erase.begun", { name })}</p>
      {data.waitsFor !== null && (
        <p className="hint">{t("contacts.erase.waits", { what: data.waitsFor })}</p>
      )}
      {!done && <p className="hint">{t("contacts.bulk.goesOn")}</p>}
      {named > 0 && <p>{t("contacts.erase.named", { count: named })}</p>}
      {alike > 0 && <p>{t("contacts.erase.alike", { count: alike })}</p>}
      <div className="ask-buttons">
        <Button className="primary" onPress={leave}>
          {t("kit.close")}
        </Button>
      </div>
    </AskDialog>
  );
}
