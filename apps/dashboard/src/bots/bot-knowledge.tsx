import { useQuery } from "@tanstack/react-query";
import { Link } from "react-aria-components";
import { Failure } from "../kit/failure.tsx";
import { Part } from "../kit/page.tsx";
import { t } from "../text/t.ts";
import { knownSources } from "./cases-query.ts";
import "./bots.css";

/** So many are named here; the page of the knowledge has them all. */
const NAMED = 20;

/** What an AI bot answers from. It is the workspace's: all its AI bots share it. */
export function BotKnowledge() {
  const { data, error } = useQuery(knownSources);
  return (
    <Part
      title={t("shell.knowledge")}
      actions={
        <Link className="button" href="/knowledge">
          {t("bots.knowledge.open")}
        </Link>
      }
    >
      <p className="hint">{t("bots.knowledge.text")}</p>
      <Failure of={error} />
      {data?.items.length === 0 && <p>{t("knowledge.empty")}</p>}
      <ul className="bots-knowledge" aria-label={t("knowledge.sources")}>
        {data?.items.slice(0, NAMED).map(({ id, title }) => (
          <li key={id}>
            <Link href={`/knowledge/${id}`}>
              <bdi>{title}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}
