import { useState } from "react";
import { formatLocale } from "../../text/locale.ts";
import { t } from "../../text/t.ts";
import { useThread } from "../thread/threads.ts";
import { useBootstrap, useInbox } from "../../desk/use-inbox.ts";
import { knownOf, replySince, type KnownThread } from "./reply-since.ts";

const ago = new Intl.RelativeTimeFormat(formatLocale, { style: "narrow" });

/** Another member's reply that came after this text was begun; undefined: none. */
export function useOtherReply(
  id: string,
  writing: boolean,
): { readonly name: string; readonly ago: string } | undefined {
  const { member, members } = useBootstrap();
  const { now } = useInbox();
  const { entries } = useThread(id);
  const [known, setKnown] = useState<KnownThread | null>(null);
  if (writing && known === null) setKnown(knownOf(entries));
  if (!writing && known !== null) setKnown(null);
  const last = known === null ? undefined : replySince(entries, known, member.id);
  if (last === undefined) return undefined;
  // This clock may be behind the server's by what an answer took to come: "in 1s" would be said of what has happened.
  const seconds = Math.max(0, Math.round((now() - Date.parse(last.at)) / 1_000));
  const name = members.find((one) => one.id === last.authorId)?.name ?? t("thread.former");
  return {
    name,
    ago:
      seconds < 60
        ? ago.format(-seconds, "second")
        : ago.format(-Math.round(seconds / 60), "minute"),
  };
}
