import { useQuery } from "@tanstack/react-query";
import { Button, Dialog, Heading, Link, Popover } from "react-aria-components";
import { call } from "../api/call.ts";
import { NOTICES } from "../api/query-client.ts";
import { PersonName } from "../kit/phone.tsx";
import { listTime } from "../kit/words.ts";
import { useInbox } from "../desk/use-inbox.ts";
import type { Floating } from "../kit/on-demand.tsx";
import { t } from "../text/t.ts";
import { noticeWords } from "./notice-words.ts";

/** The latest notifications. Reading them all is one press. */
export function NoticeList(floating: Floating) {
  return (
    <Popover {...floating} className="notices" placement="bottom start">
      <Dialog>
        <Latest close={() => floating.onOpenChange(false)} />
      </Dialog>
    </Popover>
  );
}

function Latest({ close }: { readonly close: () => void }) {
  const { now, store, takeNotices } = useInbox();
  const { data, error, refetch } = useQuery({
    queryKey: NOTICES,
    queryFn: ({ signal }) => call("listNotices", { query: { limit: 30 }, signal }),
    staleTime: 0,
  });
  const readAll = async () => {
    const { unread } = await call("markNoticesRead", { body: {} });
    takeNotices(unread);
    await refetch();
  };
  return (
    <>
      <div className="notices-head">
        <Heading slot="title">{t("shell.notices")}</Heading>
        {data?.items.some(({ read }) => !read) && (
          <Button className="quiet" onPress={() => void readAll().catch(() => undefined)}>
            {t("shell.notices.read")}
          </Button>
        )}
      </div>
      {error !== null && <p role="alert">{t("kit.error")}</p>}
      {data?.items.length === 0 && <p>{t("shell.notices.none")}</p>}
      <ul>
        {data?.items.map((notice) => {
          const { id, ref, at, read } = notice;
          const { title, text } = noticeWords(notice);
          const row = store.row(conversationOf(ref));
          return (
            <li key={id} data-unread={!read || undefined}>
              {ref === null ? (
                <b>{title}</b>
              ) : (
                <Link href={ref} onPress={close}>
                  {title}
                </Link>
              )}
              <time dateTime={at}>{listTime(at, now())}</time>
              {row !== undefined && (
                <p className="notices-who">
                  <PersonName of={row.name} />
                </p>
              )}
              {text !== "" && <p dir="auto">{text}</p>}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The conversation that a notification leads to. */
const conversationOf = (ref: string | null): string =>
  /^\/inbox\/[^/]+\/([0-9a-f-]{36})/.exec(ref ?? "")?.[1] ?? "";
