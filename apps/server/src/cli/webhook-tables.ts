import type { Endpoint } from "../webhooks/endpoint.ts";
import type { Delivery, DeliveryDetails } from "../webhooks/list-deliveries.ts";
import { instant, plain, table } from "./table.ts";

/** Endpoints, one per line. */
export function endpointTable(endpoints: readonly Endpoint[]): string {
  return table(
    ["id", "name", "url", "events", "state"],
    endpoints.map((one) => [
      one.id,
      one.name ?? "",
      one.url,
      one.events.join(", ") || "all",
      stateOf(one),
    ]),
  );
}

function stateOf({ disabledAt, disabledReason, consecutiveFailures }: Endpoint): string {
  const why = disabledReason?.replace(/^disabled /, "") ?? "by hand";
  if (disabledAt) return `disabled since ${instant(disabledAt)} (${why})`;
  return consecutiveFailures > 0 ? `enabled, ${consecutiveFailures} failed in a row` : "enabled";
}

/** One endpoint, with its secret when the answer has one. */
export function endpointPage(one: Endpoint & { readonly secret?: string }): string {
  const lines = [
    `id      ${one.id}`,
    ...(one.name === null ? [] : [`name    ${one.name}`]),
    `url     ${one.url}`,
    `events  ${one.events.join(", ") || "all"}`,
    `state   ${stateOf(one)}`,
    ...(one.secret === undefined ? [] : [`secret  ${one.secret}  (shown only once)`]),
    ...(one.secretTakesOverAt ? [`        it signs from ${instant(one.secretTakesOverAt)} on; until then the old one signs`] : []),
  ]; // oxfmt-ignore
  return `${lines.join("\n")}\n`;
}

type Attempt = Delivery["log"][number];

/** The outcome of an attempt: the status, or why there was none. */
const outcome = ({ statusCode, failure }: Attempt): string =>
  statusCode === null ? (failure ?? "no answer") : String(statusCode);

/** Deliveries, one per line, with the outcome of the last attempt. */
export function deliveryTable(deliveries: readonly Delivery[]): string {
  const rows = deliveries.map((one) => {
    const last = one.log.at(-1);
    return [
      String(one.sequence),
      one.eventId,
      one.type,
      one.state,
      String(one.attempts),
      last ? `${outcome(last)} in ${last.durationMs} ms` : "",
      one.nextAttemptAt ? instant(one.nextAttemptAt) : "",
    ];
  });
  const names = ["sequence", "event id", "kind", "state", "attempts", "last answer", "next try"];
  return table(names, rows);
}

const SHOWN = 60;

/** One delivery: the request, and every attempt with the beginning of its answer. */
export function deliveryPage(one: DeliveryDetails): string {
  const attempts = one.log.map((attempt) => {
    const answer = plain(attempt.answer ?? "");
    return [
      String(attempt.number),
      instant(attempt.attemptedAt),
      outcome(attempt),
      `${attempt.durationMs} ms`,
      answer.length > SHOWN ? `${answer.slice(0, SHOWN)}…` : answer,
    ];
  });
  return [
    `event     ${one.eventId} (${one.type}, sequence ${one.sequence})`,
    `state     ${one.state}${one.nextAttemptAt ? `, next try ${instant(one.nextAttemptAt)}` : ""}`,
    `request   ${one.request.method} ${one.request.url}`,
    `body      ${plain(one.request.body)}`,
    "",
    table(["attempt", "at", "came of it", "took", "answer"], attempts),
  ].join("\n");
}
