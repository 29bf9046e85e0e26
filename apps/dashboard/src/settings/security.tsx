import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { AskForm, Field, NewPassword } from "../kit/ask-form.tsx";
import { failureText, useCall } from "../kit/use-call.ts";
import { Badge } from "../kit/badge.tsx";
import { distanceOf, momentOf } from "../kit/format.ts";
import { DataTable, type Column } from "../kit/table.tsx";
import { t } from "../text/t.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { SettingsPage, SettingsPart } from "./settings-page.tsx";
import { browserOf } from "./browser-name.ts";
import { TwoFactor } from "./two-factor.tsx";

/** `/settings/security`: the member's own password and sessions. */
export function Security() {
  const { member } = useBootstrap();
  return (
    <SettingsPage title={t("people.security")}>
      <TwoFactor email={member.email} />
      <ChangePassword />
      <Sessions />
    </SettingsPage>
  );
}

function ChangePassword() {
  const [saved, setSaved] = useState(0);
  const client = useQueryClient();
  const save = useCall(async (texts: ReadonlyMap<string, string>) => {
    await call("changePassword", {
      body: { old: texts.get("old") ?? "", fresh: texts.get("password") ?? "" },
    });
    setSaved((count) => count + 1);
    await client.invalidateQueries({ queryKey: ["sessions"] });
  });
  return (
    <SettingsPart title={t("people.security.password")}>
      {saved > 0 && !save.failed && <p role="status">{t("people.saved")}</p>}
      <AskForm key={saved} call={save} verb={t("people.savePassword")}>
        <Field
          name="old"
          type="password"
          label={t("people.password.now")}
          autoComplete="current-password"
        />
        <NewPassword label={t("people.newPassword")} />
      </AskForm>
    </SettingsPart>
  );
}

function Sessions() {
  const [ended, setEnded] = useState<number | null>(null);
  const sessions = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => call("listSessions", { signal }),
    throwOnError: failsPage,
  });
  const end = useCall(async (id: string | null) => {
    if (id === null) setEnded((await call("endOtherSessions")).ended);
    else {
      await call("endSession", { params: { id } });
      setEnded(1);
    }
    await sessions.refetch();
  });
  const columns: readonly Column<AnswerOf<"listSessions">[number]>[] = [
    {
      key: "browser",
      name: t("people.session.browser"),
      cell: ({ agent }) => <bdi title={agent}>{browserOf(agent)}</bdi>,
    },
    {
      key: "address",
      name: t("people.session.address"),
      cell: ({ ip }) => <bdi dir="ltr">{ip}</bdi>,
    },
    {
      key: "seen",
      name: t("people.session.seen"),
      cell: ({ seenAt }) => (
        <time dateTime={seenAt} title={momentOf(seenAt)}>
          {distanceOf(seenAt)}
        </time>
      ),
    },
    {
      key: "action",
      name: t("people.session.action"),
      action: true,
      cell: ({ id, current }) =>
        current ? (
          <Badge tone="accent">{t("people.session.current")}</Badge>
        ) : (
          <Button isPending={end.busy} onPress={() => end.start(id)}>
            {t("people.session.end")}
          </Button>
        ),
    },
  ];
  return (
    <SettingsPart title={t("people.sessions")}>
      {end.failed && <p role="alert">{failureText(end.failed)}</p>}
      {ended !== null && !end.failed && (
        <p role="status">{t("people.session.ended", { count: ended })}</p>
      )}
      <DataTable
        name={t("people.sessions")}
        columns={columns}
        rows={sessions.data ?? []}
        id={({ id }) => id}
      />
      <div>
        <Button isPending={end.busy} onPress={() => end.start(null)}>
          {t("people.session.endOthers")}
        </Button>
      </div>
    </SettingsPart>
  );
}
