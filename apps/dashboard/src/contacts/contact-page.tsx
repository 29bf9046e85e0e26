import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Button, Link, Tab, TabPanel, Tabs } from "react-aria-components";
import { Badge } from "../kit/badge.tsx";
import { dayOf } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import { Page } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { ConsentDialog, ConsentTab } from "./consent-tab.tsx";
import { nameOf, NameText, Tags } from "./contact-words.tsx";
import { Face } from "../kit/face.tsx";
import { Phone } from "../kit/phone.tsx";
import { TabRow } from "../kit/tab-row.tsx";
import { DetailsTab, EditContact } from "./details-tab.tsx";
import { EraseDialog } from "./erase-dialog.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { personQuery, type Contact, type Person } from "./person.ts";
import { StartConversation } from "./start-conversation.tsx";
import { Timeline } from "./timeline.tsx";
import "./contacts.css";

type Asked = "edit" | "merge" | "consent" | "start" | "erase";

/** `/contacts/:id`: one person with everything that happened on all channels. */
export function ContactPage() {
  const { id } = useParams({ from: "/members/contacts/$id" });
  const navigate = useNavigate();
  const { data } = useQuery(personQuery(id));
  const current = data?.contact.id;
  // The id of a merged contact leads to the one it became.
  useEffect(() => {
    if (current !== undefined && current !== id)
      void navigate({ to: "/contacts/$id", params: { id: current }, replace: true });
  }, [current, id, navigate]);
  if (!data) return <PageLate />;
  return <PersonPage key={data.contact.id} person={data} />;
}

function PersonPage({ person }: { readonly person: Person }) {
  const { contact } = person;
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  return (
    <Page
      title={nameOf(contact)}
      sign={<Face id={contact.id} name={contact.name} />}
      back={{ href: "/contacts", name: t("contacts.back") }}
      lead={<Summary of={contact} />}
      actions={<PersonActions contact={contact} ask={setAsked} />}
    >
      <Alike of={person} merge={() => setAsked("merge")} />
      <Tabs className="contact-tabs">
        <TabRow name={nameOf(contact)}>
          <Tab id="timeline">{t("contacts.timeline")}</Tab>
          <Tab id="details">{t("contacts.details")}</Tab>
          <Tab id="consent">{t("contacts.consent")}</Tab>
        </TabRow>
        <TabPanel id="timeline">
          <Timeline contactId={contact.id} />
        </TabPanel>
        <TabPanel id="details">
          <DetailsTab person={person} />
        </TabPanel>
        <TabPanel id="consent">
          <ConsentTab contact={contact} />
        </TabPanel>
      </Tabs>
      {asked === "edit" && <EditContact contact={contact} close={close} />}
      {asked === "merge" && (
        <MergeDialog contact={contact} suggested={person.alike} close={close} />
      )}
      {asked === "consent" && <ConsentDialog contact={contact} close={close} />}
      {asked === "start" && <StartConversation contact={contact} close={close} />}
      {asked === "erase" && <EraseDialog contact={contact} close={close} />}
    </Page>
  );
}

function Summary({ of: contact }: { readonly of: Contact }) {
  const { name, phone, email, tags, optedOut, optedOutAt } = contact;
  return (
    <span className="contact-summary">
      {name !== null && phone !== null && <Phone of={phone} />}
      {(name !== null || phone !== null) && email !== null && <bdi dir="ltr">{email}</bdi>}
      {optedOut && (
        <Badge tone="warn">
          {optedOutAt === null
            ? t("contacts.optedOut")
            : t("contacts.consent.now.out", { date: dayOf(optedOutAt) })}
        </Badge>
      )}
      <Tags of={tags} most={8} />
    </span>
  );
}

function PersonActions({
  contact: { optedOut },
  ask,
}: {
  readonly contact: Contact;
  readonly ask: (what: Asked) => void;
}) {
  const mayMerge = useMay("mergeContact");
  const mayErase = useMay("eraseContact");
  return (
    <>
      {mayErase && (
        <Button className="quiet destroys" onPress={() => ask("erase")}>
          <Icon name="trash" />
          {t("contacts.erase")}
        </Button>
      )}
      {mayMerge && <Button onPress={() => ask("merge")}>{t("contacts.merge")}</Button>}
      {/* Members who may merge may also opt in. */}
      {(!optedOut || mayMerge) && (
        <Button onPress={() => ask("consent")}>
          {t(optedOut ? "contacts.optIn" : "contacts.optOut")}
        </Button>
      )}
      <Button onPress={() => ask("edit")}>
        <Icon name="pencil" />
        {t("contacts.edit")}
      </Button>
      <Button className="primary" onPress={() => ask("start")}>
        <Icon name="message-square" />
        {t("contacts.startConversation")}
      </Button>
    </>
  );
}

/** Other contacts that may be the same person. */
function Alike({ of: { alike }, merge }: { readonly of: Person; readonly merge: () => void }) {
  const mayMerge = useMay("mergeContact");
  if (alike.length === 0) return null;
  return (
    <div className="contact-note">
      <p>{t("contacts.alike", { count: alike.length })}</p>
      <ul>
        {alike.map((other) => (
          <li key={other.id}>
            <Link href={`/contacts/${other.id}`}>
              <NameText of={other} />
            </Link>
          </li>
        ))}
      </ul>
      {mayMerge && (
        <Button className="quiet" onPress={merge}>
          {t("contacts.mergeThem")}
        </Button>
      )}
    </div>
  );
}
