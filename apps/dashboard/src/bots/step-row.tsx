import { useId, useState } from "react";
import { Button } from "react-aria-components";
import type { FlowStepType } from "../../../server/src/wire/flow.ts";
import { TextInput } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import type { BotDocument, BotFault } from "./bots-query.ts";
import { faultPlace, faultText } from "./fault-words.ts";
import { moveStep, putAt, putStep, renameStep, type NewPlace } from "./flow-model.ts";
import { nameOfStep, stepsOf, type ListedStep, type StepRecord } from "./flow-steps.ts";
import { StepText, type StepEditing } from "./step-fields.tsx";
import { STEP_FORMS } from "./step-forms.tsx";
import { summaryOf, typeIcon, typeWord, waysOf, whenOf } from "./step-words.ts";

/** What the list may do with the document. */
export interface ListOfSteps {
  readonly document: BotDocument;
  readonly faults: readonly BotFault[];
  /** The step that speaks in the preview. */
  readonly speaks: string | null;
  readonly mayWrite: boolean;
  /** `field`: letters of one text, which are undone together. */
  readonly change: (make: (document: BotDocument) => BotDocument, field?: string) => void;
  readonly undo: (() => void) | null;
}

/** Moves a step among the others, and deletes it. */
function StepActs({
  name,
  may,
  move,
  remove,
}: {
  readonly name: string;
  readonly may: (way: "up" | "down") => boolean;
  readonly move: (way: "up" | "down") => void;
  readonly remove: () => void;
}) {
  return (
    <span className="flow-acts">
      <ActButton
        icon="chevron-down"
        isUp
        label={t("flow.up", { name })}
        isDisabled={!may("up")}
        act={() => move("up")}
      />
      <ActButton
        icon="chevron-down"
        label={t("flow.down", { name })}
        isDisabled={!may("down")}
        act={() => move("down")}
      />
      <ActButton icon="trash" label={t("flow.delete", { name })} act={remove} />
    </span>
  );
}

/** What is wrong with a step. */
function StepFaults({ of: faults }: { readonly of: readonly BotFault[] }) {
  return faults.map((fault) => {
    const place = faultPlace(fault);
    return (
      <p
        key={`${fault.path} ${fault.code} ${JSON.stringify(fault.values ?? "")}`}
        role="alert"
        className="flow-fault"
      >
        {place !== null && `${place}: `}
        {faultText(fault)}
      </p>
    );
  });
}

/** One step: a row that opens its form. */
export function Step({
  of: listed,
  all,
  list: { document, faults, speaks, mayWrite, change },
  steps,
  isOpen,
  isCurrent,
  enter,
  toggle,
  move,
  remove,
  add,
  renamed,
}: {
  readonly of: ListedStep;
  readonly all: readonly ListedStep[];
  readonly list: ListOfSteps;
  readonly steps: ReadonlyMap<string, StepRecord>;
  readonly isOpen: boolean;
  /** Tab leads to it; the arrows lead to the others. */
  readonly isCurrent: boolean;
  readonly enter: () => void;
  readonly toggle: () => void;
  readonly move: (way: "up" | "down") => void;
  readonly remove: () => void;
  readonly add: (type: FlowStepType, place: NewPlace) => void;
  readonly renamed: (id: string) => void;
}) {
  const { id, type, step, level } = listed;
  const form = useId();
  const name = nameOfStep(id, step);
  const when = whenOf(listed, steps);
  const own = faults.filter((fault) => fault.step === id);
  return (
    // The focus that is put on a step goes on to what opens it: the keys of the list are heard there.
    <div
      role="listitem"
      tabIndex={-1}
      onFocus={({ target, currentTarget }) => {
        if (target === currentTarget)
          currentTarget.querySelector<HTMLElement>("[data-step]")?.focus();
      }}
      aria-level={level}
      aria-label={t("flow.item", { type: typeWord(type), name })}
      aria-current={speaks === id ? "step" : undefined}
      className="flow-step"
      data-level={Math.min(level, 5)}
      data-faulty={own.length > 0 || undefined}
    >
      {when !== null && <span className="flow-when">{when}</span>}
      <div className="flow-row">
        <button
          type="button"
          className="flow-open"
          data-step={id}
          tabIndex={isCurrent ? 0 : -1}
          aria-label={t("flow.edit", { name })}
          aria-expanded={isOpen}
          aria-controls={isOpen ? form : undefined}
          onFocus={enter}
          onClick={toggle}
        />
        <Icon name={typeIcon(type)} />
        <span className="flow-title">
          <b>
            {typeWord(type)} <bdi>{name}</bdi>
          </b>
          <span dir="auto">{summaryOf(listed)}</span>
        </span>
        {mayWrite && (
          <StepActs
            name={name}
            may={(way) => moveStep(document, id, way) !== null}
            move={move}
            remove={remove}
          />
        )}
      </div>
      <Ways of={waysOf(listed, all, steps)} />
      <StepFaults of={own} />
      {isOpen && (
        <StepForm
          formId={form}
          listed={listed}
          steps={steps}
          mayWrite={mayWrite}
          change={change}
          add={add}
          rename={(to) => {
            const next = renameStep(document, id, to);
            if (next === null) return false;
            change(() => next);
            renamed(to);
            return true;
          }}
        />
      )}
    </div>
  );
}

function Ways({ of: ways }: { readonly of: readonly string[] }) {
  if (ways.length === 0) return null;
  return (
    <div className="flow-ways">
      {ways.map((way) => (
        <span key={way}>{way}</span>
      ))}
    </div>
  );
}

function ActButton({
  icon,
  isUp = false,
  label,
  isDisabled = false,
  act,
}: {
  readonly icon: "chevron-down" | "trash";
  readonly isUp?: boolean;
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly act: () => void;
}) {
  return (
    <Button
      className="quiet flow-act"
      data-up={isUp || undefined}
      aria-label={label}
      isDisabled={isDisabled}
      onPress={act}
    >
      <Icon name={icon} />
    </Button>
  );
}

/** What a step is made of. */
function StepForm({
  formId,
  listed: { id, type, step },
  steps,
  mayWrite,
  change,
  add,
  rename,
}: {
  readonly formId: string;
  readonly listed: ListedStep;
  readonly steps: ReadonlyMap<string, StepRecord>;
  readonly mayWrite: boolean;
  readonly change: ListOfSteps["change"];
  readonly add: (type: FlowStepType, place: NewPlace) => void;
  readonly rename: (to: string) => boolean;
}) {
  const put = (at: string, value: unknown): void =>
    change(
      (now) => {
        const next = putAt(stepsOf(now).get(id) ?? {}, at.split("."), value);
        return putStep(now, id, next as StepRecord);
      },
      typeof value === "string" || value === undefined ? `${id} ${at}` : undefined,
    );
  const editing: StepEditing = {
    id,
    step,
    steps,
    mayWrite,
    put,
    leadToNew: (at, kind) => add(kind, { from: id, at }),
  };
  const Form = type === null ? null : STEP_FORMS[type];
  return (
    <div id={formId} className="flow-form">
      {Form ? <Form of={editing} /> : <p className="hint">{t("flow.unknown.hint")}</p>}
      <details className="flow-more">
        <summary>{t("flow.more")}</summary>
        <StepText
          of={editing}
          at="name"
          most={80}
          label={t("flow.name")}
          hint={t("flow.name.hint")}
        />
        {mayWrite && <ShortName key={id} id={id} rename={rename} />}
      </details>
    </div>
  );
}

function ShortName({
  id,
  rename,
}: {
  readonly id: string;
  readonly rename: (to: string) => boolean;
}) {
  const [name, setName] = useState(id);
  const [isRefused, setRefused] = useState(false);
  return (
    <form
      className="bots-add"
      onSubmit={(event) => {
        event.preventDefault();
        setRefused(name !== id && !rename(name.trim()));
      }}
    >
      <TextInput
        code
        label={t("flow.id")}
        hint={t("flow.id.hint")}
        value={name}
        onChange={(text) => {
          setName(text);
          setRefused(false);
        }}
        maxLength={28}
        fault={isRefused ? t("flow.id.refused") : undefined}
      />
      <Button type="submit" isDisabled={name === id}>
        {t("flow.id.change")}
      </Button>
    </form>
  );
}
