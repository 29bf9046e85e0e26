import { memo, useEffect, useId, useRef, useState, type MouseEvent } from "react";
import { useNavigate } from "@tanstack/react-router";
import { Face } from "../../kit/face.tsx";
import { Icon } from "../../kit/icon.tsx";
import { PersonName } from "../../kit/phone.tsx";
import { t } from "../../text/t.ts";
import { closesSoon, type DeskRow, type MineOf } from "../../api/shapes.ts";
import { useBootstrap, useInbox, useMine, useRow, useUnread } from "../../desk/use-inbox.ts";
import { RowActions } from "./row-actions.tsx";
import { RowAvatar } from "./row-avatar.tsx";
import type { Selection } from "./selection.ts";
import { channelWord, lengthOf, listTime, untilTime } from "../../kit/words.ts";
import { isMixed, previewOf } from "../../desk/words.ts";

/** A customer who has waited less than this gets no mark. */
const WAIT_SHOWN_MS = 15 * 60_000;

interface RowProps {
  readonly id: string;
  readonly view: string;
  readonly search: { readonly unread?: "1"; readonly sort?: "oldest" | "waiting" };
  readonly isOpen: boolean;
  /** The keys are on this row: it takes the focus. */
  readonly isCursor: boolean;
  readonly isSelected: boolean;
  /** Always the same functions: a row is drawn anew only when its data changed. */
  readonly select: Pick<Selection, "toggle" | "reach">;
}

/** One conversation in the list. */
export const Row = memo(function Row(props: RowProps) {
  const { id, view, search, isOpen, isCursor, isSelected, select } = props;
  const row = useRow(id);
  const mine = useMine(id);
  const unread = useUnread(id);
  const { now } = useInbox();
  const navigate = useNavigate();
  const link = useRef<HTMLAnchorElement>(null);
  const previewId = useId();
  const marksId = useId();
  const [hasMouse, setMouse] = useState(false);
  useEffect(() => {
    if (isCursor) link.current?.focus();
  }, [isCursor]);
  if (row === undefined) return null;
  const time = listTime(row.deskAt, now());
  const channel = channelWord(row.channelType);
  const rest = new URLSearchParams(search).toString();
  const href = `/inbox/${encodeURIComponent(view)}/${id}${rest && `?${rest}`}`;
  const open = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    void navigate({ href });
  };
  return (
    <div
      className="row"
      data-open={isOpen || undefined}
      data-unread={unread > 0 || undefined}
      onPointerEnter={({ pointerType }) => setMouse(pointerType === "mouse")}
      onPointerLeave={() => setMouse(false)}
    >
      <RowAvatar row={row} now={now()} />
      <input
        type="checkbox"
        className="row-check"
        aria-label={t("inbox.select", { name: row.name })}
        checked={isSelected}
        onChange={() => select.toggle(id)}
        onClick={(event) => select.reach(id, event.shiftKey)}
      />
      {/* The router's own link computes its address anew at each step of the page: fifty rows, at each conversation. */}
      <a
        ref={link}
        className="row-link"
        data-id={id}
        href={href}
        onClick={open}
        aria-describedby={`${previewId} ${marksId}`}
        {...(isOpen && { "aria-current": "page" as const })}
      >
        <span className="visually-hidden">
          {t(row.handler === "bot" ? "inbox.itemBot" : "inbox.item", {
            name: row.name,
            channel,
            unread,
            time,
          })}
        </span>
        <span className="row-line" aria-hidden="true">
          <span className="row-name name-line">
            <PersonName of={row.name} />
          </span>
          <Waits row={row} now={now()} />
          <time dateTime={row.deskAt}>{time}</time>
        </span>
        <span className="row-line" id={previewId} aria-hidden="true">
          <Preview row={row} mine={mine} />
          {isMixed(view) && <Assignee id={row.assigneeId} />}
          {unread > 0 && <bdi className="row-unread">{unread > 99 ? "99+" : unread}</bdi>}
        </span>
        <Marks id={marksId} row={row} mine={mine} now={now()} />
      </a>
      {hasMouse && <RowActions row={row} />}
    </div>
  );
});

function Preview({ row, mine }: { row: DeskRow; mine: MineOf | undefined }) {
  const draft = mine?.draft ?? null;
  const bootstrap = useBootstrap();
  const { by, text } =
    draft === null
      ? previewOf(row, bootstrap)
      : // A draft without words is a file.
        { by: t("inbox.draft"), text: draft === "" ? t("inbox.kind.document") : draft };
  return (
    <span className="row-preview">
      {by !== "" && <span className={draft === null ? "row-by" : "row-by row-draft"}>{by} </span>}
      <span className="row-text" dir="auto">
        {text}
      </span>
    </span>
  );
}

/** How long the customer has waited for an answer. */
function Waits({ row, now }: { row: DeskRow; now: number }) {
  const waited = now - Date.parse(row.waitingSince ?? "");
  if (row.status !== "open" || !(waited > WAIT_SHOWN_MS)) return null;
  const time = lengthOf(waited);
  const text = t("inbox.waits", { time });
  return (
    <span className="row-waits" title={text}>
      <span className="row-waits-long">{text}</span>
      {/* In a narrow list the name needs the room of the word. */}
      <span className="row-waits-short">
        <Icon name="timer" />
        {time}
      </span>
    </span>
  );
}

/** Whose conversation it is. */
function Assignee({ id }: { id: string | null }) {
  const { members } = useBootstrap();
  if (id === null) return null;
  const name = members.find((member) => member.id === id)?.name ?? t("thread.former");
  return (
    <span className="row-assignee" title={t("inbox.assignedTo", { name })}>
      <Face id={id} name={name} />
    </span>
  );
}

function Marks({
  id,
  row,
  mine,
  now,
}: {
  id: string;
  row: DeskRow;
  mine: MineOf | undefined;
  now: number;
}) {
  const { labels } = useBootstrap();
  const left = Date.parse(row.windowExpiresAt ?? "") - now;
  const closes = row.status === "open" && closesSoon(row.windowExpiresAt, now);
  return (
    <span className="row-marks" id={id} aria-hidden="true">
      {row.failed && <span className="mark-bad">{t("inbox.failed")}</span>}
      {mine?.mentioned && <span className="mark-info">{t("inbox.mentioned")}</span>}
      {row.handler === "bot" && <span className="mark-quiet">{t("thread.bot")}</span>}
      {closes && (
        <span className="mark-warn">{t("inbox.window.closes", { time: lengthOf(left) })}</span>
      )}
      {row.snoozedUntil !== null && (
        <span className="mark-quiet">
          {t("inbox.snoozedUntil", { time: untilTime(row.snoozedUntil, now) })}
        </span>
      )}
      {row.labels.map((name) => (
        <span key={name} className="mark-label">
          <span
            className="label-dot"
            style={{ background: labels.find((label) => label.name === name)?.color }}
          />
          <bdi>{name}</bdi>
        </span>
      ))}
    </span>
  );
}
