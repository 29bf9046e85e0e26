import { useRef, useState, type ReactNode } from "react";
import {
  Autocomplete,
  Button,
  Dialog,
  Form,
  Heading,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField,
  TextField,
  useFilter,
} from "react-aria-components";
import { AskDialog } from "../../kit/dialog.tsx";
import { EscLeaves } from "../../kit/esc-leaves.tsx";
import { Face } from "../../kit/face.tsx";
import { FieldFoot } from "../../kit/field-foot.tsx";
import { dateLocale } from "../../text/locale.ts";
import { t } from "../../text/t.ts";
import type { Change } from "../../desk/store/inbox-work.ts";
import { useBootstrap, useInbox } from "../../desk/use-inbox.ts";
import { closeAsked, type Asked } from "./ask.ts";
import { Labels } from "./labels.tsx";
import { snoozeChoices } from "./snooze-choices.ts";

/** Asks for an assignee, labels or a time. */
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
    <Frame at={asked.at} title={t(`inbox.${asked.kind}.title`, { count })}>
      <Body asked={asked} change={change} />
    </Frame>
  );
}

/** A phone has no room at a button: what asks is a sheet at the screen's end. */
const isPhone = matchMedia("(width < 720px)");

/** Floats at what asked for it, and covers nothing else. */
function Frame(props: {
  readonly at: Element | undefined;
  readonly title: string;
  readonly children: ReactNode;
}) {
  const { at, title, children } = props;
  const place = useRef(at ?? null);
  const body = <EscLeaves close={closeAsked}>{children}</EscLeaves>;
  if (at === undefined || isPhone.matches)
    return (
      <AskDialog sheet title={title} close={closeAsked}>
        {body}
      </AskDialog>
    );
  return (
    <Popover
      isOpen
      triggerRef={place}
      className="react-aria-Popover ask-at"
      placement="bottom end"
      onOpenChange={(open) => {
        if (!open) closeAsked();
      }}
    >
      <Dialog>
        <Heading slot="title">{title}</Heading>
        {body}
      </Dialog>
    </Popover>
  );
}

export interface QuestionProps {
  readonly asked: Asked;
  readonly change: (what: Change) => void;
}

function Assign({ change }: QuestionProps) {
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

const TIME = {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
} as const;
const nearTime = new Intl.DateTimeFormat(dateLocale, TIME);
const farTime = new Intl.DateTimeFormat(dateLocale, { ...TIME, day: "numeric", month: "short" });
/** From here on the name of the day could be that of an earlier one. */
const FAR_MS = 6 * 24 * 60 * 60 * 1000;

function Snooze({ change }: QuestionProps) {
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
            {t(`inbox.snooze.${name}`)}
            <bdi className="act-time">
              {(until.getTime() - now > FAR_MS ? farTime : nearTime).format(until)}
            </bdi>
          </ListBoxItem>
        ))}
      </ListBox>
      <Form
        className="act-until field-beside"
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
