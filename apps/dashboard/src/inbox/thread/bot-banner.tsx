import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../../api/call.ts";
import type { DeskRow } from "../../api/shapes.ts";
import { useCommand } from "../../desk/commands.ts";
import { useBootstrap, useInbox } from "../../desk/use-inbox.ts";
import { Icon } from "../../kit/icon.tsx";
import { t, type PlainKey } from "../../text/t.ts";
import { clockTime } from "./times.ts";
import "./bot-banner.css";

/**
 * Who answers, when that is a bot, or that its bot answers no more and why; with what a member can do about it. It shows
 * nothing of a conversation that no bot has met, or that was given back.
 */
export function BotBanner({ row, tell }: { row: DeskRow; tell: (said: string) => void }) {
  const { bots } = useBootstrap();
  const { store } = useInbox();
  const [shows, setShows] = useState(false);
  const [busy, setBusy] = useState(false);
  const answers = row.handler === "bot";
  const handed = row.handedReason !== null;
  const shown = row.botId !== null && (answers || handed || row.handler === "person");
  const { data: run, isError } = useQuery({
    queryKey: ["bot-run", row.id, row.change],
    queryFn: ({ signal }) => call("readRun", { params: { id: row.id }, signal }),
    // What it collected is shown with a hand-over.
    enabled: shown && (shows || handed),
    placeholderData: (before) => before,
  });
  const change = async () => {
    if (!shown || busy) return;
    setBusy(true);
    try {
      store.takeRows([await call(answers ? "takeOver" : "giveBack", { params: { id: row.id } })]);
    } catch {
      tell(t("thread.bot.failed"));
    } finally {
      setBusy(false);
    }
  };
  useCommand("bot", () => void change());
  useCommand("bot-did", () => setShows((before) => !before));
  if (!shown) return null;
  const bot = bots.find(({ id }) => id === row.botId)?.name ?? t("thread.bot");
  return (
    <div className="bot-banner">
      {/* Who hears that it changed hears what can be done, too. */}
      <div role="status" className="bot-banner-now">
        <div className="bot-banner-line">
          <Icon name="bot" />
          <span>{words(row, bot)}</span>
        </div>
        <div className="bot-banner-acts">
          <Button
            className="thread-link"
            aria-expanded={shows}
            onPress={() => setShows((before) => !before)}
          >
            {t("thread.bot.did")}
          </Button>
          <Button className="thread-link" isPending={busy} onPress={() => void change()}>
            {answers ? t("thread.bot.takeOver") : t("thread.bot.giveBack", { bot })}
          </Button>
        </div>
      </div>
      {shows && isError && <p className="bot-banner-did">{t("thread.bot.failed")}</p>}
      {run && (shows || handed) && <Did run={run} all={shows} />}
    </div>
  );
}

function words({ handler, handedReason }: DeskRow, bot: string): string {
  if (handler === "bot") return t("thread.bot.answers", { bot });
  if (handedReason === null) return t("thread.bot.taken", { bot });
  return t("thread.bot.handedOver", { bot, reason: t(`thread.reason.${handedReason}`) });
}

/** What the bot collected, and with `all` what it did. */
function Did({ run, all }: { run: AnswerOf<"readRun">; all: boolean }) {
  const values = Object.entries(run.variables);
  if (!all && values.length === 0) return null;
  return (
    <div className="bot-banner-did">
      {all && <Steps run={run} />}
      {values.length > 0 && (
        <dl aria-label={t("thread.bot.collected")}>
          {values.map(([name, value]) => (
            <div key={name}>
              <dt dir="auto">{name}</dt>
              <dd dir="auto">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function Steps({ run }: { run: AnswerOf<"readRun"> }) {
  return (
    <>
      <p>
        {t("thread.bot.version", { version: run.version })} ·{" "}
        {t("thread.bot.turns", { count: run.turns })} ·{" "}
        {run.outcome === null
          ? t("thread.bot.goesOn")
          : t("thread.bot.ended", { outcome: t(`thread.outcome.${run.outcome}`) })}
      </p>
      {run.summary !== null && <p dir="auto">{run.summary}</p>}
      {run.steps.length > 0 ? (
        <ol aria-label={t("thread.bot.steps")}>
          {run.steps.map((step, index) => (
            // Steps have no ids, and none is ever taken out: a step is its place.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <StepTaken step={step} />
            </li>
          ))}
        </ol>
      ) : (
        <p>{t("thread.bot.noSteps")}</p>
      )}
    </>
  );
}

/** What a step did in words, its name and when. */
function StepTaken({ step }: { step: AnswerOf<"readRun">["steps"][number] }) {
  const { at, step: name, detail } = step;
  return (
    <>
      <bdi>
        {typeof name === "string"
          ? t("thread.step", { type: stepWords(step), name })
          : stepWords(step)}
      </bdi>
      {typeof detail === "string" && detail !== "" && (
        <>
          {" · "}
          <bdi>{detail}</bdi>
        </>
      )}
      {typeof at === "string" && (
        <>
          {" · "}
          <bdi dir="ltr">{clockTime(at)}</bdi>
        </>
      )}
    </>
  );
}

const STEPS: Readonly<Record<string, PlainKey>> = {
  send: "thread.step.send",
  choose: "thread.step.choose",
  ask: "thread.step.ask",
  confirm: "thread.step.confirm",
  branch: "thread.step.branch",
  set: "thread.step.set",
  tag: "thread.step.tag",
  label: "thread.step.label",
  note: "thread.step.note",
  wait: "thread.step.wait",
  assign: "thread.step.assign",
  call: "thread.step.call",
  ai: "thread.step.ai",
  classify: "thread.step.classify",
  go_to: "thread.step.go_to",
  hand_over: "thread.step.hand_over",
  end: "thread.step.end",
  lookup: "thread.step.lookup",
  procedure: "thread.step.procedure",
  procedure_done: "thread.step.procedureDone",
};
const TURNS: Readonly<Record<string, PlainKey>> = {
  open: "thread.turn.open",
  began: "thread.turn.began",
  classified: "thread.turn.classified",
  sent: "thread.turn.sent",
  suggested: "thread.turn.suggested",
  superseded: "thread.turn.superseded",
  handed_over: "thread.turn.handed_over",
  failed: "thread.turn.failed",
};

function stepWords({ type, status, decision }: AnswerOf<"readRun">["steps"][number]): string {
  const word = typeof type === "string" ? type : "";
  if (word === "turn" && status === "sent" && decision === "clarify")
    return t("thread.turn.clarified");
  const key = word === "turn" ? TURNS[String(status)] : STEPS[word];
  return key ? t(key) : word;
}
