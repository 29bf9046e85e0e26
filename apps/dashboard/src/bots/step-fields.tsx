import { useId, useState, type ReactNode } from "react";
import type { FlowStepType } from "../../../server/src/wire/flow.ts";
import { Choice, TextInput } from "../kit/fields.tsx";
import { t, type KeyWith, type PlainKey } from "../text/t.ts";
import { numberOf, wordsOf } from "./ai-form.ts";
import { isRecord } from "./document-file.ts";
import { nameOfStep, typeOfStep, type StepRecord } from "./flow-steps.ts";
import { AddItem, ItemHead } from "./item-parts.tsx";
import { typeWord, wordsIn } from "./step-words.ts";
import { TextPair } from "./text-pair.tsx";

/** One step that is being written. */
export interface StepEditing {
  readonly id: string;
  readonly step: StepRecord;
  readonly steps: ReadonlyMap<string, StepRecord>;
  readonly mayWrite: boolean;
  /** Writes a member of the step ("text.en"); undefined removes it. */
  readonly put: (at: string, value: unknown) => void;
  /** Adds a step where the edge at this place leads. */
  readonly leadToNew: (at: string, type: FlowStepType) => void;
}

/** What is at a place of a step. */
export function valueAt(step: unknown, at: string): unknown {
  let found: unknown = step;
  for (const name of at.split(".")) {
    if (Array.isArray(found)) {
      const items: unknown[] = found;
      found = items[Number(name)];
    } else found = isRecord(found) ? found[name] : undefined;
  }
  return found;
}

const textAt = (step: unknown, at: string): string => {
  const found = valueAt(step, at);
  return typeof found === "string" ? found : "";
};

/** One text of a step. An empty one is no member, but for those in a list, and where it is `kept`. */
export function StepText({
  of: { step, mayWrite, put },
  at,
  label,
  hint,
  rows,
  code = false,
  most = 1_000,
  kept = at.includes("."),
}: {
  readonly of: StepEditing;
  readonly at: string;
  readonly label: string;
  readonly kept?: boolean;
  readonly hint?: ReactNode;
  readonly rows?: number;
  readonly code?: boolean;
  readonly most?: number;
}) {
  return (
    <TextInput
      label={label}
      isReadOnly={!mayWrite}
      maxLength={most}
      code={code}
      value={textAt(step, at)}
      onChange={(text) => put(at, text === "" && !kept ? undefined : text)}
      {...(rows !== undefined && { rows })}
      {...(hint !== undefined && { hint })}
    />
  );
}

/** A text in both languages. `optional`: without words there is no text at all. */
export function StepPair({
  of: editing,
  at,
  labels,
  hint,
  rows = 3,
  most = 4_096,
  optional = false,
  placeholders,
}: {
  readonly of: StepEditing;
  readonly at: string;
  readonly labels: readonly [en: PlainKey, ar: PlainKey];
  readonly hint?: string;
  readonly rows?: number | null;
  readonly most?: number;
  readonly optional?: boolean;
  /** What an empty field shows: the words that are used then. */
  readonly placeholders?: Readonly<Record<"en" | "ar", string>>;
}) {
  const { step, mayWrite, put } = editing;
  const pair = valueAt(step, at);
  const write = (language: "en" | "ar", text: string): void => {
    const { [language]: _, ...others } = isRecord(pair) ? pair : {};
    const next = text === "" ? others : { ...others, [language]: text };
    put(at, optional && Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <TextPair
      labels={labels}
      textOf={(language) => textAt(pair, language)}
      write={write}
      isReadOnly={!mayWrite}
      most={most}
      rows={rows}
      hint={hint}
      placeholders={placeholders}
    />
  );
}

/** A number of a step; empty: the member is absent. */
export function StepNumber({
  of: { step, mayWrite, put },
  at,
  label,
  hint,
  written = put,
}: {
  readonly of: StepEditing;
  readonly at: string;
  readonly label: string;
  readonly hint: string;
  readonly written?: (at: string, value: number | undefined) => void;
}) {
  const value = valueAt(step, at);
  return (
    <TextInput
      type="number"
      code
      label={label}
      hint={hint}
      isReadOnly={!mayWrite}
      value={typeof value === "number" ? String(value) : ""}
      onChange={(field) => written(at, numberOf(field))}
    />
  );
}

/** Words of a step, parted by commas. */
export function StepWords({
  of: { step, mayWrite, put },
  at,
  label,
  hint = t("flow.words.hint"),
}: {
  readonly of: Pick<StepEditing, "step" | "mayWrite" | "put">;
  readonly at: string;
  readonly label: string;
  readonly hint?: string;
}) {
  const words = wordsIn(valueAt(step, at));
  const [line, setLine] = useState(() => words.join(", "));
  // Undo, or another draft, has other words than the line.
  const shown = wordsOf(line).join() === words.join() ? line : words.join(", ");
  return (
    <TextInput
      label={label}
      hint={hint}
      isReadOnly={!mayWrite}
      value={shown}
      onChange={(text) => {
        setLine(text);
        const list = wordsOf(text);
        put(at, list.length > 0 ? list : undefined);
      }}
      maxLength={4_000}
    />
  );
}

/** One of a closed list. */
export function StepChoice<const Value extends string>({
  of: { step, mayWrite, put },
  at,
  label,
  options,
  otherwise,
  hint,
}: {
  readonly of: StepEditing;
  readonly at: string;
  readonly label: string;
  readonly options: readonly (readonly [Value, string])[];
  /** What holds when the member is absent. */
  readonly otherwise: Value;
  readonly hint?: string;
}) {
  const value = valueAt(step, at);
  const known = options.find(([one]) => one === value);
  return (
    <Choice
      label={label}
      disabled={!mayWrite}
      options={options.map(([one, name]) => ({ value: one, name }))}
      value={known?.[0] ?? otherwise}
      change={(one) => put(at, one)}
      {...(hint !== undefined && { hint })}
    />
  );
}

const NEW = "+";
/** The kinds of steps that are offered where an edge leads nowhere yet. */
const NEW_STEPS = ["send", "choose", "ask", "hand_over", "end"] as const;

/** Where a step goes on: another step, a new one, or the end. `nowhere`: what the absent name means. */
export function NextField({
  of: { id, step, steps, mayWrite, put, leadToNew },
  at = "next",
  label = t("flow.next"),
  nowhere = "flow.next.end",
  hint,
}: {
  readonly of: StepEditing;
  readonly at?: string;
  readonly label?: string;
  readonly nowhere?: PlainKey;
  readonly hint?: string;
}) {
  const to = textAt(step, at);
  const others = [...steps].map(([one, other]) => ({
    value: one,
    name: t("flow.item", {
      type: typeWord(typeOfStep(other)),
      name: nameOfStep(one, other),
    }),
  }));
  return (
    <Choice
      label={label}
      disabled={!mayWrite}
      value={to}
      options={[
        { value: "", name: t(nowhere) },
        ...(to !== "" && !steps.has(to)
          ? [{ value: to, name: t("flow.next.missing", { name: to }) }]
          : []),
        ...others.filter(({ value }) => value !== id || value === to),
        ...NEW_STEPS.map((type) => ({
          value: `${NEW}${type}`,
          name: t("flow.next.new", { type: typeWord(type) }),
        })),
      ]}
      change={(value) => {
        const type = NEW_STEPS.find((one) => value === `${NEW}${one}`);
        if (type) leadToNew(at, type);
        else put(at, value === "" ? undefined : value);
      }}
      {...(hint !== undefined && { hint })}
    />
  );
}

/** What a list of a step says: of one item, its button Add, its buttons Remove. */
export interface ListWords {
  readonly title: PlainKey;
  readonly one: KeyWith<"number">;
  readonly add: PlainKey;
  readonly remove: KeyWith<"number">;
}

/** A list of groups in a step: answers, cases, topics. */
export function StepItems({
  of: { step, mayWrite, put },
  at,
  words,
  most,
  make,
  children,
}: {
  readonly of: StepEditing;
  readonly at: string;
  readonly words: ListWords;
  readonly most: number;
  /** A new item. */
  readonly make: (items: readonly unknown[]) => unknown;
  readonly children: (at: string) => ReactNode;
}) {
  const title = useId();
  const value = valueAt(step, at);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <div className="flow-group" role="group" aria-labelledby={title}>
      <h3 id={title}>{t(words.title)}</h3>
      {items.map((_, index) => (
        // Items have no names of their own that stay while they are written.
        <div
          key={index}
          role="group"
          className="flow-item"
          aria-label={t(words.one, { number: index + 1 })}
        >
          <ItemHead
            words={words}
            number={index + 1}
            remove={
              mayWrite &&
              (() =>
                put(
                  at,
                  items.filter((_one, other) => other !== index),
                ))
            }
          />
          {children(`${at}.${index}`)}
        </div>
      ))}
      {mayWrite && items.length < most && (
        <AddItem word={words.add} add={() => put(at, [...items, make(items)])} />
      )}
    </div>
  );
}
