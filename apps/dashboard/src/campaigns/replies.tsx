import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-aria-components";
import { call } from "../api/call.ts";
import { momentOf } from "../kit/format.ts";
import { Pager } from "../kit/pager.tsx";
import { PersonName } from "../kit/phone.tsx";
import { readAgain } from "../live/reread-queries.ts";
import { useNews } from "../desk/use-news.ts";
import { Failure } from "../kit/failure.tsx";
import { t } from "../text/t.ts";

const AGAIN_MS = 5_000;

/** The replies, newest first. */
export function Replies({ id, sms }: { readonly id: string; readonly sms: boolean }) {
  // The pages before this one, for the way back.
  const [before, setBefore] = useState<readonly string[]>([]);
  const cursor = before.at(-1);
  const shown = useQuery({
    queryKey: ["campaigns", "of", id, "replies", cursor ?? ""],
    queryFn: ({ signal }) =>
      call("listBroadcastReplies", {
        params: { id },
        query: cursor === undefined ? {} : { cursor },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: !sms,
  });
  const list = shown.data;
  // An answer moves a row of the inbox.
  useNews(
    "desk",
    ({ rows }) => rows.length > 0,
    AGAIN_MS,
    async () => {
      if (!sms) await readAgain(shown);
    },
  );
  if (sms) return <p className="hint">{t("campaigns.replies.sms")}</p>;
  if (!list && shown.error) return <Failure of={shown.error} />;
  if (!list) return <p role="status">{t("kit.loading")}</p>;
  const next = list.nextCursor;
  if (list.items.length === 0) return <p className="hint">{t("campaigns.replies.none")}</p>;
  return (
    <>
      <ul className="campaign-replies" aria-label={t("campaigns.replies")}>
        {list.items.map(({ contactId, name, repliedAt, conversationId, text }) => (
          <li key={`${contactId ?? ""} ${repliedAt}`}>
            <div>
              {conversationId === null ? (
                <PersonName of={name ?? t("campaigns.noName")} />
              ) : (
                <Link href={`/inbox/all/${conversationId}`}>
                  <PersonName of={name ?? t("campaigns.noName")} />
                </Link>
              )}
              <time dateTime={repliedAt}>{momentOf(repliedAt)}</time>
            </div>
            <p dir="auto">{text ?? t("campaigns.replies.file")}</p>
          </li>
        ))}
      </ul>
      {(before.length > 0 || next !== null) && (
        <Pager
          text={t("campaigns.replies.page", { page: before.length + 1 })}
          previous={before.length > 0 ? () => setBefore(before.slice(0, -1)) : undefined}
          next={next === null ? undefined : () => setBefore([...before, next])}
        />
      )}
    </>
  );
}
