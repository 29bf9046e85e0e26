import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { FlowStepType } from "../../../server/src/wire/flow.ts";
import { CHANNEL_TYPES } from "../../../server/src/wire/words.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Choice, Tick } from "../kit/fields.tsx";
import { channelWord } from "../kit/words.ts";
import { t } from "../text/t.ts";
import { botsQuery } from "./bots-query.ts";
import { isRecord } from "./document-file.ts";
import type { StepRecord } from "./flow-model.ts";
import {
  NextField,
  StepChoice,
  StepList,
  StepNumber,
  StepPair,
  StepText,
  StepWords,
  valueAt,
  type StepEditing,
} from "./step-fields.tsx";

type Form = (props: { readonly of: StepEditing }) => ReactNode;

const TEXTS = ["flow.text.en", "flow.text.ar"] as const;
const filledHint = (): string =>
  t("flow.text.hint", { name: "{{first_name}}", opening: "{{next_opening}}" });
const intoHint = (): string => t("flow.into.hint", { place: "{{order_number}}" });

/** The forms of all kinds of steps. A kind without one does not compile. */
export const STEP_FORMS = {
  send: ({ of }) => (
    <>
      <StepPair of={of} at="text" labels={TEXTS} hint={filledHint()} />
      <NextField of={of} />
    </>
  ),
  choose: ({ of }) => (
    <>
      <StepPair of={of} at="text" labels={TEXTS} hint={filledHint()} />
      <StepList
        of={of}
        at="choices"
        most={10}
        words={{
          title: "flow.answers",
          one: "flow.answer",
          add: "flow.answer.add",
          remove: "flow.answer.remove",
        }}
        make={(items) => ({ id: freeId("answer", items), label: {} })}
      >
        {(at) => (
          <>
            <StepPair
              of={of}
              at={`${at}.label`}
              labels={["flow.answer.en", "flow.answer.ar"]}
              rows={null}
              most={20}
              hint={t("flow.answer.hint")}
            />
            <NextField of={of} at={`${at}.next`} />
          </>
        )}
      </StepList>
      <Patience of={of}>
        <StepText of={of} at="into" code label={t("flow.into")} hint={intoHint()} most={40} />
      </Patience>
    </>
  ),
  ask: ({ of }) => (
    <>
      <StepPair of={of} at="text" labels={TEXTS} hint={filledHint()} />
      <div className="bots-pair">
        <StepChoice
          of={of}
          at="as"
          label={t("flow.as")}
          otherwise="text"
          options={[
            ["text", t("flow.as.text")],
            ["number", t("flow.as.number")],
            ["date", t("flow.as.date")],
            ["email", t("flow.as.email")],
            ["phone", t("flow.as.phone")],
          ]}
        />
        <StepText of={of} at="into" code label={t("flow.into")} hint={intoHint()} most={40} />
      </div>
      <NextField of={of} />
      <Patience of={of}>
        <StepPair
          of={of}
          at="again"
          labels={["flow.again.en", "flow.again.ar"]}
          rows={2}
          optional
        />
      </Patience>
    </>
  ),
  branch: ({ of }) => (
    <>
      <StepList
        of={of}
        at="cases"
        most={20}
        words={{
          title: "flow.cases",
          one: "flow.case",
          add: "flow.case.add",
          remove: "flow.case.remove",
        }}
        make={() => ({ if: { hours: "open" } })}
      >
        {(at) => (
          <>
            <Condition of={of} at={`${at}.if`} />
            <NextField of={of} at={`${at}.next`} nowhere="flow.next.chosen" />
          </>
        )}
      </StepList>
      <NextField of={of} hint={t("flow.else.hint")} />
    </>
  ),
  set: ({ of }) => (
    <>
      <div className="bots-pair">
        <StepText
          of={of}
          at="variable"
          code
          label={t("flow.variable")}
          most={40}
          hint={intoHint()}
        />
        <StepText of={of} at="value" kept label={t("flow.value")} hint={filledHint()} />
      </div>
      <NextField of={of} />
    </>
  ),
  tag: TagForm,
  label: TagForm,
  note: ({ of }) => (
    <>
      <StepText
        of={of}
        at="text"
        rows={3}
        most={2_000}
        label={t("flow.note")}
        hint={filledHint()}
      />
      <NextField of={of} />
    </>
  ),
  confirm: ({ of }) => (
    <>
      <StepPair of={of} at="text" labels={TEXTS} hint={filledHint()} />
      <StepPair
        of={of}
        at="yes"
        labels={["flow.yes.en", "flow.yes.ar"]}
        rows={null}
        most={20}
        optional
      />
      <StepPair
        of={of}
        at="no"
        labels={["flow.no.en", "flow.no.ar"]}
        rows={null}
        most={20}
        optional
      />
      <div className="bots-pair">
        <NextField of={of} />
        <NextField of={of} at="refused" label={t("flow.next.no")} />
      </div>
      <Patience of={of} />
    </>
  ),
  call: ({ of }) => (
    <>
      <StepText
        of={of}
        at="url"
        code
        most={2_048}
        label={t("flow.url")}
        hint={t("flow.url.hint")}
      />
      <Inputs of={of} />
      <StepList
        of={of}
        at="results"
        most={20}
        words={{
          title: "flow.results",
          one: "flow.result",
          add: "flow.result.add",
          remove: "flow.result.remove",
        }}
        make={() => ({ path: "", into: "" })}
      >
        {(at) => (
          <div className="bots-pair">
            <StepText
              of={of}
              at={`${at}.path`}
              code
              most={200}
              label={t("flow.result.path")}
              hint={t("flow.result.path.hint")}
            />
            <StepText of={of} at={`${at}.into`} code most={40} label={t("flow.into")} />
          </div>
        )}
      </StepList>
      <div>
        <Tick
          label={t("flow.changes")}
          on={valueAt(of.step, "changes") !== false}
          change={(on) => of.mayWrite && of.put("changes", on)}
        />
        <p className="hint">{t("flow.changes.hint")}</p>
        <Tick
          label={t("flow.idempotent")}
          on={valueAt(of.step, "idempotent") === true}
          change={(on) => of.mayWrite && of.put("idempotent", on || undefined)}
        />
      </div>
      <div className="bots-pair">
        <NextField of={of} />
        <NextField
          of={of}
          at="otherwise"
          label={t("flow.next.failed")}
          nowhere="flow.next.person"
        />
      </div>
    </>
  ),
  ai: ({ of }) => (
    <>
      <AiBot of={of} />
      <StepText of={of} at="question" label={t("flow.question")} hint={t("flow.question.hint")} />
      <div className="bots-pair">
        <NextField of={of} />
        <NextField of={of} at="otherwise" label={t("flow.next.none")} nowhere="flow.next.person" />
      </div>
    </>
  ),
  classify: ({ of }) => (
    <>
      <StepText of={of} at="text" label={t("flow.question")} hint={t("flow.question.hint")} />
      <StepList
        of={of}
        at="topics"
        most={20}
        words={{
          title: "flow.topics",
          one: "flow.topic",
          add: "flow.topic.add",
          remove: "flow.topic.remove",
        }}
        make={(items) => ({ id: freeId("topic", items), description: "" })}
      >
        {(at) => (
          <>
            <div className="bots-pair">
              <StepText of={of} at={`${at}.id`} code most={28} label={t("flow.id")} />
              <StepText of={of} at={`${at}.description`} most={500} label={t("flow.topic.about")} />
            </div>
            <NextField of={of} at={`${at}.next`} />
          </>
        )}
      </StepList>
      <div className="bots-pair">
        <StepText of={of} at="into" code label={t("flow.into")} hint={intoHint()} most={40} />
        <NextField of={of} at="otherwise" label={t("flow.next.none")} nowhere="flow.next.person" />
      </div>
    </>
  ),
  wait: ({ of }) => (
    <div className="bots-pair">
      <StepNumber of={of} at="minutes" label={t("flow.minutes")} hint={t("flow.minutes.hint")} />
      <NextField of={of} />
    </div>
  ),
  assign: ({ of }) => (
    <>
      <div className="bots-pair">
        <StepChoice
          of={of}
          at="to"
          label={t("flow.assign.to")}
          otherwise="nobody"
          options={[
            ["nobody", t("flow.assign.nobody")],
            ["least_busy", t("flow.assign.least_busy")],
            ["member", t("flow.assign.member")],
          ]}
        />
        {valueAt(of.step, "to") === "member" && <Member of={of} />}
      </div>
      <Farewell of={of} />
    </>
  ),
  hand_over: ({ of }) => <Farewell of={of} />,
  go_to: ({ of }) => <NextField of={of} nowhere="flow.next.chosen" />,
  end: () => <p className="hint">{t("flow.about.end")}</p>,
} as const satisfies Record<FlowStepType, Form>;

/** A new step of each kind. What it must hold and a person must write is left to them: its fault says so. */
export const NEW_STEP = {
  send: { type: "send", text: {} },
  choose: {
    type: "choose",
    text: {},
    choices: [
      { id: "answer", label: {} },
      { id: "answer-2", label: {} },
    ],
  },
  ask: { type: "ask", text: {}, into: "answer" },
  branch: { type: "branch", cases: [{ if: { hours: "open" } }] },
  set: { type: "set", variable: "value", value: "" },
  tag: { type: "tag" },
  label: { type: "label" },
  note: { type: "note" },
  confirm: { type: "confirm", text: {} },
  call: { type: "call" },
  ai: { type: "ai" },
  classify: { type: "classify", topics: [{ id: "topic", description: "" }] },
  wait: { type: "wait", minutes: 5 },
  assign: { type: "assign", to: "nobody" },
  hand_over: { type: "hand_over" },
  go_to: { type: "go_to" },
  end: { type: "end" },
} as const satisfies { readonly [Type in FlowStepType]: StepRecord & { readonly type: Type } };

/** A short name that no item of the list has. */
function freeId(base: string, items: readonly unknown[]): string {
  const taken = new Set(items.map((one) => (isRecord(one) ? one["id"] : null)));
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(id)) return id;
  }
}

function TagForm({ of }: { readonly of: StepEditing }) {
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
function Patience({ of, children }: { readonly of: StepEditing; readonly children?: ReactNode }) {
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

function Farewell({ of }: { readonly of: StepEditing }) {
  return (
    <>
      <StepPair of={of} at="text" labels={TEXTS} hint={t("flow.farewell.hint")} optional />
      <StepText of={of} at="summary" most={500} label={t("flow.summary")} hint={filledHint()} />
    </>
  );
}

const CONDITIONS = {
  hours: { hours: "open" },
  language: { language: "ar" },
  channel: { channel: "WHATSAPP" },
  tag: { tag: "" },
  variable: { variable: "", op: "is", value: "" },
} as const;

/** What a case of a branch asks. */
function Condition({ of, at }: { readonly of: StepEditing; readonly at: string }) {
  const condition = valueAt(of.step, at);
  const kind = (["hours", "language", "channel", "tag", "variable"] as const).find(
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
function Inputs({ of }: { readonly of: StepEditing }) {
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
                  ? [typeof value === "string" ? value : "", one]
                  : [name, value ?? ""],
            );
      of.put("inputs", items.length === 0 ? undefined : Object.fromEntries(items));
    },
  };
  return (
    <StepList
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
    </StepList>
  );
}

const pairsOf = (items: unknown): [string, unknown][] =>
  (Array.isArray(items) ? items : []).flatMap((one: unknown) =>
    isRecord(one) && typeof one["name"] === "string" ? [[one["name"], one["value"] ?? ""]] : [],
  );

function AiBot({ of }: { readonly of: StepEditing }) {
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

function Member({ of }: { readonly of: StepEditing }) {
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
