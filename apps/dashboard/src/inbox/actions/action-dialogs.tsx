import { useState } from "react";
import {
  Autocomplete,
  Button,
  Checkbox,
  CheckboxGroup,
  Form,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  SearchField,
  TextField,
  useFilter,
} from "react-aria-components";
import { AskDialog } from "../../kit/dialog.tsx";
import { Face } from "../../kit/face.tsx";
import { FieldFoot } from "../../kit/field-foot.tsx";
import { dateLocale } from "../../text/locale.ts";
import { t } from "../../text/t.ts";
import type { Change } from "../store/inbox-work.ts";
import { useBootstrap, useInbox } from "../use-inbox.ts";
import { closeAsked, type Asked } from "./ask.ts";
import { snoozeChoices } from "./snooze-choices.ts";

/** One of the dialogs Assign, Labels and Snooze. */
export function Question({ asked }: { asked: Asked }) {
  const { work } = useInbox();
  const count = "all" in asked ? asked.count : asked.ids.length;
  const change = (what: Change) => {
    if ("all" in asked) void work.changeAll(asked.all, what);
    else void work.change(asked.ids, what);
    asked.done?.();
    closeAsked();
  };
  const Body = { assign: Assign, labels: Labels, snooze: Snooze }[asked.kind];
  return (
    <AskDialog top title={t(`inbox.${asked.kind}.title`, { count })} close={closeAsked}>
      <Body asked={asked} change={change} />
    </AskDialog>
  );
}

interface BodyProps {
  readonly asked: Asked;
  readonly change: (what: Change) => void;
}

function Assign({ change }: BodyProps) {
  const { member, members } = useBootstrap();
  const { contains } = useFilter({ sensitivity: "base" });
  const others = members.filter(({ id, disabled }) => !disabled && id !== member.id);
  const me = t("inbox.assign.me", { name: member.name });
  return (
    <Autocomplete filter={contains}>
      <SearchField autoFocus aria-label={t("inbox.assign.search")} className="act-search">
        <Input placeholder={t("inbox.assign.search")} />
      </SearchField>
      <ListBox
        aria-label={t("inbox.assign.people")}
        className="act-list"
        onAction={(key) => change({ assigneeId: key === "nobody" ? null : String(key) })}
      >
        <ListBoxItem id={member.id} textValue={me}>
          <Face id={member.id} name={member.name} />
          <bdi>{me}</bdi>
        </ListBoxItem>
        <ListBoxItem id="nobody" textValue={t("inbox.assign.nobody")}>
          <span className="face face-nobody" aria-hidden="true" />
          {t("inbox.assign.nobody")}
        </ListBoxItem>
        {others.map(({ id, name, availability }) => (
          <ListBoxItem key={id} id={id} textValue={name}>
            <Face id={id} name={name} />
            <bdi>{name}</bdi>
            {availability === "away" && <small>{t("shell.away")}</small>}
          </ListBoxItem>
        ))}
      </ListBox>
    </Autocomplete>
  );
}

function Labels({ asked, change }: BodyProps) {
  const { labels } = useBootstrap();
  const { store } = useInbox();
  const { contains } = useFilter({ sensitivity: "base" });
  const rows = "all" in asked ? [] : asked.ids.flatMap((id) => store.row(id) ?? []);
  const worn = rows.flatMap((row) => row.labels);
  const onAll = [...new Set(worn)].filter((name) => rows.every((row) => row.labels.includes(name)));
  const onSome = new Set(worn.filter((name) => !onAll.includes(name)));
  const [chosen, setChosen] = useState<readonly string[]>(onAll);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [text, setText] = useState("");
  const typed = text.trim().toLowerCase();
  const names = [...new Set([...labels.map(({ name }) => name), ...worn, ...chosen])];
  const shown = names.filter((name) => contains(name, text.trim()));
  const save = () => {
    const addLabels = chosen.filter((name) => touched.has(name) && !onAll.includes(name));
    const removeLabels = [...touched].filter(
      (name) => !chosen.includes(name) && (worn.includes(name) || "all" in asked),
    );
    if (addLabels.length + removeLabels.length === 0) return closeAsked();
    change({
      ...(addLabels.length > 0 && { addLabels }),
      ...(removeLabels.length > 0 && { removeLabels }),
    });
  };
  const turn = (next: readonly string[]) => {
    const turned = names.filter((name) => next.includes(name) !== chosen.includes(name));
    setTouched(new Set([...touched, ...turned]));
    setChosen(next);
  };
  const make = () => {
    setTouched(new Set([...touched, typed]));
    setChosen([...chosen, typed]);
    setText("");
  };
  return (
    <>
      <SearchField
        autoFocus
        aria-label={t("inbox.labels.search")}
        className="act-search"
        value={text}
        onChange={setText}
      >
        <Input placeholder={t("inbox.labels.search")} maxLength={80} />
      </SearchField>
      <CheckboxGroup
        aria-label={t("inbox.labels")}
        className="act-list"
        value={[...chosen]}
        onChange={turn}
      >
        {shown.map((name) => (
          <Checkbox
            key={name}
            value={name}
            className="act-check"
            isIndeterminate={onSome.has(name) && !touched.has(name)}
          >
            <span className="check-box" aria-hidden />
            <span
              className="label-dot"
              style={{ background: labels.find((label) => label.name === name)?.color }}
            />
            <bdi>{name}</bdi>
          </Checkbox>
        ))}
      </CheckboxGroup>
      {typed !== "" && !names.includes(typed) && (
        <Button className="button" onPress={make}>
          {t("inbox.labels.make", { name: typed })}
        </Button>
      )}
      <div className="ask-buttons">
        <Button className="button" slot="close">
          {t("kit.cancel")}
        </Button>
        <Button className="primary" onPress={save}>
          {t("inbox.labels.save")}
        </Button>
      </div>
    </>
  );
}

const shownTime = new Intl.DateTimeFormat(dateLocale, {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

function Snooze({ change }: BodyProps) {
  const [isPast, setPast] = useState(false);
  const now = useInbox().now();
  const snooze = (until: Date) => change({ status: "snoozed", until: until.toISOString() });
  return (
    <>
      <ListBox
        aria-label={t("inbox.snooze")}
        className="act-list"
        autoFocus
        onAction={(key) => {
          const choice = snoozeChoices(now).find(({ name }) => name === key);
          if (choice) snooze(choice.until);
        }}
      >
        {snoozeChoices(now).map(({ name, until }) => (
          <ListBoxItem key={name} id={name} textValue={t(`inbox.snooze.${name}`)}>
            {t(`inbox.snooze.${name}`)} <small>{shownTime.format(until)}</small>
          </ListBoxItem>
        ))}
      </ListBox>
      <Form
        className="act-until"
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget).get("until");
          const until = new Date(typeof given === "string" ? given : Number.NaN);
          if (until.getTime() > now) snooze(until);
          else setPast(true);
        }}
      >
        <TextField name="until" type="datetime-local" isRequired isInvalid={isPast}>
          <Label>{t("inbox.snooze.until")}</Label>
          <Input />
          <FieldFoot fault={isPast ? t("inbox.snooze.past") : undefined} />
        </TextField>
        <Button type="submit" className="primary">
          {t("inbox.snooze")}
        </Button>
      </Form>
    </>
  );
}
