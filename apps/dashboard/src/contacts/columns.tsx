import { Button, Dialog, DialogTrigger, Popover } from "react-aria-components";
import type { AnswerOf } from "../api/call.ts";
import { channelWord } from "../kit/words.ts";
import { Badge } from "../kit/badge.tsx";
import { Tick } from "../kit/fields.tsx";
import { dayOf, distanceOf } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import type { Column } from "../kit/table.tsx";
import { t } from "../text/t.ts";
import { attributeText, NameText, Tags } from "./contact-words.tsx";
import { Face } from "../kit/face.tsx";
import { Phone } from "../kit/phone.tsx";
import type { Attribute } from "./rules.ts";

export type ContactLine = AnswerOf<"listContacts">["items"][number];

const DEFAULT = ["phone", "email", "tags", "lastSeenAt", "createdAt"];

/** Every column that the list can show, after the name. */
function allColumns(attributes: readonly Attribute[]): readonly Column<ContactLine>[] {
  return [
    {
      key: "phone",
      name: t("contacts.phone"),
      cell: ({ phone }) => phone !== null && <Phone of={phone} />,
    },
    {
      key: "email",
      name: t("contacts.email"),
      cell: ({ email }) => email !== null && <bdi dir="ltr">{email}</bdi>,
    },
    { key: "tags", name: t("contacts.tags"), cell: ({ tags }) => <Tags of={tags} /> },
    {
      key: "channelType",
      name: t("contacts.channel"),
      cell: ({ channelType }) => channelType !== null && channelWord(channelType),
    },
    {
      key: "optedOut",
      name: t("contacts.consent"),
      cell: ({ optedOut }) =>
        optedOut ? <Badge tone="warn">{t("contacts.optedOut")}</Badge> : t("contacts.reachable"),
    },
    {
      key: "lastSeenAt",
      name: t("contacts.seen"),
      cell: ({ lastSeenAt }) =>
        lastSeenAt !== null && <time dateTime={lastSeenAt}>{distanceOf(lastSeenAt)}</time>,
    },
    {
      key: "createdAt",
      name: t("contacts.created"),
      sortable: true,
      cell: ({ createdAt }) => <time dateTime={createdAt}>{dayOf(createdAt)}</time>,
    },
    ...attributes.map(({ key, label, type }): Column<ContactLine> => ({
      key: `attribute.${key}`,
      name: label,
      numeric: type === "number",
      cell: ({ attributes: values }) => <bdi>{attributeText(values[key])}</bdi>,
    })),
  ];
}

/** The columns that the member chose, the name first. An opt-out is marked beside the name in any case. */
export function chosenColumns(
  chosen: readonly string[] | null,
  attributes: readonly Attribute[],
): readonly Column<ContactLine>[] {
  const keys = chosen ?? DEFAULT;
  return [
    {
      key: "name",
      name: t("contacts.name"),
      sortable: true,
      cell: (contact) => (
        <span className="contact-name">
          <Face id={contact.id} name={contact.name} />
          <NameText of={contact} />
          {contact.optedOut && !keys.includes("optedOut") && (
            <Badge tone="warn">{t("contacts.optedOut")}</Badge>
          )}
        </span>
      ),
    },
    ...allColumns(attributes).filter(({ key }) => keys.includes(key)),
  ];
}

/** Which columns the list shows. Admins can also define attributes here. */
export function ColumnChoice({
  chosen,
  attributes,
  change,
  define,
}: {
  readonly chosen: readonly string[] | null;
  readonly attributes: readonly Attribute[];
  readonly change: (keys: readonly string[]) => void;
  /** Undefined: the member may not. */
  readonly define: (() => void) | undefined;
}) {
  const keys = chosen ?? DEFAULT;
  return (
    <DialogTrigger>
      <Button>
        <Icon name="columns-3" />
        <span className="columns-word">{t("contacts.columns")}</span>
      </Button>
      <Popover className="popover" placement="bottom end">
        <Dialog className="column-choice" aria-label={t("contacts.columns")}>
          {({ close }) => (
            <>
              {allColumns(attributes).map(({ key, name }) => (
                <Tick
                  key={key}
                  label={<bdi>{name}</bdi>}
                  on={keys.includes(key)}
                  change={(on) => change(on ? [...keys, key] : keys.filter((one) => one !== key))}
                />
              ))}
              {define && (
                <Button
                  className="quiet"
                  onPress={() => {
                    close();
                    define();
                  }}
                >
                  {t("contacts.attributes.manage")}
                </Button>
              )}
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
