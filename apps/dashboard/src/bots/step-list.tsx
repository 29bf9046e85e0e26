import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import {
  Button,
  Dialog,
  DialogTrigger,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from "react-aria-components";
import type { FlowStepType } from "../../../server/src/wire/flow.ts";
import { TextInput } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import type { BotDocument, BotFault } from "./bots-query.ts";
import { faultPlace, faultText } from "./fault-words.ts";
import {
  addStep,
  deleteStep,
  listOf,
  moveStep,
  nameOfStep,
  putAt,
  putStep,
  renameStep,
  stepsOf,
  type ListedStep,
  type NewPlace,
  type StepRecord,
} from "./flow-model.ts";
import { StepText, type StepEditing } from "./step-fields.tsx";
import { NEW_STEP, STEP_FORMS } from "./step-forms.tsx";
import { nameAt, STEP_TYPES, summaryOf, typeIcon, typeWord, waysOf, whenOf } from "./step-words.ts";

/** What the list may do with the document. */
interface ListOfSteps {
  readonly document: BotDocument;
  readonly faults: readonly BotFault[];
  /** The step that speaks in the preview. */
  readonly speaks: string | null;
  readonly mayWrite: boolean;
  /** `field`: letters of one text, which are undone together. */
  readonly change: (make: (document: BotDocument) => BotDocument, field?: string) => void;
  readonly undo: (() => void) | null;
}

const isStepType = (key: string | number): key is FlowStepType =>
  typeof key === "string" && Object.hasOwn(NEW_STEP, key);

/** The steps of a flow: a list that is written, ordered and walked by keyboard. */
export function StepList(props: ListOfSteps) {
  const { document, faults, mayWrite, change, undo } = props;
  const list = listOf(document);
  const steps = stepsOf(document);
  const [open, setOpen] = useState<string | null>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  const focus = useFocusedStep();
  const at = list.find(({ id }) => id === current) ?? list[0];
  const goTo = (id: string | undefined): void => {
    if (id === undefined) return;
    setCurrent(id);
    focus.on(id);
  };
  const write = (next: BotDocument | null, words: string): void => {
    if (next === null) return;
    change(() => next);
    setSaid(words);
  };
  const add = (type: FlowStepType, place?: NewPlace): void => {
    const behind: NewPlace | undefined = at && { behind: at.id };
    const made = addStep(document, NEW_STEP[type], place ?? behind);
    change(() => made.document);
    setOpen(made.id);
    goTo(made.id);
  };
  const move = (id: string, way: "up" | "down"): void => {
    const next = moveStep(document, id, way);
    if (next === null) return;
    const after = listOf(next);
    const place = after.findIndex((one) => one.id === id) + 1;
    write(next, t("flow.moved", { name: nameAt(steps, id), place, count: after.length }));
    goTo(id);
  };
  const remove = (id: string): void => {
    const index = list.findIndex((one) => one.id === id);
    write(deleteStep(document, id), t("flow.deleted", { name: nameAt(steps, id) }));
    goTo((list[index + 1] ?? list[index - 1])?.id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { target } = event;
    const inText = target instanceof HTMLElement && target.matches("input, textarea, select");
    if (mayWrite && !inText && event.code === "KeyZ" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      undo?.();
      return;
    }
    const id = target instanceof HTMLElement ? target.dataset["step"] : undefined;
    const index = list.findIndex((one) => one.id === id);
    if (id === undefined || index < 0) return;
    const way = event.key === "ArrowUp" ? "up" : event.key === "ArrowDown" ? "down" : null;
    if (way !== null) {
      event.preventDefault();
      if (event.altKey) {
        if (mayWrite) move(id, way);
      } else goTo(list[index + (way === "up" ? -1 : 1)]?.id);
    } else if (mayWrite && (event.key === "Delete" || event.key === "Backspace")) {
      event.preventDefault();
      remove(id);
    }
  };
  return (
    // The keys of the list are heard here; what has the focus is a button in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flow-steps" onKeyDown={onKeyDown}>
      <Problems faults={faults} steps={steps} goTo={goTo} />
      {list.length === 0 && <p className="hint">{t("flow.steps.none")}</p>}
      <div role="list" aria-label={t("flow.steps")} className="flow-list" ref={focus.list}>
        {list.map((one) => (
          <Step
            key={one.id}
            of={one}
            all={list}
            list={props}
            steps={steps}
            isOpen={open === one.id}
            isCurrent={at?.id === one.id}
            enter={() => setCurrent(one.id)}
            toggle={() => setOpen(open === one.id ? null : one.id)}
            move={(way) => move(one.id, way)}
            remove={() => remove(one.id)}
            add={add}
            renamed={(id) => {
              setOpen(id);
              goTo(id);
            }}
          />
        ))}
      </div>
      {mayWrite && (
        <div className="flow-tools">
          <AddStep add={add} />
          <Button isDisabled={undo === null} onPress={() => undo?.()}>
            {t("flow.undo")}
          </Button>
          <span className="hint">{t("flow.steps.hint")}</span>
        </div>
      )}
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </div>
  );
}

/** Puts the focus on the button of a step, once it is drawn at its new place. */
function useFocusedStep() {
  const list = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<{ readonly id: string } | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    const button = list.current?.querySelector(`[data-step="${CSS.escape(wanted.id)}"]`);
    if (button instanceof HTMLElement) button.focus();
  }, [wanted]);
  return { list, on: (id: string) => setWanted({ id }) };
}

function AddStep({ add }: { readonly add: (type: FlowStepType) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button className="primary">
        <Icon name="plus" />
        {t("flow.add")}
      </Button>
      <Popover placement="top start">
        <Dialog aria-label={t("flow.types")} className="flow-types">
          <ListBox
            autoFocus
            aria-label={t("flow.types")}
            onAction={(key) => {
              setOpen(false);
              if (isStepType(key)) add(key);
            }}
          >
            {Object.entries(STEP_TYPES).map(([type, [name, about, icon]]) => (
              <ListBoxItem key={type} id={type} textValue={t(name)} className="flow-type">
                <Icon name={icon} />
                <Text slot="label">{t(name)}</Text>
                <Text slot="description">{t(about)}</Text>
              </ListBoxItem>
            ))}
          </ListBox>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** How many faults there are, each with a link to its step. */
function Problems({
  faults,
  steps,
  goTo,
}: {
  readonly faults: readonly BotFault[];
  readonly steps: ReadonlyMap<string, StepRecord>;
  readonly goTo: (id: string) => void;
}) {
  return (
    <div role="status" className="flow-problems" data-clean={faults.length === 0 || undefined}>
      <strong>{t("flow.problems", { count: faults.length })}</strong>
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => {
            const { step, path, code } = fault;
            const key = `${path} ${code} ${JSON.stringify(fault.values ?? "")}`;
            const name = step === null ? t("flow.problem.document") : nameAt(steps, step);
            const place = faultPlace(fault);
            const words = (
              <>
                <bdi>{name}</bdi>
                {place !== null && ` · ${place}`}: {faultText(fault)}
              </>
            );
            return (
              <li key={key}>
                {step === null ? (
                  words
                ) : (
                  <a
                    href={`#${step}`}
                    onClick={(event) => {
                      event.preventDefault();
                      goTo(step);
                    }}
                  >
                    {words}
                  </a>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

function Step({
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
    <div
      role="listitem"
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
          <span className="flow-acts">
            <ActButton
              icon="chevron-down"
              isUp
              label={t("flow.up", { name })}
              isDisabled={moveStep(document, id, "up") === null}
              act={() => move("up")}
            />
            <ActButton
              icon="chevron-down"
              label={t("flow.down", { name })}
              isDisabled={moveStep(document, id, "down") === null}
              act={() => move("down")}
            />
            <ActButton icon="trash" label={t("flow.delete", { name })} act={remove} />
          </span>
        )}
      </div>
      <Ways of={waysOf(listed, all, steps)} />
      {own.map((fault) => {
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
      })}
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
