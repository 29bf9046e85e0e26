import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage, queryClient } from "../api/query-client.ts";
import { keepAnswer } from "../api/keep-answer.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { ChangedMeanwhile, useShown, useVersion } from "../kit/changed-meanwhile.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice, TextInput } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { useCall } from "../kit/use-call.ts";
import { dateLocale } from "../text/locale.ts";
import { t, told, type PlainKey } from "../text/t.ts";
import { draftOf, editedWeek, type HoursDraft as Draft } from "./hours-draft.ts";
import { DaySpans, WeekSpans, type Faults } from "./hours-fields.tsx";
import { SettingsPage, SettingsPart } from "./settings-page.tsx";
import "./hours.css";

type Hours = AnswerOf<"readHours">;
type Change = (changes: Partial<Draft>) => void;

const hoursQuery = queryOptions({
  queryKey: ["business-hours"],
  queryFn: ({ signal }) => call("readHours", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** `/settings/business-hours`: when somebody answers. */
export function BusinessHours() {
  const { data } = useQuery({ ...hoursQuery, throwOnError: failsPage });
  return (
    <SettingsPage title={t("shell.settings.hours")} lead={t("hours.lead")}>
      {data && <Shown hours={data} />}
    </SettingsPage>
  );
}

function Shown({ hours }: { readonly hours: Hours }) {
  // What is being changed must not be replaced below the member's hands.
  const { shown, hold, release } = useShown(hours.etag);
  return <Form key={shown} hours={hours} hold={hold} release={release} />;
}

function Form({
  hours,
  hold,
  release,
}: {
  readonly hours: Hours;
  readonly hold: () => void;
  readonly release: () => void;
}) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(hours));
  const [changed, setChanged] = useState(false);
  const change: Change = (changes) => {
    setChanged(true);
    hold();
    setDraft((before) => ({ ...before, ...changes }));
  };
  const version = useVersion(hours.etag);
  const save = useCall(async (over?: string) => {
    const saved = await version.guard(
      (ifMatch) => call("saveHours", { body: draft, ifMatch }),
      over,
    );
    keepAnswer(queryClient, hoursQuery.queryKey, saved);
    release();
  });
  const load = async (): Promise<void> => {
    await queryClient.fetchQuery({ ...hoursQuery, staleTime: 0 });
    release();
  };
  const faults: Faults = new Map(
    save.failed?.details.map(({ path }) => [path, t(faultKey(path))]) ?? [],
  );
  return (
    <form
      className="hours"
      onSubmit={(event) => {
        event.preventDefault();
        save.start();
      }}
    >
      <p role="status" className="hours-now" data-open={hours.now.open || undefined}>
        {nowText(hours)}
      </p>
      <Zone draft={draft} change={change} />
      <SettingsPart title={t("hours.week")}>
        <WeekSpans
          path="week"
          week={draft.week}
          change={(week) => change({ week })}
          faults={faults}
        />
      </SettingsPart>
      <Periods draft={draft} change={change} ramadan={hours.ramadan} faults={faults} />
      <Days draft={draft} change={change} faults={faults} />
      <ChangedMeanwhile version={version} save={save} load={load} />
      <Failure of={version.other === null ? save.failed : null} />
      <div className="hours-save">
        <Button type="submit" className="primary" isPending={save.busy}>
          {t("hours.save")}
        </Button>
        <span className="hint" aria-live="polite">
          {changed ? t("hours.unsaved") : hours.version > 0 ? t("hours.saved") : ""}
        </span>
      </div>
    </form>
  );
}

function nowText({ version, now, zone }: Hours): string {
  if (version === 0) return t("hours.always");
  if (now.until === null) return t(now.open ? "hours.openAlways" : "hours.closedAlways");
  const at = momentIn(zone, now.until);
  return now.open ? t("hours.open", { at }) : t("hours.closed", { at });
}

/** The time; with its day when that is not today. */
function momentIn(timeZone: string, at: string): string {
  const day = new Intl.DateTimeFormat("en-CA", { timeZone });
  const today = day.format(new Date()) === day.format(new Date(at));
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
  return new Intl.DateTimeFormat(dateLocale, {
    ...time,
    ...(!today && { weekday: "short", day: "numeric", month: "short" }),
  }).format(new Date(at));
}

function faultKey(path: string): PlainKey {
  const [area = "", , part, ...rest] = path.split(".");
  if (area === "days" && part === "date") return "hours.fault.date";
  if (area === "periods" && part === undefined) return "hours.fault.period";
  if (area === "periods" && rest.length === 0)
    return part === "to" ? "hours.fault.last" : "hours.fault.date";
  return path.endsWith(".to") ? "hours.fault.to" : "hours.fault.from";
}

interface PartProps {
  readonly draft: Draft;
  readonly change: Change;
  readonly faults: Faults;
}

function Zone({ draft, change }: Omit<PartProps, "faults">) {
  const { workspace } = useBootstrap();
  const own = t("hours.zone.workspace", { zone: zoneName(workspace.timeZone) });
  return (
    <div className="hours-zone">
      <Choice
        label={t("hours.zone")}
        options={[
          { value: "", name: own },
          ...Intl.supportedValuesOf("timeZone").map((zone) => ({
            value: zone,
            name: zoneName(zone),
          })),
        ]}
        value={draft.timeZone ?? ""}
        change={(zone) => change({ timeZone: zone === "" ? null : zone })}
      />
      <p className="hint">
        {told("hours.zone.text", {
          link: <Link href="/settings/workspace">{t("shell.settings.workspace")}</Link>,
        })}
      </p>
    </div>
  );
}

const zoneName = (zone: string): string => zone.replaceAll("_", " ");

function Periods({
  draft: { periods, week },
  change,
  ramadan,
  faults,
}: PartProps & { readonly ramadan: Hours["ramadan"] }) {
  const set = (periodsNow: Draft["periods"]) => change({ periods: periodsNow });
  const add = (period: { name: string; from: string; to: string }) =>
    set([...periods, { ...period, week: editedWeek(week) }]);
  const proposed =
    ramadan !== null && periods.some(({ from, to }) => from <= ramadan.to && ramadan.from <= to);
  return (
    <SettingsPart title={t("hours.periods")}>
      <p className="hint">{t("hours.periods.text")}</p>
      {periods.map((period, n) => (
        <fieldset key={n} className="hours-period">
          <legend>{period.name || t("hours.period.new")}</legend>
          <div className="hours-period-head">
            <TextInput
              label={t("hours.period.name")}
              value={period.name}
              maxLength={80}
              onChange={(name) => set(periods.with(n, { ...period, name }))}
              fault={faults.get(`periods.${n}`)}
            />
            <TextInput
              type="date"
              code
              isRequired
              label={t("hours.period.from")}
              value={period.from}
              onChange={(from) => set(periods.with(n, { ...period, from }))}
              fault={faults.get(`periods.${n}.from`)}
            />
            <TextInput
              type="date"
              code
              isRequired
              label={t("hours.period.to")}
              value={period.to}
              onChange={(to) => set(periods.with(n, { ...period, to }))}
              fault={faults.get(`periods.${n}.to`)}
            />
          </div>
          <WeekSpans
            path={`periods.${n}.week`}
            period={period.name || t("hours.period.new")}
            week={period.week}
            change={(own) => set(periods.with(n, { ...period, week: own }))}
            faults={faults}
          />
          <Button className="quiet" onPress={() => set(periods.toSpliced(n, 1))}>
            {t("hours.period.remove")}
          </Button>
        </fieldset>
      ))}
      <div className="hours-add">
        <Button onPress={() => add({ name: "", from: "", to: "" })}>
          <Icon name="plus" />
          {t("hours.period.add")}
        </Button>
        {ramadan !== null && !proposed && (
          <Button onPress={() => add({ name: t("hours.period.ramadan.name"), ...ramadan })}>
            {t("hours.period.ramadan")}
          </Button>
        )}
      </div>
      <p className="hint">{t("hours.period.ramadan.text")}</p>
    </SettingsPart>
  );
}

function Days({ draft: { days }, change, faults }: PartProps) {
  const set = (daysNow: Draft["days"]) => change({ days: daysNow });
  return (
    <SettingsPart title={t("hours.days")}>
      <p className="hint">{t("hours.days.text")}</p>
      {days.map((day, n) => (
        <fieldset key={n} className="hours-period">
          <legend>{day.name || day.date || t("hours.days.new")}</legend>
          <div className="hours-period-head">
            <TextInput
              label={t("hours.days.name")}
              value={day.name}
              maxLength={80}
              onChange={(name) => set(days.with(n, { ...day, name }))}
            />
            <TextInput
              type="date"
              code
              isRequired
              label={t("hours.days.date")}
              value={day.date}
              onChange={(date) => set(days.with(n, { ...day, date }))}
              fault={faults.get(`days.${n}.date`)}
            />
          </div>
          <DaySpans
            path={`days.${n}.spans`}
            spans={day.spans}
            change={(spans) => set(days.with(n, { ...day, spans }))}
            faults={faults}
          />
          <Button className="quiet" onPress={() => set(days.toSpliced(n, 1))}>
            {t("hours.days.remove")}
          </Button>
        </fieldset>
      ))}
      <div className="hours-add">
        <Button onPress={() => set([...days, { date: "", name: "", spans: [] }])}>
          <Icon name="plus" />
          {t("hours.days.add")}
        </Button>
      </div>
    </SettingsPart>
  );
}
