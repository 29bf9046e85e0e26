import { Badge, type Tone } from "../kit/badge.tsx";
import { momentOf } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { fieldName, type Channel } from "./platforms.ts";

type Problem = Channel["problems"][number];

function problemText({ kind, field, calls, at, othersRight }: Problem): string {
  const time = at === null ? "" : momentOf(at);
  const named = field === null ? "" : fieldName(field);
  switch (kind) {
    case "error":
    case "not_set_up":
    case "silent":
      return t(`channels.problem.${kind}`);
    case "wrong_signature":
      return othersRight
        ? t("channels.problem.wrong_signature.others", { calls: calls ?? 0, time })
        : t("channels.problem.wrong_signature", { calls: calls ?? 0, time, field: named });
    case "wrong_verify_token":
      return t("channels.problem.wrong_verify_token", { time, field: named });
    default:
      return kind satisfies never;
  }
}

/** A fault of a channel: its meaning, advice, and the platform's own words. */
export function Problems({ of: problems }: { readonly of: Channel["problems"] }) {
  return problems.map((problem) => (
    <div
      key={problem.kind}
      className="channel-problem"
      data-tone={problem.kind === "error" ? "bad" : problem.othersRight ? "plain" : "warn"}
    >
      <Icon name="circle-alert" />
      <div>
        <p>{problemText(problem)}</p>
        {problem.reason !== null && <PlatformWords words={problem.reason} />}
      </div>
    </div>
  ));
}

/** The platform's words, unchanged. */
export function PlatformWords({ words }: { readonly words: string }) {
  return (
    <p className="channel-words">
      <span>{t("channels.problem.said")}</span>
      <bdi dir="ltr" lang="en">
        {words}
      </bdi>
    </p>
  );
}

/** The state of a channel in one word. */
export function ChannelState({ channel }: { readonly channel: Channel }) {
  const [tone, words] = stateOf(channel);
  return <Badge tone={tone}>{words}</Badge>;
}

function stateOf({ status, problems, lastWebhookAt, hookUrl, sandbox }: Channel): [Tone, string] {
  if (status === "disconnected") return ["plain", t("channels.status.disconnected")];
  if (status === "error") return ["bad", t("channels.status.error")];
  if (problems.some(({ othersRight }) => !othersRight))
    return ["warn", t("channels.status.attention")];
  if (lastWebhookAt === null && hookUrl !== null && !sandbox)
    return ["info", t("channels.status.waiting")];
  return ["ok", t("channels.status.connected")];
}
