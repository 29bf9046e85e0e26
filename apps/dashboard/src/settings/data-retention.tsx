import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { keepAnswer } from "../api/keep-answer.ts";
import { failsPage, queryClient } from "../api/query-client.ts";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice } from "../kit/fields.tsx";
import { count, momentOf } from "../kit/format.ts";
import { Facts } from "../kit/page.tsx";
import { Progress } from "../kit/progress.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { MONTHS, optionsWith, textOf, valueOf, EVENT_DAYS } from "./retention-draft.ts";
import { SettingsPage, SettingsPart } from "./settings-page.tsx";
import "./retention.css";

type Retention = AnswerOf<"readRetention">;
type Preview = AnswerOf<"previewRetention">;
type Draft = Pick<Retention, "messageMonths" | "fileMonths" | "eventDays">;

const QUERY = ["retention"];
/** How often the page looks while something is being deleted. */
const LOOK_MS = 3_000;

/** `/settings/data-retention`: for how long messages, files and events are kept, and how far their deletion is. */
export function DataRetention() {
  const { data } = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) => call("readRetention", { signal }),
    throwOnError: failsPage,
    refetchInterval: ({ state }) => (state.data?.state === "deleting" ? LOOK_MS : false),
  });
  return (
    <SettingsPage title={t("shell.settings.retention")} lead={t("retention.lead")}>
      {data && (
        <div className="retention">
          <State of={data} />
          <Form key={data.changedAt} retention={data} />
        </div>
      )}
    </SettingsPage>
  );
}

/** What happens now, in words, and what was deleted. */
function State({ of: { state, beginsAt, deleted } }: { readonly of: Retention }) {
  const words =
    state === "waiting"
      ? t("retention.waiting", { at: momentOf(beginsAt ?? "") })
      : t(`retention.${state}`);
  const some = Object.values(deleted).some((one) => one > 0);
  return (
    <>
      <p role="status" className="retention-state" data-state={state}>
        {words}
      </p>
      {(state === "deleting" || some) && (
        <SettingsPart title={t("retention.so.far")}>
          {state === "deleting" && <Left deleted={deleted.messages} />}
          <Facts
            of={[
              [t("retention.messages.count"), count(deleted.messages)],
              [t("retention.files.count"), count(deleted.files)],
              [t("retention.notes.count"), count(deleted.notes)],
              [t("retention.events.count"), count(deleted.events)],
            ]}
          />
          <p className="hint">{t("retention.so.far.text")}</p>
        </SettingsPart>
      )}
    </>
  );
}

function Left({ deleted }: { readonly deleted: number }) {
  const { data } = useQuery({
    queryKey: [...QUERY, "left"],
    queryFn: ({ signal }) => call("previewRetention", { body: {}, signal }),
    refetchInterval: 2 * LOOK_MS,
  });
  if (!data) return null;
  const all = deleted + data.messages.count;
  const parts = { deleted: count(deleted), all: count(all) };
  return (
    <Progress
      label={t("retention.progress")}
      done={deleted}
      of={Math.max(all, 1)}
      text={t(data.messages.more ? "retention.progress.more" : "retention.progress.text", parts)}
    />
  );
}

function Form({ retention }: { readonly retention: Retention }) {
  const { messageMonths, fileMonths, eventDays } = retention;
  const [draft, setDraft] = useState<Draft>({ messageMonths, fileMonths, eventDays });
  const [asked, setAsked] = useState<Preview | null>(null);
  const [saved, setSaved] = useState(false);
  const change = (changes: Partial<Draft>) => {
    setSaved(false);
    setDraft((before) => ({ ...before, ...changes }));
  };
  const isChanged =
    draft.messageMonths !== messageMonths ||
    draft.fileMonths !== fileMonths ||
    draft.eventDays !== eventDays;
  const store = async () => {
    const answer = await call("changeRetention", { body: draft });
    setAsked(null);
    setSaved(true);
    keepAnswer(queryClient, QUERY, answer);
  };
  const confirm = useCall(store);
  // A shorter time is asked about first, with what it deletes.
  const save = useCall(async () => {
    const preview = await call("previewRetention", { body: draft });
    if (preview.shorter) setAsked(preview);
    else await store();
  });
  return (
    <SettingsPart title={t("retention.kept")}>
      <form
        className="retention"
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) save.start();
        }}
      >
        <Fields draft={draft} change={change} />
        <Failure of={save.failed} />
        <div className="retention-save">
          <Button type="submit" className="primary" isDisabled={!isChanged} isPending={save.busy}>
            {t("retention.save")}
          </Button>
          <span className="hint" aria-live="polite">
            {isChanged ? t("retention.unsaved") : saved ? t("retention.saved") : ""}
          </span>
        </div>
      </form>
      {asked && (
        <ConfirmDialog
          title={t("retention.ask")}
          verb={t("retention.ask.go")}
          call={confirm}
          close={() => setAsked(null)}
        >
          <Asked preview={asked} events={draft.eventDays !== eventDays} />
        </ConfirmDialog>
      )}
    </SettingsPart>
  );
}

function Fields({
  draft: { messageMonths, fileMonths, eventDays },
  change,
}: {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
}) {
  const months = (value: number | null) =>
    optionsWith(MONTHS, value).map((one) => ({
      value: textOf(one),
      name:
        one % 12 === 0
          ? t("retention.years", { count: one / 12 })
          : t("retention.months", { count: one }),
    }));
  const days = optionsWith(EVENT_DAYS, eventDays).map((one) => ({
    value: textOf(one),
    name: t("retention.days", { count: one }),
  }));
  return (
    <div className="retention-fields">
      <Choice
        label={t("retention.messages")}
        options={[{ value: "", name: t("retention.good") }, ...months(messageMonths)]}
        value={textOf(messageMonths)}
        change={(chosen) => change({ messageMonths: valueOf(chosen) })}
        hint={t("retention.messages.text")}
      />
      <Choice
        label={t("retention.files")}
        options={[{ value: "", name: t("retention.withMessages") }, ...months(fileMonths)]}
        value={textOf(fileMonths)}
        change={(chosen) => change({ fileMonths: valueOf(chosen) })}
        hint={t("retention.files.text")}
      />
      <Choice
        label={t("retention.events")}
        options={[{ value: "", name: t("retention.days", { count: 30 }) }, ...days]}
        value={textOf(eventDays)}
        change={(chosen) => change({ eventDays: valueOf(chosen) })}
        hint={t("retention.events.text")}
      />
    </div>
  );
}

/** What the change deletes today, and when that begins. */
function Asked({
  preview: { messages, files, beginsAt },
  events,
}: {
  readonly preview: Preview;
  readonly events: boolean;
}) {
  return (
    <>
      <p>
        {messages.more
          ? t("retention.ask.messages.more", { count: count(messages.count) })
          : t("retention.ask.messages", { count: messages.count })}
      </p>
      {(files.count > 0 || files.more) && (
        <p>
          {files.more
            ? t("retention.ask.files.more", { count: count(files.count) })
            : t("retention.ask.files", { count: files.count })}
        </p>
      )}
      {events && <p>{t("retention.ask.events")}</p>}
      <p>{t("retention.ask.begins", { at: momentOf(beginsAt) })}</p>
    </>
  );
}
