import type { ReactNode } from "react";
import { CONFIRM_NO, CONFIRM_YES } from "../../../server/src/wire/confirm-labels.ts";
import type { FlowStepType } from "../../../server/src/wire/flow.ts";
import { Tick } from "../kit/fields.tsx";
import { t } from "../text/t.ts";
import type { StepRecord } from "./flow-steps.ts";
import {
  NextField,
  StepChoice,
  StepItems,
  StepNumber,
  StepPair,
  StepText,
  valueAt,
  type StepEditing,
} from "./step-fields.tsx";
import {
  AiBot,
  Condition,
  Farewell,
  filledHint,
  freeId,
  Inputs,
  intoHint,
  Kept,
  Member,
  Patience,
  TagForm,
  TEXTS,
} from "./step-parts.tsx";

type Form = (props: { readonly of: StepEditing }) => ReactNode;

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
      <StepItems
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
      </StepItems>
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
      <Kept of={of} />
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
      <StepItems
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
      </StepItems>
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
        placeholders={CONFIRM_YES}
        rows={null}
        most={20}
        optional
      />
      <StepPair
        of={of}
        at="no"
        labels={["flow.no.en", "flow.no.ar"]}
        placeholders={CONFIRM_NO}
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
      <StepItems
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
      </StepItems>
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
      <StepItems
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
      </StepItems>
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
