import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { Badge } from "../kit/badge.tsx";
import { AskDialog, ConfirmDialog } from "../kit/dialog.tsx";
import { Choice, TextInput } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { useCall } from "../kit/use-call.ts";
import { t, type PlainKey } from "../text/t.ts";
import { bodyOf, formOf, isWhole, MOST_BEFORE, NEW_CASE, type CaseForm } from "./case-form.ts";
import { differenceWords } from "./case-words.ts";
import { caseRunQuery, knownSources, readCasesAgain, type Case } from "./cases-query.ts";
import { FailureOfBot } from "./failure-of-bot.tsx";
import "./bots.css";
import "./cases.css";

const DECISIONS = [
  ["", "cases.any"],
  ["answer", "bots.decision.answer"],
  ["clarify", "bots.decision.clarify"],
  ["hand_over", "bots.decision.handOver"],
  ["silent", "bots.decision.silent"],
] as const satisfies readonly (readonly [CaseForm["decision"], PlainKey])[];
const LANGUAGES = [
  ["", "cases.any"],
  ["en", "cases.english"],
  ["ar", "cases.arabic"],
] as const satisfies readonly (readonly [CaseForm["lang"], PlainKey])[];

/** A case: what it asks and expects, and how it was answered last. */
export function CaseDialog({
  botId,
  of: before,
  given = NEW_CASE,
  conversationId,
  mayWrite,
  close,
}: {
  readonly botId: string;
  /** Null: a new one. */
  readonly of: Case | null;
  /** What a new one begins with. */
  readonly given?: CaseForm;
  /** The conversation whose words a new one has: they are deleted with the customer. */
  readonly conversationId?: string;
  readonly mayWrite: boolean;
  readonly close: () => void;
}) {
  const [form, setForm] = useState(before ? formOf(before) : given);
  const [isDeleting, setDeleting] = useState(false);
  const save = useCall(async () => {
    const body = bodyOf(form);
    await (before
      ? call("saveCase", { params: { id: botId, caseId: before.id }, body })
      : call("addCase", {
          params: { id: botId },
          body: { ...body, ...(conversationId !== undefined && { conversationId }) },
        }));
    await readCasesAgain(botId);
    close();
  });
  const isReady = mayWrite && isWhole(form);
  if (isDeleting && before)
    return <DeleteCase botId={botId} of={before} close={() => setDeleting(false)} done={close} />;
  return (
    <AskDialog
      wide
      title={t(before ? "cases.case" : "cases.new")}
      close={close}
      submit={() => {
        if (isReady) save.start();
      }}
    >
      {before?.runId && <LastAnswers botId={botId} caseId={before.id} runId={before.runId} />}
      <CaseFields form={form} mayWrite={mayWrite} change={setForm} />
      <FailureOfBot of={save.failed} />
      <div className="ask-buttons">
        {before && mayWrite && (
          <Button className="danger cases-delete" onPress={() => setDeleting(true)}>
            {t("kit.delete")}
          </Button>
        )}
        <Button onPress={close}>{t(mayWrite ? "kit.cancel" : "bots.close")}</Button>
        {mayWrite && (
          <Button type="submit" className="primary" isDisabled={!isReady} isPending={save.busy}>
            {t("kit.save")}
          </Button>
        )}
      </div>
    </AskDialog>
  );
}

interface Editing {
  readonly form: CaseForm;
  readonly mayWrite: boolean;
  readonly change: (form: CaseForm) => void;
}

function CaseFields({ form, mayWrite, change }: Editing) {
  const set = (part: Partial<CaseForm>) => change({ ...form, ...part });
  const field = { isReadOnly: !mayWrite, maxLength: 6_000 };
  return (
    <>
      <TalkBefore form={form} mayWrite={mayWrite} change={change} />
      <TextInput
        isRequired
        rows={2}
        {...field}
        label={t("bots.question")}
        value={form.question}
        onChange={(question) => set({ question })}
        maxLength={2_000}
      />
      <div className="bots-pair">
        <TextInput
          rows={3}
          {...field}
          label={t("cases.mustHold")}
          hint={t("cases.pieces.hint")}
          value={form.mustHold}
          onChange={(mustHold) => set({ mustHold })}
        />
        <TextInput
          rows={3}
          {...field}
          label={t("cases.mustNotHold")}
          hint={t("cases.pieces.hint")}
          value={form.mustNotHold}
          onChange={(mustNotHold) => set({ mustNotHold })}
        />
      </div>
      <Sources form={form} mayWrite={mayWrite} change={change} />
      <div className="bots-pair">
        <Choice
          label={t("bots.decision")}
          disabled={!mayWrite}
          options={DECISIONS.map(([value, name]) => ({ value, name: t(name) }))}
          value={form.decision}
          change={(decision) => set({ decision })}
        />
        <Choice
          label={t("cases.language")}
          disabled={!mayWrite}
          options={LANGUAGES.map(([value, name]) => ({ value, name: t(name) }))}
          value={form.lang}
          change={(lang) => set({ lang })}
        />
      </div>
    </>
  );
}

/** Lines of the talk that come before the question. */
function TalkBefore({ form, mayWrite, change }: Editing) {
  const { before } = form;
  const set = (lines: CaseForm["before"]) => change({ ...form, before: lines });
  const put = (at: number, part: Partial<CaseForm["before"][number]>) =>
    set(before.map((line, index) => (index === at ? { ...line, ...part } : line)));
  return (
    <>
      {before.map((line, at) => (
        // A line has no name but its place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className="cases-line">
          <Choice
            label={t("cases.from", { number: at + 1 })}
            disabled={!mayWrite}
            options={[
              { value: "customer", name: t("cases.customer") },
              { value: "bot", name: t("cases.bot") },
            ]}
            value={line.from}
            change={(from) => put(at, { from })}
          />
          <TextInput
            label={t("cases.line", { number: at + 1 })}
            isReadOnly={!mayWrite}
            value={line.text}
            onChange={(text) => put(at, { text })}
            maxLength={2_000}
          />
          {mayWrite && (
            <Button
              className="quiet"
              aria-label={t("cases.line.remove", { number: at + 1 })}
              onPress={() => set(before.filter((_, index) => index !== at))}
            >
              <Icon name="x" />
            </Button>
          )}
        </div>
      ))}
      {mayWrite && before.length < MOST_BEFORE && (
        <div className="bots-buttons">
          <Button
            className="quiet"
            onPress={() =>
              set([...before, { from: before.length % 2 === 0 ? "customer" : "bot", text: "" }])
            }
          >
            <Icon name="plus" />
            {t("cases.line.add")}
          </Button>
        </div>
      )}
    </>
  );
}

/** The sources that the answer must cite. */
function Sources({ form, mayWrite, change }: Editing) {
  const { sources } = form;
  const { data } = useQuery(knownSources);
  const known = data?.items ?? [];
  const nameOf = (name: string) =>
    known.find(({ id, externalId }) => id === name || externalId === name)?.title ?? name;
  const others = known.filter(
    ({ id, externalId }) => !sources.includes(id) && !sources.includes(externalId ?? id),
  );
  return (
    <div className="bots-list">
      {sources.length > 0 && (
        <>
          <h3>{t("cases.sources")}</h3>
          <ul aria-label={t("cases.sources")}>
            {sources.map((source) => (
              <li key={source} className="bots-line">
                <bdi>{nameOf(source)}</bdi>
                {mayWrite && (
                  <Button
                    className="quiet"
                    aria-label={t("cases.sources.remove", { name: nameOf(source) })}
                    onPress={() =>
                      change({ ...form, sources: sources.filter((one) => one !== source) })
                    }
                  >
                    <Icon name="x" />
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {mayWrite && others.length > 0 && (
        <Choice
          label={t("cases.sources.add")}
          options={[
            { value: "", name: t("cases.sources.none") },
            ...others.map(({ id, title }) => ({ value: id, name: title })),
          ]}
          value=""
          change={(id) => {
            if (id !== "") change({ ...form, sources: [...sources, id] });
          }}
        />
      )}
    </div>
  );
}

/** Each answer of the last run, and in what the first wrong one differs. */
function LastAnswers({
  botId,
  caseId,
  runId,
}: {
  readonly botId: string;
  readonly caseId: string;
  readonly runId: string;
}) {
  const { data } = useQuery(caseRunQuery(botId, runId));
  const item = data?.items.find((one) => one.caseId === caseId);
  if (!item) return null;
  return (
    <div className="bots-list">
      <h3>{t("cases.last")}</h3>
      {item.difference && (
        <p role="status" className="cases-difference" dir="auto">
          {differenceWords(item.difference)}
        </p>
      )}
      <ul aria-label={t("cases.last")}>
        {item.answers.map(({ text, decision, difference }, at) => (
          // An answer has no name but its place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>
            <span className="cases-result">
              <strong>{t("cases.answer", { number: at + 1 })}</strong>
              <Badge tone={difference === null ? "ok" : "bad"}>
                {t(difference === null ? "cases.answer.right" : "cases.answer.wrong")}
              </Badge>
            </span>
            <p dir="auto">
              {text === ""
                ? t(decision === null ? "bots.answer.failed" : "bots.answer.none")
                : text}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

function DeleteCase({
  botId,
  of: { id: caseId, question },
  close,
  done,
}: {
  readonly botId: string;
  readonly of: Case;
  readonly close: () => void;
  readonly done: () => void;
}) {
  const remove = useCall(async () => {
    await call("deleteCase", { params: { id: botId, caseId } });
    await readCasesAgain(botId);
    done();
  });
  return (
    <ConfirmDialog title={t("cases.delete")} verb={t("kit.delete")} call={remove} close={close}>
      <p dir="auto">{question}</p>
    </ConfirmDialog>
  );
}
