import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CHANNEL_TYPES } from "../../../server/src/wire/words.ts";
import { segmentsQuery } from "../api/segments-query.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Choice } from "../kit/fields.tsx";
import { channelWord } from "../kit/words.ts";
import { t } from "../text/t.ts";
import { botsQuery } from "./bots-query.ts";
import { isRecord } from "./document-file.ts";
import {
  NextField,
  StepChoice,
  StepItems,
  StepNumber,
  StepPair,
  StepText,
  StepWords,
  valueAt,
  type StepEditing,
} from "./step-fields.tsx";

/** The labels of the text that a step says. */
export const TEXTS = ["flow.text.en", "flow.text.ar"] as const;
/** What can be filled into a text. */
export const filledHint = (): string =>
  t("flow.text.hint", { name: "{{first_name}}", opening: "{{next_opening}}" });
/** What the name of a kept answer is for. */
export const intoHint = (): string => t("flow.into.hint", { place: "{{order_number}}" });

/** A short name that no item of the list has. */
export function freeId(base: string, items: readonly unknown[]): string {
  const taken = new Set(items.map((one) => (isRecord(one) ? one["id"] : null)));
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(id)) return id;
  }
}

/** The form of tags, and of labels. */
export function TagForm({ of }: { readonly of: StepEditing }) {
  return (
    <>
      <div className="bots-pair">
        <StepWords of={of} at="add" label={t("flow.tags.add")} />
        <StepWords of={of} at="remove" label={t("flow.tags.remove")} />
      </div>
      <NextField of={of} />
    </>
  );
}

/** What happens when the customer is not understood, or says nothing. */
export function Patience({
  of,
  children,
}: {
  readonly of: StepEditing;
  readonly children?: ReactNode;
}) {
  return (
    <details className="flow-more">
      <summary>{t("flow.waiting")}</summary>
      {children}
      <div className="bots-pair">
        <StepNumber of={of} at="retries" label={t("flow.retries")} hint={t("flow.retries.hint")} />
        <NextField
          of={of}
          at="otherwise"
          label={t("flow.next.unanswered")}
          nowhere="flow.next.person"
        />
        <StepNumber
          of={of}
          at="timeout.minutes"
          label={t("flow.timeout")}
          hint={t("flow.timeout.hint")}
          written={(at, minutes) =>
            minutes === undefined ? of.put("timeout", undefined) : of.put(at, minutes)
          }
        />
        {valueAt(of.step, "timeout.minutes") !== undefined && (
          <NextField of={of} at="timeout.next" label={t("flow.next.late")} />
        )}
      </div>
    </details>
  );
}

/** What the customer is sent at a hand-over, and what members read. */
export function Farewell({ of }: { readonly of: StepEditing }) {
  return (
    <>
      <StepPair of={of} at="text" labels={TEXTS} hint={t("flow.farewell.hint")} optional />
      <StepText of={of} at="summary" most={500} label={t("flow.summary")} hint={filledHint()} />
    </>
  );
}

/** What of the contact keeps an answer, beside the flow. */
export function Kept({ of }: { readonly of: StepEditing }) {
  const field = valueAt(of.step, "field");
  const hasAttribute = valueAt(of.step, "attribute") !== undefined;
  const kept = typeof field === "string" ? field : hasAttribute ? "attribute" : "";
  return (
    <div className="bots-pair">
      <Choice
        label={t("flow.keep")}
        hint={t("flow.keep.hint")}
        disabled={!of.mayWrite}
        value={kept}
        options={[
          { value: "", name: t("flow.keep.none") },
          { value: "name", name: t("flow.keep.name") },
          { value: "email", name: t("flow.keep.email") },
          { value: "attribute", name: t("flow.keep.attribute") },
        ]}
        change={(one) => {
          of.put("field", one === "name" || one === "email" ? one : undefined);
          of.put("attribute", one === "attribute" ? "" : undefined);
          if (one === "name") of.put("as", "text");
          if (one === "email") of.put("as", "email");
        }}
      />
      {hasAttribute && (
        <StepText of={of} at="attribute" kept label={t("flow.attribute")} most={200} />
      )}
    </div>
  );
}

/** The segment that the contact is in, by its name. */
function SegmentChoice({ of, at }: { readonly of: StepEditing; readonly at: string }) {
  const segments = useQuery(segmentsQuery).data?.segments ?? [];
  const value = valueAt(of.step, at);
  const chosen = typeof value === "string" ? value : "";
  const names = new Set([...(chosen === "" ? [] : [chosen]), ...segments.map(({ name }) => name)]);
  return (
    <Choice
      label={t("flow.segment")}
      disabled={!of.mayWrite}
      value={chosen}
      options={[
        { value: "", name: t("flow.segment.none") },
        ...[...names].map((name) => ({ value: name, name })),
      ]}
      change={(name) => of.put(at, name)}
    />
  );
}

const CONDITIONS = {
  hours: { hours: "open" },
  language: { language: "ar" },
  channel: { channel: "WHATSAPP" },
  tag: { tag: "" },
  segment: { segment: "" },
  variable: { variable: "", op: "is", value: "" },
} as const;

/** What a case of a branch asks. */
export function Condition({ of, at }: { readonly of: StepEditing; readonly at: string }) {
  const condition = valueAt(of.step, at);
  const kind = (["hours", "language", "channel", "tag", "segment", "variable"] as const).find(
    (one) => isRecord(condition) && Object.hasOwn(condition, one),
  );
  const op = valueAt(condition, "op");
  return (
    <div className="bots-pair">
      <Choice
        label={t("flow.if")}
        disabled={!of.mayWrite}
        value={kind ?? "hours"}
        options={[
          { value: "hours", name: t("flow.if.hours") },
          { value: "language", name: t("flow.if.language") },
          { value: "channel", name: t("flow.if.channel") },
          { value: "tag", name: t("flow.if.tag") },
          { value: "segment", name: t("flow.if.segment") },
          { value: "variable", name: t("flow.if.variable") },
        ]}
        change={(one) => of.put(at, CONDITIONS[one])}
      />
      {kind === "hours" && (
        <StepChoice
          of={of}
          at={`${at}.hours`}
          label={t("flow.value")}
          otherwise="open"
          options={[
            ["open", t("flow.open")],
            ["closed", t("flow.closed")],
          ]}
        />
      )}
      {kind === "language" && (
        <StepChoice
          of={of}
          at={`${at}.language`}
          label={t("flow.value")}
          otherwise="ar"
          options={[
            ["en", t("flow.lang.en")],
            ["ar", t("flow.lang.ar")],
          ]}
        />
      )}
      {kind === "channel" && (
        <StepChoice
          of={of}
          at={`${at}.channel`}
          label={t("flow.value")}
          otherwise="WHATSAPP"
          options={CHANNEL_TYPES.map((type) => [type, channelWord(type)])}
        />
      )}
      {kind === "tag" && <StepText of={of} at={`${at}.tag`} label={t("flow.tag")} most={200} />}
      {kind === "segment" && <SegmentChoice of={of} at={`${at}.segment`} />}
      {kind === "variable" && (
        <>
          <StepText of={of} at={`${at}.variable`} code most={40} label={t("flow.variable")} />
          <Choice
            label={t("flow.op")}
            disabled={!of.mayWrite}
            value={typeof op === "string" ? op : "is"}
            options={(["is", "is_not", "contains", "more", "less", "is_set"] as const).map(
              (one) => ({
                value: one as string,
                name: t(`flow.op.${one}`),
              }),
            )}
            change={(one) => {
              const variable = valueAt(condition, "variable");
              const value = valueAt(condition, "value") ?? "";
              of.put(at, one === "is_set" ? { variable, op: one } : { variable, op: one, value });
            }}
          />
          {op !== "is_set" && (
            <StepText of={of} at={`${at}.value`} most={200} label={t("flow.value")} />
          )}
        </>
      )}
    </div>
  );
}

/** What a call posts: names and values. The step holds them as one object. */
export function Inputs({ of }: { readonly of: StepEditing }) {
  const given = valueAt(of.step, "inputs");
  const pairs = Object.entries(isRecord(given) ? given : {});
  const listed: StepEditing = {
    ...of,
    step: { inputs: pairs.map(([name, value]) => ({ name, value })) },
    put: (at, value) => {
      const [, index, member] = at.split(".");
      const items =
        index === undefined
          ? pairsOf(value)
          : pairs.map(([name, one], n): [string, unknown] =>
              String(n) !== index
                ? [name, one]
                : member === "name"
                  ? [freeOf(pairs, n, value), one]
                  : [name, value ?? ""],
            );
      of.put("inputs", items.length === 0 ? undefined : Object.fromEntries(items));
    },
  };
  return (
    <StepItems
      of={listed}
      at="inputs"
      most={20}
      words={{
        title: "flow.inputs",
        one: "flow.input",
        add: "flow.input.add",
        remove: "flow.input.remove",
      }}
      make={(items) => ({ name: `value_${items.length + 1}`, value: "" })}
    >
      {(at) => (
        <div className="bots-pair">
          <StepText of={listed} at={`${at}.name`} code most={40} label={t("flow.input.name")} />
          <StepText of={listed} at={`${at}.value`} label={t("flow.value")} hint={filledHint()} />
        </div>
      )}
    </StepItems>
  );
}

/** The name of an input as it is written; the old one where another input has it, because one of the two would be lost. */
const freeOf = (pairs: readonly [string, unknown][], at: number, name: unknown): string =>
  typeof name === "string" && !pairs.some(([other], n) => n !== at && other === name)
    ? name
    : (pairs[at]?.[0] ?? "");

const pairsOf = (items: unknown): [string, unknown][] =>
  (Array.isArray(items) ? items : []).flatMap((one: unknown) =>
    isRecord(one) && typeof one["name"] === "string" ? [[one["name"], one["value"] ?? ""]] : [],
  );

/** The AI bot that answers, by its name. */
export function AiBot({ of }: { readonly of: StepEditing }) {
  const { data } = useQuery(botsQuery);
  const value = valueAt(of.step, "bot");
  const chosen = typeof value === "string" ? value : "";
  const names = (data?.items ?? []).filter(({ kind }) => kind === "ai").map(({ name }) => name);
  const all = new Set([...(chosen === "" ? [] : [chosen]), ...names]);
  return (
    <Choice
      label={t("flow.ai.bot")}
      disabled={!of.mayWrite}
      value={chosen}
      options={[
        { value: "", name: t("flow.ai.bot.none") },
        ...[...all].map((name) => ({ value: name, name })),
      ]}
      change={(name) => of.put("bot", name === "" ? undefined : name)}
    />
  );
}

/** The member who gets the conversation. */
export function Member({ of }: { readonly of: StepEditing }) {
  const { members } = useBootstrap();
  const value = valueAt(of.step, "memberId");
  const chosen = typeof value === "string" ? value : "";
  return (
    <Choice
      label={t("flow.member")}
      disabled={!of.mayWrite}
      value={chosen}
      options={[
        { value: "", name: t("flow.member.none") },
        ...members.map(({ id, name }) => ({ value: id, name })),
      ]}
      change={(id) => of.put("memberId", id === "" ? undefined : id)}
    />
  );
}
