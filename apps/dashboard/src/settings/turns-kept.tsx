import { useQuery } from "@tanstack/react-query";
import { Link } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { botsQuery } from "../bots/bots-query.ts";
import { momentOf } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { t } from "../text/t.ts";

/** So many assistants are asked, and so many turns are shown: the conversation of each shows what it rests on. */
const MOST_BOTS = 10;
const SHOWN = 10;

type Turn = AnswerOf<"listTurns">["items"][number];

/** The newest turns of the workspace's AI assistants, which are kept for 30 days. */
export function TurnsKept() {
  const { data: bots } = useQuery(botsQuery);
  const assistants = bots?.items.filter(({ kind }) => kind === "ai").slice(0, MOST_BOTS);
  const ids = assistants?.map(({ id }) => id) ?? [];
  const { data: turns } = useQuery({
    queryKey: ["turns-kept", ids],
    queryFn: ({ signal }) => newestTurns(ids, signal),
    enabled: assistants !== undefined,
    throwOnError: failsPage,
  });
  const nameOf = (turn: Turn): string =>
    assistants?.find(({ id }) => id === turn.botId)?.name ?? t("thread.bot");
  return (
    <Part title={t("ai.kept")}>
      <p>{t("ai.kept.text")}</p>
      {turns && (
        <ul aria-label={t("ai.kept")} className="ai-turns">
          {turns.length === 0 && <li>{t("ai.kept.none")}</li>}
          {turns.map((turn) => (
            <li key={turn.id}>
              <Link href={`/inbox/all/${turn.conversationId}`}>
                <bdi>{nameOf(turn)}</bdi>
              </Link>{" "}
              · {t(`thread.turn.${turn.status}`)} ·{" "}
              <time dateTime={turn.createdAt}>{momentOf(turn.createdAt)}</time>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

async function newestTurns(ids: readonly string[], signal: AbortSignal): Promise<readonly Turn[]> {
  const pages = await Promise.all(
    ids.map((id) => call("listTurns", { params: { id }, query: { limit: SHOWN }, signal })),
  );
  return pages
    .flatMap(({ items }) => items)
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt))
    .slice(0, SHOWN);
}
