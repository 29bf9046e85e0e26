import { Suspense, lazy, useEffect } from "react";
import { useDetailsBeside } from "./details/details-open.ts";
import { useParams, useSearch } from "@tanstack/react-router";
import { t, withTexts } from "../text/t.ts";
import { resultsAddress } from "../api/shapes.ts";
import { AskedDialog } from "./actions/asked-dialog.tsx";
import { ListPane } from "./list/list-pane.tsx";
import type { ListKey } from "../desk/store/listing.ts";
import { ToldLines } from "./actions/told-lines.tsx";
import {
  useBootstrap,
  useCounts,
  useInbox,
  useList,
  useRow,
  useViewName,
} from "../desk/use-inbox.ts";
import "./inbox.css";
import { resultsIn } from "./results-filter.ts";

const Thread = lazy(async () => ({
  default: (await withTexts(import("./thread/thread.tsx"), "desk")).Thread,
}));
const Details = lazy(async () => ({
  default: (await withTexts(import("./details/details.tsx"), "desk")).Details,
}));
const SandboxDock = lazy(async () => ({
  default: (await withTexts(import("../sandbox/sandbox-dock.tsx"), "desk")).SandboxDock,
}));
const StartChecklist = lazy(async () => ({
  default: (await withTexts(import("../start/start-checklist.tsx"), "desk")).StartChecklist,
}));

const MINE: ListKey = { view: "mine", order: "newest", unread: false };

/** The inbox: the list of a view, the open conversation and its customer. */
export function InboxPage() {
  const { view: named, talk: id } = useParams({ from: "/members/inbox/$view/{-$talk}" });
  const search = useSearch({ from: "/members/inbox/$view/{-$talk}" });
  const { unread, sort } = search;
  const results = resultsIn(search);
  const view = Object.keys(results).length > 0 ? resultsAddress(results) : named;
  const inbox = useInbox();
  const listKey: ListKey = { view, order: sort ?? "newest", unread: unread === "1" };
  const { order } = listKey;
  const isAlone = !useDetailsBeside();
  useEffect(() => {
    void inbox.show({ view, order, unread: unread === "1" });
  }, [inbox, view, order, unread]);
  useEffect(() => inbox.store.setOpen(id ?? null), [inbox, id]);
  useEffect(() => () => inbox.store.setOpen(null), [inbox]);
  return (
    <main
      id="main"
      className="inbox"
      data-open={id === undefined ? undefined : true}
      data-alone={isAlone || undefined}
    >
      <Title listKey={listKey} />
      <ListPane key={`${view} ${order} ${unread}`} listKey={listKey} openId={id} />
      {id === undefined ? (
        <Pick />
      ) : (
        <Suspense fallback={<Late />}>
          <Thread key={id} conversationId={id} />
          <Details key={`details ${id}`} conversationId={id} />
          <Phone conversationId={id} />
        </Suspense>
      )}
      <AskedDialog />
      <ToldLines />
    </main>
  );
}

/** The script of the thread is not there yet: on a slow line the first conversation would open on nothing. */
const Late = () => (
  <div className="inbox-pick" aria-busy="true">
    <p className="inbox-late">{t("kit.loading")}</p>
  </div>
);

/** A workspace with fewer conversations has only begun. */
const BEGUN_BELOW = 20;

/** Nothing is open. A workspace that has only begun sees its first steps until all are done. */
function Pick() {
  const counts = useCounts();
  const views = ["all", "snoozed", "resolved"] as const;
  // A count that is not known yet counts as many: the steps appear only once it is known.
  const all = views.reduce((sum, view) => sum + (counts[view] ?? BEGUN_BELOW), 0);
  const pick = (
    <div className="inbox-pick">
      <p>{t("inbox.pick")}</p>
      <p>{t("inbox.pick.text")}</p>
    </div>
  );
  if (all >= BEGUN_BELOW) return pick;
  return (
    <Suspense fallback={<div className="inbox-pick" />}>
      <StartChecklist talked={all > 0} otherwise={pick} />
    </Suspense>
  );
}

/** The customer's phone, when the conversation's channel is one of the sandbox. */
function Phone({ conversationId }: { conversationId: string }) {
  const row = useRow(conversationId);
  const channel = useBootstrap().channels.find(({ id }) => id === row?.channelId);
  return channel?.sandbox === true ? <SandboxDock conversationId={conversationId} /> : null;
}

/** The tab's title counts the member's conversations with something unread. */
function Title({ listKey }: { listKey: ListKey }) {
  const inbox = useInbox();
  const name = useViewName(listKey) ?? t("inbox.unknown");
  const { store } = inbox;
  useEffect(() => inbox.followMine(MINE), [inbox]);
  const unread = useList(MINE).ids.filter((id) => store.unread(id) > 0).length;
  const title = unread > 0 ? t("inbox.titled", { count: unread, view: name }) : name;
  return <title>{`${title} · Parley`}</title>;
}
