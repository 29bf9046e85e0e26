import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { AskForm, Field, NewPassword } from "../people/entry.tsx";
import { failureText, useCall } from "../kit/use-call.ts";
import { Badge } from "../kit/badge.tsx";
import { distanceOf } from "../kit/format.ts";
import { formatLocale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import { useBootstrap } from "../inbox/use-inbox.ts";
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

const moments = new Intl.DateTimeFormat(formatLocale, { dateStyle: "medium", timeStyle: "short" });

function Sessions() {
  const [ended, setEnded] = useState<number | null>(null);
  const sessions = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => call("listSessions", { signal }),
  });
  const end = useCall(async (id: string | null) => {
    if (id === null) setEnded((await call("endOtherSessions")).ended);
    else {
      await call("endSession", { params: { id } });
      setEnded(1);
    }
    await sessions.refetch();
  });
  return (
    <SettingsPart title={t("people.sessions")}>
      {end.failed && <p role="alert">{failureText(end.failed)}</p>}
      {ended !== null && !end.failed && (
        <p role="status">{t("people.session.ended", { count: ended })}</p>
      )}
      <div className="settings-table">
        <table aria-label={t("people.sessions")}>
          <thead>
            <tr>
              <th scope="col">{t("people.session.browser")}</th>
              <th scope="col">{t("people.session.address")}</th>
              <th scope="col">{t("people.session.seen")}</th>
              <th scope="col">{t("people.session.action")}</th>
            </tr>
          </thead>
          <tbody>
            {sessions.data?.map(({ id, agent, ip, seenAt, current }) => (
              <tr key={id}>
                <td title={agent}>{browserOf(agent)}</td>
                <td>
                  <bdi dir="ltr">{ip}</bdi>
                </td>
                <td>
                  <time dateTime={seenAt} title={moments.format(new Date(seenAt))}>
                    {distanceOf(seenAt)}
                  </time>
                </td>
                <td>
                  {current ? (
                    <Badge tone="accent">{t("people.session.current")}</Badge>
                  ) : (
                    <Button isPending={end.busy} onPress={() => end.start(id)}>
                      {t("people.session.end")}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div>
        <Button isPending={end.busy} onPress={() => end.start(null)}>
          {t("people.session.endOthers")}
        </Button>
      </div>
    </SettingsPart>
  );
}
