import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Button, Link } from "react-aria-components";
import { call } from "../api/call.ts";
import { channelWord } from "../kit/words.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { dayOf, distanceOf } from "../kit/format.ts";
import { Facts, Part } from "../kit/page.tsx";
import { Nothing } from "../kit/table.tsx";
import { ProvenDownload } from "../kit/proven-download.tsx";
import { faultsOf, useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { ContactFields, type Draft } from "./contact-form.tsx";
import { refreshContact, type Contact, type Person } from "./person.ts";
import { attributeText, Tags, tagsOf } from "./contact-words.tsx";
import { Phone } from "../kit/phone.tsx";
import { attributesQuery } from "./filter-bar.tsx";
import { withoutEmpty } from "./new-contact.tsx";
import { CHANNEL_TYPES } from "../../../server/src/wire/words.ts";

/** The fields of a person, and how channels know them. */
export function DetailsTab({ person }: { readonly person: Person }) {
  const { contact, identities, refs, conversations, merged } = person;
  const { channels } = useBootstrap();
  const mayExport = useMay("eraseContact");
  const channelName = (id: string): string => {
    const channel = channels.find((one) => one.id === id);
    return channel ? channel.name || channelWord(channel.type) : "—";
  };
  return (
    <div className="contact-parts">
      <Part
        title={t("contacts.details")}
        actions={
          mayExport && (
            <ProvenDownload
              address={`/api/app/contacts/${contact.id}/export`}
              name={t("contacts.exportPerson")}
            />
          )
        }
      >
        <Facts of={detailFacts(contact)} />
      </Part>
      <AttributesPart contact={contact} />
      <Part title={t("contacts.conversations")}>
        {conversations.length === 0 && <p className="hint">{t("contacts.conversations.none")}</p>}
        <ul className="contact-lines">
          {conversations.map((one) => (
            <li key={one.id}>
              {one.inInbox ? (
                <Link href={`/inbox/all/${one.id}`}>
                  <bdi>{channelName(one.channelId)}</bdi>
                </Link>
              ) : (
                <bdi>{channelName(one.channelId)}</bdi>
              )}
              <bdi className="contact-preview">{one.preview}</bdi>
              {one.lastMessageAt !== null && (
                <time dateTime={one.lastMessageAt}>{distanceOf(one.lastMessageAt)}</time>
              )}
            </li>
          ))}
        </ul>
      </Part>
      <Part title={t("contacts.identities")}>
        {identities.length === 0 && <p className="hint">{t("contacts.identities.none")}</p>}
        <ul className="contact-lines">
          {identities.map(({ channelId, externalId, since, retiredAt, isNumber }) => (
            <li key={`${channelId} ${externalId} ${since}`}>
              <bdi>{channelName(channelId)}</bdi>
              <bdi dir="ltr" className="contact-preview">
                {isNumber ? `+${externalId}` : externalId}
              </bdi>
              <span>
                {retiredAt === null
                  ? t("contacts.identity.since", { date: dayOf(since) })
                  : t("contacts.identity.until", { date: dayOf(retiredAt) })}
              </span>
            </li>
          ))}
        </ul>
      </Part>
      {refs.length > 0 && (
        <Part title={t("contacts.refs")}>
          <Facts
            of={refs.map(({ system, value }) => [
              system,
              <bdi key={system} dir="ltr">
                {value}
              </bdi>,
            ])}
          />
        </Part>
      )}
      {merged.length > 0 && (
        <Part title={t("contacts.merged")}>
          <ul className="contact-lines">
            {merged.map(({ id, name, mergedAt }) => (
              <li key={id}>
                <bdi>{name ?? t("contacts.unnamed")}</bdi>
                <span />
                <time dateTime={mergedAt}>{dayOf(mergedAt)}</time>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

function detailFacts(contact: Contact): readonly (readonly [string, ReactNode])[] {
  const { name, phone, email, tags, notes, channelType, lastSeenAt, createdAt } = contact;
  const channel = CHANNEL_TYPES.find((type) => type === channelType);
  const none = <Nothing />;
  return [
    [t("contacts.name"), name === null ? none : <bdi key="name">{name}</bdi>],
    [t("contacts.phone"), phone === null ? none : <Phone key="phone" of={phone} />],
    [
      t("contacts.email"),
      email === null ? (
        none
      ) : (
        <bdi key="email" dir="ltr">
          {email}
        </bdi>
      ),
    ],
    [t("contacts.tags"), tags.length === 0 ? none : <Tags key="tags" of={tags} most={100} />],
    [
      t("contacts.notes"),
      notes === null ? (
        none
      ) : (
        <p key="notes" dir="auto" className="contact-notes">
          {notes}
        </p>
      ),
    ],
    [t("contacts.channel"), channel ? channelWord(channel) : none],
    [t("contacts.seen"), lastSeenAt === null ? none : dayOf(lastSeenAt)],
    [t("contacts.created"), dayOf(createdAt)],
  ];
}

function AttributesPart({ contact }: { readonly contact: Contact }) {
  const defined = useQuery(attributesQuery).data?.attributes ?? [];
  const labels = new Map(defined.map(({ key, label }) => [key, label]));
  const known = Object.entries(contact.attributes).filter(([, value]) => value !== null);
  return (
    <Part title={t("contacts.attributes")}>
      {known.length === 0 ? (
        <p className="hint">{t("contacts.attributes.none")}</p>
      ) : (
        <Facts
          of={known.map(([key, value]) => [
            labels.get(key) ?? key,
            <bdi key={key}>{attributeText(value)}</bdi>,
          ])}
        />
      )}
    </Part>
  );
}

/** The dialog that changes a contact. Unchanged fields are not sent. */
export function EditContact({
  contact,
  close,
}: {
  readonly contact: Contact;
  readonly close: () => void;
}) {
  const known = useQuery(attributesQuery).data?.attributes ?? [];
  const attributes = known.filter(({ defined }) => defined);
  const [changes, setChanges] = useState<Partial<Draft>>({});
  const draft: Draft = {
    name: contact.name ?? "",
    phone: contact.phone === null ? "" : `+${contact.phone}`,
    email: contact.email ?? "",
    tags: contact.tags.join(", "),
    notes: contact.notes ?? "",
    attributes: contact.attributes,
    ...changes,
  };
  const save = useCall(async () => {
    const text = (key: "name" | "phone" | "email" | "notes") =>
      changes[key] === undefined ? {} : { [key]: changes[key].trim() || null };
    await call("editContact", {
      params: { id: contact.id },
      body: {
        ...text("name"),
        ...text("phone"),
        ...text("email"),
        ...text("notes"),
        ...(changes.tags !== undefined && { tags: tagsOf(changes.tags) }),
        ...(changes.attributes && { attributes: withoutEmpty(changes.attributes) }),
      },
    });
    await refreshContact(contact.id);
    close();
  });
  return (
    <AskDialog title={t("contacts.edit")} wide close={close}>
      <form
        className="record-form"
        onSubmit={(event) => {
          event.preventDefault();
          save.start();
        }}
      >
        <ContactFields
          draft={draft}
          change={(next) => setChanges({ ...changes, ...next })}
          attributes={attributes}
          faults={faultsOf(save.failed)}
        />
        <Failure of={save.failed} />
        <div className="ask-buttons">
          <Button onPress={close}>{t("kit.cancel")}</Button>
          <Button type="submit" className="primary" isPending={save.busy}>
            {t("kit.save")}
          </Button>
        </div>
      </form>
    </AskDialog>
  );
}
