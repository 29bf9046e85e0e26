import { isPicture } from "../files.ts";
import { linkify, safeAddress } from "../linkify.ts";
import type { Attachment } from "../protocol.ts";
import { useSurface } from "./context.ts";
import { FileIcon } from "./icons.tsx";
import { Word } from "./word.tsx";

/** A message as it is shown, stored or not. */
export interface Item {
  readonly key: string;
  readonly mine: boolean;
  readonly name: string;
  readonly text: string | null;
  readonly attachments: readonly Attachment[];
  readonly choices?: readonly string[] | undefined;
  readonly at: Date;
  readonly status: string;
  readonly refused: string | null;
}

interface Props {
  readonly item: Item;
  /** The date to say before it; null when it is that of the message before. */
  readonly day: string | null;
  readonly first: boolean;
  readonly last: boolean;
  /** Whether how far it has come is told: on the visitor's last message only. */
  readonly mark: boolean;
  readonly waiting: boolean;
  readonly newest: boolean;
}

export function Entry({ item, day, first, last, mark, waiting, newest }: Props) {
  const { chat, language, now } = useSurface();
  const failed = item.mine && item.status === "failed";
  return (
    <>
      {day !== null && (
        <li class="day">
          <span>{day}</span>
        </li>
      )}
      <li
        class={`entry ${item.mine ? "mine" : "theirs"}`}
        data-first={first}
        data-last={last}
        data-status={item.status}
      >
        {item.mine ? (
          <span class="hidden">{language.say("you")}</span>
        ) : (
          <bdi class={first ? "who" : "hidden"}>{item.name}</bdi>
        )}
        {item.attachments.map((attachment, index) => (
          <File key={index} attachment={attachment} />
        ))}
        {item.text !== null && item.text !== "" && (
          <p class="bubble" dir="auto">
            <Words text={item.text} />
          </p>
        )}
        {/* Only the newest message's are still open. */}
        {newest &&
          item.choices?.map((choice) => (
            <button class="card" onClick={() => chat.send(choice, [])}>
              {choice}
            </button>
          ))}
        {failed ? (
          <span class="meta fault">
            {language.say("notSent")}
            {item.refused !== null && (
              <>
                {" · "}
                <Word say="tryAgain" act={() => chat.retry(item.key)} />
                {" · "}
                <Word say="discard" act={() => chat.discard(item.key)} />
              </>
            )}
          </span>
        ) : (
          (last || mark) && (
            <span class="meta">
              {/* Each minute it is another text: nobody wants to hear it. */}
              <time
                aria-live="off"
                dateTime={item.at.toISOString()}
                title={language.exact(item.at)}
              >
                {language.time(item.at, now)}
              </time>
              {item.mine && (mark || item.status === "queued") && ` · ${progress()}`}
            </span>
          )
        )}
      </li>
    </>
  );

  function progress(): string {
    const { status } = item;
    if (status === "queued") return language.say(waiting ? "held" : "sending");
    return language.say(status === "read" || status === "delivered" ? status : "sent");
  }
}

const OUTWARD = { target: "_blank", rel: "noopener noreferrer nofollow" };

/** Text as text: links and phone numbers are found in it, HTML never is. */
export function Words({ text }: { text: string }) {
  return (
    <>
      {linkify(text).map(({ text: words, href, ltr }) =>
        href !== null ? (
          <a dir="ltr" href={href} {...OUTWARD}>
            {words}
          </a>
        ) : ltr ? (
          <bdi dir="ltr">{words}</bdi>
        ) : (
          words
        ),
      )}
    </>
  );
}

function File({ attachment }: { attachment: Attachment }) {
  const { language, origin } = useSurface();
  const name = attachment.fileName || language.say("file");
  const href = safeAddress(attachment.url, origin);
  if (href !== null && isPicture(attachment.mimeType))
    return (
      <a class="picture" href={href} {...OUTWARD}>
        <img src={href} alt={language.say("picture", { name })} />
      </a>
    );
  const inside = (
    <>
      <FileIcon />
      <span class="what">
        <bdi class="file">{name}</bdi>
        {attachment.size !== null && <span class="size">{language.size(attachment.size)}</span>}
      </span>
    </>
  );
  return href === null ? (
    <span class="card">{inside}</span>
  ) : (
    <a class="card" href={href} {...OUTWARD}>
      {inside}
    </a>
  );
}
