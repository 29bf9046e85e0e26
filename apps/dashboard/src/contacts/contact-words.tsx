import type { ReactNode } from "react";
import { Phone } from "../kit/phone.tsx";
import { t } from "../text/t.ts";

interface Named {
  readonly id: string;
  readonly name: string | null;
  readonly phone: string | null;
  readonly email: string | null;
}

/** A contact's name for people: the name, else the number or the address. */
export const nameOf = ({ name, phone, email }: Named): string =>
  name ?? (phone === null ? (email ?? t("contacts.unnamed")) : `+${phone}`);

/** The text that confirms an erasure, in the server's form. */
export const confirmName = ({ name, phone, email, id }: Named): string =>
  name ?? phone ?? email ?? id;

/** The same for display: a number runs from left to right in every language. */
export function NameText({ of: contact }: { readonly of: Named }): ReactNode {
  if (contact.name !== null) return <bdi>{contact.name}</bdi>;
  if (contact.phone !== null) return <Phone of={contact.phone} />;
  return contact.email === null ? (
    <span className="contact-none">{t("contacts.unnamed")}</span>
  ) : (
    <bdi dir="ltr">{contact.email}</bdi>
  );
}

/** An attribute's value as people read it. */
export function attributeText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? t("contacts.yes") : t("contacts.no");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The tags in a text with commas, Arabic ones too. */
export const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,،;؛\n]/u)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ""),
  ),
];

export function Tags({
  of: tags,
  most = 3,
}: {
  readonly of: readonly string[];
  readonly most?: number;
}) {
  if (tags.length === 0) return null;
  const more = tags.length - most;
  return (
    <span className="contact-tags">
      {tags.slice(0, most).map((tag) => (
        <span key={tag} className="contact-tag">
          <bdi>{tag}</bdi>
        </span>
      ))}
      {more > 0 && <bdi dir="ltr" className="contact-none">{`+${more}`}</bdi>}
    </span>
  );
}
