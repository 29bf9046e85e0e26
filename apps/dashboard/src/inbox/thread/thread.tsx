import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { Button } from "react-aria-components";
import { ApiError } from "../../api/api-error.ts";
import { nameInText } from "../../kit/phone.tsx";
import { t } from "../../text/t.ts";
import { Composer } from "../composer/composer.tsx";
import { command, composerComes } from "../../desk/commands.ts";
import { useBootstrap, useInbox, useRow } from "../../desk/use-inbox.ts";
import { Glyph } from "./glyph.tsx";
import { Messages } from "./messages.tsx";
import { memberName, type Names } from "./said.tsx";
import { ThreadHead } from "./thread-head.tsx";
import { useThread, useThreads } from "./threads.ts";
import type { Quote } from "../composer/drafts.ts";
import type { OutboxItem } from "../outbox/outbox-item.ts";
import { usePresence } from "./use-presence.ts";
import "./thread.css";

const BotBanner = lazy(async () => ({ default: (await import("./bot-banner.tsx")).BotBanner }));

/** One conversation: its head, its messages and the composer. Nothing of one is ever shown in another. */
export function Thread({ conversationId }: { conversationId: string }) {
  return <OpenThread key={conversationId} id={conversationId} />;
}

function OpenThread({ id }: { id: string }) {
  const { store, work } = useThreads();
  const inbox = useInbox();
  const bootstrap = useBootstrap();
  const thread = useThread(id);
  const row = useRow(id);
  const names = useMemo(() => row && { row, bootstrap }, [row, bootstrap]);
  const [edited, setEdited] = useState<OutboxItem>();
  const [quoted, setQuoted] = useState<Quote>();
  const [said, tell] = useState("");
  const change = row?.change ?? -1;
  const ready = thread.state === "ready";
  const begin = useEffectEvent(async () => {
    store.use(id);
    work.show(id);
    await work.open(id, change);
    store.markNew(id, inbox.store.unread(id));
  });
  // Before the page is painted: the head is on the screen, and what is typed now is for the composer.
  useLayoutEffect(() => composerComes(), [id]);
  useEffect(() => {
    void begin();
    return () => work.leave(id);
  }, [id, work]);
  // A changed row says that something happened, even when the stream's own hint was lost.
  useEffect(() => {
    if (ready) void work.open(id, change);
  }, [change, thread.change, ready, id, work]);
  // Its row is deleted while it is shown.
  const isLost = ready && row === undefined;
  useEffect(() => {
    if (isLost) void work.refresh(id);
  }, [isLost, id, work]);

  if (thread.state === "failed") {
    const gone = thread.error instanceof ApiError && thread.error.status === 404;
    return (
      <section className="thread-state" role="alert">
        <p>{t(gone ? "thread.gone" : "thread.failed")}</p>
        {gone ? (
          <Button className="thread-button thread-major" onPress={() => command("up")}>
            {t("thread.back")}
          </Button>
        ) : (
          <Button className="thread-button thread-major" onPress={() => void begin()}>
            {t("kit.retry")}
          </Button>
        )}
      </section>
    );
  }
  if (row === undefined || names === undefined)
    return (
      <section className="thread-state" aria-busy="true">
        <p className="thread-late">{t("kit.loading")}</p>
      </section>
    );
  return (
    <section className="thread" aria-label={t("thread.title")}>
      <ThreadHead row={row} tell={tell} />
      {row.botId !== null && (
        <Suspense>
          <BotBanner row={row} tell={tell} />
        </Suspense>
      )}
      <Messages
        id={id}
        names={names}
        onEdit={setEdited}
        onQuote={thread.opened && canQuote(thread.opened.rules.quotes) ? setQuoted : undefined}
      />
      <Others id={id} names={names} />
      <p role="status" className="visually-hidden">
        {said}
      </p>
      {thread.opened && (
        <Composer id={id} row={row} opened={thread.opened} edited={edited} quoted={quoted} />
      )}
    </section>
  );
}

/** An older visit's rules, kept in the browser, do not say it. */
const canQuote = (quotes: string | undefined): boolean => quotes === "all" || quotes === "texts";

/** Who else looks at the conversation or types in it. */
function Others({ id, names }: { id: string; names: Names }) {
  const { work } = useThreads();
  const presence = usePresence(id, () => void work.refresh(id));
  const me = names.bootstrap.member.id;
  const others = (ids: readonly string[] = []) =>
    ids.filter((one) => one !== me).map((one) => memberName(one, names));
  const types = others(presence?.typing);
  const typing = presence?.customerTyping ? [nameInText(names.row.name), ...types] : types;
  const viewing = others(presence?.viewing).filter((name) => !types.includes(name));
  return (
    <p role="status" className="thread-others">
      {typing.length > 0 && (
        <span>
          <span className="thread-dots" aria-hidden="true" />
          {t("thread.typing", { name: typing.join(", ") })}
        </span>
      )}
      {viewing.length > 0 && (
        <span className="thread-viewing">
          <Glyph name="eye" />
          {t("thread.viewing", { name: viewing.join(", ") })}
        </span>
      )}
    </p>
  );
}
