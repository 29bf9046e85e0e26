import { useInfiniteQuery } from "@tanstack/react-query";
import { Button, Link } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { dayOf } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import { dateLocale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import { lineOf, type Happening } from "./timeline-words.ts";

const clock = new Intl.DateTimeFormat(dateLocale, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Everything that happened with a person on all channels, newest first, by days. */
export function Timeline({ contactId }: { readonly contactId: string }) {
  const pages = useInfiniteQuery({
    queryKey: ["contact", contactId, "timeline"],
    queryFn: ({ pageParam, signal }) =>
      call("listContactTimeline", {
        params: { id: contactId },
        query: { limit: 50, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const items = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const days = Map.groupBy(items, ({ at }) => dayOf(at));
  return (
    <div className="timeline" aria-busy={pages.isPending}>
      {pages.error instanceof ApiError && <Failure of={pages.error} />}
      {pages.data && items.length === 0 && <EmptyState title={t("kit.empty")} />}
      {[...days].map(([day, lines]) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <ol aria-label={t("contacts.timeline")}>
            {lines.map((item, index) => (
              <Line key={`${item.at} ${item.kind} ${index}`} item={item} />
            ))}
          </ol>
        </section>
      ))}
      {pages.hasNextPage && (
        <Button isPending={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
          {t("contacts.loadOlder")}
        </Button>
      )}
    </div>
  );
}

function Line({ item }: { readonly item: Happening }) {
  const { members, channels } = useBootstrap();
  const { icon, title, text, side, state, href } = lineOf(item, { members, channels });
  return (
    <li data-side={side}>
      <span className="timeline-icon" aria-hidden="true">
        <Icon name={icon} />
      </span>
      <div>
        <p className="timeline-title">
          {href === undefined ? <bdi>{title}</bdi> : <Link href={href}>{title}</Link>}
          {state !== undefined && (
            <span className="timeline-state" data-bad={state.bad || undefined}>
              {state.text}
            </span>
          )}
        </p>
        {text !== undefined && text !== "" && (
          <p dir="auto" className="timeline-text">
            {text}
          </p>
        )}
      </div>
      <time dateTime={item.at}>
        <bdi dir="ltr">{clock.format(new Date(item.at))}</bdi>
      </time>
    </li>
  );
}
