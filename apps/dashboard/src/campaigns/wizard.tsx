import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { Button, Tab, TabPanel, Tabs } from "react-aria-components";
import { call } from "../api/call.ts";
import { bootstrapQuery, queryClient } from "../api/query-client.ts";
import { uuid7 } from "../api/uuid7.ts";
import { ChangedMeanwhile, useVersion, type Version } from "../kit/changed-meanwhile.tsx";
import { Failure } from "../kit/failure.tsx";
import { Page } from "../kit/page.tsx";
import { TabRow } from "../kit/tab-row.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { CampaignActions } from "./campaign-actions.tsx";
import type { Campaign } from "./contract.ts";
import { draftOf, gapsOf, SMS, STEPS, type Form, type Gap, type Step } from "./form.ts";
import { campaignChanged, campaignQuery, choicesQuery, templatesQuery } from "./queries.ts";
import { StartDialog } from "./start-dialog.tsx";
import { AudienceStep } from "./step-audience.tsx";
import { CheckStep } from "./step-check.tsx";
import { MessageStep } from "./step-message.tsx";
import { ScheduleStep } from "./step-schedule.tsx";
import { forgetForm, keepForm, unsavedForm } from "./unsaved.ts";
import { causeText, gapWord } from "./words.ts";
import { refusalText } from "./refusal.ts";

/** The stored draft that is being edited. */
export interface Stored {
  readonly id: string;
  readonly campaign: Campaign;
  /** For a resend: the campaign whose failed recipients it is for. */
  readonly resendOf: { readonly id: string; readonly name: string } | null;
}

/** The properties of every step. */
export interface StepProps {
  readonly form: Form;
  /** A function is given the form as it is by then: what arrives late, as a file, keeps what was written meanwhile. */
  readonly change: (changes: Changes<Form>) => void;
  readonly stored: Stored | null;
}

/** Members to change, or a function that gives them. */
export type Changes<T> = Partial<T> | ((now: T) => Partial<T>);

/** Writing a campaign, in four steps. Input is kept in the tab until it is saved. */
export function Wizard({
  first,
  stored,
  loaded,
}: {
  readonly first: Form;
  readonly stored: Stored | null;
  /** Begins the form again with the stored draft, which was read again. */
  readonly loaded?: () => void;
}) {
  const kept = stored?.id ?? "new";
  const { form, version, change, said, say } = useForm(first, kept, stored);
  const [asked, setAsked] = useState<readonly Gap[]>([]);
  const [starting, setStarting] = useState(false);
  const { step, go, goToGap } = useStep(stored);
  useSuspenseQuery(choicesQuery);
  const channelId = form.way === SMS || form.way === "" ? null : form.way;
  const templates = useQuery(templatesQuery(channelId)).data ?? [];
  const { store, settled, save, start, schedule, load } = useSaving({
    form,
    version,
    stored,
    kept,
    step,
    loaded,
    saved: () => say(t("campaigns.saved")),
  });
  /** Runs the function when nothing is missing; else says what is missing. */
  const complete = (run: () => void, needsTime: boolean): void => {
    const gaps = gapsOf(form, templates).filter(({ what }) => needsTime || what !== "time");
    setAsked(gaps);
    if (gaps.length === 0) run();
  };
  const failed = save.failed ?? (starting ? null : start.failed) ?? schedule.failed;
  const gaps = asked.length === 0 ? [] : gapsOf(form, templates);
  const props: StepProps = { form, change, stored };
  return (
    <Page
      title={form.name.trim() === "" ? t("campaigns.new") : form.name}
      back={{ href: "/campaigns", name: t("shell.campaigns") }}
      actions={stored && <CampaignActions campaign={stored.campaign} unknown={0} />}
    >
      {stored?.campaign.statusReason != null && (
        <p role="status" className="campaign-warning">
          {causeText(stored.campaign.statusReason)}
        </p>
      )}
      <Tabs
        className="react-aria-Tabs campaign-wizard"
        selectedKey={step}
        onSelectionChange={(key) => go(STEPS.find((one) => one === key) ?? "audience")}
      >
        <StepList place={STEPS.indexOf(step)} />
        <TabPanel id="audience">
          <AudienceStep {...props} />
        </TabPanel>
        <TabPanel id="message">
          <MessageStep {...props} />
        </TabPanel>
        <TabPanel id="schedule">
          <ScheduleStep {...props} />
        </TabPanel>
        <TabPanel id="check">
          <CheckStep {...props} go={goToGap} save={store} saved={settled} />
        </TabPanel>
      </Tabs>
      {gaps.length > 0 && <Gaps gaps={gaps} form={form} go={goToGap} />}
      {version.other === null && <Failure of={failed} {...refusalText(failed)} />}
      <ChangedMeanwhile
        version={version}
        save={{
          ...save,
          start: (over) => {
            setStarting(false);
            save.start(over);
          },
        }}
        load={load}
      />
      <Foot
        step={step}
        go={go}
        said={said}
        atTime={form.when === "at"}
        save={{ busy: save.busy, run: () => complete(() => save.start(), false) }}
        start={{ busy: start.busy, run: () => complete(() => setStarting(true), false) }}
        schedule={{ busy: schedule.busy, run: () => complete(() => schedule.start(), true) }}
      />
      {starting && version.other === null && (
        <StartDialog
          name={form.name.trim()}
          rate={form.rate}
          estimate={(signal) => estimateOf(form, stored, signal)}
          start={start}
          close={() => setStarting(false)}
        />
      )}
    </Page>
  );
}

const estimateOf = (form: Form, stored: Stored | null, signal: AbortSignal) =>
  call("estimateDraft", {
    body: { ...(stored && { id: stored.id }), draft: draftOf(form) },
    signal,
  });

/** What is written, kept in the tab with the version of the draft that it was filled from. */
function useForm(first: Form, kept: string, stored: Stored | null) {
  const { member } = useSuspenseQuery(bootstrapQuery).data;
  const [begun] = useState(() => unsavedForm(member.id, kept) ?? { form: first });
  const [form, setForm] = useState(begun.form);
  const version = useVersion(begun.etag ?? stored?.campaign.etag);
  const [said, say] = useState("");
  const latest = useRef(form);
  const change = (changes: Changes<Form>): void => {
    const now = latest.current;
    const next = { ...now, ...(typeof changes === "function" ? changes(now) : changes) };
    latest.current = next;
    setForm(next);
    say("");
    keepForm(member.id, kept, { form: next, etag: version.base() });
  };
  return { form, version, change, said, say };
}

/** The step that the address names, and the way to another. */
function useStep(stored: Stored | null) {
  const { step: named } = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (to: Step): void => {
    const search = { step: to };
    void (stored
      ? navigate({ to: "/campaigns/$id", params: { id: stored.id }, search, replace: true })
      : navigate({ to: "/campaigns/new", search, replace: true }));
  };
  return {
    step: STEPS.find((one) => one === named) ?? "audience",
    go,
    /** Goes to the step in which something is missing, and into its first empty field. */
    goToGap: (to: Step): void => {
      go(to);
      seekEmpty(performance.now() + SEEKS_MS);
    },
  };
}

/** Stores the form as a draft, starts the campaign, or gives it its time. Afterwards the tab keeps no input of it. */
function useSaving({
  form,
  version,
  stored,
  kept,
  step,
  loaded,
  saved,
}: {
  readonly form: Form;
  readonly version: Version;
  readonly stored: Stored | null;
  /** The name under which the tab keeps the input. */
  readonly kept: string;
  readonly step: Step;
  readonly loaded?: (() => void) | undefined;
  readonly saved: () => void;
}) {
  const { member } = useSuspenseQuery(bootstrapQuery).data;
  const navigate = useNavigate();
  // The same key for the same form: a second try after a lost answer creates no second campaign.
  const idempotencyKey = useMemo(() => (form ? uuid7(Date.now()) : ""), [form]);
  /** Stores the form and gives the campaign's id. `over`: over the version that another member saved meanwhile. */
  const store = async (over?: string): Promise<string> => {
    const body = draftOf(form);
    if (stored) {
      const { id } = stored;
      const { etag } = await version.guard(
        (ifMatch) => call("replaceCampaign", { params: { id }, body, ifMatch }),
        over,
      );
      version.begin(etag);
      return id;
    }
    return (await call("createBroadcast", { body, idempotencyKey })).id;
  };
  const settled = async (id: string): Promise<void> => {
    forgetForm(member.id, kept);
    // A draft has no time: the time is kept here until somebody schedules.
    if (form.when === "at") keepForm(member.id, id, { form, etag: version.base() });
    await campaignChanged(id);
  };
  const save = useCall(async (over?: string) => {
    const id = await store(over);
    await settled(id);
    saved();
    await navigate({ to: "/campaigns/$id", params: { id }, search: { step }, replace: true });
  });
  const start = useCall(async () => {
    const id = await store();
    await call("startCampaign", { params: { id } });
    forgetForm(member.id, kept);
    forgetForm(member.id, id);
    await campaignChanged(id);
    await navigate({ to: "/campaigns/$id", params: { id } });
  });
  const schedule = useCall(async () => {
    const id = await store();
    await call("scheduleCampaign", { params: { id }, body: { wall: form.at } });
    forgetForm(member.id, kept);
    forgetForm(member.id, id);
    await campaignChanged(id);
    await navigate({ to: "/campaigns/$id", params: { id } });
  });
  const load = async (): Promise<void> => {
    if (!stored) return;
    await queryClient.fetchQuery({ ...campaignQuery(stored.id), staleTime: 0 });
    forgetForm(member.id, kept);
    loaded?.();
  };
  return { store, settled, save, start, schedule, load };
}

/** The names of the four steps. */
function StepList({ place }: { readonly place: number }) {
  return (
    <TabRow name={t("campaigns.steps")} className="campaign-steps">
      {STEPS.map((one, index) => (
        <Tab
          key={one}
          id={one}
          className="react-aria-Tab campaign-step"
          data-done={index < place || undefined}
        >
          <span className="campaign-step-number" aria-hidden="true">
            {index + 1}
          </span>
          {t(`campaigns.step.${one}`)}
        </Tab>
      ))}
    </TabRow>
  );
}

/** How long the step of what is missing may take to be drawn. */
const SEEKS_MS = 2_000;

/** Gives the focus to the first empty field of the step that is shown next: what is missing is written there. */
function seekEmpty(until: number): void {
  requestAnimationFrame(() => {
    const fields = document.querySelectorAll<HTMLInputElement>(
      ".campaign-wizard [role=tabpanel] :is(input, select, textarea)",
    );
    const empty = [...fields].find((one) => one.value === "" && one.checkVisibility());
    if (empty) empty.focus();
    else if (performance.now() < until) seekEmpty(until);
  });
}

/** The button that found them stays at the window's end: without this they would be below it. */
function showGaps(gaps: HTMLElement | null): void {
  gaps?.scrollIntoView({ block: "nearest" });
}

/** What is missing, each with the way to its step. */
function Gaps({
  gaps,
  form,
  go,
}: {
  readonly gaps: readonly Gap[];
  readonly form: Form;
  readonly go: (to: Step) => void;
}) {
  return (
    <div role="alert" className="failure campaign-gaps" ref={showGaps}>
      <p>{t("campaigns.gaps")}</p>
      <ul>
        {gaps.map((gap) => (
          <li key={`${gap.what} ${gap.text ?? ""}`}>
            <Button className="quiet" onPress={() => go(gap.step)}>
              {gapWord(gap)}
              {gap.text !== undefined && ` (${form.texts[gap.text]?.name ?? ""})`}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** One of the calls that end the writing. */
interface Ending {
  readonly busy: boolean;
  readonly run: () => void;
}

/** The buttons below every step: back, next, and what can be done with the campaign. */
function Foot({
  step,
  go,
  said,
  atTime,
  save,
  start,
  schedule,
}: {
  readonly step: Step;
  readonly go: (to: Step) => void;
  readonly said: string;
  /** The campaign starts at a time, not at once. */
  readonly atTime: boolean;
  readonly save: Ending;
  readonly start: Ending;
  readonly schedule: Ending;
}) {
  const place = STEPS.indexOf(step);
  const busy = save.busy || start.busy || schedule.busy;
  return (
    <footer className="campaign-foot">
      <Button isDisabled={place === 0} onPress={() => go(STEPS[place - 1] ?? "audience")}>
        {t("kit.back")}
      </Button>
      <span role="status">{said}</span>
      <Button isPending={save.busy} isDisabled={busy} onPress={save.run}>
        {t("campaigns.save")}
      </Button>
      {step === "check" ? (
        <>
          <Button
            {...(!atTime && { className: "primary" })}
            isPending={start.busy}
            isDisabled={busy}
            onPress={start.run}
          >
            {t("campaigns.start")}
          </Button>
          {atTime && (
            <Button
              className="primary"
              isPending={schedule.busy}
              isDisabled={busy}
              onPress={schedule.run}
            >
              {t("campaigns.schedule")}
            </Button>
          )}
        </>
      ) : (
        <Button className="primary" onPress={() => go(STEPS[place + 1] ?? "check")}>
          {t("kit.next")}
        </Button>
      )}
    </footer>
  );
}
