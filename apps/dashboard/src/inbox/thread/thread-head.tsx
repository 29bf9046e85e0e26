import { memo } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { call } from "../../api/call.ts";
import { copyText } from "../../kit/copy-text.ts";
import { PersonName } from "../../kit/phone.tsx";
import { t } from "../../text/t.ts";
import { ask, type Asked } from "../actions/ask.ts";
import { command } from "../../desk/commands.ts";
import type { DeskRow } from "../../api/shapes.ts";
import { toggleDetails } from "../details/details-open.ts";
import { RowAvatar } from "../list/row-avatar.tsx";
import { channelWord } from "../../kit/words.ts";
import { useInbox } from "../../desk/use-inbox.ts";
import { Glyph } from "./glyph.tsx";

/** Channels whose addresses say something to a person; the others have ids of the platform. */
const READ_BY_PEOPLE: ReadonlySet<DeskRow["channelType"]> = new Set(["WHATSAPP", "TELEGRAM"]);

/** Who the conversation is with, and what can be done with it. */
export const ThreadHead = memo(function ThreadHead({
  row,
  tell,
}: {
  row: DeskRow;
  tell: (words: string) => void;
}) {
  const { work, now } = useInbox();
  const ids = [row.id];
  const open = row.status === "open";
  const hasAddress = READ_BY_PEOPLE.has(row.channelType) && row.address !== "";
  return (
    <header className="thread-head">
      <Button
        className="thread-button thread-back"
        aria-label={t("thread.back")}
        onPress={() => command("up")}
      >
        <Glyph name="arrow-left" turn />
      </Button>
      <RowAvatar row={row} now={now()} />
      <div className="thread-who">
        <h2 className="name-line" {...(row.named && { title: row.name })}>
          <PersonName of={row.name} />
        </h2>
        <p>
          {!hasAddress && channelWord(row.channelType)}
          {hasAddress && (
            <>
              <span className="thread-channel">{channelWord(row.channelType)} · </span>
              <bdi dir="ltr">{row.address}</bdi>
            </>
          )}
        </p>
      </div>
      <div className="thread-actions">
        <HeadButton
          icon="user-plus"
          name={t("thread.assign")}
          minor
          asks="assign"
          onPress={(at) => ask({ kind: "assign", ids, at })}
        />
        <HeadButton
          icon="tag"
          name={t("thread.labels")}
          minor
          asks="labels"
          onPress={(at) => ask({ kind: "labels", ids, at })}
        />
        <HeadButton
          icon="alarm-clock"
          name={t("thread.snooze")}
          asks="snooze"
          onPress={(at) => ask({ kind: "snooze", ids, at })}
        />
        <HeadButton
          icon={open ? "check" : "rotate-ccw"}
          name={t(open ? "thread.resolve" : "thread.reopen")}
          onPress={() => void work.change(ids, { status: open ? "resolved" : "open" })}
        />
        <Button
          className="thread-button thread-details"
          aria-label={t("details.title")}
          onPress={toggleDetails}
        >
          <Glyph name="user" />
        </Button>
        <MoreMenu id={row.id} tell={tell} />
      </div>
    </header>
  );
});

/** A phone has no room for all buttons of the head. */
const isPhone = matchMedia("(width < 720px)");

/** What is done seldom, and on a phone what has no button there. `tell` says how it ended. */
function MoreMenu({ id, tell }: { id: string; tell: (words: string) => void }) {
  const { work } = useInbox();
  const readForAll = async (): Promise<void> => {
    try {
      await call("markReadForAll", { params: { id } });
    } catch {
      tell(t("kit.error"));
    }
  };
  const copyLink = async (): Promise<void> => {
    try {
      await copyText(location.href);
      tell(t("thread.copied"));
    } catch {
      tell(t("kit.error"));
    }
  };
  return (
    <MenuTrigger>
      <Button className="thread-button" aria-label={t("thread.more")}>
        <Glyph name="ellipsis" />
      </Button>
      <Popover placement="bottom end">
        <Menu aria-label={t("thread.more")}>
          {isPhone.matches &&
            (["assign", "labels"] as const).map((kind) => (
              <MenuItem key={kind} onAction={() => ask({ kind, ids: [id] })}>
                {t(`thread.${kind}`)}
              </MenuItem>
            ))}
          <MenuItem onAction={() => void work.markUnread(id)}>{t("thread.markUnread")}</MenuItem>
          <MenuItem onAction={() => void readForAll()}>{t("thread.markReadForAll")}</MenuItem>
          <MenuItem onAction={() => void copyLink()}>{t("thread.copyLink")}</MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function HeadButton({
  icon,
  name,
  minor = false,
  asks,
  onPress,
}: {
  icon: Parameters<typeof Glyph>[0]["name"];
  name: string;
  /** Without its word, and hidden on a narrow page, because the details show the same. */
  minor?: boolean;
  /** What it asks: a key that asks the same opens it here too. */
  asks?: Asked["kind"];
  onPress: (at: Element) => void;
}) {
  return (
    <Button
      className={minor ? "thread-button thread-minor" : "thread-button thread-major"}
      aria-label={name}
      data-asks={asks}
      onPress={({ target }) => onPress(target)}
    >
      <Glyph name={icon} />
      {!minor && <span>{name}</span>}
    </Button>
  );
}
