import { useEffect, useId, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button, Link } from "react-aria-components";
import { call } from "../../api/call.ts";
import type { InputOf } from "../../api/call.ts";
import { Face } from "../../kit/face.tsx";
import { listOf } from "../../kit/format.ts";
import { Icon } from "../../kit/icon.tsx";
import { PersonName } from "../../kit/phone.tsx";
import { dateLocale, formatLocale } from "../../text/locale.ts";
import { t } from "../../text/t.ts";
import { useCommand } from "../../desk/commands.ts";
import { ask } from "../actions/ask.ts";
import { channelWord } from "../../kit/words.ts";
import type { AcrossLine, ContactCard, DeskRow } from "../../api/shapes.ts";
import { Glyph } from "../thread/glyph.tsx";
import { useThread, useThreads } from "../thread/threads.ts";
import { momentTime } from "../thread/times.ts";
import { useBootstrap, useRow } from "../../desk/use-inbox.ts";
import {
  coverWithDetails,
  toggleDetails,
  useDetailsOver,
  useDetailsShown,
} from "./details-open.ts";
import { Editable } from "./editable.tsx";
import "./details.css";

const day = new Intl.DateTimeFormat(dateLocale, {
  day: "numeric",
  month: "short",
  year: "numeric",
});
const shortDay = new Intl.DateTimeFormat(dateLocale, { day: "numeric", month: "short" });
const dayText = (at: string): string => day.format(new Date(at));

/** Who goes on to the next conversation sooner has not read what else happened with this customer. */
const LOOK_MS = 300;

/** The customer of the conversation: their fields, and what else happened with them. */
export function Details({ conversationId }: { conversationId: string }) {
  const row = useRow(conversationId);
  const { opened } = useThread(conversationId);
  const open = useDetailsOver();
  const shown = useDetailsShown();
  useCommand("details", toggleDetails);
  useEffect(() => () => coverWithDetails(false), []);
  if (!shown) return null;
  if (row === undefined || opened === undefined)
    return <aside className="details" aria-label={t("details.title")} aria-busy="true" />;
  const { contact } = opened;
  return (
    <aside
      className={open ? "details details-open" : "details"}
      aria-label={t("details.title")}
      onKeyDown={(event) => {
        if (event.key === "Escape") coverWithDetails(false);
      }}
    >
      <Button
        className="thread-button details-close"
        aria-label={t("kit.close")}
        onPress={() => coverWithDetails(false)}
      >
        <Glyph name="x" />
      </Button>
      <section className="details-part details-who">
        <Face id={contact.id} name={contact.name} />
        <p>
          <PersonName of={row.name} />
        </p>
        <Link className="details-open-contact" href={`/contacts/${contact.id}`}>
          {t("details.openContact")}
        </Link>
      </section>
      <ConversationFields row={row} />
      <ContactFields conversationId={conversationId} contact={contact} />
      <Across contactId={contact.id} conversationId={conversationId} />
    </aside>
  );
}

/** Whose the conversation is, and its labels. */
function ConversationFields({ row }: { row: DeskRow }) {
  const { members, labels } = useBootstrap();
  const assigned = useId();
  const assignee = members.find(({ id }) => id === row.assigneeId);
  const ids = [row.id];
  return (
    <section className="details-part">
      <h3>{t("details.conversation")}</h3>
      <dl className="details-fields">
        <div className="details-field">
          <dt>{t("details.assignee")}</dt>
          <dd>
            <Button
              className="details-choice"
              data-asks="assign"
              aria-describedby={assigned}
              onPress={({ target: at }) => ask({ kind: "assign", ids, at })}
            >
              <span className="visually-hidden">{t("details.assignee")}</span>
              <span id={assigned} className="details-assignee" aria-hidden="true">
                {assignee && <Face id={assignee.id} name={assignee.name} />}
                <span>
                  <bdi>{assignee?.name ?? t("details.nobody")}</bdi>
                  {assignee?.availability === "away" && (
                    <>
                      {" "}
                      <small>{t("shell.away")}</small>
                    </>
                  )}
                </span>
              </span>
              <Glyph name="chevron-down" />
            </Button>
          </dd>
        </div>
        <div className="details-field">
          <dt>{t("details.labels")}</dt>
          <dd className="details-labels">
            {row.labels.map((name) => (
              <span key={name} className="details-label">
                <svg viewBox="0 0 8 8" aria-hidden="true">
                  <circle
                    cx="4"
                    cy="4"
                    r="4"
                    fill={labels.find((one) => one.name === name)?.color}
                  />
                </svg>
                <bdi>{name}</bdi>
              </span>
            ))}
            <Button
              className="details-add"
              data-asks="labels"
              onPress={({ target: at }) => ask({ kind: "labels", ids, at })}
            >
              <span className="visually-hidden">{t("details.editLabels")}</span>
              <Icon name={row.labels.length === 0 ? "plus" : "pencil"} />
              {row.labels.length === 0 && <span aria-hidden="true">{t("details.add")}</span>}
            </Button>
          </dd>
        </div>
      </dl>
    </section>
  );
}

/** What a member can change of the contact here, in the order of the page. */
const EDITABLE = [
  { key: "name", label: "details.name", kind: "text" },
  { key: "phone", label: "details.phone", kind: "phone" },
  { key: "email", label: "details.email", kind: "code" },
  { key: "language", label: "details.language", kind: "code" },
] as const;

function ContactFields({
  conversationId,
  contact,
}: {
  conversationId: string;
  contact: ContactCard;
}) {
  const { store } = useThreads();
  const [adds, setAdds] = useState(false);
  const save = async (body: NonNullable<InputOf<"editContact">["body"]>): Promise<void> => {
    const card = await call("editContact", { params: { id: contact.id }, body });
    store.setContact(conversationId, card);
  };
  const missing = EDITABLE.filter(({ key }) => (contact[key] ?? "") === "");
  const attributes = Object.entries(contact.attributes).filter(([, value]) => value !== null);
  return (
    <>
      <section className="details-part">
        <h3>{t("details.contact")}</h3>
        <dl className="details-fields">
          {EDITABLE.filter((one) => adds || !missing.includes(one)).map(({ key, label, kind }) => (
            <Editable
              key={key}
              label={t(label)}
              value={contact[key]}
              kind={kind}
              begins={adds && key === missing[0]?.key}
              onSave={(value) => save({ [key]: value === "" && key !== "phone" ? null : value })}
              // The last line that is empty goes again; with others the next one may be meant.
              onLeave={() => setAdds((open) => open && missing.length > 1)}
            />
          ))}
          {contact.country !== null && (
            <Fact label={t("details.country")} value={countryName(contact.country)} />
          )}
          {contact.tags.length > 0 && (
            <Fact label={t("details.tags")} value={contact.tags.join(", ")} />
          )}
          <Fact
            label={t("details.consent")}
            value={
              !contact.optedOut
                ? t("details.optedIn")
                : contact.optedOutAt === null
                  ? t("details.optedOut")
                  : t("details.optedOutAt", { date: dayText(contact.optedOutAt) })
            }
          />
          {contact.lastSeenAt !== null && (
            <Fact label={t("details.lastSeen")} value={momentTime(contact.lastSeenAt)} />
          )}
          <Fact label={t("details.since")} value={dayText(contact.createdAt)} />
        </dl>
        {missing.length > 0 && !adds && (
          <Button className="details-add" onPress={() => setAdds(true)}>
            <Icon name="plus" />
            {t("details.addFields", {
              fields: listOf(missing.map(({ label }) => t(label).toLowerCase())),
            })}
          </Button>
        )}
      </section>
      {attributes.length > 0 && (
        <section className="details-part">
          <h3>{t("details.attributes")}</h3>
          <dl className="details-fields">
            {attributes.map(([name, value]) => (
              <Fact
                key={name}
                label={name}
                value={typeof value === "string" ? value : JSON.stringify(value)}
              />
            ))}
          </dl>
        </section>
      )}
    </>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="details-field">
      <dt>
        <bdi>{label}</bdi>
      </dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

function Across({ contactId, conversationId }: { contactId: string; conversationId: string }) {
  const [looks, setLooks] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLooks(true), LOOK_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    queryKey: ["across", contactId],
    queryFn: ({ signal }) => call("readAcross", { params: { id: contactId }, signal }),
    enabled: looks,
  });
  const lines = data?.lines.filter(({ id }) => id !== conversationId) ?? [];
  const groups = KINDS.map((kind) => ({ kind, own: lines.filter((line) => line.kind === kind) }));
  return (
    <section className="details-part">
      <h3>{t("details.across")}</h3>
      <ul className="details-across" aria-label={t("details.across")}>
        {data && lines.length === 0 && <li className="details-none">{t("details.noAcross")}</li>}
        {groups.flatMap(({ kind, own }) =>
          own.map((line, index) => (
            <li key={`${line.kind} ${line.id}`}>
              {index === 0 && <h4>{t(`details.across.${kind}`)}</h4>}
              <AcrossText line={line} />
              <time dateTime={line.at}>
                <bdi>{shortDay.format(new Date(line.at))}</bdi>
              </time>
            </li>
          )),
        )}
      </ul>
    </section>
  );
}

const KINDS = ["conversation", "campaign", "consent"] as const satisfies AcrossLine["kind"][];

function AcrossText({ line }: { line: AcrossLine }) {
  const text = <bdi>{acrossText(line)}</bdi>;
  if (line.kind !== "conversation") return <span className="details-across-text">{text}</span>;
  return (
    <Link href={`/inbox/all/${line.id}`} className="details-across-text">
      {text}
    </Link>
  );
}

function acrossText({ kind, text, channelType }: AcrossLine): string {
  switch (kind) {
    case "campaign":
      return text;
    case "consent":
      return text === "opted_out" ? t("details.optedOut") : t("details.consent.in");
    case "conversation":
      return channelType === null
        ? text
        : t("details.line", { channel: channelWord(channelType), text });
  }
}

const countries = new Intl.DisplayNames(formatLocale, { type: "region", fallback: "code" });
const countryName = (code: string): string =>
  /^[A-Z]{2}$/i.test(code) ? (countries.of(code.toUpperCase()) ?? code) : code;
