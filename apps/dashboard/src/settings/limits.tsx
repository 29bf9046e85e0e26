import { useQuery } from "@tanstack/react-query";
import { Link } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { CopyField } from "../kit/copy.tsx";
import { count, dayOf } from "../kit/format.ts";
import { Facts, Part } from "../kit/page.tsx";
import { Progress } from "../kit/progress.tsx";
import { t, type PlainKey } from "../text/t.ts";
import { SettingsPage } from "./settings-page.tsx";

type Limits = AnswerOf<"readLimits">;

const NAMES: Readonly<Record<string, readonly [name: PlainKey, effect: PlainKey]>> = {
  messages: ["keys.limit.messages", "keys.limit.messages.effect"],
  seats: ["keys.limit.seats", "keys.limit.seats.effect"],
  bots: ["keys.limit.bots", "keys.limit.bots.effect"],
  channels: ["keys.limit.channels", "keys.limit.channels.effect"],
  aiReplies: ["keys.limit.aiReplies", "keys.limit.aiReplies.effect"],
};

/** `/settings/limits`: the plan's limits, how much of each is used, and what happens at the limit. */
export function LimitsPage() {
  const { data } = useQuery({
    queryKey: ["limits"],
    queryFn: ({ signal }) => call("readLimits", { signal }),
    throwOnError: failsPage,
  });
  const { workspace } = useBootstrap();
  return (
    <SettingsPage title={t("shell.settings.limits")} lead={t("keys.limits.lead")}>
      {data && (
        <>
          <Part title={t("keys.limits.plan")}>
            <Facts
              of={[
                [t("keys.limits.plan"), t(`keys.plan.${data.plan}`)],
                [t("keys.limits.month"), dayOf(data.periodEnd)],
                [
                  t("keys.limits.credits"),
                  data.smsCredits === null ? t("keys.limits.unlimited") : count(data.smsCredits),
                ],
                ...(data.suspended ? [[t("keys.state"), t("keys.limits.suspended")] as const] : []),
              ]}
            />
            <p className="hint">{t("keys.limits.operator")}</p>
            <CopyField label={t("keys.limits.command")} value={commandFor(workspace.id)} />
          </Part>
          <Part title={t("keys.limits.used")}>
            {data.items.map((item) => (
              <OneLimit key={item.name} of={item} />
            ))}
            <p className="hint">
              <Link href="/usage">{t("keys.limits.usage")}</Link>
            </p>
          </Part>
        </>
      )}
    </SettingsPage>
  );
}

/** Changes the plan. The three others are named by the command's own help. */
const commandFor = (workspaceId: string): string =>
  `./bin/parley workspace update ${workspaceId} --plan business`;

function OneLimit({ of: { name, limit, used, own } }: { readonly of: Limits["items"][number] }) {
  const words = NAMES[name];
  if (!words) return null;
  const label = own ? t("keys.limits.own", { name: t(words[0]) }) : t(words[0]);
  if (limit === null)
    return (
      <div className="limit">
        <b>{label}</b> {t("keys.limits.usedOf.unlimited", { used })}
      </div>
    );
  const share = limit === 0 ? 1 : used / limit;
  return (
    <div className="limit">
      <Progress
        label={label}
        done={used}
        of={Math.max(limit, 1)}
        text={t("keys.limits.usedOf", { used, limit })}
        {...(share >= 1 ? { tone: "bad" as const } : share >= 0.8 ? { tone: "warn" as const } : {})}
      />
      <p className="hint">{t(words[1])}</p>
    </div>
  );
}
