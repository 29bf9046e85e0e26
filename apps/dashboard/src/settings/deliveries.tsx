import { useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { Badge, type Tone } from "../kit/badge.tsx";
import { AskDialog } from "../kit/dialog.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice, Tick } from "../kit/fields.tsx";
import { count, distanceOf, momentOf } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { Pager } from "../kit/pager.tsx";
import { DataTable, Nothing } from "../kit/table.tsx";
import { useCall } from "../kit/use-call.ts";
import { t, type PlainKey } from "../text/t.ts";

type Delivery = AnswerOf<"listWebhookDeliveries">["items"][number];
type Attempt = Delivery["log"][number];

const STATES = {
  pending: ["keys.delivery.pending", "info"],
  delivered: ["keys.delivery.delivered", "ok"],
  exhausted: ["keys.delivery.exhausted", "bad"],
  held: ["keys.delivery.held", "warn"],
} as const satisfies Record<Delivery["state"], readonly [PlainKey, Tone]>;

const WHICH = ["any", "pending", "delivered", "exhausted", "held"] as const;

/** The deliveries to an endpoint, newest first; each with its request and every answer. */
export function Deliveries({
  endpointId,
  off,
}: {
  readonly endpointId: string;
  /** The endpoint is disabled: nothing can be sent again. */
  readonly off: boolean;
}) {
  const [state, setState] = useState<(typeof WHICH)[number]>("any");
  // The pages before this one, for the way back: the order is by number, newest first.
  const [before, setBefore] = useState<readonly string[]>([]);
  const [open, setOpen] = useState<Delivery | null>(null);
  const [replaying, setReplaying] = useState(false);
  const last = before.at(-1);
  const cache = useQueryClient();
  const again = useCall(async (eventId: string) => {
    await call("redeliverEvents", { params: { id: endpointId }, body: { eventId } });
    await cache.invalidateQueries({ queryKey: ["deliveries", endpointId] });
  });
  const page = useQuery({
    queryKey: ["deliveries", endpointId, state, last ?? null],
    queryFn: ({ signal }) =>
      call("listWebhookDeliveries", {
        params: { id: endpointId },
        query: { ...(state !== "any" && { state }), ...(last !== undefined && { cursor: last }) },
        signal,
      }),
    // Deliveries that wait for their answer are read again.
    refetchInterval: ({ state: { data } }) =>
      data?.items.some((one) => one.state === "pending") ? 2_000 : false,
  });
  const items = page.data?.items ?? [];
  const next = page.data?.nextCursor ?? null;
  return (
    <Part
      title={t("keys.deliveries")}
      actions={
        <div className="page-actions">
          <Choice
            label={t("keys.delivery.filter")}
            hidden
            value={state}
            change={(value) => {
              setState(value);
              setBefore([]);
            }}
            options={WHICH.map((value) => ({
              value,
              name: t(value === "any" ? "keys.delivery.any" : STATES[value][0]),
            }))}
          />
          <Button isDisabled={off} onPress={() => setReplaying(true)}>
            {t("keys.replay")}
          </Button>
        </div>
      }
    >
      <Failure of={page.error ?? again.failed} />
      {page.data && items.length === 0 && before.length === 0 ? (
        state === "any" ? (
          <EmptyState title={t("keys.deliveries.none")} text={t("keys.deliveries.none.text")} />
        ) : (
          <EmptyState title={t("keys.deliveries.noneSuch")} />
        )
      ) : (
        <DeliveryTable
          rows={items}
          busy={page.isPlaceholderData}
          mayRepeat={!off}
          open={setOpen}
          repeat={(eventId) => again.start(eventId)}
        />
      )}
      {(before.length > 0 || next !== null) && (
        <Pager
          text=""
          previous={before.length > 0 ? () => setBefore(before.slice(0, -1)) : undefined}
          next={next === null ? undefined : () => setBefore([...before, next])}
        />
      )}
      {open && (
        <DeliveryDialog
          endpointId={endpointId}
          eventId={open.eventId}
          off={off}
          close={() => setOpen(null)}
        />
      )}
      {replaying && <Replay endpointId={endpointId} close={() => setReplaying(false)} />}
    </Part>
  );
}

function DeliveryTable({
  rows,
  busy,
  mayRepeat,
  open,
  repeat,
}: {
  readonly rows: readonly Delivery[];
  readonly busy: boolean;
  readonly mayRepeat: boolean;
  readonly open: (delivery: Delivery) => void;
  readonly repeat: (eventId: string) => void;
}) {
  return (
    <DataTable
      name={t("keys.deliveries")}
      busy={busy}
      rows={rows}
      id={({ eventId }) => eventId}
      columns={[
        {
          key: "type",
          name: t("keys.delivery.event"),
          cell: (one) => (
            <button type="button" className="link" onClick={() => open(one)}>
              <bdi dir="ltr">{one.type}</bdi>
            </button>
          ),
        },
        {
          key: "state",
          name: t("keys.state"),
          cell: (one) => <Badge tone={STATES[one.state][1]}>{t(STATES[one.state][0])}</Badge>,
        },
        {
          key: "answer",
          name: t("keys.delivery.answer"),
          cell: ({ log }) => <Answer of={log.at(-1)} />,
        },
        {
          key: "attempts",
          name: t("keys.delivery.attempts"),
          numeric: true,
          cell: ({ attempts }) => count(attempts),
        },
        {
          key: "at",
          name: t("keys.delivery.at"),
          cell: ({ createdAt }) => (
            <time dateTime={createdAt} title={momentOf(createdAt)}>
              {distanceOf(createdAt)}
            </time>
          ),
        },
        {
          key: "again",
          action: true,
          name: t("keys.delivery.again"),
          cell: ({ eventId, state: now }) =>
            now !== "pending" && (
              <Button className="quiet" isDisabled={!mayRepeat} onPress={() => repeat(eventId)}>
                {t("keys.delivery.again")}
              </Button>
            ),
        },
      ]}
    />
  );
}

/** A receiver's status, or in words why no answer came. */
function Answer({ of: attempt }: { readonly of: Attempt | undefined }) {
  if (attempt === undefined) return <Nothing />;
  if (attempt.statusCode !== null) return <bdi dir="ltr">{attempt.statusCode}</bdi>;
  return failureWords(attempt.failure);
}

const FAILURES: Readonly<Record<string, PlainKey>> = {
  dns: "keys.failure.dns",
  connect: "keys.failure.connect",
  tls: "keys.failure.tls",
  timeout: "keys.failure.timeout",
  reset: "keys.failure.reset",
  blocked: "keys.failure.blocked",
};
const failureWords = (failure: string | null): string =>
  t(FAILURES[failure ?? ""] ?? "keys.failure.other");

/** One delivery: the bytes that were sent, and each attempt with its answer. */
function DeliveryDialog({
  endpointId,
  eventId,
  off,
  close,
}: {
  readonly endpointId: string;
  readonly eventId: string;
  readonly off: boolean;
  readonly close: () => void;
}) {
  const cache = useQueryClient();
  const params = { id: endpointId, eventId };
  const delivery = useQuery({
    queryKey: ["deliveries", endpointId, "one", eventId],
    queryFn: ({ signal }) => call("readWebhookDelivery", { params, signal }),
    refetchInterval: ({ state: { data } }) => (data?.state === "pending" ? 1_500 : false),
  });
  const again = useCall(async () => {
    await call("redeliverEvents", { params: { id: endpointId }, body: { eventId } });
    await cache.invalidateQueries({ queryKey: ["deliveries", endpointId] });
  });
  const { data } = delivery;
  return (
    <AskDialog title={data?.type ?? t("keys.delivery")} wide close={close}>
      {data && (
        <>
          <p>
            <Badge tone={STATES[data.state][1]}>{t(STATES[data.state][0])}</Badge>{" "}
            {momentOf(data.createdAt)}
            {data.nextAttemptAt !== null && (
              <> · {t("keys.delivery.next", { at: distanceOf(data.nextAttemptAt) })}</>
            )}
          </p>
          <section className="attempts" aria-label={t("keys.delivery.attempts")}>
            <h3>{t("keys.delivery.attempts")}</h3>
            {data.log.length === 0 && <p>{t("keys.delivery.noAttempt")}</p>}
            <ol>
              {data.log.map((attempt) => (
                <li key={attempt.number}>
                  <div>
                    <b>
                      <Answer of={attempt} />
                    </b>{" "}
                    · {momentOf(attempt.attemptedAt)} ·{" "}
                    {t("keys.delivery.took", { count: attempt.durationMs })}
                  </div>
                  {attempt.answer !== null && attempt.answer !== "" && (
                    <pre dir="ltr">{attempt.answer}</pre>
                  )}
                </li>
              ))}
            </ol>
          </section>
          <section className="attempts" aria-label={t("keys.delivery.request")}>
            <h3>{t("keys.delivery.request")}</h3>
            <pre dir="ltr">{`POST ${data.url}\nwebhook-id: ${eventId}\n\n${pretty(data.body)}`}</pre>
          </section>
        </>
      )}
      <Failure of={again.failed} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.close")}</Button>
        <Button
          className="primary"
          isDisabled={off || !data}
          isPending={again.busy}
          onPress={() => again.start()}
        >
          {t("keys.delivery.again")}
        </Button>
      </div>
    </AskDialog>
  );
}

/** JSON over several lines; anything else as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

const SPANS = [
  { value: "1", hours: 1 },
  { value: "24", hours: 24 },
  { value: "168", hours: 168 },
  { value: "720", hours: 720 },
] as const;

/** Sends again everything that failed since a time. */
function Replay({
  endpointId,
  close,
}: {
  readonly endpointId: string;
  readonly close: () => void;
}) {
  const cache = useQueryClient();
  const [span, setSpan] = useState<(typeof SPANS)[number]["value"]>("24");
  const [arrived, setArrived] = useState(false);
  const [done, setDone] = useState<number | null>(null);
  const replay = useCall(async () => {
    const hours = SPANS.find(({ value }) => value === span)?.hours ?? 24;
    const since = new Date(Date.now() - hours * 3_600_000).toISOString();
    const body = { since, delivered: arrived };
    const { redelivered } = await call("redeliverEvents", { params: { id: endpointId }, body });
    setDone(redelivered);
    await cache.invalidateQueries({ queryKey: ["deliveries", endpointId] });
  });
  return (
    <AskDialog title={t("keys.replay")} close={close}>
      <p>{t("keys.replay.text")}</p>
      <Choice
        label={t("keys.replay.since")}
        value={span}
        change={setSpan}
        options={SPANS.map(({ value, hours }) => ({
          value,
          name:
            hours < 48
              ? t("keys.replay.hours", { count: hours })
              : t("keys.replay.days", { count: hours / 24 }),
        }))}
      />
      <Tick label={t("keys.replay.arrived")} on={arrived} change={setArrived} />
      {done !== null && <p role="status">{t("keys.replay.done", { count: done })}</p>}
      <Failure of={replay.failed} />
      <div className="ask-buttons">
        <Button onPress={close}>{t(done === null ? "kit.cancel" : "kit.close")}</Button>
        <Button className="primary" isPending={replay.busy} onPress={() => replay.start()}>
          {t("keys.delivery.again")}
        </Button>
      </div>
    </AskDialog>
  );
}
