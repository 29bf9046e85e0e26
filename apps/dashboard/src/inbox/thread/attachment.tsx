import { useEffect, useState } from "react";
import type { AttachmentJson } from "../../api/shapes.ts";
import { useLive } from "../../desk/use-inbox.ts";
import { kindWord } from "../../desk/words.ts";
import { sizeOf } from "../../kit/format.ts";
import { t } from "../../text/t.ts";
import { Glyph } from "./glyph.tsx";
import { SafeText } from "../../kit/safe-text.tsx";

/** One part of a message: a file, or content that is not text. */
export function Attachment({ one }: { one: AttachmentJson }) {
  switch (one.type) {
    case "image":
    case "sticker":
    case "audio":
    case "video":
    case "document":
      return <MediaFile one={one} />;
    case "location":
      return <Place one={one} />;
    case "contact":
      return (
        <Card icon="user" title={one.name ?? ""}>
          {[...(one.phones ?? []).map(({ phone }) => phone ?? ""), ...(one.emails ?? [])].map(
            (address, index) => (
              // Two may be the same.
              // oxlint-disable-next-line react/no-array-index-key
              <span key={index}>
                {index > 0 && ", "}
                <bdi dir="ltr">{address}</bdi>
              </span>
            ),
          )}
        </Card>
      );
    case "button_reply":
    case "list_reply":
    case "button":
      return one.title || one.text ? (
        <Card icon="check" title={one.title ?? one.text ?? ""}>
          {one.description}
        </Card>
      ) : null;
    case "choices":
      return (
        <ul className="said-choices" aria-label={t("thread.choices")}>
          {(one.buttons ?? []).map(({ text }, index) => (
            <li key={index}>
              <bdi>{text}</bdi>
            </li>
          ))}
        </ul>
      );
    case "reaction":
      return (
        <p className="said-aside">
          {one.emoji ? t("thread.reaction", { emoji: one.emoji }) : t("thread.reactionGone")}
        </p>
      );
    // The bubble shows it above all else.
    case "quote":
      return null;
    case "forwarded":
      return <p className="said-aside">{t("thread.forwarded")}</p>;
    case "edited":
      return <p className="said-aside">{t("thread.wasEdited")}</p>;
    case "deleted":
      return <p className="said-aside">{t("thread.wasDeleted")}</p>;
    case "unsupported":
      return <p className="said-aside">{t("thread.unsupported")}</p>;
    default:
      return <Linked one={one} />;
  }
}

function MediaFile({ one }: { one: AttachmentJson }) {
  const source = localUrl(one.url);
  const name = one.fileName ?? kindWord(one.type);
  if (one.status === "pending")
    return (
      <Card icon="clock" title={name}>
        {t("thread.filePending")}
      </Card>
    );
  if (one.status === "failed" || source === null)
    return (
      <Card icon="circle-alert" title={name}>
        {one.reason === "expired"
          ? t("thread.fileExpired")
          : (one.detail ?? t("thread.fileFailed"))}
      </Card>
    );
  switch (one.type) {
    case "image":
    case "sticker":
      return (
        <a
          className="said-picture"
          href={source}
          target="_blank"
          rel="noopener"
          aria-label={t("thread.openImage", { name })}
        >
          <Picture source={source} alt={one.caption ?? name} />
        </a>
      );
    case "audio":
      return (
        <audio className="said-audio" src={source} controls preload="none" aria-label={name} />
      );
    case "video":
      return (
        <video className="said-video" src={source} controls preload="metadata" aria-label={name} />
      );
    default:
      return (
        <a
          className="said-card"
          href={source}
          target="_blank"
          rel="noopener"
          download={one.fileName ?? true}
        >
          <span className="said-card-icon">
            <Glyph name="file-text" />
          </span>
          <span className="said-card-text">
            <bdi className="said-card-title">{name}</bdi>
            {/* Its direction is that of the unit's word: "0.1 كيلوبايت" reads from the right. */}
            <bdi className="said-card-more">
              {[sizeWord(one.size), extensionOf(one.fileName)].filter(Boolean).join(" · ")}
            </bdi>
          </span>
        </a>
      );
  }
}

/** How often a picture that did not come is asked for again. */
const MOST_TRIES = 5;
/** The first wait before that, in ms; each next one is twice as long. */
const FIRST_WAIT_MS = 1_000;

/** A picture that did not come is asked for again once the server is reached: the browser would leave it broken. */
function Picture({ source, alt }: { readonly source: string; readonly alt: string }) {
  const live = useLive();
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!failed || !live || tries >= MOST_TRIES) return undefined;
    const again = () => {
      setFailed(false);
      setTries(tries + 1);
    };
    const timer = setTimeout(again, FIRST_WAIT_MS * 2 ** tries);
    return () => clearTimeout(timer);
  }, [failed, live, tries]);
  return (
    <img
      key={tries}
      src={source}
      alt={alt}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(true)}
    />
  );
}

function Place({ one }: { one: AttachmentJson }) {
  const title = one.name ?? t("thread.location");
  if (one.latitude === undefined || one.longitude === undefined)
    return (
      <Card icon="map-pin" title={title}>
        {one.address}
      </Card>
    );
  const place = new URLSearchParams({ mlat: String(one.latitude), mlon: String(one.longitude) });
  return (
    <a
      className="said-card"
      href={`https://www.openstreetmap.org/?${place}`}
      target="_blank"
      rel="noopener noreferrer"
    >
      <span className="said-card-icon">
        <Glyph name="map-pin" />
      </span>
      <span className="said-card-text">
        <bdi className="said-card-title">{title}</bdi>
        <bdi className="said-card-more">{one.address ?? `${one.latitude}, ${one.longitude}`}</bdi>
      </span>
    </a>
  );
}

/** A story, a card, a shared post: its words, and its address if that is one of the web. */
function Linked({ one }: { one: AttachmentJson }) {
  const title = one.title ?? one.name ?? "";
  const more = one.subtitle ?? one.description ?? one.text ?? "";
  if (title === "" && more === "" && !one.url) return null;
  return (
    <Card icon="message-square" title={title}>
      {more}
      {one.url && <SafeText text={one.url} />}
    </Card>
  );
}

function Card({
  icon,
  title,
  children,
}: {
  icon: Parameters<typeof Glyph>[0]["name"];
  title: string;
  children?: React.ReactNode;
}) {
  return (
    <div className="said-card">
      <span className="said-card-icon">
        <Glyph name={icon} />
      </span>
      <span className="said-card-text">
        {title !== "" && <bdi className="said-card-title">{title}</bdi>}
        <span className="said-card-more">{children}</span>
      </span>
    </div>
  );
}

/**
 * The address of a file that this server stores, under the page's own host; null: it is elsewhere, and nothing is
 * fetched from there.
 */
function localUrl(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url, location.href)) return null;
  const { pathname, search } = new URL(url, location.href);
  return /^\/(?:media|api\/app\/files)\//.test(pathname) ? `${pathname}${search}` : null;
}

const sizeWord = (size: number | null | undefined): string =>
  typeof size === "number" ? sizeOf(size) : "";
const extensionOf = (name: string | null | undefined): string =>
  (/\.([a-z0-9]{1,5})$/i.exec(name ?? "")?.[1] ?? "").toUpperCase();
