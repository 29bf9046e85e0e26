import { useEffect, useRef, useState, type KeyboardEvent } from "react";
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
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import type { BotDocument, BotFault } from "./bots-query.ts";
import { faultPlace, faultText } from "./fault-words.ts";
import { addStep, deleteStep, moveStep, type NewPlace } from "./flow-model.ts";
import { listOf } from "./flow-order.ts";
import { stepsOf, type StepRecord } from "./flow-steps.ts";
import { NEW_STEP } from "./step-forms.tsx";
import { Step, type ListOfSteps } from "./step-row.tsx";
import { nameAt, STEP_TYPES } from "./step-words.ts";

const isStepType = (key: string | number): key is FlowStepType =>
  typeof key === "string" && Object.hasOwn(NEW_STEP, key);

/** Undoes the last change, and says so. */
const saidUndo = (undo: () => void, say: (words: string) => void) => () => {
  undo();
  say(t("flow.undone"));
};

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
  const takeBack = undo && saidUndo(undo, setSaid);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { target } = event;
    const inText = target instanceof HTMLElement && target.matches("input, textarea, select");
    if (mayWrite && !inText && event.code === "KeyZ" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      takeBack?.();
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
      {mayWrite && <Tools add={add} undo={takeBack} />}
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </div>
  );
}

function Tools({
  add,
  undo,
}: {
  readonly add: (type: FlowStepType) => void;
  readonly undo: (() => void) | null;
}) {
  return (
    <div className="flow-tools">
      <AddStep add={add} />
      <Button isDisabled={undo === null} onPress={() => undo?.()}>
        {t("flow.undo")}
      </Button>
      <span className="hint flow-keys">{t("flow.steps.hint")}</span>
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
            autoFocus="first"
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
                {place !== null && place !== name && ` · ${place}`}: {faultText(fault)}
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
