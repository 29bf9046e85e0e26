import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Badge } from "../kit/badge.tsx";
import { AskDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { dayOf, momentOf } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { DataTable } from "../kit/table.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { sourceText } from "./actor-words.ts";
import { refreshContact, type Contact } from "./person.ts";
import { nameOf } from "./contact-words.tsx";

/** Whether the person may be written to, and the history of that. */
export function ConsentTab({ contact }: { readonly contact: Contact }) {
  const { members } = useBootstrap();
  const { data } = useQuery({
    queryKey: ["contact", contact.id, "consent"],
    queryFn: ({ signal }) => call("readConsent", { params: { id: contact.id }, signal }),
    throwOnError: failsPage,
  });
  const { optedOut, optedOutAt } = contact;
  const items = (data?.items ?? []).map((one, index) => ({ ...one, id: String(index) }));
  return (
    <div className="contact-parts">
      <Part title={t("contacts.consent")}>
        <p>
          <Badge tone={optedOut ? "warn" : "ok"}>
            {optedOut
              ? optedOutAt === null
                ? t("contacts.optedOut")
                : t("contacts.consent.now.out", { date: dayOf(optedOutAt) })
              : t("contacts.consent.now.in")}
          </Badge>
        </p>
        <p className="hint">
          {t(optedOut ? "contacts.consent.note.out" : "contacts.consent.note.in")}
        </p>
      </Part>
      <Part title={t("contacts.ledger")}>
        {data && items.length === 0 && <p className="hint">{t("contacts.ledger.empty")}</p>}
        {items.length > 0 && (
          <DataTable
            name={t("contacts.ledger")}
            rows={items}
            id={({ id }) => id}
            columns={[
              {
                key: "at",
                name: t("contacts.ledger.when"),
                cell: ({ at }) => <time dateTime={at}>{momentOf(at)}</time>,
              },
              {
                key: "what",
                name: t("contacts.ledger.what"),
                cell: (one) => (
                  <>
                    <Badge tone={one.optedOut ? "warn" : one.held ? "plain" : "ok"}>
                      {t(
                        one.optedOut
                          ? "contacts.optedOut"
                          : one.held
                            ? "contacts.ledger.held"
                            : "contacts.ledger.in",
                      )}
                    </Badge>
                    {one.evidence !== null && (
                      <div className="hint">
                        <bdi>{one.evidence}</bdi>
                      </div>
                    )}
                  </>
                ),
              },
              {
                key: "who",
                name: t("contacts.ledger.who"),
                cell: ({ source, detail }) => <bdi>{sourceText(source, detail, members)}</bdi>,
              },
              {
                key: "phone",
                name: t("contacts.phone"),
                cell: ({ phone }) => phone !== null && <bdi dir="ltr">{`+${phone}`}</bdi>,
              },
            ]}
          />
        )}
        {data?.more && <p className="hint">{t("contacts.ledger.more")}</p>}
      </Part>
    </div>
  );
}

/** Asks before the consent changes. */
export function ConsentDialog({
  contact,
  close,
}: {
  readonly contact: Contact;
  readonly close: () => void;
}) {
  const out = !contact.optedOut;
  const [evidence, setEvidence] = useState("");
  const change = useCall(async () => {
    const words = evidence.trim();
    const body = { optedOut: out, ...(words !== "" && { evidence: words }) };
    await call("changeConsent", { params: { id: contact.id }, body });
    await refreshContact(contact.id);
    close();
  });
  return (
    <AskDialog
      role="alertdialog"
      title={t(out ? "contacts.optOut.ask" : "contacts.optIn.ask", { name: nameOf(contact) })}
      close={close}
    >
      <p>{t(out ? "contacts.optOut.text" : "contacts.optIn.text")}</p>
      {!out && (
        <TextInput
          label={t("contacts.optIn.evidence")}
          hint={t("contacts.optIn.evidence.hint")}
          value={evidence}
          onChange={setEvidence}
          maxLength={200}
        />
      )}
      <Failure of={change.failed} />
      <div className="ask-buttons">
        <Button autoFocus onPress={close}>
          {t("kit.cancel")}
        </Button>
        <Button className="primary" isPending={change.busy} onPress={() => change.start()}>
          {t(out ? "contacts.optOut" : "contacts.optIn")}
        </Button>
      </div>
    </AskDialog>
  );
}
