import type { ReactNode } from "react";
import { t, type KeyWith, type PlainKey } from "../text/t.ts";
import type { BotDocument } from "./bots-query.ts";
import { isRecord } from "./document-file.ts";
import { putAt } from "./flow-model.ts";
import { AddItem, ItemHead } from "./item-parts.tsx";
import "./flow.css";

/** Members of a document that are being written. */
export interface Editing {
  readonly document: BotDocument;
  readonly mayWrite: boolean;
  /** Changes what is written, from what it is when the change is made. */
  readonly change: (make: (document: BotDocument) => BotDocument, field?: string) => void;
}

/** One record of a list, with what writes a member of it; undefined removes the member. */
export interface ItemEditing {
  readonly item: BotDocument;
  readonly mayWrite: boolean;
  readonly put: (member: string, value: unknown) => void;
}

/** The records of a list of the document; what is none is left out of sight, and kept. */
export const recordsAt = (document: BotDocument, name: string): readonly unknown[] => {
  const found = document[name];
  return Array.isArray(found) ? found : [];
};

export const textIn = (item: BotDocument, name: string): string => {
  const found = item[name];
  return typeof found === "string" ? found : "";
};

/** A list of records of a document: topics, look-ups, procedures. An empty list is no member. */
export function ItemList({
  of: { document, mayWrite, change },
  at,
  label,
  one,
  add,
  remove,
  most,
  make,
  children,
}: {
  readonly of: Editing;
  /** The member of the document. */
  readonly at: string;
  readonly label: string;
  readonly one: KeyWith<"number">;
  readonly add: PlainKey;
  readonly remove: KeyWith<"number">;
  readonly most: number;
  /** A new record. */
  readonly make: (count: number) => BotDocument;
  readonly children: (editing: ItemEditing, index: number) => ReactNode;
}) {
  const items = recordsAt(document, at);
  const write = (make: (items: readonly unknown[]) => readonly unknown[]) =>
    change((now) => {
      const after = make(recordsAt(now, at));
      const { [at]: _, ...others } = now;
      return after.length > 0 ? { ...now, [at]: after } : others;
    });
  return (
    <>
      <ul aria-label={label} className="bots-items">
        {items.length === 0 && <li className="hint">{t("bots.list.none")}</li>}
        {items.map((item, index) => (
          // Items have no names of their own that stay while they are written.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="flow-item" aria-label={t(one, { number: index + 1 })}>
            <ItemHead
              words={{ one, remove }}
              number={index + 1}
              remove={
                mayWrite && (() => write((now) => now.filter((_one, other) => other !== index)))
              }
            />
            {children(
              {
                item: isRecord(item) ? item : {},
                mayWrite,
                put: (member, value) =>
                  change((now) => {
                    const after = putAt(now, [at, String(index), ...member.split(".")], value);
                    return isRecord(after) ? after : now;
                  }, `${at}.${index}.${member}`),
              },
              index,
            )}
          </li>
        ))}
      </ul>
      {mayWrite && items.length < most && (
        <AddItem word={add} add={() => write((now) => [...now, make(now.length)])} />
      )}
    </>
  );
}
