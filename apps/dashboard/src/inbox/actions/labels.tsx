import { useState, type KeyboardEvent } from "react";
import {
  Autocomplete,
  Button,
  Input,
  ListBox,
  ListBoxItem,
  SearchField,
  useFilter,
} from "react-aria-components";
import { Icon } from "../../kit/icon.tsx";
import { isApple } from "../../kit/keyboard.ts";
import { t } from "../../text/t.ts";
import { useBootstrap, useInbox } from "../../desk/use-inbox.ts";
import type { QuestionProps } from "./action-dialogs.tsx";
import { closeAsked } from "./ask.ts";
import { LabelChoice } from "./label-choice.ts";

/** The item that makes a label of what was typed. No label has this key: names are stored without blanks at their ends. */
const MAKE = " make ";

/**
 * Which labels the conversations have. Typing looks for one, the arrows lead to it and Enter ticks it, without an arrow
 * the first. Enter in the empty field saves, and ⌘ or Ctrl Enter everywhere.
 */
export function Labels({ asked, change }: QuestionProps) {
  const { labels } = useBootstrap();
  const { store } = useInbox();
  const { contains, startsWith } = useFilter({ sensitivity: "base" });
  const [choice, setChoice] = useState(() => {
    const rows = "all" in asked ? [] : asked.ids.flatMap((id) => store.row(id) ?? []);
    const known = labels.map(({ name }) => name);
    return LabelChoice.of(known, "all" in asked ? "all" : rows.map((row) => row.labels));
  });
  const [text, setText] = useState("");
  const typed = text.trim().toLowerCase();
  const isNew = typed !== "" && !choice.names.includes(typed);
  const matching = choice.names.filter((name) => contains(name, typed));
  // What begins with the words is meant before what merely contains them.
  const shown = [true, false].flatMap((begins) =>
    matching.filter((name) => startsWith(name, typed) === begins),
  );
  const turn = (key: string) => {
    setText("");
    setChoice(choice.turn(key === MAKE ? typed : key));
  };
  const save = () => {
    const { addLabels, removeLabels } = choice.change;
    if (addLabels.length + removeLabels.length === 0) return closeAsked();
    change({
      ...(addLabels.length > 0 && { addLabels: [...addLabels] }),
      ...(removeLabels.length > 0 && { removeLabels: [...removeLabels] }),
    });
  };
  const press = (event: KeyboardEvent) => {
    const { target } = event;
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    // The arrows have led to a label: the list ticks it.
    const inField =
      target instanceof HTMLInputElement && !target.hasAttribute("aria-activedescendant");
    if (event.metaKey || event.ctrlKey) save();
    else if (!inField) return;
    else if (typed === "") save();
    else turn(shown[0] ?? MAKE);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="act-body" onKeyDownCapture={press}>
      <Autocomplete inputValue={text} onInputChange={setText} disableAutoFocusFirst>
        <SearchField autoFocus aria-label={t("inbox.labels.search")} className="act-search">
          <Input placeholder={t("inbox.labels.search")} maxLength={80} />
        </SearchField>
        <ListBox
          aria-label={t("inbox.labels")}
          className="act-list"
          onAction={(key) => turn(String(key))}
        >
          {shown.map((name, index) => {
            const state = choice.stateOf(name);
            return (
              <ListBoxItem
                key={name}
                id={name}
                textValue={name}
                data-ticked={state}
                data-next={(typed !== "" && index === 0) || undefined}
              >
                <span className="check-box" aria-hidden="true">
                  {state === "all" && <Icon name="check" />}
                </span>
                <span
                  className="label-dot"
                  style={{ background: labels.find((label) => label.name === name)?.color }}
                />
                <bdi>{name}</bdi>
                <span className="visually-hidden">{t(`inbox.labels.on.${state}`)}</span>
              </ListBoxItem>
            );
          })}
          {isNew && (
            <ListBoxItem id={MAKE} textValue={typed} data-next={shown.length === 0 || undefined}>
              <Icon name="plus" />
              {t("inbox.labels.make", { name: typed })}
            </ListBoxItem>
          )}
        </ListBox>
      </Autocomplete>
      <div className="ask-buttons">
        <Button className="button" onPress={closeAsked}>
          {t("kit.cancel")}
        </Button>
        <Button className="primary" onPress={save}>
          {t("inbox.labels.save")}
          <kbd className="act-key" dir="ltr" aria-hidden="true">
            {isApple ? "⌘↵" : "Ctrl ↵"}
          </kbd>
        </Button>
      </div>
    </div>
  );
}
