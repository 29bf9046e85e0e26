import { Button, Input, Label, TextField } from "react-aria-components";
import {
  DAY_MINUTES,
  MOST_SPANS,
  type Span,
  WEEKDAYS,
  type Weekday,
} from "../../../server/src/wire/hours.ts";
import { Icon } from "../kit/icon.tsx";
import { dateLocale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import {
  everyDay,
  minuteOf,
  nextSpan,
  timeOf,
  withFrom,
  withTo,
  type EditedWeek,
  type Spans,
} from "./hours-draft.ts";

const names = new Intl.DateTimeFormat(dateLocale, { weekday: "long", timeZone: "UTC" });
/** 2024-01-01 was a Monday. */
const MONDAY = Date.UTC(2024, 0, 1);

/** The days of the week with their names, from Sunday, with which the week begins in most countries of our customers. */
const weekdays = (): readonly { readonly day: Weekday; readonly name: string }[] =>
  [...WEEKDAYS.slice(-1), ...WEEKDAYS.slice(0, -1)].map((day) => ({
    day,
    name: names.format(MONDAY + WEEKDAYS.indexOf(day) * 86_400_000),
  }));

/** Faults of the form by their place: "week.monday.0.to". */
export type Faults = ReadonlyMap<string, string>;

/** A group per day of a week with its spans. `period` names the week where a page has several. */
export function WeekSpans({
  path,
  period,
  week,
  change,
  faults,
}: {
  readonly path: string;
  readonly period?: string;
  readonly week: EditedWeek;
  readonly change: (week: EditedWeek) => void;
  readonly faults: Faults;
}) {
  return (
    <div className="hours-week">
      {weekdays().map(({ day, name }, n) => (
        <fieldset
          key={day}
          className="hours-day"
          aria-label={period === undefined ? name : t("hours.period.day", { day: name, period })}
        >
          <legend>{name}</legend>
          <DaySpans
            path={`${path}.${day}`}
            spans={week[day]}
            change={(spans) => change({ ...week, [day]: spans })}
            faults={faults}
            {...(n === 0 && { copy: () => change(everyDay(week[day])) })}
          />
        </fieldset>
      ))}
    </div>
  );
}

/** The spans of one day. None: closed. */
export function DaySpans({
  path,
  spans,
  change,
  faults,
  copy,
}: {
  readonly path: string;
  readonly spans: Spans;
  readonly change: (spans: Spans) => void;
  readonly faults: Faults;
  /** Gives the other days the same spans. */
  readonly copy?: () => void;
}) {
  return (
    <div className="hours-spans">
      {spans.length === 0 && <span className="hours-closed">{t("hours.day.closed")}</span>}
      {spans.map((span, n) => (
        <OneSpan
          key={n}
          span={span}
          fault={faults.get(`${path}.${n}.from`) ?? faults.get(`${path}.${n}.to`)}
          change={(changed) => change(spans.with(n, changed))}
          remove={() => change(spans.toSpliced(n, 1))}
        />
      ))}
      <span className="hours-day-buttons">
        {spans.length < MOST_SPANS && (
          <Button className="quiet" onPress={() => change([...spans, nextSpan(spans)])}>
            <Icon name="plus" />
            {t("hours.span.add")}
          </Button>
        )}
        {copy && (
          <Button className="quiet" onPress={copy}>
            {t("hours.day.copy")}
          </Button>
        )}
      </span>
    </div>
  );
}

function OneSpan({
  span,
  fault,
  change,
  remove,
}: {
  readonly span: Span;
  readonly fault: string | undefined;
  readonly change: (span: Span) => void;
  readonly remove: () => void;
}) {
  const [from, to] = [timeOf(span.from), timeOf(span.to)];
  const set = (time: string, by: (span: Span, minute: number) => Span) => {
    const minute = minuteOf(time);
    if (minute !== null) change(by(span, minute));
  };
  return (
    <div className="hours-span">
      <TextField
        type="time"
        value={from}
        onChange={(time) => set(time, withFrom)}
        isInvalid={fault !== undefined}
      >
        <Label>{t("hours.span.from")}</Label>
        <Input dir="ltr" />
      </TextField>
      <TextField
        type="time"
        value={to}
        onChange={(time) => set(time, withTo)}
        isInvalid={fault !== undefined}
      >
        <Label>{t("hours.span.to")}</Label>
        <Input dir="ltr" />
      </TextField>
      {span.to > DAY_MINUTES && <span className="hours-next">{t("hours.span.nextDay")}</span>}
      <Button className="quiet" aria-label={t("hours.span.remove", { from, to })} onPress={remove}>
        <Icon name="x" />
      </Button>
      {fault !== undefined && (
        <p role="alert" className="hours-fault">
          {fault}
        </p>
      )}
    </div>
  );
}
