import { useState } from "react";
import { Button, Input, Link, SearchField } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { Failure } from "../kit/failure.tsx";
import { Icon } from "../kit/icon.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";

type Found = AnswerOf<"searchKnowledge">["items"];

/** Shows what a bot would find for a question, with the words that matched. */
export function TryQuestion() {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<Found | null>(null);
  const search = useCall(async (asked: string) => {
    const { items } = await call("searchKnowledge", { body: { query: asked, limit: 10 } });
    setFound(items);
  });
  return (
    <section className="knowledge-try" aria-label={t("knowledge.try")}>
      <form
        className="knowledge-ask"
        onSubmit={(event) => {
          event.preventDefault();
          if (query.trim() !== "") search.start(query.trim());
        }}
      >
        <SearchField
          className="react-aria-SearchField search-field"
          aria-label={t("knowledge.try")}
          value={query}
          onChange={setQuery}
          onClear={() => setFound(null)}
        >
          <Input
            placeholder={t("knowledge.try.hint")}
            maxLength={2000}
            {...(query !== "" && { dir: "auto" })}
          />
        </SearchField>
        <Button type="submit" isDisabled={query.trim() === ""} isPending={search.busy}>
          <Icon name="search" />
          {t("knowledge.try.find")}
        </Button>
      </form>
      <Failure of={search.failed} />
      {found !== null && found.length === 0 && <p role="status">{t("knowledge.found.none")}</p>}
      {found !== null && found.length > 0 && (
        <ul className="knowledge-found" aria-label={t("knowledge.found")}>
          {found.map(({ chunkId, sourceId, title, text, score, matched }) => (
            <li key={chunkId}>
              <span className="knowledge-found-head">
                <Link href={`/knowledge/${sourceId}`}>
                  <bdi>{title}</bdi>
                </Link>
                <span className="hint">{t("knowledge.score", { score: score.toFixed(1) })}</span>
              </span>
              <p dir="auto">{text}</p>
              {matched.length > 0 && (
                <span className="knowledge-words">
                  {matched.map((word) => (
                    <mark key={word} dir="auto">
                      {word}
                    </mark>
                  ))}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
